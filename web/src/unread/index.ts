// How many notifications are unread, and how much waits for staff.
export { CountBadge, UnreadBadge, WaitingBadge } from './unread-badge.tsx';
export { followUnread, refreshUnread, unreadCount } from './unread.ts';
export { followStaffCounts, refreshStaffCounts, staffCounts, waitingCount } from './waiting.ts';
