import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId, type RowId, type StatusId } from '../../platform/ids.ts';
import { counterColumns, buildCounters, type CounterRow, type StatusCounters } from '../read/status-counters.ts';

export interface FavouriteKey {
  readonly accountId: AccountId;
  readonly statusId: StatusId;
}

export interface NewFavourite extends FavouriteKey {
  readonly statusLocal: boolean;
  /** ActivityPub id of a received Like. */
  readonly uri?: string | null | undefined;
}

export interface Favourite extends FavouriteKey {
  readonly statusLocal: boolean;
  readonly favouriteId: RowId;
}

/** Favourites that were inserted or deleted, and the counters of their statuses afterwards. */
interface ChangedFavourites {
  readonly favourites: readonly Favourite[];
  readonly counters: readonly StatusCounters[];
}

/** Stores and counts favourites in one statement. Returns those that did not exist before. */
export async function insertFavourites(
  tx: Transaction,
  app: App,
  requests: readonly NewFavourite[],
): Promise<ChangedFavourites> {
  const now = app.clock.now();
  const favourites = requests.map(({ uri: _uri, ...favourite }) => ({ ...favourite, favouriteId: newId<'row'>(now) }));
  const { rows } = await sql<CounterRow & { id: RowId }>`
    with favourite as (
      insert into favourites (id, account_id, status_id, uri, created_at)
      select id, account_id, status_id, uri, ${now}::timestamptz
      from unnest(${favourites.map(({ favouriteId }) => favouriteId)}::bigint[], ${accountIdsOf(requests)}::bigint[], ${statusIdsOf(requests)}::bigint[],
          ${requests.map(({ uri }) => uri ?? null)}::text[])
        as request(id, account_id, status_id, uri)
      on conflict do nothing
      returning id, status_id
    ), counted as (
      insert into status_stats (status_id, favourites_count)
      select status_id, count(*) from favourite group by status_id order by status_id
      on conflict (status_id) do update
        set favourites_count = status_stats.favourites_count + excluded.favourites_count,
          version = status_stats.version + 1
      returning ${counterColumns}
    )
    select favourite.id, ${counterColumns} from favourite join counted using (status_id)`.execute(tx.db);
  const inserted = new Set(rows.map(({ id }) => id));
  return { favourites: favourites.filter(({ favouriteId }) => inserted.has(favouriteId)), counters: countersOf(rows) };
}

/** Deletes favourites and updates the counters in one statement. Returns those that existed. */
export async function deleteFavourites(tx: Transaction, requests: readonly FavouriteKey[]): Promise<ChangedFavourites> {
  const { rows } = await sql<CounterRow & { id: RowId; account_id: AccountId; local: boolean }>`
    with favourite as (
      delete from favourites
      using unnest(${accountIdsOf(requests)}::bigint[], ${statusIdsOf(requests)}::bigint[])
        as request(account_id, status_id)
      where favourites.account_id = request.account_id and favourites.status_id = request.status_id
      returning favourites.id, favourites.account_id, favourites.status_id
    ), locked as materialized (
      select status_id from status_stats where status_id in (select status_id from favourite) order by status_id
      for update
    ), counted as (
      update status_stats as stats
      set favourites_count = greatest(stats.favourites_count - deleted.count, 0), version = stats.version + 1
      from (select status_id, count(*)::int as count from favourite group by status_id) as deleted, locked
      where stats.status_id = deleted.status_id and locked.status_id = deleted.status_id
      returning stats.*
    )
    select favourite.id, favourite.account_id, s.local, ${counterColumns}
    from favourite left join counted using (status_id) join statuses s on s.id = status_id`.execute(tx.db);
  const favourites = rows.map((row) => ({
    accountId: row.account_id,
    statusId: row.status_id,
    statusLocal: row.local,
    favouriteId: row.id,
  }));
  return { favourites, counters: countersOf(rows) };
}

/** Returns the account and the status of a favourite, or undefined if it was undone. */
export async function findFavourite(app: App, id: RowId): Promise<FavouriteKey | undefined> {
  return app.db
    .selectFrom('favourites')
    .select(['account_id as accountId', 'status_id as statusId'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Returns the status that a remote account favourited by the Like with this ActivityPub id. */
export async function findFavouritedId(app: App, accountId: AccountId, uri: string): Promise<StatusId | undefined> {
  return (await selectByUri(app, { accountId, uri }))[0]?.status_id;
}

const selectByUri = batchedQuery<{ status_id: StatusId }>()<{ accountId: AccountId; uri: string }>(
  { accountId: 'bigint', uri: 'text' },
  ({ accountId, uri }) =>
    sql`select status_id from favourites where account_id = ${accountId} and uri = ${uri} limit 1`,
  { batchSize: 128 },
);

const accountIdsOf = (keys: readonly FavouriteKey[]): AccountId[] => keys.map(({ accountId }) => accountId);

const statusIdsOf = (keys: readonly FavouriteKey[]): StatusId[] => keys.map(({ statusId }) => statusId);

/** Returns the counters of each status once. */
const countersOf = (rows: readonly CounterRow[]): StatusCounters[] => [
  ...new Map(rows.map((row) => [row.status_id, buildCounters(row)])).values(),
];
