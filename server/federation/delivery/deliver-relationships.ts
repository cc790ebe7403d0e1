import { beforeCommit, type Subscription } from '../../platform/events/reactions.ts';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Write } from '../../platform/database/write.ts';
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
import { accept, block, follow, followOf, reject, undo } from '../documents/activities.ts';
import type { Json } from '../documents/values.ts';
import { storeActivity } from './store-activity.ts';

interface Party {
  readonly id: AccountId;
  readonly uri: string;
  readonly domain: string | null;
  readonly inbox_url: string | null;
}

interface Pair {
  readonly accountId: AccountId;
  readonly targetAccountId: AccountId;
}

/**
 * Stores an activity between a local and a remote account; nothing when both are on one side. `from`: which of the two
 * acts now, and must be the local one.
 */
async function between(
  write: Write,
  app: App,
  { accountId, targetAccountId, from }: Pair & { from: 'account' | 'target' },
  activityOf: (account: string, target: string) => Json,
): Promise<void> {
  const rows: Party[] = await write.db
    .selectFrom('accounts')
    .select(['id', 'uri', 'domain', 'inbox_url'])
    .where(sql<boolean>`id = any(${[accountId, targetAccountId]}::bigint[])`)
    .execute();
  const account = rows.find(({ id }) => id === accountId);
  const target = rows.find(({ id }) => id === targetAccountId);
  if (account === undefined || target === undefined) return;
  const [sender, receiver] = from === 'account' ? [account, target] : [target, account];
  if (sender.domain !== null || receiver.domain === null || receiver.inbox_url === null) return;
  await storeActivity(write, app, {
    senderId: sender.id,
    activity: activityOf(account.uri, target.uri),
    inboxes: [receiver.inbox_url],
    orderKey: `relation ${accountId} ${targetAccountId}`,
  });
}

/** Accepts a Follow of a remote account in the name of a local one. `id` makes the id of the Accept. */
export function sendAccept(
  write: Write,
  app: App,
  { id, uri, ...pair }: Pair & { id: string; uri: string | null },
): Promise<void> {
  return between(write, app, { ...pair, from: 'target' }, (account, target) =>
    accept(target, id, followOf(account, uri, target)),
  );
}

/** Rejects a Follow of a remote account, or takes back that it was accepted. */
export function sendReject(
  write: Write,
  app: App,
  { id, uri, ...pair }: Pair & { id: string; uri: string | null },
): Promise<void> {
  return between(write, app, { ...pair, from: 'target' }, (account, target) =>
    reject(target, id, followOf(account, uri, target)),
  );
}

/** Sends a Follow of a remote account in the name of a local one. `id` makes the id of the Follow. */
export function sendFollow(write: Write, app: App, { id, ...pair }: Pair & { id: string }): Promise<void> {
  return between(write, app, { ...pair, from: 'account' }, (account, target) => follow(account, id, target));
}

/** Takes back, in the name of a local account, a follow that a remote one believes in and nobody here knows of. */
export function sendUnfollow(write: Write, app: App, pair: Pair): Promise<void> {
  const id = newId<'row'>(app.clock.now());
  return between(write, app, { ...pair, from: 'account' }, (account, target) =>
    undo(account, follow(account, id, target)),
  );
}

export const relationshipDeliveries: readonly Subscription[] = [
  beforeCommit([followRequested], {
    run: (write, app, { requestId, ...pair }) => sendFollow(write, app, { ...pair, id: requestId }),
  }),
  beforeCommit([accountUnfollowed], {
    run: (write, app, { followId, ...pair }) =>
      between(write, app, { ...pair, from: 'account' }, (account, target) =>
        undo(account, follow(account, followId, target)),
      ),
  }),
  beforeCommit([accountFollowed], {
    run: (write, app, { followId, followUri, ...pair }) =>
      sendAccept(write, app, { ...pair, id: followId, uri: followUri }),
  }),
  beforeCommit([followRequestRejected], {
    run: (write, app, { followId, followUri, ...pair }) =>
      sendReject(write, app, { ...pair, id: followId, uri: followUri }),
  }),
  beforeCommit([followerRemoved], {
    run: (write, app, { followId, followUri, ...pair }) =>
      sendReject(write, app, { ...pair, id: followId, uri: followUri }),
  }),
  beforeCommit([accountBlocked], {
    run: (write, app, { blockId, ...pair }) =>
      between(write, app, { ...pair, from: 'account' }, (account, target) => block(account, blockId, target)),
  }),
  beforeCommit([accountUnblocked], {
    run: (write, app, { blockId, ...pair }) =>
      between(write, app, { ...pair, from: 'account' }, (account, target) =>
        undo(account, block(account, blockId, target)),
      ),
  }),
];
