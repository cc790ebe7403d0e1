import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { groupCommit } from '../platform/database/group-commit.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import { forbidden } from '../platform/http/http-errors.ts';
import { newId, type AccountId, type RowId, type StatusId } from '../platform/ids.ts';
import { loadAccountRelations } from '../relationships/index.ts';
import { statusCountersChanged, statusFavourited, statusUnfavourited, viewerStateChanged } from './events.ts';
import { requireVisibleOriginal } from './filter-visible-statuses.ts';
import { resolveOriginalId } from './status-cache.ts';
import { counterColumns, buildCounters, type CounterRow } from './status-counters.ts';

/**
 * Favourites a status as `accountId`, local or remote; of a reblog, what it reblogs. Doing it twice is the same as doing
 * it once. Throws 404 for what the account may not see, 403 when it blocks the author.
 */
export async function favouriteStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<void> {
  const status = await requireVisibleOriginal(app, accountId, statusId);
  await assertNotBlocking(app, accountId, status.accountId);
  await storeFavourite(app, { accountId, statusId: status.id, statusLocal: status.local });
}

/** Takes a favourite back, also of a status that the account may not see any more; false when there was none. */
export async function unfavouriteStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<boolean> {
  return removeFavourite(app, { accountId, statusId: await resolveOriginalId(app, statusId) });
}

/** Returns who favourited what by the id of the favourite; undefined if it was undone. */
export async function findFavourite(
  app: App,
  id: RowId,
): Promise<{ readonly accountId: AccountId; readonly statusId: StatusId } | undefined> {
  return app.db
    .selectFrom('favourites')
    .select(['account_id as accountId', 'status_id as statusId'])
    .where('id', '=', id)
    .executeTakeFirst();
}

interface FavouriteKey {
  readonly accountId: AccountId;
  readonly statusId: StatusId;
}

const storeFavourite = groupCommit(
  async (tx: Transaction, app: App, wanted: readonly (FavouriteKey & { readonly statusLocal: boolean })[]) => {
    const now = app.clock.now();
    const ids = wanted.map(() => newId<'row'>(now));
    const { rows } = await sql<CounterRow & { id: RowId }>`
      with favourite as (
        insert into favourites (id, account_id, status_id, created_at)
        select id, account_id, status_id, ${now}::timestamptz
        from unnest(${ids}::bigint[], ${column(wanted, 'accountId')}::bigint[], ${column(wanted, 'statusId')}::bigint[])
          as wanted(id, account_id, status_id)
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
    const made = new Set(rows.map(({ id }) => id));
    const fresh = wanted.flatMap((one, at) => {
      const favouriteId = ids[at] as RowId;
      return made.has(favouriteId) ? [{ ...one, favouriteId }] : [];
    });
    noteAfter(tx, { pairs: fresh, counted: rows, favourited: true });
    for (const favourite of fresh) tx.emit(statusFavourited(favourite));
    return wanted;
  },
);

const removeFavourite = groupCommit(async (tx: Transaction, _app: App, unwanted: readonly FavouriteKey[]) => {
  const { rows } = await sql<CounterRow & { id: RowId; account_id: AccountId; local: boolean }>`
    with favourite as (
      delete from favourites
      using unnest(${column(unwanted, 'accountId')}::bigint[], ${column(unwanted, 'statusId')}::bigint[])
        as unwanted(account_id, status_id)
      where favourites.account_id = unwanted.account_id and favourites.status_id = unwanted.status_id
      returning favourites.id, favourites.account_id, favourites.status_id
    ), locked as materialized (
      select status_id from status_stats where status_id in (select status_id from favourite) order by status_id
      for update
    ), counted as (
      update status_stats as stats
      set favourites_count = greatest(stats.favourites_count - gone.count, 0), version = stats.version + 1
      from (select status_id, count(*)::int as count from favourite group by status_id) as gone, locked
      where stats.status_id = gone.status_id and locked.status_id = gone.status_id
      returning stats.*
    )
    select favourite.id, favourite.account_id, s.local, ${counterColumns}
    from favourite left join counted using (status_id) join statuses s on s.id = status_id`.execute(tx.db);
  const gone = rows.map((row) => ({ accountId: row.account_id, statusId: row.status_id, favouriteId: row.id, row }));
  noteAfter(tx, { pairs: gone, counted: rows, favourited: false });
  for (const { row, ...favourite } of gone) tx.emit(statusUnfavourited({ ...favourite, statusLocal: row.local }));
  return unwanted.map((one) => gone.some((pair) => isSameFavourite(pair, one)));
});

const isSameFavourite = (a: FavouriteKey, b: FavouriteKey): boolean =>
  a.accountId === b.accountId && a.statusId === b.statusId;

const column = <Name extends keyof FavouriteKey>(pairs: readonly FavouriteKey[], name: Name): FavouriteKey[Name][] =>
  pairs.map((pair) => pair[name]);

function noteAfter(
  tx: Transaction,
  {
    pairs,
    counted,
    favourited,
  }: { pairs: readonly FavouriteKey[]; counted: readonly CounterRow[]; favourited: boolean },
): void {
  for (const counters of counted.map(buildCounters)) tx.emit(statusCountersChanged(counters));
  for (const { accountId, statusId } of pairs)
    tx.emit(viewerStateChanged({ viewerId: accountId, statusId, favourited }));
}

/** One does not react to those whom one blocks: 403. */
export async function assertNotBlocking(app: App, accountId: AccountId, authorId: AccountId): Promise<void> {
  const { blocking } = await loadAccountRelations(app, accountId);
  if (blocking.has(authorId)) throw forbidden();
}
