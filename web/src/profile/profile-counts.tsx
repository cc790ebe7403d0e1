import type { Account } from '../api/entities.ts';
import { formatBriefly, formatCount, t, tx } from '../i18n/translate.tsx';
import type { ProfileTab } from './profile-tab.ts';
import './profile-header.css';

/** How many posts, followed accounts and followers an account has, as links to them. `tab`: what the page of the profile shows; absent elsewhere. */
export function ProfileCounts({ account, tab }: { readonly account: Account; readonly tab?: ProfileTab }) {
  const path = `/@${account.acct}`;
  const { statuses_count: posts, following_count: following, followers_count: followers } = account;
  const current = (at: ProfileTab) => (tab === at ? { 'aria-current': 'page' as const } : {});
  const links = (
    <>
      <a href={path} title={formatCount(posts)}>
        {tx('profile.postCount', { count: posts, number: <Brief count={posts} /> })}
      </a>
      <a href={`${path}/following`} title={formatCount(following)} {...current('following')}>
        {tx('profile.followingCount', { number: <Brief count={following} /> })}
      </a>
      <a href={`${path}/followers`} title={formatCount(followers)} {...current('followers')}>
        {tx('profile.followerCount', { count: followers, number: <Brief count={followers} /> })}
      </a>
    </>
  );
  if (tab === undefined) return <div class="profile-counts">{links}</div>;
  return (
    <nav class="profile-counts" aria-label={t('profile.counts')}>
      {links}
    </nav>
  );
}

function Brief({ count }: { readonly count: number }) {
  return <strong>{formatBriefly(count)}</strong>;
}
