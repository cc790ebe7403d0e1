import { statusChanged } from '../events.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { later } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { accountDeleted } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { writable } from '../tables.ts';
import { deleteStatus } from './delete-status.ts';

/** Rows that one transaction deletes. */
const batchSize = 100;
const accountJobSchema = Type.Object({ accountId: idSchema<'account'>() });
/** Time before the rows are deleted: the delivery of the deletions looks them up. */
const retentionMs = 86_400_000;

/** Queues the deletion of the statuses and the reactions of a deleted account. */
const deleteAccountData = later('background', [accountDeleted], {
  name: 'status.delete_account_data',
  run: (app, { accountId }) =>
    transaction(app, async ({ enqueue }) => {
      enqueue(deleteAccountStatuses({ accountId }));
      enqueue(deleteAccountReactions({ accountId }));
    }),
});

const deleteAccountStatuses = defineJob(
  'status.delete_account_statuses',
  accountJobSchema,
  async (app, { accountId }) => {
    const rows = await app.db
      .selectFrom('statuses')
      .select('id')
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .orderBy('id', 'desc')
      .limit(batchSize)
      .execute();
    for (const { id } of rows) await deleteStatus(app, id);
    const runAt = new Date(app.clock.now().getTime() + retentionMs);
    await transaction(app, async ({ enqueue }) => {
      enqueue(
        rows.length === batchSize
          ? deleteAccountStatuses({ accountId })
          : deleteAccountStatusRows({ accountId }, { runAt }),
      );
    });
  },
  'background',
);

/** Deletes the rows of deleted statuses in batches. */
const deleteAccountStatusRows = defineJob(
  'status.delete_account_rows',
  accountJobSchema,
  (app, { accountId }) =>
    transaction(app, async ({ db, enqueue }) => {
      const { rows } = await sql`
        delete from statuses where id in (
          select id from statuses where account_id = ${accountId}::bigint and deleted_at is not null limit ${batchSize})
        returning id`.execute(db);
      if (rows.length === batchSize) enqueue(deleteAccountStatusRows({ accountId }));
    }),
  'background',
);

const deleteAccountReactions = defineJob(
  'status.delete_account_reactions',
  accountJobSchema,
  async (app, { accountId }) => {
    while (await deleteFavouriteBatch(app, accountId));
    await transaction(app, async ({ db }) => {
      for (const table of accountTables) {
        await writable(db).deleteFrom(table).where('account_id', '=', accountId).execute();
      }
    });
  },
  'background',
);

/**
 * Tables with few rows per account and no counters. The media of scheduled statuses are deleted with all other media.
 */
const accountTables = [
  'bookmarks',
  'status_pins',
  'conversation_mutes',
  'idempotency_keys',
  'scheduled_statuses',
  'held_posts',
] as const;

function deleteFavouriteBatch(app: App, accountId: AccountId): Promise<boolean> {
  return transaction(app, async (tx) => {
    const { rows } = await sql<{ status_id: StatusId }>`
      with deleted as (
        delete from favourites where id in (
          select id from favourites where account_id = ${accountId}::bigint limit ${batchSize})
        returning status_id
      ), locked as materialized (
        select status_id from status_stats where status_id in (select status_id from deleted) order by status_id for update
      ), counted as (
        update status_stats set favourites_count = greatest(favourites_count - 1, 0), version = version + 1
        where status_id in (select status_id from locked)
      )
      select status_id from deleted`.execute(tx.db);
    for (const row of rows) tx.emit(statusChanged({ statusId: row.status_id }));
    return rows.length === batchSize;
  });
}

export const accountDeletionSubscriptions: readonly Subscription[] = [
  deleteAccountData,
  deleteAccountStatuses.subscription,
  deleteAccountStatusRows.subscription,
  deleteAccountReactions.subscription,
];
