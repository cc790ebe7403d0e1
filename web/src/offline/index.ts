// The outbox and the service worker, for use without a connection.
export { OutboxNotice } from './outbox-notice.tsx';
export {
  type Action,
  discard,
  type HeldPost,
  holdPost,
  type QueuedAction,
  queuedFollows,
  sendOrQueue,
  startOutbox,
} from './outbox.ts';
export { PendingPosts } from './pending-posts.tsx';
export { deleteShare, findShare, type Share } from './shares.ts';
export { leaveClient, registerServiceWorker } from './register.ts';
