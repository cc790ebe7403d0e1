import type { Account } from '../api/entities.ts';
import { toPlainText } from '../status/plain-text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { DisplayName, EmojiText } from '../ui/display-name.tsx';
import './account-link.css';

/** An account as a link to its profile, with the beginning of its bio. */
export function AccountLink({ account }: { readonly account: Account }) {
  return (
    <a class="account-link" href={`/@${account.acct}`}>
      <Avatar account={account} size={44} />
      <span>
        <span>
          <strong>
            <DisplayName account={account} />
          </strong>{' '}
          <span class="soft" dir="ltr">
            @{account.acct}
          </span>
        </span>
        <span class="soft small" dir="auto">
          <EmojiText text={toPlainText(account.note)} emojis={account.emojis} />
        </span>
      </span>
    </a>
  );
}
