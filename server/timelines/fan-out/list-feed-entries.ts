import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { type AccountId, minId, type StatusId } from '../../platform/ids.ts';
import { involvedAccounts } from '../graph/belongs-in-home.ts';
import { belongsInList, visibleListMembers } from '../graph/belongs-in-list.ts';

/** The last list membership that a scan examined: ordered by author, then by the owner of the list. */
export interface ListCursor {
  readonly accountId: AccountId;
  readonly ownerId: AccountId;
}

const minAccountId = minId;

/** Before the first membership. */
export const startCursor: ListCursor = { accountId: minAccountId, ownerId: minAccountId };

interface ListInsertOptions {
  /** Only lists that their author owns. */
  readonly ownListsOnly?: boolean;
  /** Also removes the statuses from feeds in which they no longer belong. */
  readonly edited?: boolean;
  readonly after?: ListCursor;
  /** Memberships to examine. All lists of the last owner are examined, so it may be a few more. */
  readonly maxMemberships?: number;
}

interface Row {
  readonly account_id: AccountId;
  readonly owner_id: AccountId;
  /** Number of memberships examined. */
  readonly seen: number;
}

/**
 * Inserts statuses into the stored feeds of the lists that show them. Returns the cursor if there may be more memberships.
 * Locks the feed states in the order of their ids until the transaction ends, so that a feed deleted concurrently gets no
 * outdated entries.
 */
export async function insertIntoListFeeds(
  { db }: Transaction,
  app: App,
  ids: readonly StatusId[],
  { ownListsOnly = false, edited = false, after = startCursor, maxMemberships = 2_147_483_647 }: ListInsertOptions = {},
): Promise<ListCursor | undefined> {
  const { rows } = await sql<Row>`
    with posts as materialized (
      select s.*, p.people from statuses s ${involvedAccounts} where s.id = any(${ids}::bigint[]) and s.deleted_at is null
    ), memberships as materialized (
      select m.account_id, m.owner_id, m.list_id from list_accounts m
      where m.account_id = any(array(select account_id from posts)) and (not ${ownListsOnly}::boolean or m.owner_id = m.account_id)
        and (m.account_id, m.owner_id) > (${after.accountId}::bigint, ${after.ownerId}::bigint)
      order by m.account_id, m.owner_id fetch first (${maxMemberships}::int) rows with ties
    ), feeds as materialized (
      select h.list_id from list_feed_states h where h.list_id = any(array(select list_id from memberships))
      order by h.list_id for key share
    ), shown as materialized (
      select f.list_id, s.id, s.reblog_of_id
      from posts s left join statuses o on o.id = s.reblog_of_id cross join lateral (select s.people) p
      join (${visibleListMembers(sql`m.list_id = any(array(select list_id from feeds))
        and m.account_id = any(array(select account_id from posts))`)}) f on f.target_account_id = s.account_id
      where ${belongsInList(app.clock.now())}
    ), removed as (
      delete from list_feed e using feeds k
      where ${edited}::boolean and e.list_id = k.list_id and e.status_id = any(${ids}::bigint[])
        and not exists (select 1 from shown where shown.list_id = e.list_id and shown.id = e.status_id)
    ), inserted as (
      insert into list_feed (list_id, status_id, reblog_of_id)
      select list_id, id, reblog_of_id from shown order by list_id, id
      on conflict do nothing
    )
    select account_id, owner_id, (select count(*)::int from memberships) as seen from memberships
    order by account_id desc, owner_id desc limit 1`.execute(db);
  const [last] = rows;
  if (last === undefined || last.seen < maxMemberships) return undefined;
  return { accountId: last.account_id, ownerId: last.owner_id };
}

/** Deletes statuses from stored list feeds. Locks feed states as `insertIntoListFeeds` does. */
export async function removeFromListFeeds({ db }: Transaction, ids: readonly StatusId[]): Promise<void> {
  await sql`
    with found as materialized (
      select list_id, status_id from list_feed where status_id = any(${ids}::bigint[])
    ), feeds as materialized (
      select h.list_id from list_feed_states h where h.list_id = any(array(select list_id from found))
      order by h.list_id for key share
    )
    delete from list_feed e using found, feeds
    where feeds.list_id = found.list_id and e.list_id = found.list_id and e.status_id = found.status_id`.execute(db);
}
