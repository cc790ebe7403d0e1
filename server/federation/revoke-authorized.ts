import { listRequestsByAuthorization } from '../interactions/requests/index.ts';
import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import { revokeRequest } from '../statuses/approval/index.ts';
import { hasTombstone } from './tombstones.ts';

/** Revokes the interactions that a remote author accepted with this authorization. Returns false if there are none. */
export async function revokeAuthorized(app: App, authorId: AccountId, authorization: string): Promise<boolean> {
  const requests = await listRequestsByAuthorization(app, authorId, authorization);
  for (const { id } of requests) await revokeRequest(app, id);
  return requests.length > 0;
}

/** Like `revokeAuthorized`, if the author deleted the authorization while the interaction was stored. */
export async function revokeIfDeleted(
  app: App,
  author: { readonly id: AccountId; readonly uri: string },
  authorization: string,
): Promise<void> {
  if (await hasTombstone(app, author.uri, authorization)) await revokeAuthorized(app, author.id, authorization);
}
