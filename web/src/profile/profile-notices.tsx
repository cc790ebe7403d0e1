import type { ComponentChildren } from 'preact';
import type { Account, Relationship } from '../api/entities.ts';
import { t, tx } from '../i18n/translate.tsx';
import { AccountRow, answerFollowRequest, unmuteAccount } from '../people/index.ts';
import { me } from '../session/session.ts';
import { relationshipOf } from '../store/relationships.ts';
import { nameOf } from '../ui/display-name.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';

/** What the reader should know before reading a profile: it moved, is in memory of its owner, is muted or wants to follow. */
export function ProfileNotices({ account }: { readonly account: Account }) {
  const relationship = account.id === me.value.id ? undefined : relationshipOf(account.id).value;
  const name = nameOf(account);
  return (
    <>
      {account.moved !== undefined && (
        <Notice text={t('profile.moved', { name })}>
          <AccountRow account={account.moved} />
        </Notice>
      )}
      {account.memorial === true && <Notice text={t('profile.memorialText')} />}
      {relationship?.requested_by === true && <RequestNotice account={account} />}
      {relationship?.muting === true && <MuteNotice account={account} relationship={relationship} />}
    </>
  );
}

function Notice({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) {
  return (
    <div class="profile-notice">
      <p>{text}</p>
      {children}
    </div>
  );
}

function RequestNotice({ account }: { readonly account: Account }) {
  return (
    <Notice text={t('profile.wantsToFollow', { name: nameOf(account) })}>
      <div class="form-buttons">
        <button type="button" class="button" onClick={() => void answerFollowRequest(account, 'authorize')}>
          {t('people.accept')}
        </button>
        <button type="button" class="button quiet" onClick={() => void answerFollowRequest(account, 'reject')}>
          {t('people.reject')}
        </button>
      </div>
    </Notice>
  );
}

function MuteNotice({ account, relationship }: { readonly account: Account; readonly relationship: Relationship }) {
  const { muting_expires_at: expiresAt, muting_notifications: hidesNotifications } = relationship;
  return (
    <Notice text={hidesNotifications ? t('profile.mutedWithNotifications') : t('profile.mutedText')}>
      {expiresAt !== null && <p class="small">{tx('people.muteEnds', { time: <RelativeTime time={expiresAt} /> })}</p>}
      <button type="button" class="button quiet" onClick={() => void unmuteAccount(account)}>
        {t('people.unmute')}
      </button>
    </Notice>
  );
}
