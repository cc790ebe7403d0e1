// Blocked, limited and allowed domains.
export { allowDomain } from './allow-domain.ts';
export { blockDomain, type DomainBlockChanges } from './block-domain.ts';
export { disallowDomain } from './disallow-domain.ts';
export {
  domainPolicy,
  loadDomainPolicy,
  loadDomainRule,
  domainPolicyEvents,
  type DomainRule,
} from './domain-policy.ts';
export { listAllowedDomains, listBlockedDomains } from './list-domains.ts';
export { unblockDomain } from './unblock-domain.ts';
