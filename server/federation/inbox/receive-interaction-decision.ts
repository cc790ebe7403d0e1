import type { AccountRow } from '../../accounts/find/index.ts';
import { findRequestByUri, type RequestRow } from '../../interactions/requests/index.ts';
import type { App } from '../../platform/app.ts';
import { decideRequest, holdReaction, revokeRequest, type Decision } from '../../statuses/approval/index.ts';
import { loadCachedStatuses } from '../../statuses/read/index.ts';
import { idOf, isHttpUrl, isSameHost, type Json } from '../documents/values.ts';
import { revokeIfDeleted } from '../revoke-authorized.ts';
import { hasTombstone } from '../tombstones.ts';
import { answeredInteraction, findFavouriteByUri } from './receive-interaction-reject.ts';

/**
 * Stores the decision of a remote author about an interaction of a local account: a reply or reblog that waits for it, or a
 * favourite that was sent. A later Reject revokes what was accepted. Returns false for other interactions.
 */
export async function receiveInteractionDecision(
  app: App,
  actor: AccountRow,
  activity: Json,
  state: 'accepted' | 'rejected',
): Promise<boolean> {
  const uri = idOf(answeredInteraction(activity['object']));
  if (uri === undefined) return false;
  const request = await findOpenRequest(app, actor, uri);
  if (request?.state === 'accepted') return state === 'rejected' && revokeRequest(app, request.id);
  const authorizationUri = state === 'accepted' ? authorizationUriOf(actor, activity) : undefined;
  if (request !== undefined) return decide(app, actor, request.id, { state, authorizationUri });
  if (authorizationUri === undefined) return false;
  return storeConsent(app, actor, { uri, authorizationUri });
}

/** Returns the id of the authorization in an Accept. Older versions of GoToSocial send none: the Accept itself is the proof. */
function authorizationUriOf(actor: AccountRow, activity: Json): string | undefined {
  const uri = idOf(activity['result']) ?? idOf(activity);
  return isHttpUrl(uri) && isSameHost(uri, actor.uri) ? uri : undefined;
}

/** Rejects the interaction if the Delete of its authorization arrived before. */
async function decide(
  app: App,
  actor: AccountRow,
  id: RequestRow['id'],
  { state, authorizationUri: authorization }: Decision,
): Promise<boolean> {
  if (authorization === undefined) return decideRequest(app, id, { state });
  const isDeleted = await hasTombstone(app, actor.uri, authorization);
  const isDecided = await decideRequest(
    app,
    id,
    isDeleted ? { state: 'rejected' } : { state, authorizationUri: authorization },
  );
  await revokeIfDeleted(app, actor, authorization);
  return isDecided;
}

/** Returns a request that waits or was accepted. A reply is named by its own id or by that of its Create. */
async function findOpenRequest(app: App, actor: AccountRow, uri: string): Promise<RequestRow | undefined> {
  for (const each of [uri, uri.replace(/\/activity$/, '')]) {
    const request = await findRequestByUri(app, { author_id: actor.id }, each);
    if (request?.state === 'pending' || request?.state === 'accepted') return request;
  }
  return undefined;
}

/** Stores the authorization of a favourite, which did not wait for it, so that the author can revoke it. */
async function storeConsent(
  app: App,
  actor: AccountRow,
  { uri, authorizationUri }: { readonly uri: string; readonly authorizationUri: string },
): Promise<boolean> {
  const favourite = await findFavouriteByUri(app, uri);
  if (favourite === undefined) return false;
  const { accountId, statusId } = favourite;
  const status = (await loadCachedStatuses(app, [statusId])).get(statusId);
  if (status?.accountId !== actor.id) return false;
  await holdReaction(app, status, { kind: 'favourite', accountId, uri, authorizationUri }, 'accepted');
  await revokeIfDeleted(app, actor, authorizationUri);
  return true;
}
