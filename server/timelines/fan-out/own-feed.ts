import { sql } from 'kysely';
import { listChanged } from '../../lists/index.ts';
import type { App } from '../../platform/app.ts';
import { BatchLoadingCache } from '../../platform/caching/cache.ts';
import { evictAll } from '../../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { ownListStatusesPosted } from '../events.ts';
import { insertIntoListFeeds } from './list-feed-entries.ts';

/** A new status or reblog. */
interface PostedStatus {
  readonly statusId: StatusId;
  readonly accountId: AccountId;
  /** The reblogged status, of a reblog. */
  readonly reblogOfId?: StatusId;
  /** Whether the author is local; missing for a reblog. */
  readonly local?: boolean;
}

/** Whether an account is in a list of its own. */
export const ownListMembers = new BatchLoadingCache<AccountId, boolean>({
  name: 'timeline.own_list_members',
  maxSize: 10_000,
  ttlMs: 60_000,
  loadMany: async (app, accountIds) => {
    const rows = await ownListMemberRows(app, { accountIds });
    const members = new Set(rows.map(({ id }) => id));
    return new Map(accountIds.map((id) => [id, members.has(id)]));
  },
  evictOn: [evictAll(listChanged)],
});

const ownListMemberRows = preparedQuery<{ id: AccountId }>()(
  (db, { accountIds }: { accountIds: readonly AccountId[] }) => ({
    compile: () =>
      sql<{ id: AccountId }>`select m.account_id as id from list_accounts m
        where m.account_id = any(${accountIds}::bigint[]) and m.owner_id = m.account_id`.compile(db),
  }),
);

/** Loads for later posts of the same authors what `insertIntoOwnFeed` would ask the database for. */
export async function loadOwnListMembers(app: App, posted: readonly PostedStatus[]): Promise<void> {
  await ownListMembers.getMany(app, listLocalAuthors(posted));
}

/**
 * Inserts new statuses into the home feeds of their local authors, so that they read their own writes. Costs a round trip
 * only where an author may be in a list of its own, whose feed gets the status too.
 */
export async function insertIntoOwnFeed(tx: Transaction, app: App, posted: readonly PostedStatus[]): Promise<void> {
  const written = posted.filter(isMaybeLocal);
  if (written.length === 0) return;
  const insert = sql`
    insert into home_feed (account_id, status_id, reblog_of_id)
    select account_id, posted.status_id, posted.reblog_of_id from unnest(
      ${written.map(({ accountId }) => accountId)}::bigint[],
      ${written.map(({ statusId }) => statusId)}::bigint[],
      ${written.map(({ reblogOfId }) => reblogOfId ?? null)}::bigint[]
    ) as posted(account_id, status_id, reblog_of_id) join home_feed_states using (account_id)
    on conflict do nothing`;
  const authors = listLocalAuthors(written);
  if (authors.every((id) => ownListMembers.peek(app, id) === false)) {
    tx.sendWithCommit(insert);
    return;
  }
  const { rows } = await sql<{ is_listed: boolean }>`
    with inserted as (${insert})
    select exists (
      select 1 from list_accounts m join list_feed_states h on h.list_id = m.list_id
      where m.account_id = any(${authors}::bigint[]) and m.owner_id = m.account_id
    ) as is_listed`.execute(tx.db);
  if (rows[0]?.is_listed === true)
    tx.emit(ownListStatusesPosted({ statusIds: written.map((status) => status.statusId) }));
}

const isMaybeLocal = ({ local }: PostedStatus): boolean => local !== false;

const listLocalAuthors = (posted: readonly PostedStatus[]): AccountId[] => [
  ...new Set(posted.filter(isMaybeLocal).map(({ accountId }) => accountId)),
];

/**
 * Inserts statuses into the feeds of lists that contain their authors and show them. Locks feed states after account
 * counters.
 */
export async function insertIntoOwnLists(
  tx: Transaction,
  app: App,
  posted: readonly { readonly statusIds: readonly StatusId[] }[],
): Promise<void> {
  const ids = posted.flatMap(({ statusIds }) => statusIds);
  await insertIntoListFeeds(tx, app, ids, { ownListsOnly: true });
}
