import { sql, type Selectable } from 'kysely';
import { freeReservedMedia } from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import type { Page } from '../platform/http/pages.ts';
import { notFound } from '../platform/http/problems.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { ends, pagedRows, type Ends } from '../platform/database/paged-rows.ts';
import type { ScheduledId, StatusTables } from './tables.ts';

export type ScheduledRow = Selectable<StatusTables['scheduled_statuses']>;

const scheduledRows = pagedRows<ScheduledRow>()<{ accountId: AccountId }>((db, args, order) =>
  db
    .selectFrom('scheduled_statuses')
    .selectAll()
    .where('account_id', '=', args.accountId)
    .where('id', '<', args.below as ScheduledId)
    .where('id', '>', args.above as ScheduledId)
    .orderBy(sql`id ${order}`)
    .limit(sql<number>`${args.limit}`),
);

/** A page of what an account has yet to post, made last first. */
export async function listScheduled(
  app: App,
  accountId: AccountId,
  page: Page,
): Promise<{ rows: ScheduledRow[] } & Ends> {
  const rows = await scheduledRows(app, page, { accountId });
  return { rows, ...ends(page, rows) };
}

/** A scheduled status of this account; 404 for every other, and once it is posted. */
export async function requireScheduled(app: App, accountId: AccountId, id: ScheduledId): Promise<ScheduledRow> {
  const row = await app.db
    .selectFrom('scheduled_statuses')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

/** Gives up a scheduled status; its files are free for a day. 404 when there is none. */
export function cancelScheduled(app: App, accountId: AccountId, id: ScheduledId): Promise<void> {
  return write(app, async (transaction) => {
    const { numDeletedRows } = await transaction.db
      .deleteFrom('scheduled_statuses')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw notFound();
    await freeReservedMedia(transaction, app, id);
  });
}

/** A scheduled status is not there any more, or its time was moved. */
export class NotDue extends Error {
  override name = 'NotDue';
}

/**
 * Ends a scheduled status in the transaction that posts it as `statusId`, so that it is posted once. Throws NotDue when
 * somebody else has posted it, or it was moved or given up. Its idempotency key stands for the status from then on.
 */
export async function takeScheduled(
  { db }: Write,
  app: App,
  scheduledId: ScheduledId,
  statusId: StatusId,
): Promise<void> {
  const row = await db
    .deleteFrom('scheduled_statuses')
    .where('id', '=', scheduledId)
    .where('scheduled_at', '<=', app.clock.now())
    .returning('account_id')
    .executeTakeFirst();
  if (row === undefined) throw new NotDue();
  await db
    .updateTable('idempotency_keys')
    .set({ status_id: statusId })
    .where('account_id', '=', row.account_id)
    .where('status_id', '=', scheduledId as string as StatusId)
    .execute();
}
