// The state of federation with other servers, as operators see and change it.
export { countQueues, findHost, listFailingHosts, type FederationQueue, type ListedHost } from './list-hosts.ts';
export { deleteHostQueue, retryHost } from './change-host.ts';
