import type { App } from '../platform/app.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { loadCachedStatuses } from '../statuses/read/index.ts';
import { staysHere } from '../statuses/visibility/index.ts';

/**
 * Whether a status is, reblogs or quotes a local-only one of another account than the owner of a webhook (undefined: staff).
 * Webhooks send it to other servers, and its author did not agree to that.
 */
export async function showsLocalOnly(app: App, ownerId: AccountId | undefined, id: StatusId): Promise<boolean> {
  const status = (await loadCachedStatuses(app, [id])).get(id);
  const shownIds = [status?.reblogOfId, status?.quote?.quotedId].flatMap((shown) => shown ?? []);
  const shown = await loadCachedStatuses(app, [id, ...shownIds]);
  return [...shown.values()].some(({ visibility, accountId }) => staysHere(visibility) && accountId !== ownerId);
}
