import { sql, type Selectable } from 'kysely';
import { releaseReservedMedia } from '../../media/attach/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { Page } from '../../platform/http/pages.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { pageEnds, pagedQuery, selectPage, type PageEnds } from '../../platform/database/paged-query.ts';
import { writable, type ScheduledId, type StatusTables } from '../tables.ts';

export type ScheduledRow = Selectable<StatusTables['scheduled_statuses']>;

const scheduledRows = pagedQuery<ScheduledRow>()<{ accountId: AccountId }>((db, args, order) =>
  selectPage(db.selectFrom('scheduled_statuses').selectAll().where('account_id', '=', args.accountId), args, order),
);

/** Returns a page of the scheduled statuses of an account, newest first. */
export async function listScheduledStatuses(
  app: App,
  accountId: AccountId,
  page: Page,
): Promise<{ rows: ScheduledRow[] } & PageEnds> {
  const rows = await scheduledRows(app, page, { accountId });
  return { rows, ...pageEnds(page, rows) };
}

/** Returns a scheduled status of this account. Throws 404 for every other one, and after it was posted. */
export function requireScheduledStatus(app: App, accountId: AccountId, id: ScheduledId): Promise<ScheduledRow> {
  return app.db
    .selectFrom('scheduled_statuses')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow(() => notFound());
}

/** Deletes a scheduled status. Its media can be reused for a day. Throws 404 if it does not exist. */
export function cancelScheduledStatus(app: App, accountId: AccountId, id: ScheduledId): Promise<void> {
  return transaction(app, async (tx) => {
    const { numDeletedRows } = await writable(tx.db)
      .deleteFrom('scheduled_statuses')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw notFound();
    await releaseReservedMedia(tx, app, id);
  });
}

/** A scheduled status was posted, deleted or rescheduled meanwhile. */
export class NotDueError extends Error {
  override name = 'NotDueError';
}

/**
 * Deletes a scheduled status in the transaction that posts it as `statusId`, so that it is posted once. Moves its
 * idempotency key to the status. Throws `NotDueError` if it was posted, rescheduled or deleted meanwhile.
 */
export async function claimScheduledStatus(
  { db }: Transaction,
  app: App,
  scheduledId: ScheduledId,
  statusId: StatusId,
): Promise<void> {
  const row = await writable(db)
    .deleteFrom('scheduled_statuses')
    .where('id', '=', scheduledId)
    .where('scheduled_at', '<=', app.clock.now())
    .returning('account_id')
    .executeTakeFirstOrThrow(() => new NotDueError());
  await writable(db)
    .updateTable('idempotency_keys')
    .set({ status_id: statusId })
    .where('account_id', '=', row.account_id)
    .where(sql<boolean>`status_id = ${scheduledId}`)
    .execute();
}
