import { sql } from 'kysely';
import { Type } from 'typebox';
import { accountIndexableChanged } from '../accounts/remote/index.ts';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { inTransaction, later } from '../platform/write/reactions.ts';
import type { Subscription } from '../platform/write/subscriptions.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { idSchema } from '../platform/id-schema.ts';
import { defineJob } from '../platform/work/define-job.ts';
import { pollVoted } from '../polls/index.ts';
import { quoteChanged } from '../quotes/index.ts';
import {
  mentionsAdded,
  statusCreated,
  statusDeleted,
  statusEdited,
  statusFavourited,
  statusReblogged,
} from '../statuses/index.ts';
import { deletedIds, importedStatusesDeleted } from '../statuses/imported/index.ts';
import { statusBookmarked } from '../statuses/react/index.ts';
import { statusBackfilled } from '../statuses/remote/index.ts';
import { indexStatuses, reindexStatuses } from './index-statuses.ts';

const batchSize = 500;
const maxBigint = '9223372036854775807';

const indexQuotingStatus = defineJob(
  'search.index_quoting_status',
  Type.Object({ statusId: idSchema<'status'>() }),
  (app, { statusId }) => indexStatuses(app, [statusId]),
  'search',
);

/** Statuses without an entry have it from the start, or are indexed when they are stored. */
async function indexLaterQuote({ db, enqueue }: Transaction, statusId: StatusId): Promise<void> {
  const entry = await db.selectFrom('status_search').select('status_id').where('status_id', '=', statusId).execute();
  if (entry.length > 0) enqueue(indexQuotingStatus({ statusId }));
}

/** Indexes statuses that a local account interacted with, except those that have an entry. */
async function indexMissing(app: App, used: readonly { readonly statusId: StatusId }[]): Promise<void> {
  const { rows } = await sql<{ id: StatusId }>`
    select id from unnest(${used.map(({ statusId }) => statusId)}::bigint[]) as used (id)
    where not exists (select from status_search e where e.status_id = used.id)`.execute(app.db);
  if (rows.length > 0)
    await indexStatuses(
      app,
      rows.map(({ id }) => id),
    );
}

/**
 * Indexes the public statuses of a remote account that became indexable, or deletes their entries when it no longer is, in
 * batches: each job stores the next one.
 */
const reindexOlderStatuses = defineJob(
  'search.reindex_account',
  Type.Object({ accountId: idSchema<'account'>(), before: idSchema<'status'>() }),
  (app, { accountId, before }) => reindexAccount(app, accountId, before),
  'background',
);

async function reindexAccount(app: App, accountId: AccountId, before: string = maxBigint): Promise<void> {
  const ids = await listOutdated(app, accountId, before);
  const last = ids.at(-1);
  if (last === undefined) return;
  await indexStatuses(app, ids);
  await transaction(app, async ({ enqueue }) =>
    enqueue(reindexOlderStatuses({ accountId, before: last }, { key: `search.reindex ${accountId}`, isUnique: true })),
  );
}

async function listOutdated(app: App, accountId: AccountId, before: string): Promise<StatusId[]> {
  const { rows } = await sql<{ id: StatusId }>`
    select s.id from statuses s join accounts a on a.id = s.account_id
      left join status_search e on e.status_id = s.id
    where s.account_id = ${accountId}::bigint and s.id < ${before}::bigint and a.domain is not null
      and s.visibility = 'public' and s.reblog_of_id is null and s.deleted_at is null
      and (e.status_id is not null) <> a.indexable
    order by s.id desc limit ${batchSize}::int`.execute(app.db);
  return rows.map(({ id }) => id);
}

const indexAll = (app: App, statuses: readonly { readonly statusId: StatusId }[]): Promise<void> =>
  indexStatuses(
    app,
    statuses.map(({ statusId }) => statusId),
  );

/** Remote statuses that are not public are indexed once a local account interacts with them (`isSearchableSql`). */
const maySearchRemote = (status: {
  readonly local: boolean;
  readonly public: boolean;
  readonly mentions: boolean;
}): boolean => !status.local && (status.public || status.mentions);

const isRemoteStatus = ({ statusLocal }: { readonly statusLocal: boolean }): boolean => !statusLocal;

const isLocal = ({ local }: { readonly local: boolean }): boolean => local;

export const subscriptions: readonly Subscription[] = [
  // A local status has a row in this queue anyway; the many remote ones gather in a queue of their own.
  later('default', [statusCreated], { name: 'search.index_local_statuses', when: isLocal, runBatch: indexAll }),
  later('search', [statusCreated, statusBackfilled], {
    name: 'search.index_statuses',
    when: maySearchRemote,
    runBatch: indexAll,
  }),
  // Posts that a local account imported.
  later('search', [statusBackfilled], { name: 'search.index_imported_statuses', when: isLocal, runBatch: indexAll }),
  later('search', [statusEdited, mentionsAdded], { name: 'search.index_edited_status', runBatch: indexAll }),
  later('background', [statusDeleted, importedStatusesDeleted], {
    name: 'search.delete_status_entry',
    run: (app, deleted) =>
      transaction(app, async ({ db }) => {
        await sql`delete from status_search where status_id = any(${deletedIds(deleted)}::bigint[])`.execute(db);
      }),
  }),
  // Local statuses are indexed already.
  later('search', [statusFavourited], {
    name: 'search.index_used_status',
    when: isRemoteStatus,
    runBatch: indexMissing,
  }),
  inTransaction([quoteChanged], {
    run: async (tx, _app, { statusId, from }) => {
      if (from === 'new') await indexLaterQuote(tx, statusId);
    },
  }),
  later('search', [statusBookmarked, pollVoted], { name: 'search.index_saved_status', runBatch: indexMissing }),
  // Others cannot search a status because a remote account reblogged it.
  later('search', [statusReblogged], {
    name: 'search.index_reblogged_status',
    when: isLocal,
    runBatch: (app, reblogs) =>
      indexMissing(
        app,
        reblogs.map(({ reblogOfId }) => ({ statusId: reblogOfId })),
      ),
  }),
  later('background', [accountIndexableChanged], {
    name: 'search.reindex_updated_account',
    run: (app, { accountId }) => reindexAccount(app, accountId),
  }),
  indexQuotingStatus.subscription,
  reindexOlderStatuses.subscription,
  reindexStatuses.subscription,
];
