import { formatCount, t } from '../i18n/translate.tsx';
import { maxShownUnread, unreadCount } from './unread.ts';
import './unread-badge.css';

/** The number of unread notifications, in a link to them whose name has it. Nothing if there are none. */
export function UnreadBadge() {
  const count = unreadCount.value;
  if (count === 0) return null;
  const isMore = count >= maxShownUnread;
  const shown = isMore ? `${formatCount(maxShownUnread - 1)}+` : formatCount(count);
  return <span class="unread-badge" data-count={shown} title={t('nav.unread', { count })} />;
}
