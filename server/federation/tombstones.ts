import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { batchedQuery } from '../platform/database/batched-query.ts';
import { groupCommit } from '../platform/write/group-commit.ts';
import { remoteStatusesDeleted } from '../moderation/index.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { inTransaction } from '../platform/write/reactions.ts';

/** Key of the tombstone of a remote object. It covers only objects that this actor deleted itself. */
export const tombstoneKey = (actorUri: string, uri: string): string => `${actorUri} ${uri}`;

/** Stores that an object was deleted, so that a late Create is ignored and requests are answered 410. */
export const storeTombstone = (tx: Transaction, app: App, name: string): Promise<void> =>
  insertTombstones(tx, app, [name]);

/**
 * Stores that a local post was deleted, under its id and under the address that requests for it have. They differ if the
 * post is from before its server moved to another domain, or moved here.
 */
export const storeTombstoneOfPost = (tx: Transaction, app: App, uri: string, address: string): Promise<void> =>
  insertTombstones(tx, app, [...new Set([uri, address])]);

/** Stores that a received activity deleted an object, together with others. */
export const storeReceivedTombstone = groupCommit<string, void>(async (tx, app, names) => {
  await insertTombstones(tx, app, names);
  return names.map(() => undefined);
});

async function insertTombstones({ db }: Transaction, app: App, names: readonly string[]): Promise<void> {
  await sql`insert into tombstones (uri, created_at)
    select name, ${app.clock.now()}::timestamptz from unnest(${[...names]}::text[]) as tombstone(name) order by name
    on conflict do nothing`.execute(db);
}

const selectTombstone = batchedQuery<{ found: true }>()<{ key: string }>(
  { key: 'text' },
  ({ key }) => sql`select true as found from tombstones where uri = ${key}`,
  { batchSize: 128 },
);

/** Whether an actor deleted one of its own objects before. */
export async function hasTombstone(app: App, actorUri: string, uri: string): Promise<boolean> {
  return (await selectTombstone(app, { key: tombstoneKey(actorUri, uri) })).length > 0;
}

/** Keeps remote posts that staff deleted from being stored again. */
export const storeTombstonesOfStaff = inTransaction([remoteStatusesDeleted], {
  run: async (tx, app, { accountId, uris }) => {
    const { uri } = await tx.db
      .selectFrom('accounts')
      .select('uri')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    for (const each of uris) await storeTombstone(tx, app, tombstoneKey(uri, each));
  },
});
