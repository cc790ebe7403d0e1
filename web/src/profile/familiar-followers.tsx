import { withQuery } from '../api/client.ts';
import type { Account, FamiliarFollowers } from '../api/entities.ts';
import { tx } from '../i18n/translate.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { DisplayName } from '../ui/display-name.tsx';
import { useLoaded } from '../ui/use-loaded.tsx';
import './profile-header.css';

const maxNames = 2;
const maxAvatars = 4;

/** Which accounts that the reader follows also follow this one. Nothing if there are none. */
export function FamiliarFollowersLine({ accountId }: { readonly accountId: string }) {
  // An addition that nobody waits for: a failure is not shown.
  const path = withQuery('/api/v1/accounts/familiar_followers', { id: [accountId] });
  return <FamiliarFollowersOf found={useLoaded<readonly FamiliarFollowers[]>(path).value?.[0]?.accounts ?? []} />;
}

/** The followers of an account that the reader follows. Nothing if there are none. */
export function FamiliarFollowersOf({ found }: { readonly found: readonly Account[] }) {
  const [first, second] = found;
  if (first === undefined) return null;
  return (
    <div class="familiar-followers soft small">
      <span class="avatars">
        {found.slice(0, maxAvatars).map((account) => (
          <a key={account.id} href={`/@${account.acct}`} aria-hidden="true" tabIndex={-1}>
            <Avatar account={account} size={24} />
          </a>
        ))}
      </span>
      <span>
        {second === undefined
          ? tx('profile.familiarOne', { name: <Name account={first} /> })
          : found.length === maxNames
            ? tx('profile.familiarTwo', { name: <Name account={first} />, other: <Name account={second} /> })
            : tx('profile.familiarMany', {
                name: <Name account={first} />,
                other: <Name account={second} />,
                count: found.length - maxNames,
              })}
      </span>
    </div>
  );
}

function Name({ account }: { readonly account: Account }) {
  return (
    <a href={`/@${account.acct}`}>
      <DisplayName account={account} />
    </a>
  );
}
