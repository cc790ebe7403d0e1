import at from '@phosphor-icons/core/regular/at.svg?raw';
import bell from '@phosphor-icons/core/regular/bell.svg?raw';
import chart from '@phosphor-icons/core/regular/chart-bar.svg?raw';
import flag from '@phosphor-icons/core/regular/flag.svg?raw';
import linkBreak from '@phosphor-icons/core/regular/link-break.svg?raw';
import pencil from '@phosphor-icons/core/regular/pencil-simple.svg?raw';
import quotes from '@phosphor-icons/core/regular/quotes.svg?raw';
import repeat from '@phosphor-icons/core/regular/repeat.svg?raw';
import stack from '@phosphor-icons/core/regular/stack.svg?raw';
import star from '@phosphor-icons/core/fill/star-fill.svg?raw';
import userPlus from '@phosphor-icons/core/regular/user-plus.svg?raw';
import warning from '@phosphor-icons/core/regular/warning.svg?raw';
import x from '@phosphor-icons/core/regular/x.svg?raw';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { findFilters, isHidden, StatusCard } from '../status/index.ts';
import { accountOf, statusOf } from '../store/statuses.ts';
import { Avatar } from '../ui/avatar.tsx';
import { DisplayName } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { followSidewaysSwipes } from '../ui/swipe-aside.ts';
import { describe, linkOf } from './describe.tsx';
import { Excerpt } from './excerpt.tsx';
import { FollowRequestActions } from './follow-request-actions.tsx';
import type { ShownGroup } from './group-notifications.ts';
import { GroupMembers } from './group-members.tsx';
import './notification-row.css';

const icons: Readonly<Record<string, string>> = {
  mention: at,
  status: bell,
  reblog: repeat,
  favourite: star,
  follow: userPlus,
  follow_request: userPlus,
  poll: chart,
  update: pencil,
  quote: quotes,
  quoted_update: pencil,
  added_to_collection: stack,
  collection_update: stack,
  'admin.sign_up': userPlus,
  'admin.report': flag,
  severed_relationships: linkBreak,
  moderation_warning: warning,
};

/** Types whose post is shown with its buttons, because one may want to answer it. */
const withWholePost: ReadonlySet<string> = new Set(['mention', 'status', 'quote', 'quoted_update']);

interface NotificationRowProps {
  readonly group: ShownGroup;
  readonly isUnread: boolean;
  readonly onDismiss: (group: ShownGroup) => void;
  /** Called when a request to follow was answered. */
  readonly onAnswered: (group: ShownGroup) => void;
}

/** A group of notifications: what happened, by which people, and to which post. Nothing if a filter hides the post. */
export function NotificationRow({ group, isUnread, onDismiss, onAnswered }: NotificationRowProps) {
  const { type, key, statusId, senderIds, time } = group;
  const element = useDismissedBySwipe(() => onDismiss(group));
  const sender = accountOf(senderIds[0] ?? '').value;
  const status = statusId === undefined ? undefined : statusOf(statusId).value;
  if (sender === undefined) return null;
  const name = (
    <a class="sender" href={`/@${sender.acct}`}>
      <DisplayName account={sender} />
    </a>
  );
  const isWhole = withWholePost.has(type) && statusId !== undefined;
  if (isWhole && status !== undefined && isHidden(findFilters(status, 'notifications'))) return null;
  const textId = `notification-${key}`;
  const text = (
    <p class="notification-text" id={textId}>
      {isUnread && <span class="visually-hidden">{t('notifications.unread')} </span>}
      {describe(group, name, sender)}
    </p>
  );
  return (
    <article
      ref={element}
      class={`notification of-${type.replace('.', '-')}${isUnread ? ' unread' : ''}`}
      aria-labelledby={textId}
    >
      <div class="notification-line">
        <Icon svg={icons[type] ?? bell} />
        {isWhole ? text : <Faces senderIds={senderIds} />}
        <span class="notification-end soft small">
          {!isWhole && time !== '' && <RelativeTime time={time} />}
          <button
            type="button"
            class="icon-button"
            aria-label={t('notifications.dismiss')}
            title={t('notifications.dismiss')}
            onClick={() => onDismiss(group)}
          >
            <Icon svg={x} />
          </button>
        </span>
        {!isWhole && (
          <div class="notification-body">
            {text}
            <Details group={group} link={linkOf(group, sender, status)} />
            {type === 'follow_request' && <FollowRequestActions account={sender} onDone={() => onAnswered(group)} />}
            {group.count > 1 && <GroupMembers group={group} />}
          </div>
        )}
      </div>
      {isWhole && <StatusCard id={statusId} context="notifications" />}
    </article>
  );
}

/** Returns the reference for an element that a swipe to either side dismisses. */
function useDismissedBySwipe(onDismiss: () => void): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  const latest = useRef(onDismiss);
  latest.current = onDismiss;
  useLayoutEffect(
    () =>
      // In a tab of home, a swipe leads to the next tab.
      element.current === null || element.current.closest('[data-swipes]') !== null
        ? undefined
        : followSidewaysSwipes(element.current, () => latest.current()),
    [],
  );
  return element;
}

const maxFaces = 8;

function Faces({ senderIds }: { readonly senderIds: readonly string[] }) {
  return (
    <div class="faces">
      {senderIds.slice(0, maxFaces).map((id) => (
        <Face key={id} id={id} />
      ))}
    </div>
  );
}

function Face({ id }: { readonly id: string }) {
  const account = accountOf(id).value;
  if (account === undefined) return null;
  return (
    <a href={`/@${account.acct}`} title={`@${account.acct}`} aria-label={`@${account.acct}`}>
      <Avatar account={account} size={36} />
    </a>
  );
}

/** What a notification without a whole post is about, as a link to it. */
function Details({ group, link }: { readonly group: ShownGroup; readonly link: string }) {
  const { type, statusId, about, senderIds } = group;
  if (statusId !== undefined) return <Excerpt statusId={statusId} link={link} />;
  if (type === 'follow' && group.count === 1) return <Bio accountId={senderIds[0] ?? ''} />;
  if (about.report !== undefined)
    return (
      <p class="notification-details">
        {about.report.comment !== '' && <q dir="auto">{about.report.comment}</q>}{' '}
        <a href={link}>{t(link.startsWith('/moderation/') ? 'notifications.openReport' : 'status.open')}</a>
      </p>
    );
  if (about.event !== undefined)
    return (
      <p class="notification-details">
        {t('notifications.lostFollowers', { count: about.event.followers_count })}{' '}
        {t('notifications.lostFollowing', { count: about.event.following_count })}
      </p>
    );
  if (about.moderation_warning !== undefined)
    return (
      <p class="notification-details">
        {about.moderation_warning.text !== '' && <q dir="auto">{about.moderation_warning.text}</q>}{' '}
        <a href={link}>{t('notifications.openWarning')}</a>
      </p>
    );
  if (about.collection !== undefined)
    return (
      <p class="notification-details">
        <a href={link}>{t('notifications.openCollection')}</a>
      </p>
    );
  if (type === 'admin.sign_up')
    return (
      <p class="notification-details">
        <a href={link}>{t('notifications.openSignUp')}</a>
      </p>
    );
  return null;
}

function Bio({ accountId }: { readonly accountId: string }) {
  const account = accountOf(accountId).value;
  if (account === undefined) return null;
  return (
    <p class="notification-details soft">
      <bdi>@{account.acct}</bdi>
    </p>
  );
}
