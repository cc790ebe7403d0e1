import { indexSubscriptions } from '../../platform/events/reactions.ts';
import * as accounts from '../../accounts/index.ts';
import { storeEntries } from '../../moderation/audit-log/index.ts';
import * as oauth from '../../oauth/index.ts';
import type { App } from '../../platform/app.ts';
import { buildApp, type AppOptions } from '../../platform/create-app.ts';
import * as users from '../../users/index.ts';
import * as webhooks from '../../webhooks/index.ts';

/**
 * Builds an App for commands that create accounts and tokens. It starts fast, because it omits the other domains: only
 * the audit log and the webhooks subscribe to these events. A test compares it with the full App.
 */
export function createAccountsApp(parts: AppOptions): App {
  const subscriptions = [storeEntries, ...[accounts, users, oauth, webhooks].flatMap((domain) => domain.subscriptions)];
  return buildApp(parts, { subscriptions: indexSubscriptions(subscriptions), isPartial: true });
}
