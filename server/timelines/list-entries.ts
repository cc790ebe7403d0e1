import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Write } from '../platform/database/write.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { involved } from './belongs-in-home.ts';
import { belongsInList, shownMembers } from './belongs-in-list.ts';

/** How far a walk over the places of authors in lists has come: by author, then by the owner of the list. */
export interface Reached {
  readonly accountId: AccountId;
  readonly ownerId: AccountId;
}

const firstAccount = '-9223372036854775808' as AccountId;

/** Before the first place. */
export const start: Reached = { accountId: firstAccount, ownerId: firstAccount };

interface Walk {
  /** Only the lists of the authors themselves. */
  readonly own?: boolean;
  /** The statuses may stand in lists already, where they no longer belong: they are taken out there. */
  readonly edited?: boolean;
  readonly after?: Reached;
  /** Places that are looked at; all lists of the last owner are, so it may become some more. */
  readonly most?: number;
}

interface Row {
  readonly account_id: AccountId;
  readonly owner_id: AccountId;
  /** Places that were looked at. */
  readonly seen: number;
}

/**
 * Writes statuses into the kept feeds of the lists that show them; gives how far it came when there may be more places.
 * The states are locked in order until the end, so that a feed which is dropped meanwhile gets nothing that it would not
 * show any more.
 */
export async function enterLists(
  { db }: Write,
  app: App,
  ids: readonly StatusId[],
  { own = false, edited = false, after = start, most = 2_147_483_647 }: Walk = {},
): Promise<Reached | undefined> {
  const { rows } = await sql<Row>`
    with posts as materialized (
      select s.*, p.people from statuses s ${involved} where s.id = any(${ids}::bigint[]) and s.deleted_at is null
    ), places as materialized (
      select m.account_id, m.owner_id, m.list_id from list_accounts m
      where m.account_id = any(array(select account_id from posts)) and (not ${own}::boolean or m.owner_id = m.account_id)
        and (m.account_id, m.owner_id) > (${after.accountId}::bigint, ${after.ownerId}::bigint)
      order by m.account_id, m.owner_id fetch first (${most}::int) rows with ties
    ), kept as materialized (
      select h.list_id from list_feed_states h where h.list_id = any(array(select list_id from places))
      order by h.list_id for key share
    ), shown as materialized (
      select f.list_id, s.id, s.reblog_of_id
      from posts s left join statuses o on o.id = s.reblog_of_id cross join lateral (select s.people) p
      join (${shownMembers(sql`m.list_id = any(array(select list_id from kept))
        and m.account_id = any(array(select account_id from posts))`)}) f on f.target_account_id = s.account_id
      where ${belongsInList(app.clock.now())}
    ), taken_out as (
      delete from list_feed e using kept k
      where ${edited}::boolean and e.list_id = k.list_id and e.status_id = any(${ids}::bigint[])
        and not exists (select 1 from shown where shown.list_id = e.list_id and shown.id = e.status_id)
    ), entered as (
      insert into list_feed (list_id, status_id, reblog_of_id)
      select list_id, id, reblog_of_id from shown order by list_id, id
      on conflict do nothing
    )
    select account_id, owner_id, (select count(*)::int from places) as seen from places
    order by account_id desc, owner_id desc limit 1`.execute(db);
  const [last] = rows;
  if (last === undefined || last.seen < most) return undefined;
  return { accountId: last.account_id, ownerId: last.owner_id };
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
