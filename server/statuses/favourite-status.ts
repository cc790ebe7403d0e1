import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { defineCrowdWrite } from '../platform/database/crowd-write.ts';
import type { Write } from '../platform/database/write.ts';
import { forbidden } from '../platform/http/problems.ts';
import { newId, type AccountId, type RowId, type StatusId } from '../platform/ids.ts';
import { relationsOf } from '../relationships/index.ts';
import { statusCountersChanged, statusFavourited, statusUnfavourited, viewerStateChanged } from './events.ts';
import { requireVisibleOriginal } from './keep-visible.ts';
import { originalIdOf } from './status-bodies.ts';
import { counterColumns, countersOf, type CounterRow } from './status-counters.ts';

/**
 * Favourites a status as `accountId`, local or remote; of a reblog, what it reblogs. Doing it twice is the same as doing
 * it once. Throws 404 for what the account may not see, 403 when it blocks the author.
 */
export async function favouriteStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<void> {
  const status = await requireVisibleOriginal(app, accountId, statusId);
  await refuseBlocked(app, accountId, status.accountId);
  await storeFavourite(app, { accountId, statusId: status.id, statusLocal: status.local });
}

/** Takes a favourite back, also of a status that the account may not see any more; false when there was none. */
export async function unfavouriteStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<boolean> {
  return removeFavourite(app, { accountId, statusId: await originalIdOf(app, statusId) });
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

interface Pair {
  readonly accountId: AccountId;
  readonly statusId: StatusId;
}

const storeFavourite = defineCrowdWrite(
  async (write: Write, app: App, wanted: readonly (Pair & { readonly statusLocal: boolean })[]) => {
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
      select favourite.id, ${counterColumns} from favourite join counted using (status_id)`.execute(write.db);
    const made = new Set(rows.map(({ id }) => id));
    const fresh = wanted.flatMap((one, at) => {
      const favouriteId = ids[at] as RowId;
      return made.has(favouriteId) ? [{ ...one, favouriteId }] : [];
    });
    noteAfter(write, { pairs: fresh, counted: rows, favourited: true });
    for (const favourite of fresh) write.emit(statusFavourited(favourite));
    return wanted;
  },
);

const removeFavourite = defineCrowdWrite(async (write: Write, _app: App, unwanted: readonly Pair[]) => {
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
    from favourite left join counted using (status_id) join statuses s on s.id = status_id`.execute(write.db);
  const gone = rows.map((row) => ({ accountId: row.account_id, statusId: row.status_id, favouriteId: row.id, row }));
  noteAfter(write, { pairs: gone, counted: rows, favourited: false });
  for (const { row, ...favourite } of gone) write.emit(statusUnfavourited({ ...favourite, statusLocal: row.local }));
  return unwanted.map((one) => gone.some((pair) => isSame(pair, one)));
});

const isSame = (a: Pair, b: Pair): boolean => a.accountId === b.accountId && a.statusId === b.statusId;

const column = <Name extends keyof Pair>(pairs: readonly Pair[], name: Name): Pair[Name][] =>
  pairs.map((pair) => pair[name]);

function noteAfter(
  write: Write,
  { pairs, counted, favourited }: { pairs: readonly Pair[]; counted: readonly CounterRow[]; favourited: boolean },
): void {
  for (const counters of counted.map(countersOf)) write.emit(statusCountersChanged(counters));
  for (const { accountId, statusId } of pairs)
    write.emit(viewerStateChanged({ viewerId: accountId, statusId, favourited }));
}

/** One does not react to those whom one blocks: 403. */
export async function refuseBlocked(app: App, accountId: AccountId, authorId: AccountId): Promise<void> {
  const { blocking } = await relationsOf(app, accountId);
  if (blocking.has(authorId)) throw forbidden();
}
