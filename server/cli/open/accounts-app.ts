import { indexSubscriptions } from '../../platform/write/reactions.ts';
import * as accounts from '../../accounts/index.ts';
import { storeEntries } from '../../moderation/audit-log/index.ts';
import * as emojis from '../../emojis/index.ts';
import * as media from '../../media/index.ts';
import * as moderationRules from '../../moderation-rules/index.ts';
import * as oauth from '../../oauth/index.ts';
import type { App } from '../../platform/app.ts';
import { buildApp, type AppOptions } from '../../platform/create-app.ts';
import * as site from '../../site/index.ts';
import * as users from '../../users/index.ts';
import * as webhooks from '../../webhooks/index.ts';

/**
 * Builds an App for commands that create accounts and tokens. It starts fast, because it omits the other domains: only
 * the audit log and the webhooks subscribe to these events. A test compares it with the full App.
 */
export function createAccountsApp(parts: AppOptions): App {
  const subscriptions = [storeEntries, ...[accounts, users, oauth, webhooks].flatMap((domain) => domain.subscriptions)];
  const caches = [site, media, emojis, accounts, moderationRules, users, oauth, webhooks].flatMap(
    (domain) => domain.caches,
  );
  return buildApp(parts, { subscriptions: indexSubscriptions(subscriptions, caches), isPartial: true });
}
