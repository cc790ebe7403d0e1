// Site: the settings, texts, rules, terms of service and domain blocks that staff change while the server runs.
import type { Route } from '../platform/http/routes.ts';
import { domainRoutes } from './domains/routes.ts';
import { jobRoutes } from './jobs/routes.ts';
import { ruleRoutes } from './rules/routes.ts';
import { termsRoutes } from './terms/routes.ts';
import { siteTextRoutes } from './texts/routes.ts';

export {
  domainAllowed,
  domainBlocked,
  domainDisallowed,
  domainUnblocked,
  siteSettingsChanged,
  termsAnnounced,
} from './events.ts';
export { type Staff, staffAccountId } from './staff.ts';
export { changeSiteSettings, type SiteSettingsChanges } from './change-site-settings.ts';
export { siteSettings } from './site-settings.ts';
export type { SiteSettings } from './settings-schema.ts';
export { loadSigner } from './signer.ts';
export { storeVapidKeys, vapidKeys, type VapidKeys } from './vapid-keys.ts';
export { deleteOneTimeSecret, isOneTimeSecret, ensureOneTimeSecret, consumeOneTimeSecret } from './one-time-secret.ts';
export { caches } from './caches.ts';

export const routes: readonly Route[] = [
  ...domainRoutes,
  ...jobRoutes,
  ...ruleRoutes,
  ...termsRoutes,
  ...siteTextRoutes,
];
