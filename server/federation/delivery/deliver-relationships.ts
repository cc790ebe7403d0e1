import { inTransaction } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
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
import { storeActivities, type OutgoingActivity } from './store-activity.ts';

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

interface RelationshipActivity extends AccountPair {
  /** Which of the two accounts sends the activity. */
  readonly from: 'account' | 'target';
  readonly build: (account: string, target: string) => Json;
}

/** Stores activities from a local account to a remote one. Leaves out pairs that are not such. */
async function sendAll(tx: Transaction, app: App, activities: readonly RelationshipActivity[]): Promise<void> {
  const ids = new Set(activities.flatMap(({ accountId, targetAccountId }) => [accountId, targetAccountId]));
  const rows: Party[] = await tx.db
    .selectFrom('accounts')
    .select(['id', 'uri', 'domain', 'inbox_url'])
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .execute();
  const parties = new Map(rows.map((row) => [row.id, row]));
  await storeActivities(
    tx,
    app,
    activities.flatMap((activity) => toOutgoing(parties, activity) ?? []),
  );
}

function toOutgoing(
  parties: ReadonlyMap<AccountId, Party>,
  { accountId, targetAccountId, from, build }: RelationshipActivity,
): OutgoingActivity | undefined {
  const account = parties.get(accountId);
  const target = parties.get(targetAccountId);
  if (account === undefined || target === undefined) return undefined;
  const [sender, receiver] = from === 'account' ? [account, target] : [target, account];
  if (sender.domain !== null || receiver.domain === null || receiver.inbox_url === null) return undefined;
  return {
    senderId: sender.id,
    activity: build(account.uri, target.uri),
    inboxes: [receiver.inbox_url],
    orderKey: `relation ${accountId} ${targetAccountId}`,
  };
}

/** A Follow of a local account by a remote one. `uri`: of the Follow; `id`: for the id of the answer. */
interface FollowAnswer extends AccountPair {
  readonly id: string;
  readonly uri: string | null;
}

const toAccept = ({ id, uri, ...pair }: FollowAnswer): RelationshipActivity => ({
  ...pair,
  from: 'target',
  build: (account, target) => accept(target, id, remoteFollow(account, uri, target)),
});

const toReject = ({ id, uri, ...pair }: FollowAnswer): RelationshipActivity => ({
  ...pair,
  from: 'target',
  build: (account, target) => reject(target, id, remoteFollow(account, uri, target)),
});

interface FollowEvent extends AccountPair {
  readonly followId: string;
  readonly followUri: string | null;
}

const toFollowAnswer = ({ followId: id, followUri: uri, accountId, targetAccountId }: FollowEvent): FollowAnswer => ({
  id,
  uri,
  accountId,
  targetAccountId,
});

/** Accepts a Follow of a remote account. */
export const sendAccept = (tx: Transaction, app: App, answer: FollowAnswer): Promise<void> =>
  sendAll(tx, app, [toAccept(answer)]);

/** Rejects a Follow of a remote account, also one that was accepted before. */
export const sendReject = (tx: Transaction, app: App, answer: FollowAnswer): Promise<void> =>
  sendAll(tx, app, [toReject(answer)]);

interface Follow extends AccountPair {
  /** For the id of the Follow. */
  readonly followId: string;
  /** Id of the Follow, if it was sent before the server moved here. */
  readonly followUri?: string | null | undefined;
}

const toFollow = ({ followId, followUri, ...pair }: Follow): RelationshipActivity => ({
  ...pair,
  from: 'account',
  build: (account, target) => follow(account, followId, target, followUri),
});

const toUndoneFollow = ({ followId, followUri, ...pair }: Follow): RelationshipActivity => ({
  ...pair,
  from: 'account',
  build: (account, target) => undo(account, follow(account, followId, target, followUri)),
});

/** Undoes follows of remote accounts that exist on their servers only. */
export const sendUnfollows = (tx: Transaction, app: App, pairs: readonly AccountPair[]): Promise<void> =>
  sendAll(
    tx,
    app,
    pairs.map((pair) => toUndoneFollow({ ...pair, followId: newId<'row'>(app.clock.now()) })),
  );

interface Block extends AccountPair {
  /** For the id of the Block. */
  readonly blockId: string;
  /** Id of the Block, if it was sent before the server moved here. */
  readonly blockUri?: string | null | undefined;
}

const toBlock = ({ blockId, ...pair }: Block): RelationshipActivity => ({
  ...pair,
  from: 'account',
  build: (account, target) => block(account, blockId, target),
});

const toUndoneBlock = ({ blockId, blockUri, ...pair }: Block): RelationshipActivity => ({
  ...pair,
  from: 'account',
  build: (account, target) => undo(account, block(account, blockId, target, blockUri)),
});

/** Stores the activity of each event in one batch. */
const sendEach =
  <Event>(toActivity: (event: Event) => RelationshipActivity) =>
  (tx: Transaction, app: App, events: readonly Event[]): Promise<void> =>
    sendAll(
      tx,
      app,
      events.map((event) => toActivity(event)),
    );

/** Sends Follows of local accounts to remote ones. */
export const sendFollows = sendEach(toFollow);

export const relationshipDeliveries: readonly Subscription[] = [
  inTransaction([followRequested], {
    runBatch: sendEach(({ requestId, ...pair }) => toFollow({ ...pair, followId: requestId })),
  }),
  inTransaction([accountUnfollowed], { runBatch: sendEach(toUndoneFollow) }),
  inTransaction([accountFollowed], { runBatch: sendEach((followed) => toAccept(toFollowAnswer(followed))) }),
  inTransaction([followRequestRejected, followerRemoved], {
    runBatch: sendEach((rejected) => toReject(toFollowAnswer(rejected))),
  }),
  inTransaction([accountBlocked], { runBatch: sendEach(toBlock) }),
  inTransaction([accountUnblocked], { runBatch: sendEach(toUndoneBlock) }),
];
