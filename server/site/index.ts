// Site: the settings, texts, rules, terms of service and domain blocks that staff change while the server runs.
export { allowDomain } from './allow-domain.ts';
export { blockDomain, type DomainBlockChanges } from './block-domain.ts';
export { disallowDomain } from './disallow-domain.ts';
export {
  domainPolicy,
  type DomainPolicy,
  loadDomainPolicy,
  loadDomainRule,
  domainPolicyEvents,
} from './domain-policy.ts';
export { domainAllowed, domainBlocked, domainDisallowed, domainUnblocked, siteSettingsChanged } from './events.ts';
export { listAllowedDomains, listBlockedDomains } from './list-domains.ts';
export { type Staff, staffAccountId } from './staff.ts';
export type { DomainSeverity } from './tables.ts';
export { unblockDomain } from './unblock-domain.ts';
export { addRule, deleteRule, editRule } from './change-rules.ts';
export { changeSiteSettings, type SiteSettingsChanges } from './change-site-settings.ts';
export { listRules, type SiteRule } from './list-rules.ts';
export { publishTermsOfService } from './publish-terms-of-service.ts';
export { currentTermsOfService, listTermsOfService, type TermsOfService } from './terms-of-service.ts';
export { siteSettings } from './site-settings.ts';
export type { SiteSettings } from './settings-schema.ts';
export { vapidKeys, type VapidKeys } from './vapid-keys.ts';
export { deleteOneTimeSecret, isOneTimeSecret, ensureOneTimeSecret, consumeOneTimeSecret } from './one-time-secret.ts';
