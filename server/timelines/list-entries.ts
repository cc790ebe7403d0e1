import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Write } from '../platform/database/write.ts';
import type { StatusId } from '../platform/ids.ts';
import { involved } from './belongs-in-home.ts';
import { belongsInList, shownMembers } from './belongs-in-list.ts';

/** Where posts are to be entered; all lists whose feed is kept when nothing else is said. */
interface Where {
  /** Only the lists of the authors themselves. */
  readonly own?: boolean;
}

/**
 * Writes statuses into the kept feeds of the lists that show them. The states are locked in order until the end, so that
 * a feed which is dropped meanwhile gets nothing that it would not show any more.
 */
export async function enterLists(
  { db }: Write,
  app: App,
  ids: readonly StatusId[],
  { own = false }: Where = {},
): Promise<void> {
  await sql`
    with posts as materialized (
      select s.*, p.people from statuses s ${involved} where s.id = any(${ids}::bigint[]) and s.deleted_at is null
    ), kept as materialized (
      select h.list_id from list_feed_states h where h.list_id = any(array(
        select m.list_id from list_accounts m
        where m.account_id = any(array(select account_id from posts)) and (not ${own}::boolean or m.owner_id = m.account_id)))
      order by h.list_id for key share
    )
    insert into list_feed (list_id, status_id, reblog_of_id)
    select f.list_id, s.id, s.reblog_of_id
    from posts s left join statuses o on o.id = s.reblog_of_id cross join lateral (select s.people) p
    join (${shownMembers(sql`m.list_id = any(array(select list_id from kept))
      and m.account_id = any(array(select account_id from posts))`)}) f on f.target_account_id = s.account_id
    where ${belongsInList(app.clock.now())}
    order by f.list_id, s.id
    on conflict do nothing`.execute(db);
}

/** Takes statuses out of the kept feeds of lists. The states are locked as by `enterLists`. */
export async function leaveLists({ db }: Write, ids: readonly StatusId[]): Promise<void> {
  await sql`
    with found as materialized (
      select list_id, status_id from list_feed where status_id = any(${ids}::bigint[])
    ), kept as materialized (
      select h.list_id from list_feed_states h where h.list_id = any(array(select list_id from found))
      order by h.list_id for key share
    )
    delete from list_feed e using found, kept
    where kept.list_id = found.list_id and e.list_id = found.list_id and e.status_id = found.status_id`.execute(db);
}
