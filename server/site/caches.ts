import type { AnyCache } from '../platform/write/subscriptions.ts';
import { policyCache } from './domains/domain-policy.ts';
import { rulesCache } from './rules/list-rules.ts';
import { keyCache } from './signer.ts';
import { settingsCache } from './site-settings.ts';
import { versionsCache } from './terms/terms-of-service.ts';
import { keysCache } from './vapid-keys.ts';

export const caches: readonly AnyCache[] = [policyCache, rulesCache, keyCache, settingsCache, versionsCache, keysCache];
