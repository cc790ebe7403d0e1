import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId, ListId, StatusId } from '../../platform/ids.ts';
import { feedTableRefs, feedTables } from '../feeds/feed-tables.ts';
import { belongsInHome, belongsInHomeByTag, involvedAccounts, isInExclusiveList } from '../graph/belongs-in-home.ts';
import { belongsInList, visibleListMembers } from '../graph/belongs-in-list.ts';
import { repeatDistance } from '../read/hide-repeats.ts';

// Which of many home timelines and lists show a status, by the rules that fill the stored feeds. For streams.

interface ReceiverRow<Receiver> {
  readonly id: StatusId;
  readonly receiver: Receiver;
}

/**
 * Whether a feed shows the original of the reblog `s`, or another reblog of it, shortly before it: `hideRepeats` for feeds
 * that are stored.
 */
function isRepeatIn(kind: 'home' | 'list', feedId: RawBuilder<unknown>): RawBuilder<boolean> {
  const { entries, key } = feedTableRefs(feedTables[kind]);
  return sql<boolean>`(s.reblog_of_id is not null and exists (
    select from (
      select status_id, reblog_of_id from ${entries} where ${key} = ${feedId} and status_id < s.id
      order by status_id desc limit ${sql.lit(repeatDistance)}
    ) earlier
    where earlier.status_id = s.reblog_of_id or earlier.reblog_of_id = s.reblog_of_id))`;
}

interface HomeArgs {
  readonly statusIds: readonly StatusId[];
  readonly accountIds: readonly AccountId[];
  readonly now: Date;
}

const homeReceivers = preparedQuery<ReceiverRow<AccountId>>()((db, { statusIds, accountIds, now }: HomeArgs) => ({
  compile: () =>
    sql<ReceiverRow<AccountId>>`
      with post as materialized (
        select s.*, p.people from statuses s ${involvedAccounts}
        where s.id = any(${statusIds}::bigint[]) and s.deleted_at is null
      )
      select s.id, f.account_id as receiver
      from post s left join statuses o on o.id = s.reblog_of_id cross join lateral (select s.people) p
      join follows f on f.target_account_id = s.account_id
      where f.account_id = any(${accountIds}::bigint[]) and not ${isInExclusiveList(sql`f.target_account_id`)}
        and ${belongsInHome(now)} and not ${isRepeatIn('home', sql`f.account_id`)}
      union
      select s.id, s.account_id from post s
      where s.account_id = any(${accountIds}::bigint[]) and not ${isRepeatIn('home', sql`s.account_id`)}
      union
      select s.id, f.account_id
      from post s cross join lateral (select s.people) p
      join status_tags st on st.status_id = s.id
      join tag_follows f on f.tag_id = st.tag_id
      where f.account_id = any(${accountIds}::bigint[]) and ${belongsInHomeByTag(now)}`.compile(db),
}));

/** Returns those of many accounts whose home timelines show each of these statuses. */
export async function findHomeReceivers(
  app: App,
  accountIds: readonly AccountId[],
  statusIds: readonly StatusId[],
): Promise<ReadonlyMap<StatusId, readonly AccountId[]>> {
  if (accountIds.length === 0) return new Map();
  return groupReceivers(await homeReceivers(app, { statusIds, accountIds, now: app.clock.now() }));
}

interface ListArgs {
  readonly statusIds: readonly StatusId[];
  readonly listIds: readonly ListId[];
  readonly now: Date;
}

const listReceivers = preparedQuery<ReceiverRow<ListId>>()((db, { statusIds, listIds, now }: ListArgs) => ({
  compile: () =>
    sql<ReceiverRow<ListId>>`
      with post as materialized (
        select s.*, p.people from statuses s ${involvedAccounts}
        where s.id = any(${statusIds}::bigint[]) and s.deleted_at is null
      )
      select s.id, f.list_id as receiver
      from post s left join statuses o on o.id = s.reblog_of_id cross join lateral (select s.people) p
      join (${visibleListMembers(sql`m.list_id = any(${listIds}::bigint[])
        and m.account_id = any(array(select account_id from post))`)}) f on f.target_account_id = s.account_id
      where ${belongsInList(now)} and not ${isRepeatIn('list', sql`f.list_id`)}`.compile(db),
}));

/** Returns those of many lists that show each of these statuses. */
export async function findListReceivers(
  app: App,
  listIds: readonly ListId[],
  statusIds: readonly StatusId[],
): Promise<ReadonlyMap<StatusId, readonly ListId[]>> {
  if (listIds.length === 0) return new Map();
  return groupReceivers(await listReceivers(app, { statusIds, listIds, now: app.clock.now() }));
}

function groupReceivers<Receiver>(rows: readonly ReceiverRow<Receiver>[]): ReadonlyMap<StatusId, readonly Receiver[]> {
  const receivers = new Map<StatusId, Receiver[]>();
  for (const { id, receiver } of rows) {
    const known = receivers.get(id);
    if (known === undefined) receivers.set(id, [receiver]);
    else known.push(receiver);
  }
  return receivers;
}

/** Reblogs of a deleted status that are reported as deleted too; the newest. */
const maxDeletedReblogs = 1_000;

interface DeletionArgs {
  readonly statusId: StatusId;
  readonly accountIds: readonly AccountId[];
  readonly listIds: readonly ListId[];
}

interface DeletionRow {
  readonly id: StatusId;
  readonly account_id: AccountId | null;
  readonly list_id: ListId | null;
}

const deletionReceivers = preparedQuery<DeletionRow>()((db, { statusId, accountIds, listIds }: DeletionArgs) => ({
  compile: () =>
    sql<DeletionRow>`
      with gone as materialized (
        (select id, account_id, visibility from statuses where id = ${statusId}::bigint)
        union all
        (select id, account_id, visibility from statuses where reblog_of_id = ${statusId}::bigint
          order by id desc limit ${sql.lit(maxDeletedReblogs)})
      )
      select g.id, f.account_id, null::bigint as list_id
        from gone g join follows f on f.target_account_id = g.account_id
        where g.visibility <> 'direct' and f.account_id = any(${accountIds}::bigint[])
      union select g.id, g.account_id, null from gone g where g.account_id = any(${accountIds}::bigint[])
      union select g.id, m.account_id, null from gone g join mentions m on m.status_id = g.id
        where m.account_id = any(${accountIds}::bigint[])
      union select g.id, f.account_id, null
        from gone g join status_tags st on st.status_id = g.id join tag_follows f on f.tag_id = st.tag_id
        where g.visibility = 'public' and f.account_id = any(${accountIds}::bigint[])
      union select g.id, null, m.list_id from gone g join list_accounts m on m.account_id = g.account_id
        where g.visibility <> 'direct' and m.list_id = any(${listIds}::bigint[])`.compile(db),
}));

/** Which home timelines and lists may show a status that was deleted, or a reblog of it. */
export interface DeletionReceivers {
  readonly statusId: StatusId;
  readonly accountIds: readonly AccountId[];
  readonly listIds: readonly ListId[];
}

/**
 * Returns those of many accounts and lists that may show a deleted status or its reblogs: all that could have shown them,
 * as relations may have changed since.
 */
export async function findDeletionReceivers(
  app: App,
  receivers: { readonly accountIds: readonly AccountId[]; readonly listIds: readonly ListId[] },
  statusId: StatusId,
): Promise<DeletionReceivers[]> {
  const rows = await deletionReceivers(app, { ...receivers, statusId });
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, found]) => ({
    statusId: id,
    accountIds: found.flatMap((row) => row.account_id ?? []),
    listIds: found.flatMap((row) => row.list_id ?? []),
  }));
}
