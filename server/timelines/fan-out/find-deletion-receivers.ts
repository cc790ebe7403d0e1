import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { idArray } from '../../platform/database/id-array.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId, ListId, StatusId } from '../../platform/ids.ts';
import { connectedFollows, hasManyFollowers, isConnected } from './connected-accounts.ts';

/** Reblogs of a deleted status that are reported as deleted too; the newest. */
const maxDeletedReblogs = 1_000;

interface DeletionArgs {
  readonly statusId: StatusId;
  /** `idArray` */
  readonly accountIds: string;
  /** `idArray` */
  readonly listIds: string;
}

interface DeletionRow {
  readonly id: StatusId;
  readonly account_ids: readonly AccountId[] | null;
  readonly list_ids: readonly ListId[] | null;
}

const deletionReceivers = preparedQuery<DeletionRow>()((db, { statusId, accountIds, listIds }: DeletionArgs) => ({
  compile: () =>
    sql<DeletionRow>`
      with connected as materialized (
        select unnest(${accountIds}::bigint[]) as id
      ), connected_lists as materialized (
        select unnest(${listIds}::bigint[]) as id
      ), found as (
        (select id, account_id, visibility, local from statuses where id = ${statusId}::bigint)
        union all
        (select id, account_id, visibility, local from statuses where reblog_of_id = ${statusId}::bigint
          order by id desc limit ${sql.lit(maxDeletedReblogs)})
      ), gone as materialized (
        select g.*, ${hasManyFollowers({ id: sql`g.account_id`, local: sql`g.local` })} as has_many_followers from found g
      ), account as (
        select s.id, f.account_id from gone s cross join lateral (${connectedFollows}) f where s.visibility <> 'direct'
        union select s.id, s.account_id from gone s where ${isConnected(sql`s.account_id`)}
        union select s.id, m.account_id from gone s join mentions m on m.status_id = s.id
          where ${isConnected(sql`m.account_id`)}
        union select s.id, f.account_id
          from gone s join status_tags st on st.status_id = s.id join tag_follows f on f.tag_id = st.tag_id
          where s.visibility in ('public', 'local_public') and ${isConnected(sql`f.account_id`)}
      )
      select id, json_agg(account_id::text) as account_ids, null::json as list_ids from account group by id
      union all
      select s.id, null, json_agg(m.list_id::text) from gone s join list_accounts m on m.account_id = s.account_id
        where s.visibility <> 'direct' and (m.list_id in (select id from connected_lists)) is true
        group by s.id`.compile(db),
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
  const rows = await deletionReceivers(app, {
    statusId,
    accountIds: idArray(receivers.accountIds),
    listIds: idArray(receivers.listIds),
  });
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, found]) => ({
    statusId: id,
    accountIds: found.flatMap((row) => row.account_ids ?? []),
    listIds: found.flatMap((row) => row.list_ids ?? []),
  }));
}
