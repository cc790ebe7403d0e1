import { beforeCommit, type Subscription } from '../../platform/events/reactions.ts';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import {
  accountBlocked,
  accountFollowed,
  accountUnblocked,
  accountUnfollowed,
  followerRemoved,
  followRequested,
  followRequestRejected,
} from '../../relationships/index.ts';
import { accept, block, follow, remoteFollow, reject, undo } from '../documents/activities.ts';
import type { Json } from '../documents/values.ts';
import { storeActivity } from './store-activity.ts';

interface Party {
  readonly id: AccountId;
  readonly uri: string;
  readonly domain: string | null;
  readonly inbox_url: string | null;
}

interface AccountPair {
  readonly accountId: AccountId;
  readonly targetAccountId: AccountId;
}

/**
 * Stores an activity between a local and a remote account; nothing when both are on one side. `from`: which of the two
 * acts now, and must be the local one.
 */
async function sendBetween(
  tx: Transaction,
  app: App,
  { accountId, targetAccountId, from }: AccountPair & { from: 'account' | 'target' },
  activityOf: (account: string, target: string) => Json,
): Promise<void> {
  const rows: Party[] = await tx.db
    .selectFrom('accounts')
    .select(['id', 'uri', 'domain', 'inbox_url'])
    .where(sql<boolean>`id = any(${[accountId, targetAccountId]}::bigint[])`)
    .execute();
  const account = rows.find(({ id }) => id === accountId);
  const target = rows.find(({ id }) => id === targetAccountId);
  if (account === undefined || target === undefined) return;
  const [sender, receiver] = from === 'account' ? [account, target] : [target, account];
  if (sender.domain !== null || receiver.domain === null || receiver.inbox_url === null) return;
  await storeActivity(tx, app, {
    senderId: sender.id,
    activity: activityOf(account.uri, target.uri),
    inboxes: [receiver.inbox_url],
    orderKey: `relation ${accountId} ${targetAccountId}`,
  });
}

/** Accepts a Follow of a remote account in the name of a local one. `id` makes the id of the Accept. */
export function sendAccept(
  tx: Transaction,
  app: App,
  { id, uri, ...pair }: AccountPair & { id: string; uri: string | null },
): Promise<void> {
  return sendBetween(tx, app, { ...pair, from: 'target' }, (account, target) =>
    accept(target, id, remoteFollow(account, uri, target)),
  );
}

/** Rejects a Follow of a remote account, or takes back that it was accepted. */
export function sendReject(
  tx: Transaction,
  app: App,
  { id, uri, ...pair }: AccountPair & { id: string; uri: string | null },
): Promise<void> {
  return sendBetween(tx, app, { ...pair, from: 'target' }, (account, target) =>
    reject(target, id, remoteFollow(account, uri, target)),
  );
}

/** Sends a Follow of a remote account in the name of a local one. `id` makes the id of the Follow. */
export function sendFollow(tx: Transaction, app: App, { id, ...pair }: AccountPair & { id: string }): Promise<void> {
  return sendBetween(tx, app, { ...pair, from: 'account' }, (account, target) => follow(account, id, target));
}

/** Takes back, in the name of a local account, a follow that a remote one believes in and nobody here knows of. */
export function sendUnfollow(tx: Transaction, app: App, pair: AccountPair): Promise<void> {
  const id = newId<'row'>(app.clock.now());
  return sendBetween(tx, app, { ...pair, from: 'account' }, (account, target) =>
    undo(account, follow(account, id, target)),
  );
}

export const relationshipDeliveries: readonly Subscription[] = [
  beforeCommit([followRequested], {
    run: (tx, app, { requestId, ...pair }) => sendFollow(tx, app, { ...pair, id: requestId }),
  }),
  beforeCommit([accountUnfollowed], {
    run: (tx, app, { followId, ...pair }) =>
      sendBetween(tx, app, { ...pair, from: 'account' }, (account, target) =>
        undo(account, follow(account, followId, target)),
      ),
  }),
  beforeCommit([accountFollowed], {
    run: (tx, app, { followId, followUri, ...pair }) => sendAccept(tx, app, { ...pair, id: followId, uri: followUri }),
  }),
  beforeCommit([followRequestRejected], {
    run: (tx, app, { followId, followUri, ...pair }) => sendReject(tx, app, { ...pair, id: followId, uri: followUri }),
  }),
  beforeCommit([followerRemoved], {
    run: (tx, app, { followId, followUri, ...pair }) => sendReject(tx, app, { ...pair, id: followId, uri: followUri }),
  }),
  beforeCommit([accountBlocked], {
    run: (tx, app, { blockId, ...pair }) =>
      sendBetween(tx, app, { ...pair, from: 'account' }, (account, target) => block(account, blockId, target)),
  }),
  beforeCommit([accountUnblocked], {
    run: (tx, app, { blockId, ...pair }) =>
      sendBetween(tx, app, { ...pair, from: 'account' }, (account, target) =>
        undo(account, block(account, blockId, target)),
      ),
  }),
];
