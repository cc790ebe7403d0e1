import { useSignal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { Tag } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { EmptyState } from '../ui/states.tsx';
import { showError } from '../ui/toasts.tsx';
import { setFields } from '../store/changes.ts';
import { usePages } from '../store/pages.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { useChanges } from '../ui/use-changes.ts';
import '../ui/account-row.css';

/** The hashtags that the reader follows. One that is unfollowed stays until the page is left, so that it can be undone. */
export function FollowedTagsPage() {
  const list = usePages<Tag>('/api/v1/followed_tags');
  return (
    <>
      <PageHeader title={t('people.followedTags')} hasBack />
      <PagedList
        hasLines
        pages={list}
        label={t('people.followedTags')}
        empty={
          <EmptyState title={t('people.noFollowedTags')}>
            <p>{t('people.noFollowedTagsHint')}</p>
            <a class="button quiet" href="/explore">
              {t('nav.explore')}
            </a>
          </EmptyState>
        }
        keyOf={({ name }) => name}
        render={(tag) => <TagRow tag={tag} />}
      />
    </>
  );
}

function TagRow({ tag }: { readonly tag: Tag }) {
  const shown = useSignal(tag);
  const changes = useChanges(shown);
  const isFollowing = shown.value.following ?? true;
  const follow = (following: boolean): void =>
    void changes.make(
      tag.name,
      setFields<Tag>(
        { following },
        {
          send: () =>
            request<Tag>('POST', `/api/v1/tags/${encodeURIComponent(tag.name)}/${following ? 'follow' : 'unfollow'}`),
          onError: (error) => showError(error, () => follow(following)),
        },
      ),
    );
  const today = Number(tag.history[0]?.uses ?? 0);
  return (
    <div class="account-row simple">
      <a class="account-row-name" href={`/tags/${encodeURIComponent(tag.name)}`}>
        <strong class="one-line">
          <bdi>#{tag.name}</bdi>
        </strong>
        <span class="soft small">{t('people.tagToday', { count: today })}</span>
      </a>
      <button
        type="button"
        class={isFollowing ? 'button quiet' : 'button'}
        aria-label={
          isFollowing
            ? t('people.unfollowName', { name: `#${tag.name}` })
            : t('people.followName', { name: `#${tag.name}` })
        }
        onClick={() => follow(!isFollowing)}
      >
        {isFollowing ? t('people.unfollow') : t('people.follow')}
      </button>
    </div>
  );
}
