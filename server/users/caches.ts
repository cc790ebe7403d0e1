import type { AnyCache } from '../platform/write/subscriptions.ts';
import { mailHostsCache } from './email-blocks/mail-hosts.ts';
import { providersCache } from './identity-providers/provider-client.ts';
import { matcherCache } from './ip-blocks/ip-policy.ts';
import { recordedIps } from './ips/record-user-ip.ts';
import { settingsCache } from './settings/user-settings.ts';
import { lastTouched } from './touch-user.ts';

export const caches: readonly AnyCache[] = [
  mailHostsCache,
  providersCache,
  matcherCache,
  recordedIps,
  settingsCache,
  lastTouched,
];
