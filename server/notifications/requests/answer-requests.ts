import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import type { AccountId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { notificationsChanged, requestsMerged } from '../events.ts';
import { writable } from '../tables.ts';
import type { RequestId } from './schema.ts';

/**
 * Accepts requests: the policy of the account never applies to their senders again, and a job lists what was filtered.
 * Ignores unknown ids. Returns how many it accepted.
 */
export function acceptRequests(app: App, accountId: AccountId, ids: readonly RequestId[]): Promise<number> {
  return transaction(app, async (tx) => {
    const senderIds = await deleteRequests(tx, accountId, ids);
    if (senderIds.length === 0) return 0;
    await sql`
      insert into notification_permissions (account_id, from_account_id, merging, created_at)
      select ${accountId}::bigint, unnest(${senderIds}::bigint[]), true, ${app.clock.now()}::timestamptz
      on conflict (account_id, from_account_id) do update set merging = true`.execute(tx.db);
    for (const fromAccountId of senderIds) {
      tx.enqueue(mergeRequest({ accountId, fromAccountId }, { key: `merge notifications ${accountId}` }));
    }
    return senderIds.length;
  });
}

/**
 * Dismisses requests. Their notifications stay filtered; a new one opens a new request. Ignores unknown ids. Returns how
 * many it dismissed.
 */
export async function dismissRequests(app: App, accountId: AccountId, ids: readonly RequestId[]): Promise<number> {
  return transaction(app, async (tx) => (await deleteRequests(tx, accountId, ids)).length);
}

/** Deletes requests and returns their senders. */
async function deleteRequests(
  { db }: Transaction,
  accountId: AccountId,
  ids: readonly RequestId[],
): Promise<AccountId[]> {
  const rows = await writable(db)
    .deleteFrom('notification_requests')
    .where('account_id', '=', accountId)
    .where('id', '=', sql<RequestId>`any(${ids}::bigint[])`)
    .returning('from_account_id')
    .execute();
  return rows.map((row) => row.from_account_id);
}

/** Notifications that are changed in one transaction. */
const batchSize = 1_000;

/** Lists the filtered notifications of an accepted sender. The jobs of one account run one after another. */
export const mergeRequest = defineJob(
  'notification.merge_request',
  Type.Object({ accountId: idSchema<'account'>(), fromAccountId: idSchema<'account'>() }),
  async (app, { accountId, fromAccountId }) => {
    while ((await listBatch(app, accountId, fromAccountId)) === batchSize);
    await transaction(app, async ({ db, emit }) => {
      await writable(db)
        .updateTable('notification_permissions')
        .set({ merging: false })
        .where('account_id', '=', accountId)
        .where('from_account_id', '=', fromAccountId)
        .execute();
      if (await isMerged(db, accountId)) emit(requestsMerged({ accountId }));
    });
  },
  'background',
);

function listBatch(app: App, accountId: AccountId, fromAccountId: AccountId): Promise<number> {
  return transaction(app, async ({ db, emit }) => {
    const { numAffectedRows = 0n } = await sql`
      update notifications set filtered = false where account_id = ${accountId}::bigint and id in (
        select id from notifications
        where account_id = ${accountId}::bigint and from_account_id = ${fromAccountId}::bigint and filtered
        order by id limit ${batchSize})`.execute(db);
    if (numAffectedRows > 0n) emit(notificationsChanged({ accountIds: [accountId] }));
    return Number(numAffectedRows);
  });
}

/** Returns whether the notifications of all accepted senders are listed. */
export async function isMerged(db: Pick<App['db'], 'selectFrom'>, accountId: AccountId): Promise<boolean> {
  const merging = await db
    .selectFrom('notification_permissions')
    .select('from_account_id')
    .where('account_id', '=', accountId)
    .where('merging', '=', true)
    .limit(1)
    .executeTakeFirst();
  return merging === undefined;
}
