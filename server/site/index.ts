// Site: what the people who run this server say about it and decide while it runs (texts, rules, registrations).
export { addRule, listRules, removeRule, type SiteRule } from './rules.ts';
export { siteChannel, siteSettings } from './site-settings.ts';
export type { SiteSettings } from './settings-shape.ts';
export { updateSiteSettings, type SiteChanges } from './update-site-settings.ts';
export { vapidKeys, type VapidKeys } from './vapid-keys.ts';
export { deleteOneTimeSecret, isOneTimeSecret, oneTimeSecret, useOneTimeSecret } from './one-time-secret.ts';
