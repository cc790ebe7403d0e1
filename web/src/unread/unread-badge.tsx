import { formatCount, t } from '../i18n/translate.tsx';
import { maxShownUnread, unreadCount } from './unread.ts';
import { waitingCount } from './waiting.ts';
import './unread-badge.css';

/** The number of unread notifications, in a link to them whose name has it. Nothing if there are none. */
export function UnreadBadge() {
  const count = unreadCount.value;
  return <CountBadge count={count} title={t('nav.unread', { count })} />;
}

/** How much waits for a member of the staff, in a link to moderation whose name has it. Nothing if nothing waits. */
export function WaitingBadge() {
  const count = waitingCount.value;
  return <CountBadge count={count} title={t('nav.moderationWaiting', { count })} />;
}

interface CountBadgeProps {
  readonly count: number;
  readonly title: string;
}

/** A number in a link; nothing for zero. */
export function CountBadge({ count, title }: CountBadgeProps) {
  if (count === 0) return null;
  const isMore = count >= maxShownUnread;
  const shown = isMore ? `${formatCount(maxShownUnread - 1)}+` : formatCount(count);
  return <span class="unread-badge" data-count={shown} title={title} />;
}
