import type { AnyCache } from '../platform/write/subscriptions.ts';
import { unansweredRequests } from './post-message.ts';
import { targetCache } from './push-targets.ts';
import { tokenCache } from './vapid.ts';

export const caches: readonly AnyCache[] = [unansweredRequests, targetCache, tokenCache];
