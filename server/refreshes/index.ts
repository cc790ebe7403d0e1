// Refreshes: work in the background whose progress clients follow by the header Mastodon-Async-Refresh.
import type { Schedule } from '../platform/work/run-schedules.ts';
import { cleanUpRefreshes } from './clean-up-refreshes.ts';

export { countResults, finishRefresh, startRefresh } from './change-refreshes.ts';
export { findRefresh, type Refresh } from './find-refresh.ts';
export { refreshHeader } from './refresh-header.ts';
export { routes } from './routes.ts';
export type { RefreshKey } from './tables.ts';

export const schedules: readonly Schedule[] = [cleanUpRefreshes];
