import type { AdminAccount } from '../../api/entities.ts';
import { formatCount, t } from '../../i18n/translate.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { DisplayName } from '../../ui/display-name.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { can } from '../../session/permissions.ts';

/** Returns the states of an account in words, the gravest first. */
export function listStates(account: AdminAccount): readonly string[] {
  return [
    account.suspended && t('staffAccounts.suspended'),
    account.disabled === true && t('staffAccounts.disabled'),
    account.silenced && t('staffAccounts.silenced'),
    account.sensitized && t('staffAccounts.sensitized'),
    account.approved === false && t('staffAccounts.pending'),
    account.confirmed === false && t('staffAccounts.unconfirmed'),
  ].filter((state) => state !== false);
}

/** An account as staff see it: who it is, its states and figures. */
export function AccountFacts({ account }: { readonly account: AdminAccount }) {
  const { account: profile, role, ip, email, unconfirmed_email: newEmail } = account;
  return (
    <>
      <div class="account-head">
        <Avatar account={profile} size={56} />
        <div>
          <p class="item-title">
            {can('manage_users') ? (
              <a href={`/moderation/accounts/${account.id}`}>
                <DisplayName account={profile} />
              </a>
            ) : (
              <DisplayName account={profile} />
            )}
          </p>
          <p class="soft">
            <a href={`/@${profile.acct}`} dir="ltr">
              @{profile.acct}
            </a>
          </p>
        </div>
      </div>
      <p class="tags">
        {listStates(account).map((state) => (
          <span key={state} class="tag strong">
            {state}
          </span>
        ))}
        {role !== null && role.name !== '' && <span class="tag">{role.name}</span>}
      </p>
      <dl class="facts">
        <dt>{t('staffAccounts.since')}</dt>
        <dd>
          <RelativeTime time={account.created_at} />
        </dd>
        <dt>{t('staffAccounts.posts')}</dt>
        <dd>{formatCount(profile.statuses_count)}</dd>
        <dt>{t('staffAccounts.followers')}</dt>
        <dd>{formatCount(profile.followers_count)}</dd>
        {email !== null && email !== '' && (
          <>
            <dt>{t('staffAccounts.email')}</dt>
            <dd>{email}</dd>
          </>
        )}
        {newEmail !== undefined && (
          <>
            <dt>{t('staffAccounts.newEmail')}</dt>
            <dd>{newEmail}</dd>
          </>
        )}
        {ip !== null && ip !== '' && (
          <>
            <dt>{t('staffAccounts.ip')}</dt>
            <dd>{ip}</dd>
          </>
        )}
      </dl>
    </>
  );
}
