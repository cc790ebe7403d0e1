import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { deleteLockedCollection } from '../delete-collection.ts';

/** Deletes a collection of a remote account, at the request of its server. Returns false if there is none. */
export async function deleteRemoteCollection(app: App, ownerId: AccountId, uri: string): Promise<boolean> {
  // Nearly all received deletions are about posts.
  if ((await selectRemote(app, { uri, ownerId })).length === 0) return false;
  return transaction(app, async (tx) => {
    const collection = await tx.db
      .selectFrom('collections')
      .selectAll()
      .where('uri', '=', uri)
      .where('account_id', '=', ownerId)
      .where('local', '=', false)
      .forUpdate()
      .executeTakeFirst();
    if (collection === undefined) return false;
    await deleteLockedCollection(tx, collection);
    return true;
  });
}

const selectRemote = batchedQuery<{ found: true }>()<{ uri: string; ownerId: AccountId }>(
  { uri: 'text', ownerId: 'bigint' },
  ({ uri, ownerId }) =>
    sql`select true as found from collections where uri = ${uri} and account_id = ${ownerId} and not local limit 1`,
  { batchSize: 128 },
);
