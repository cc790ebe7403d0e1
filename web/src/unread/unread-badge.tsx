import { formatCount, t } from '../i18n/translate.tsx';
import { maxShownUnread, unreadCount } from './unread.ts';
import './unread-badge.css';

/** The number of unread notifications, beside a link to them. Nothing if there are none. */
export function UnreadBadge() {
  const count = unreadCount.value;
  if (count === 0) return null;
  const isMore = count >= maxShownUnread;
  return (
    <span class="unread-badge" title={t('nav.unread', { count })}>
      {isMore ? `${formatCount(maxShownUnread - 1)}+` : formatCount(count)}
    </span>
  );
}
