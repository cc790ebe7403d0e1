import { statusChanged } from './events.ts';
import { defineJob } from '../platform/jobs/define-job.ts';
import { on, type Subscription } from '../platform/events/reactions.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { accountDeleted } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import { idSchema, type AccountId, type StatusId } from '../platform/ids.ts';
import { deleteStatus } from './delete-status.ts';

/** Statuses of one step. */
const chunk = 100;
const about = Type.Object({ accountId: idSchema<'account'>() });
/** Until the rows go too: those who were told of the deletions look them up. */
const keptMilliseconds = 86_400_000;

/** Of an account that is gone, what it wrote and what it did with the posts of others goes, a part at a time. */
const removeOfAccount = on([accountDeleted], {
  name: 'statuses.remove-of-account',
  queue: 'background',
  run: (app, { accountId }) =>
    write(app, async ({ enqueue }) => {
      enqueue(removeStatuses({ accountId }));
      enqueue(removeReactions({ accountId }));
    }),
});

const removeStatuses = defineJob(
  'statuses.remove-statuses-of-account',
  about,
  async (app, { accountId }) => {
    const rows = await app.db
      .selectFrom('statuses')
      .select('id')
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .orderBy('id', 'desc')
      .limit(chunk)
      .execute();
    for (const { id } of rows) await deleteStatus(app, id);
    const runAt = new Date(app.clock.now().getTime() + keptMilliseconds);
    await write(app, async ({ enqueue }) => {
      enqueue(rows.length === chunk ? removeStatuses({ accountId }) : eraseStatuses({ accountId }, { runAt }));
    });
  },
  'background',
);

/** Ends the rows, with all that hangs on them. */
const eraseStatuses = defineJob(
  'statuses.erase-statuses-of-account',
  about,
  (app, { accountId }) =>
    write(app, async ({ db, enqueue }) => {
      const { rows } = await sql`
        delete from statuses where id in (
          select id from statuses where account_id = ${accountId}::bigint and deleted_at is not null limit ${chunk})
        returning id`.execute(db);
      if (rows.length === chunk) enqueue(eraseStatuses({ accountId }));
    }),
  'background',
);

const removeReactions = defineJob(
  'statuses.remove-reactions-of-account',
  about,
  async (app, { accountId }) => {
    while (await removeFavourites(app, accountId));
    await write(app, async ({ db }) => {
      for (const table of keptTables) {
        await db.deleteFrom(table).where('account_id', '=', accountId).execute();
      }
    });
  },
  'background',
);

/** Few rows each, that nothing else is counted by. Files that were kept for scheduled posts go with all others. */
const keptTables = [
  'bookmarks',
  'status_pins',
  'conversation_mutes',
  'idempotency_keys',
  'scheduled_statuses',
] as const;

function removeFavourites(app: App, accountId: AccountId): Promise<boolean> {
  return write(app, async (transaction) => {
    const { rows } = await sql<{ status_id: StatusId }>`
      with gone as (
        delete from favourites where id in (
          select id from favourites where account_id = ${accountId}::bigint limit ${chunk})
        returning status_id
      ), locked as materialized (
        select status_id from status_stats where status_id in (select status_id from gone) order by status_id for update
      ), counted as (
        update status_stats set favourites_count = greatest(favourites_count - 1, 0), version = version + 1
        where status_id in (select status_id from locked)
      )
      select status_id from gone`.execute(transaction.db);
    for (const row of rows) transaction.emit(statusChanged({ statusId: row.status_id }));
    return rows.length === chunk;
  });
}

export const removalsOfAccounts: readonly Subscription[] = [
  removeOfAccount,
  removeStatuses.subscription,
  eraseStatuses.subscription,
  removeReactions.subscription,
];
