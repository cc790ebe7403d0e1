import type { AnyCache } from '../platform/write/subscriptions.ts';
import { credentialCache } from './credentials/credential-account.ts';
import { relationsCache, followedCache } from './rules/relations.ts';

export const caches: readonly AnyCache[] = [credentialCache, relationsCache, followedCache];
