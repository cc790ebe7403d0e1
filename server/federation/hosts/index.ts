// The state of federation with other servers, as operators see and change it.
export { countQueues, findHost, listFailingHosts, type FederationQueue, type ListedHost } from './list-hosts.ts';
export { crawlDomains, type CrawledServer } from './crawl-domains.ts';
export { deleteHostQueue, retryHost } from './change-host.ts';
export { pauseHost, resumePausedHost } from './pause-host.ts';
