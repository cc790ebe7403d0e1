import { sql } from 'kysely';
import { releaseReservedMedia } from '../../media/attach/index.ts';
import type { App } from '../../platform/app.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';

/** Deletes a pending post of its author. Its files can be posted for another day. Throws 404 if there is none. */
export function withdrawHeldPost(app: App, accountId: AccountId, id: StatusId): Promise<void> {
  return transaction(app, async (tx) => {
    await writable(tx.db)
      .deleteFrom('held_posts')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('state', '=', 'pending')
      .returning('id')
      .executeTakeFirstOrThrow(() => notFound());
    await releaseReservedMedia(tx, app, id);
  });
}

/** Deletes the pending post with this uri, because its author deleted it on its own server. */
export async function deleteHeldPostByUri(app: App, accountId: AccountId, uri: string): Promise<void> {
  // Nearly all deletions are about other posts.
  if ((await pendingByUri(app, { uri, accountId })).length === 0) return;
  await transaction(app, async ({ db }) => {
    await writable(db)
      .deleteFrom('held_posts')
      .where('uri', '=', uri)
      .where('account_id', '=', accountId)
      .where('state', '=', 'pending')
      .execute();
  });
}

const pendingByUri = batchedQuery<{ id: StatusId }>()<{ uri: string; accountId: AccountId }>(
  { uri: 'text', accountId: 'bigint' },
  ({ uri, accountId }) =>
    sql`select id from held_posts where uri = ${uri} and account_id = ${accountId} and state = 'pending'`,
  { batchSize: 128 },
);
