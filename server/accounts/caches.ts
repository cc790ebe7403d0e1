import type { AnyCache } from '../platform/write/subscriptions.ts';
import { storedActors } from './keys/instance-actor.ts';
import { keyCache } from './keys/signing-keys.ts';
import { accountCache } from './present/account-cache.ts';
import { recentViews } from './remote/record-account-view.ts';

export const caches: readonly AnyCache[] = [storedActors, keyCache, accountCache, recentViews];
