import type { App } from '../../platform/app.ts';
import { findRequestByUri, withdrawRequest } from '../../interactions/requests/index.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { unblockAccount } from '../../relationships/hide/index.ts';
import { unfollowAccount } from '../../relationships/follow/index.ts';
import { deleteReactionByUri } from '../../statuses/emoji-reactions/index.ts';
import { findFavouritedId, unfavouriteStatus, unreblogStatus } from '../../statuses/react/index.ts';
import { idOf, isObject, typeOf, type Json } from '../documents/values.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import { recordUndo } from './early-undos.ts';
import { undoReceivedReaction } from './receive-reaction.ts';
import { undoAccept } from './receive-accept-reject.ts';
import { findLocalActor, type ReceivedActivity } from './received-activity.ts';

/**
 * Undoes an activity of the actor. Ignores activities of others. If the activity did not arrive yet, it is ignored when it
 * does.
 */
export async function receiveUndo(app: App, received: ReceivedActivity): Promise<void> {
  const hadEffect = await undo(app, received);
  if (hadEffect !== undefined) await recordUndo(app, received, { hadEffect });
}

/** Returns whether there was something to undo; undefined if an activity like this cannot be undone. */
async function undo(app: App, { activity, actor }: ReceivedActivity): Promise<boolean | undefined> {
  const { object } = activity;
  // Some servers send the activity that is undone by its id only, or without its object.
  if (!isObject(object) || typeOf(object) === undefined || object['object'] === undefined)
    return undoByUri(app, actor.id, idOf(object));
  const undoneActor = idOf(object['actor']);
  if (undoneActor !== undefined && undoneActor !== actor.uri) return undefined;
  switch (typeOf(object)) {
    case 'Follow':
      return withLocalTarget(app, object, (targetId) => unfollowAccount(app, actor.id, targetId));
    case 'Block':
      return withLocalTarget(app, object, (targetId) => unblockAccount(app, actor.id, targetId));
    case 'EmojiReact':
      return undoReceivedReaction(app, actor, object);
    case 'Like':
      return (await undoReceivedReaction(app, actor, object)) || undoLike(app, actor.id, idOf(object['object']));
    case 'Announce':
      return undoAnnounce(app, actor.id, object);
    case 'Accept':
      await undoAccept(app, actor, object['object']);
      return undefined;
    default:
      return undefined;
  }
}

async function withLocalTarget(
  app: App,
  object: Json,
  run: (targetId: AccountId) => Promise<boolean>,
): Promise<boolean> {
  const target = await findLocalActor(app, object['object']);
  return target !== undefined && run(target.id);
}

async function undoLike(app: App, actorId: AccountId, uri: string | undefined): Promise<boolean> {
  const status = uri === undefined ? undefined : await findStatusByUri(app, uri);
  return status !== undefined && unfavouriteStatus(app, actorId, status.id);
}

async function undoAnnounce(app: App, actorId: AccountId, announce: Json): Promise<boolean> {
  if (await undoReblogByUri(app, actorId, idOf(announce))) return true;
  const uri = idOf(announce['object']);
  const original = uri === undefined ? undefined : await findStatusByUri(app, uri);
  return original !== undefined && unreblogStatus(app, actorId, original.id);
}

/**
 * Undoes an activity that is given by its id only: a reblog, reaction, favourite, follow or block of the actor with this URI,
 * also one that waits for approval. Returns false if there is none.
 */
async function undoByUri(app: App, actorId: AccountId, uri: string | undefined): Promise<boolean> {
  if (uri === undefined) return false;
  if (await undoReblogByUri(app, actorId, uri)) return true;
  if (await deleteReactionByUri(app, actorId, uri)) return true;
  const favouritedId = await findFavouritedId(app, actorId, uri);
  if (favouritedId !== undefined) return unfavouriteStatus(app, actorId, favouritedId);
  if (await undoRequestByUri(app, actorId, uri)) return true;
  const follow = await app.db
    .selectFrom('follows')
    .select('target_account_id')
    .where('account_id', '=', actorId)
    .where('uri', '=', uri)
    .unionAll(
      app.db
        .selectFrom('follow_requests')
        .select('target_account_id')
        .where('account_id', '=', actorId)
        .where('uri', '=', uri),
    )
    .executeTakeFirst();
  if (follow !== undefined) return unfollowAccount(app, actorId, follow.target_account_id);
  const block = await app.db
    .selectFrom('blocks')
    .select('target_account_id')
    .where('account_id', '=', actorId)
    .where('uri', '=', uri)
    .executeTakeFirst();
  return block !== undefined && unblockAccount(app, actorId, block.target_account_id);
}

/** Withdraws a favourite or reblog that waits for the author. */
async function undoRequestByUri(app: App, accountId: AccountId, uri: string): Promise<boolean> {
  const request = await findRequestByUri(app, { account_id: accountId }, uri);
  if (request?.state !== 'pending' || request.kind === 'reply') return false;
  const { kind, status_id: statusId } = request;
  return transaction(app, (tx) => withdrawRequest(tx, { accountId, statusId, kind }));
}

async function undoReblogByUri(app: App, actorId: AccountId, uri: string | undefined): Promise<boolean> {
  const reblog = uri === undefined ? undefined : await findStatusByUri(app, uri);
  if (reblog === undefined || reblog.account_id !== actorId || reblog.reblog_of_id === null) return false;
  await unreblogStatus(app, actorId, reblog.reblog_of_id);
  return true;
}
