import type { ComponentChildren } from 'preact';
import type { Account } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { relationshipOf } from '../store/relationships.ts';
import { Avatar } from '../ui/avatar.tsx';
import { NameAndHandle, EmojiText } from '../ui/display-name.tsx';
import { FollowButton } from './follow-button.tsx';
import { plainText } from './plain-text.ts';
import '../ui/account-row.css';

interface AccountRowProps {
  readonly account: Account;
  /** Below the name, in place of the start of the profile text. */
  readonly note?: ComponentChildren;
  /** At the end, in place of the follow button. */
  readonly actions?: ComponentChildren;
}

/** An account in a list: profile picture, name, start of the profile text, and what can be done. */
export function AccountRow({ account, note, actions = <FollowButton account={account} /> }: AccountRowProps) {
  return (
    <div class="account-frame">
      <div class="account-row">
        <a href={`/@${account.acct}`} tabIndex={-1} aria-hidden="true">
          <Avatar account={account} />
        </a>
        <div class="account-row-text">
          <a class="account-row-name" href={`/@${account.acct}`}>
            <NameAndHandle account={account} />
          </a>
          <FollowsYou id={account.id} />
        </div>
        <div class="account-row-actions">{actions}</div>
        {note === undefined ? (
          <p class="account-row-bio soft small" dir="auto">
            <EmojiText text={plainText(account.note)} emojis={account.emojis} />
          </p>
        ) : (
          <div class="account-row-note soft small">{note}</div>
        )}
      </div>
    </div>
  );
}

function FollowsYou({ id }: { readonly id: string }) {
  return relationshipOf(id).value?.followed_by === true ? <span class="badge">{t('people.followsYou')}</span> : null;
}
