import type { AccountRow } from '../../accounts/find/index.ts';
import { findRequestByUri, type RequestRow } from '../../interactions/requests/index.ts';
import type { App } from '../../platform/app.ts';
import { decideRequest } from '../../statuses/approval/index.ts';
import { idOf, isHttpUrl, isSameHost, type Json } from '../documents/values.ts';
import { answeredInteraction } from './receive-interaction-reject.ts';

/**
 * Stores the decision of a remote author about a reply or reblog by a local account that waits for it. Returns false if
 * none waits.
 */
export async function receiveInteractionDecision(
  app: App,
  actor: AccountRow,
  activity: Json,
  state: 'accepted' | 'rejected',
): Promise<boolean> {
  const uri = idOf(answeredInteraction(activity['object']));
  const request = uri === undefined ? undefined : await findPending(app, actor, uri);
  if (request === undefined) return false;
  const proof = idOf(activity['result']);
  const isOwn = isHttpUrl(proof) && isSameHost(proof, actor.uri);
  return decideRequest(app, request.id, { state, authorizationUri: isOwn ? proof : undefined });
}

/** A reply is named by its own id or by that of its Create. */
async function findPending(app: App, actor: AccountRow, uri: string): Promise<RequestRow | undefined> {
  for (const each of [uri, uri.replace(/\/activity$/, '')]) {
    const request = await findRequestByUri(app, actor.id, each);
    if (request?.state === 'pending') return request;
  }
  return undefined;
}
