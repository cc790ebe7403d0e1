import { request } from '../api/client.ts';
import type { Account, Collection, Collections, FeaturedTag } from '../api/entities.ts';
import { CollectionRow } from '../collections/index.ts';
import { t } from '../i18n/translate.tsx';
import { AccountRow } from '../people/index.ts';
import { me } from '../session/session.ts';
import { nameOf } from '../ui/display-name.tsx';
import { EmptyState } from '../ui/states.tsx';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { PinnedPosts } from './pinned-posts.tsx';

interface Featured {
  readonly tags: readonly FeaturedTag[];
  readonly accounts: readonly Account[];
  readonly collections: readonly Collection[];
}

async function loadFeatured(id: string): Promise<Featured> {
  const path = `/api/v1/accounts/${id}`;
  const [tags, accounts, { collections }] = await Promise.all([
    request<readonly FeaturedTag[]>('GET', `${path}/featured_tags`),
    request<readonly Account[]>('GET', `${path}/endorsements`),
    request<Collections>('GET', `${path}/collections`),
  ]);
  return { tags, accounts, collections };
}

/** What an account features: hashtags, collections, accounts and pinned posts. */
export function FeaturedTab({ account }: { readonly account: Account }) {
  const featured = useLoaded<Featured>(account.id, () => loadFeatured(account.id));
  if (featured.value === undefined) return <NotLoaded of={featured} count={3} />;
  return (
    <>
      <FeaturedLists account={account} featured={featured.value} />
      <PinnedPosts accountId={account.id} />
    </>
  );
}

function FeaturedLists({ account, featured }: { readonly account: Account; readonly featured: Featured }) {
  const { tags, accounts, collections } = featured;
  const isMine = account.id === me.value.id;
  if (tags.length + accounts.length + collections.length === 0)
    return (
      <EmptyState
        title={isMine ? t('profile.nothingOwnFeatured') : t('profile.nothingFeatured', { name: nameOf(account) })}
      >
        {isMine && <p>{t('profile.featuredHint')}</p>}
      </EmptyState>
    );
  return (
    <>
      {tags.length > 0 && <FeaturedTags account={account} tags={tags} />}
      {collections.length > 0 && (
        <section aria-label={t('collections.title')}>
          <h3 class="profile-section">{t('collections.title')}</h3>
          <ul class="rows">
            {collections.map((collection) => (
              <li key={collection.id}>
                <CollectionRow collection={collection} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {accounts.length > 0 && (
        <section aria-label={t('profile.endorsedAccounts')}>
          <h3 class="profile-section">{t('profile.endorsedAccounts')}</h3>
          <ul class="rows">
            {accounts.map((one) => (
              <li key={one.id}>
                <AccountRow account={one} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function FeaturedTags({ account, tags }: { readonly account: Account; readonly tags: readonly FeaturedTag[] }) {
  return (
    <section aria-label={t('profile.featuredTags')}>
      <h3 class="profile-section">{t('profile.featuredTags')}</h3>
      <ul class="featured-tags">
        {tags.map((tag) => (
          <li key={tag.id}>
            <a href={`/@${account.acct}/tagged/${encodeURIComponent(tag.name)}`}>
              <bdi>#{tag.name}</bdi>
              <small class="soft">{t('profile.taggedPosts', { count: Number(tag.statuses_count) })}</small>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
