import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { sampleTable, type Estimate } from '../platform/database/sample-table.ts';
import { idFromDate, minId, type AccountId, type NotificationId } from '../platform/ids.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { transaction } from '../platform/write/transaction.ts';
import { siteSettings } from '../site/index.ts';
import { deleteMatching } from './delete-matching.ts';

/** Recipients that are examined together. */
const recipientsPerBatch = 500;
/** Rows deleted in one transaction. */
const batchSize = 5_000;
const dayMs = 86_400_000;

/** Deletes notifications that are older than the site retains them. */
export const cleanUpNotifications: Schedule = {
  name: 'notification.clean_up_old',
  pattern: '11 3 * * *',
  async run(app) {
    const { notificationRetentionDays: days } = await siteSettings(app);
    if (days > 0) await deleteOldNotifications(app, days);
  },
};

/**
 * SQL: whether a notification is old. Its id is an upper bound of its time, by which the primary key finds old ones; those
 * that were imported have small ids.
 */
const isOld = (before: Date) =>
  sql<boolean>`id < ${idFromDate(before)}::bigint and created_at < ${before}::timestamptz`;

/** Returns the number of notifications that are older than `days` days. */
export async function countOldNotifications(app: App, days: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(old.count), 0)::int as count from users cross join lateral (
      select count(*) as count from notifications
      where account_id = users.account_id and ${isOld(startOf(app, days))}
    ) old`.execute(app.db);
  return rows[0]?.count ?? 0;
}

/** Estimates the number of notifications that are older than `days` days, from some of them if there are very many. */
export async function estimateOldNotifications(app: App, days: number): Promise<Estimate> {
  const sample = await sampleTable(app, 'notifications');
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sample.rows} where ${isOld(startOf(app, days))}`.execute(app.db);
  return sample.estimate(rows[0]?.count ?? 0);
}

/** Deletes notifications that are older than `days` days, in batches. Returns their number. */
export async function deleteOldNotifications(app: App, days: number): Promise<number> {
  const before = startOf(app, days);
  let deleted = 0;
  for (let after: AccountId = minId; ;) {
    const recipients = await listRecipients(app, after);
    const last = recipients.at(-1);
    if (last === undefined) return deleted;
    deleted += await deleteOf(app, recipients, before);
    after = last;
  }
}

const startOf = (app: App, days: number): Date => new Date(app.clock.now().getTime() - days * dayMs);

async function listRecipients({ db }: App, after: AccountId): Promise<AccountId[]> {
  const rows = await db
    .selectFrom('users')
    .select('account_id')
    .where('account_id', '>', after)
    .orderBy('account_id')
    .limit(recipientsPerBatch)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

interface Position {
  readonly accountId: AccountId;
  /** The notification that was deleted last. */
  readonly after: NotificationId;
}

/** Deletes some of each recipient at a time. What was read once is not read again. */
async function deleteOf(app: App, recipients: readonly AccountId[], before: Date): Promise<number> {
  let deleted = 0;
  for (let open: Position[] = recipients.map((accountId) => ({ accountId, after: minId })); open.length > 0;) {
    const limit = Math.ceil(batchSize / open.length);
    const old = await listOld(app, open, { before, limit });
    const ids = old.map(({ id }) => id);
    if (old.length > 0)
      deleted += await transaction(app, (tx) =>
        deleteMatching(
          tx,
          sql<boolean>`(account_id, id) in (
            select * from unnest(${old.map(({ account_id }) => account_id)}::bigint[], ${ids}::bigint[]))`,
        ),
      );
    open = [...Map.groupBy(old, ({ account_id }) => account_id)].flatMap(([accountId, rows]) => {
      const last = rows.at(-1);
      return last === undefined || rows.length < limit ? [] : [{ accountId, after: last.id }];
    });
  }
  return deleted;
}

interface Key {
  readonly account_id: AccountId;
  readonly id: NotificationId;
}

/** Lists the next old notifications of each recipient, oldest first. */
async function listOld(
  { db }: App,
  open: readonly Position[],
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<Key[]> {
  const { rows } = await sql<Key>`
    select old.account_id, old.id
    from unnest(
      ${open.map(({ accountId }) => accountId)}::bigint[], ${open.map(({ after }) => after)}::bigint[]
    ) open (account_id, after)
    cross join lateral (
      select account_id, id from notifications
      where account_id = open.account_id and id > open.after and ${isOld(before)}
      order by id limit ${limit}::int
    ) old
    order by old.account_id, old.id`.execute(db);
  return rows;
}
