import type { App } from '../platform/app.ts';
import { encodeRefreshId } from './refresh-ids.ts';
import type { RefreshKey } from './tables.ts';

/**
 * Returns the `Mastodon-Async-Refresh` header of a running refresh: the address that clients poll, and the seconds between
 * two requests.
 */
export async function refreshHeader(
  app: App,
  key: RefreshKey,
  { retrySeconds, resultCount = null }: { readonly retrySeconds: number; readonly resultCount?: number | null },
): Promise<Record<string, string>> {
  const count = resultCount === null ? '' : `, result_count=${resultCount}`;
  return { 'mastodon-async-refresh': `id="${await encodeRefreshId(app, key)}", retry=${retrySeconds}${count}` };
}
