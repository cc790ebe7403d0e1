import { instanceActorId } from '../../accounts/index.ts';
import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { followAccount } from '../../relationships/follow/index.ts';
import { sendAccept, sendReject } from '../delivery/deliver-relationships.ts';
import { findLitepubRelay } from '../delivery/subscribed-relays.ts';
import { idOf, isSameHost } from '../documents/values.ts';
import { findLocalActor, type ReceivedActivity } from './received-activity.ts';

/**
 * Follows a local account for the actor, or requests to. The answer is sent when the follow exists. A repeated Follow
 * is accepted again, and a forbidden one is rejected.
 */
export async function receiveFollow(app: App, { activity, actor }: ReceivedActivity): Promise<void> {
  const target = await findLocalActor(app, activity['object']);
  if (target === undefined) return;
  const id = idOf(activity);
  const uri = id !== undefined && isSameHost(id, actor.uri) ? id : undefined;
  const pair = { accountId: actor.id, targetAccountId: target.id };
  if (target.id === instanceActorId) {
    // LitePub relays follow their subscribers back.
    const isRelay = (await findLitepubRelay(app, actor.uri)) !== undefined;
    return answerInstanceFollow(app, { ...pair, uri: uri ?? null }, isRelay);
  }
  const existing = await app.db
    .selectFrom('follows')
    .select('id')
    .where('account_id', '=', actor.id)
    .where('target_account_id', '=', target.id)
    .executeTakeFirst();
  try {
    await followAccount(app, actor.id, target.id, uri === undefined ? {} : { uri });
  } catch (error) {
    if (error instanceof HttpError && error.status === 403) return rejectFollow(app, actor, target, uri);
    throw error;
  }
  if (existing !== undefined)
    await transaction(app, (tx) => sendAccept(tx, app, { ...pair, id: existing.id, uri: uri ?? null }));
}

function answerInstanceFollow(
  app: App,
  pair: { accountId: AccountId; targetAccountId: AccountId; uri: string | null },
  isAccepted: boolean,
): Promise<void> {
  const answer = { ...pair, id: newId<'row'>(app.clock.now()) };
  return transaction(app, (tx) => (isAccepted ? sendAccept : sendReject)(tx, app, answer));
}

function rejectFollow(app: App, actor: AccountRow, target: AccountRow, uri: string | undefined): Promise<void> {
  return transaction(app, (tx) =>
    sendReject(tx, app, {
      accountId: actor.id,
      targetAccountId: target.id,
      id: newId(app.clock.now()),
      uri: uri ?? null,
    }),
  );
}
