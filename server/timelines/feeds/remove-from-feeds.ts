import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { removeFromListFeeds } from '../fan-out/list-feed-entries.ts';
import { statusRemoved } from '../events.ts';
import { writable } from '../tables.ts';

/** Deletes a status or reblog from all feeds. Reads hide it already; this frees space. */
export async function removeFromFeeds(app: App, { statusId }: { statusId: StatusId }): Promise<void> {
  await transaction(app, async (tx) => {
    const { rows } = await sql<{ id: StatusId }>`
      select ${statusId}::bigint as id union all
      select id from statuses where reblog_of_id = ${statusId}::bigint`.execute(tx.db);
    await deleteFeedEntries(
      tx,
      rows.map(({ id }) => id),
    );
    tx.emit(statusRemoved({ statusId }));
  });
}

/** Deletes the entries of these statuses and reblogs from all feeds. */
export async function deleteFeedEntries(tx: Transaction, ids: readonly StatusId[]): Promise<void> {
  await sql`delete from home_feed where status_id = any(${ids}::bigint[])`.execute(tx.db);
  await removeFromListFeeds(tx, ids);
}

/** Deletes the home feed and the markers of a deleted account. */
export async function deleteAccountFeed(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  await transaction(app, async ({ db }) => {
    await writable(db).deleteFrom('home_feed_states').where('account_id', '=', accountId).execute();
    await writable(db).deleteFrom('home_feed').where('account_id', '=', accountId).execute();
    await writable(db).deleteFrom('markers').where('account_id', '=', accountId).execute();
    await writable(db).deleteFrom('merged_authors').where('account_id', '=', accountId).execute();
  });
}
