import hourglass from '@phosphor-icons/core/regular/hourglass-medium.svg?raw';
import pin from '@phosphor-icons/core/regular/push-pin.svg?raw';
import replyIcon from '@phosphor-icons/core/regular/arrow-bend-up-left.svg?raw';
import repeat from '@phosphor-icons/core/regular/repeat.svg?raw';
import type { ComponentChildren } from 'preact';
import type { Account, Status } from '../api/entities.ts';
import { t, tx } from '../i18n/translate.tsx';
import { accountOf } from '../store/statuses.ts';
import { DisplayName } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import type { FilterContext } from './filters.ts';

interface StatusContextProps {
  readonly status: Status;
  /** The post itself, or what it boosts. */
  readonly shown: Status;
  readonly context: FilterContext;
}

/** The lines above a post: who boosted it, what it replies to, that it is pinned or waits for review. */
export function StatusContext({ status, shown, context }: StatusContextProps) {
  return (
    <>
      {status.reblog !== null && (
        <Line icon={repeat}>{tx('status.boostedBy', { name: <NameLink account={status.account} /> })}</Line>
      )}
      {context === 'account' && status.pinned === true && <Line icon={pin}>{t('status.pinnedPost')}</Line>}
      {shown.held_for_review === true && <Line icon={hourglass}>{t('status.held')}</Line>}
      {context !== 'thread' && shown.in_reply_to_id !== null && <ReplyLine status={shown} />}
    </>
  );
}

function Line({ icon, children }: { readonly icon: string; readonly children: ComponentChildren }) {
  return (
    <p class="status-context">
      <Icon svg={icon} isDirectional={icon === replyIcon} />
      <span>{children}</span>
    </p>
  );
}

function NameLink({ account }: { readonly account: Account }) {
  return (
    <a href={`/@${account.acct}`}>
      <DisplayName account={account} />
    </a>
  );
}

function ReplyLine({ status }: { readonly status: Status }) {
  const { account, in_reply_to_id: parentId, in_reply_to_account_id: parentAccountId, mentions } = status;
  const mention = mentions.find(({ id }) => id === parentAccountId);
  const parent = parentAccountId === null ? undefined : accountOf(parentAccountId).value;
  const acct = parent?.acct ?? mention?.acct;
  const path = `/@${acct ?? account.acct}/${parentId}`;
  if (parentAccountId === account.id)
    return (
      <Line icon={replyIcon}>
        <a href={path}>{t('status.ownThread')}</a>
      </Line>
    );
  const name = parent !== undefined ? <DisplayName account={parent} /> : acct === undefined ? undefined : `@${acct}`;
  return (
    <Line icon={replyIcon}>
      <a href={path}>{name === undefined ? t('status.isReply') : tx('status.replyTo', { name })}</a>
    </Line>
  );
}
