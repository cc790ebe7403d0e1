import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { finishRefresh, refreshHeader, startRefresh, type RefreshKey } from '../../refreshes/index.ts';
import type { FeedRef } from './feed-tables.ts';

/** Seconds after which clients ask for the progress of a build (reference/endpoints.tsv). */
const retrySeconds = 5;

const keyOf = (accountId: AccountId): RefreshKey => `home:${accountId}`;

/** Returns the header by which clients follow the build of a home feed. */
export const homeRefreshHeader = (app: App, accountId: AccountId): Promise<Record<string, string>> =>
  refreshHeader(app, keyOf(accountId), { retrySeconds });

/** Records that a home feed is being built. No-op for lists, which clients cannot follow. */
export async function startFeedRefresh(tx: Transaction, app: App, feed: FeedRef): Promise<void> {
  if (feed.kind === 'home') await startRefresh(tx, app, keyOf(feed.id));
}

export async function finishFeedRefresh(tx: Transaction, app: App, feed: FeedRef): Promise<void> {
  if (feed.kind === 'home') await finishRefresh(tx, app, keyOf(feed.id));
}
