// How many notifications are unread.
export { UnreadBadge } from './unread-badge.tsx';
export { followUnread, refreshUnread, unreadCount } from './unread.ts';
