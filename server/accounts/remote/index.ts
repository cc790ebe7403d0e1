// Remote accounts: storing them and keeping them up to date.
export { accountIndexableChanged } from './indexable-changed.ts';
export { isOutdated } from './is-outdated.ts';
export {
  findOutboxRead,
  finishOutboxRead,
  forgetOutboxReads,
  isOutboxReadRunning,
  queueOutboxRead,
  type OutboxPlace,
  type OutboxRead,
} from './queue-outbox-read.ts';
export { outboxReadRequested } from './outbox-read-requested.ts';
export { recordAccountView } from './record-account-view.ts';
export { storeActorCollectionStats } from './store-actor-collection-stats.ts';
export { storeRemoteAccount, type RemoteAccount } from './store-remote-account.ts';
export { listKnownDomains } from './list-known-domains.ts';
