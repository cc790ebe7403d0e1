import type { Account } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { CollectionList } from '../collections/index.ts';
import { domainOf, FollowButton } from '../people/index.ts';
import { me } from '../session/session.ts';
import { relationshipOf } from '../store/relationships.ts';
import { type TimelineSource, TimelineView } from '../timeline/index.ts';
import { MediaTimeline } from '../timeline/media/index.ts';
import { nameOf } from '../ui/display-name.tsx';
import { EmptyState } from '../ui/states.tsx';
import { FeaturedTab } from './featured-tab.tsx';
import { ImportedPostsNotice, importedPostsOf, importedPostsQuery } from './imported-posts.tsx';
import { NetworkList } from './network-list.tsx';
import { OriginalPageHint } from './original-page-hint.tsx';
import { WithPinnedPosts } from './pinned-posts.tsx';
import type { ProfileTab } from './profile-tab.ts';

interface ProfileContentProps {
  readonly account: Account;
  readonly tab: ProfileTab;
  readonly tag: string;
}

/** What a tab of a profile shows. The posts of blocked accounts and servers are not shown. */
export function ProfileContent({ account, tab, tag }: ProfileContentProps) {
  const relationship = account.id === me.value.id ? undefined : relationshipOf(account.id).value;
  if (relationship?.blocking === true || relationship?.domain_blocking === true)
    return (
      <EmptyState
        title={
          relationship.blocking
            ? t('profile.blocking', { name: nameOf(account) })
            : t('profile.domainBlocking', { domain: domainOf(account) ?? '' })
        }
      >
        <p>{t('profile.blockingHint')}</p>
        <FollowButton account={account} />
      </EmptyState>
    );
  return (
    <div key={`${account.id}/${tab}/${tag}/${importedPostsOf(account.id)}`}>
      {postTabs.has(tab) && <ImportedPostsNotice accountId={account.id} />}
      <TabContent account={account} tab={tab} tag={tag} />
    </div>
  );
}

/** The tabs whose posts can be filtered. */
const postTabs: ReadonlySet<ProfileTab> = new Set(['posts', 'replies', 'tagged', 'media']);

function TabContent({ account, tab, tag }: ProfileContentProps) {
  switch (tab) {
    case 'posts': {
      const source = accountSource(account.id, 'posts', { exclude_replies: true });
      if (importedPostsOf(account.id) !== 'all') return <Posts account={account} source={source} />;
      return (
        <WithPinnedPosts accountId={account.id}>
          {(hasPinned) => <Posts account={account} source={source} isQuietWhenEmpty={hasPinned} />}
        </WithPinnedPosts>
      );
    }
    case 'replies':
      return <Posts account={account} source={accountSource(account.id, 'replies', { exclude_reblogs: true })} />;
    case 'tagged':
      return (
        <>
          <h3 class="profile-section">{t('profile.taggedTitle', { tag })}</h3>
          <Posts
            account={account}
            source={accountSource(account.id, `tagged:${tag}`, { tagged: tag })}
            emptyTitle={t('profile.noTaggedToShow', { name: nameOf(account), tag })}
          />
        </>
      );
    case 'media':
      return (
        <>
          <MediaTimeline
            source={accountSource(account.id, 'media', {
              only_media: true,
              exclude_replies: account.show_media_replies ? undefined : true,
            })}
            empty={<EmptyState title={t('profile.noMedia', { name: nameOf(account) })} />}
          />
          <OriginalPageHint account={account} text={t('profile.olderElsewhere')} />
        </>
      );
    case 'featured':
      return <FeaturedTab account={account} />;
    case 'collections':
      return <CollectionList account={account} />;
    case 'followers':
    case 'following':
      return <NetworkList account={account} kind={tab} />;
  }
}

function accountSource(id: string, kind: string, query: NonNullable<TimelineSource['query']>): TimelineSource {
  const imported = importedPostsOf(id);
  return {
    key: `account:${id}:${kind}${imported === 'all' ? '' : `:${imported}`}`,
    path: `/api/v1/accounts/${id}/statuses`,
    query: { ...query, ...importedPostsQuery(imported) },
    context: 'account',
  };
}

interface PostsProps {
  readonly account: Account;
  readonly source: TimelineSource;
  /** Whether posts above already show that the account is not empty. */
  readonly isQuietWhenEmpty?: boolean;
  /** What is shown if some posts of the account do not belong here. */
  readonly emptyTitle?: string;
}

function Posts({ account, source, isQuietWhenEmpty = false, emptyTitle }: PostsProps) {
  return (
    <>
      <TimelineView
        source={source}
        empty={isQuietWhenEmpty ? null : <NoPosts account={account} emptyTitle={emptyTitle} />}
      />
      <OriginalPageHint account={account} text={t('profile.olderElsewhere')} />
    </>
  );
}

interface NoPostsProps {
  readonly account: Account;
  readonly emptyTitle: string | undefined;
}

/** Shown if a tab has no posts. The account may have others: replies, posts for followers, or posts that are left out. */
function NoPosts({ account, emptyTitle = t('profile.noPostsToShow', { name: nameOf(account) }) }: NoPostsProps) {
  if (account.statuses_count > 0) return <EmptyState title={emptyTitle} />;
  if (account.id !== me.value.id) return <EmptyState title={t('profile.noPosts', { name: nameOf(account) })} />;
  return (
    <EmptyState title={t('profile.noOwnPosts')}>
      <a class="button" href="/publish">
        {t('nav.publish')}
      </a>
    </EmptyState>
  );
}
