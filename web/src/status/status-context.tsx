import hourglass from '@phosphor-icons/core/regular/hourglass-medium.svg?raw';
import pin from '@phosphor-icons/core/regular/push-pin.svg?raw';
import replyIcon from '@phosphor-icons/core/regular/arrow-bend-up-left.svg?raw';
import repeat from '@phosphor-icons/core/regular/repeat.svg?raw';
import trend from '@phosphor-icons/core/regular/trend-up.svg?raw';
import type { ComponentChildren } from 'preact';
import type { Account, Status } from '../api/entities.ts';
import { t, tx } from '../i18n/translate.tsx';
import { accountOf } from '../store/statuses.ts';
import { DisplayName } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import type { FilterContext } from './filters.ts';

interface StatusContextProps {
  /** The post itself, or what it boosts. */
  readonly shown: Status;
  /** Who boosted it, first boost first. */
  readonly boosterIds: readonly string[];
  readonly isPinned: boolean;
  readonly context: FilterContext;
}

/** The lines above a post: who boosted it, where it trends, what it replies to, that it is pinned or waits for review. */
export function StatusContext({ shown, boosterIds, isPinned, context }: StatusContextProps) {
  return (
    <>
      {boosterIds.length > 0 && (
        <Line icon={repeat}>
          <Boosters ids={boosterIds} />
        </Line>
      )}
      {'trend_provider' in shown && typeof shown.trend_provider === 'string' && (
        <Line icon={trend}>{t('status.trendsOn', { name: shown.trend_provider })}</Line>
      )}
      {context === 'account' && isPinned && <Line icon={pin}>{t('status.pinnedPost')}</Line>}
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

/** The first two who boosted a post, and how many more did. */
function Boosters({ ids }: { readonly ids: readonly string[] }) {
  const [first, second] = ids.flatMap((id) => accountOf(id).value ?? []);
  if (first === undefined) return null;
  const name = <NameLink account={first} />;
  if (second === undefined) return <>{tx('status.boostedBy', { name })}</>;
  const other = <NameLink account={second} />;
  const count = ids.length - 2;
  if (count === 0) return <>{tx('status.boostedByTwo', { name, other })}</>;
  return <>{tx('status.boostedByMany', { name, other, count })}</>;
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
