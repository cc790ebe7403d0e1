import { inTransaction, later } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { newId, type StatusId } from '../../platform/ids.ts';
import { markQuotesDeleted, quoteChanged, deleteQuotesOf } from '../../quotes/index.ts';
import { statusDeleted } from '../events.ts';
import { deletedIds, importedStatusesDeleted } from '../imported/deleted-event.ts';

/** Quotes that one transaction marks. */
const batchSize = 500;

/** Counts accepted quotes. A local author who is quoted may see the quoting status. */
const countQuote = inTransaction([quoteChanged], {
  run: async (tx, app, quote) => {
    const { statusId, quotedStatusId, quotedAccountId, accountId, from, to } = quote;
    if (quotedStatusId === null) return;
    if (to === 'accepted') {
      await adjustQuotesCount(tx, quotedStatusId, 1);
      if (from !== 'new' && quotedAccountId !== accountId)
        await insertSilentMention(tx, app, statusId, quotedAccountId);
    } else if (from === 'accepted') await adjustQuotesCount(tx, quotedStatusId, -1);
  },
});

async function adjustQuotesCount({ db }: Transaction, statusId: StatusId, by: 1 | -1): Promise<void> {
  await sql`
    insert into status_stats (status_id, quotes_count) values (${statusId}, greatest(${by}::int, 0))
    on conflict (status_id) do update set
      quotes_count = greatest(status_stats.quotes_count + ${by}::int, 0), version = status_stats.version + 1`.execute(
    db,
  );
}

async function insertSilentMention(
  { db }: Transaction,
  app: App,
  statusId: StatusId,
  accountId: string | null,
): Promise<void> {
  await sql`
    insert into mentions (id, status_id, account_id, silent)
    select ${newId<'row'>(app.clock.now())}::bigint, ${statusId}::bigint, a.id, true
    from accounts a where a.id = ${accountId}::bigint and a.domain is null
    on conflict do nothing`.execute(db);
}

/** Deletes the quotes of deleted statuses. */
const deleteOwnQuotes = inTransaction([statusDeleted, importedStatusesDeleted], {
  runBatch: (tx, _app, deleted) => deleteQuotesOf(tx, deleted.flatMap(deletedIds)),
});

/** Marks the quotes of deleted statuses, so that the statuses that quote them show why they are missing. */
const markQuotesOfDeletedStatuses = later('default', [statusDeleted, importedStatusesDeleted], {
  name: 'status.mark_quotes_deleted',
  run: async (app, deleted) => {
    const ids = deletedIds(deleted);
    while ((await transaction(app, (tx) => markQuotesDeleted(tx, ids, batchSize))) === batchSize);
  },
});

export const quoteSubscriptions: readonly Subscription[] = [countQuote, deleteOwnQuotes, markQuotesOfDeletedStatuses];
