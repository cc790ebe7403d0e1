import { sql } from 'kysely';
import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import {
  acceptFollowRequest,
  rejectFollowRequest,
  removeFollower,
  reopenFollowRequest,
} from '../../relationships/follow/index.ts';
import { idOf, isObject } from '../documents/values.ts';
import { resolveAccount } from '../fetch/resolve-account.ts';
import { canonicalAddress, localActivityId } from '../local-addresses.ts';
import { receiveRelayAnswer } from '../relays/receive-from-relay.ts';
import { receiveInteractionDecision } from './receive-interaction-decision.ts';
import { receiveInteractionReject } from './receive-interaction-reject.ts';
import { receiveQuoteAccept, receiveQuoteReject } from './receive-quote-response.ts';
import { receiveFeatureResponse } from './receive-collections.ts';
import { isFollowedLocally } from './relevance.ts';
import { findLocalActor, type ReceivedActivity } from './received-activity.ts';

/**
 * Accepts a follow, quote or collection item that a local account requested, or the subscription to a relay. Ignores
 * unrequested ones. The first local follow of an account refreshes its profile.
 */
export async function receiveAccept(app: App, received: ReceivedActivity): Promise<void> {
  const { activity, actor } = received;
  if (await receiveFeatureResponse(app, received, true)) return;
  if (await receiveQuoteAccept(app, actor, activity)) return;
  if (await receiveInteractionDecision(app, actor, activity, 'accepted')) return;
  if (await receiveRelayAnswer(app, actor, { follow: activity['object'], isAccepted: true })) return;
  const followerId = await findFollower(app, actor, activity['object']);
  if (followerId === undefined) return;
  const isFirst = !(await isFollowedLocally(app, [actor.id]));
  // Servers send changes of a profile to followers only, so until now they were missed.
  const isAccepted = await acceptFollowRequest(app, actor.id, followerId);
  if (isAccepted && isFirst) await resolveAccount(app, actor.uri, { fresh: true });
}

/**
 * Rejects a follow, quote or collection item that a local account requested, or the subscription to a relay, or revokes an
 * accepted one. Also withdraws a reply, favourite or reblog that the author of the post does not permit.
 */
export async function receiveReject(app: App, received: ReceivedActivity): Promise<void> {
  const { activity, actor } = received;
  if (await receiveFeatureResponse(app, received, false)) return;
  if (await receiveQuoteReject(app, actor, activity)) return;
  if (await receiveRelayAnswer(app, actor, { follow: activity['object'], isAccepted: false })) return;
  if (await receiveInteractionDecision(app, actor, activity, 'rejected')) return;
  if (await receiveInteractionReject(app, actor, activity)) return;
  const followerId = await findFollower(app, actor, activity['object']);
  if (followerId === undefined) return;
  if (!(await rejectFollowRequest(app, actor.id, followerId))) await removeFollower(app, actor.id, followerId);
}

/** Turns an accepted follow back into a request. */
export async function undoAccept(app: App, actor: AccountRow, follow: unknown): Promise<void> {
  const followerId = await findFollower(app, actor, follow);
  if (followerId !== undefined) await reopenFollowRequest(app, actor.id, followerId);
}

/** Returns the local follower that an answer is about: by the id of the local Follow, or by its actor and object. */
async function findFollower(app: App, target: AccountRow, object: unknown): Promise<AccountId | undefined> {
  const uri = idOf(object);
  const byUri = uri === undefined ? undefined : await findFollowerByFollowUri(app, uri, target.id);
  if (byUri !== undefined) return byUri;
  if (!isObject(object) || idOf(object['object']) !== target.uri) return undefined;
  return (await findLocalActor(app, object['actor']))?.id;
}

/** Follows from before the server moved here have their id stored. */
async function findFollowerByFollowUri(app: App, uri: string, targetId: AccountId): Promise<AccountId | undefined> {
  if (canonicalAddress(app, uri) === undefined) return undefined;
  const id = localActivityId(app, uri, 'follows');
  const isFollow = id === undefined ? sql<boolean>`uri = ${uri}` : sql<boolean>`id = ${id}::bigint`;
  const row = await app.db
    .selectFrom('follow_requests')
    .select('account_id')
    .where('target_account_id', '=', targetId)
    .where(isFollow)
    .unionAll(
      app.db.selectFrom('follows').select('account_id').where('target_account_id', '=', targetId).where(isFollow),
    )
    .executeTakeFirst();
  return row?.account_id;
}
