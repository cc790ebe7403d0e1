// Blocked, limited and allowed domains.
export { allowDomain, insertAllow } from './allow-domain.ts';
export { coversBlock, toColumns, type BlockColumns } from './block-changes.ts';
export { blockDomain, type DomainBlockChanges } from './block-domain.ts';
export { disallowDomain } from './disallow-domain.ts';
export {
  domainPolicy,
  loadDomainPolicy,
  loadDomainRule,
  domainPolicyEvents,
  type DomainRule,
} from './domain-policy.ts';
export { findAllows, findBlocks } from './find-domains.ts';
export { listAllowedDomains, listBlockedDomains } from './list-domains.ts';
export { unblockDomain } from './unblock-domain.ts';
export { parseDomain } from './parse-domain.ts';
export { setBlock } from './set-block.ts';
