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

/** Sends Follows of local accounts to remote ones. `id`: for the id of the Follow. */
export function sendFollows(
  tx: Transaction,
  app: App,
  follows: readonly (AccountPair & { readonly id: string })[],
): Promise<void> {
  return sendAll(
    tx,
    app,
    follows.map(({ id, ...pair }) => ({
      ...pair,
      from: 'account',
      build: (account, target) => follow(account, id, target),
    })),
  );
}

/** Undoes follows of remote accounts that exist on their servers only. */
export function sendUnfollows(tx: Transaction, app: App, pairs: readonly AccountPair[]): Promise<void> {
  return sendUndoneFollows(
    tx,
    app,
    pairs.map((pair) => ({ ...pair, followId: newId<'row'>(app.clock.now()) })),
  );
}

function sendUndoneFollows(
  tx: Transaction,
  app: App,
  follows: readonly (AccountPair & { readonly followId: string })[],
): Promise<void> {
  return sendAll(
    tx,
    app,
    follows.map(({ followId, ...pair }) => ({
      ...pair,
      from: 'account',
      build: (account, target) => undo(account, follow(account, followId, target)),
    })),
  );
}

export const relationshipDeliveries: readonly Subscription[] = [
  beforeCommit([followRequested], {
    runBatch: (tx, app, all) =>
      sendFollows(
        tx,
        app,
        all.map(({ requestId, ...pair }) => ({ ...pair, id: requestId })),
      ),
  }),
  beforeCommit([accountUnfollowed], { runBatch: sendUndoneFollows }),
  beforeCommit([accountFollowed], {
    runBatch: (tx, app, all) =>
      sendAll(
        tx,
        app,
        all.map((followed) => toAccept(toFollowAnswer(followed))),
      ),
  }),
  beforeCommit([followRequestRejected, followerRemoved], {
    runBatch: (tx, app, all) =>
      sendAll(
        tx,
        app,
        all.map((rejected) => toReject(toFollowAnswer(rejected))),
      ),
  }),
  beforeCommit([accountBlocked], {
    runBatch: (tx, app, all) =>
      sendAll(
        tx,
        app,
        all.map(({ blockId, ...pair }) => ({
          ...pair,
          from: 'account',
          build: (account, target) => block(account, blockId, target),
        })),
      ),
  }),
  beforeCommit([accountUnblocked], {
    runBatch: (tx, app, all) =>
      sendAll(
        tx,
        app,
        all.map(({ blockId, ...pair }) => ({
          ...pair,
          from: 'account',
          build: (account, target) => undo(account, block(account, blockId, target)),
        })),
      ),
  }),
];
