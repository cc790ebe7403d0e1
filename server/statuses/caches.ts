import type { AnyCache } from '../platform/write/subscriptions.ts';
import { recentRefreshes } from './poll/queue-poll-refresh.ts';
import { newStatuses } from './read/new-statuses.ts';
import { statusCache } from './read/status-cache.ts';
import { replyCache } from './read/thread-replies.ts';
import { viewerStateCache } from './read/viewer-state.ts';

export const caches: readonly AnyCache[] = [newStatuses, recentRefreshes, replyCache, statusCache, viewerStateCache];
