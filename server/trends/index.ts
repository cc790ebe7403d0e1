// Trends: hashtags, posts and links that many accounts use at the moment. Staff decide which are shown.
import type { Subscription } from '../platform/write/subscriptions.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { countLinkUses, countReblogs, countTagUses, deleteAccountUses } from './count-uses.ts';
import { refreshTrends } from './refresh-trends.ts';
import { requestReviews } from './request-reviews.ts';

export { trendsChanged } from './events.ts';
export { countTrendsToReview } from './find-trends.ts';
export { findVisibleTrends } from './list-trends.ts';
export { deleteProvidedTrends, storeProvidedTrends, type ProvidedTrend } from './provided-trends.ts';
export { presentLinks, presentTrendingTags } from './present-trends.ts';
export type { TrendKind, TrendSubjectId } from './tables.ts';
export { routes } from './routes.ts';
export { caches } from './caches.ts';

export const subscriptions: readonly Subscription[] = [countTagUses, countLinkUses, countReblogs, deleteAccountUses];

export const schedules: readonly Schedule[] = [refreshTrends, requestReviews];
