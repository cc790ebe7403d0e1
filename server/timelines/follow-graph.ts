import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { belongsInHome, involved } from './belongs-in-home.ts';
import type { Entry } from './hide-repeats.ts';

/** Greater than every status id. */
export const endOfTime = '9223372036854775807' as StatusId;

/** A stretch of someone's home, read from the statuses of those it follows rather than from the stored feed. */
export interface GraphArgs {
  readonly accountId: AccountId;
  /** Only of these followed accounts; null for all of them and the account itself. */
  readonly authors: readonly AccountId[] | null;
  /** Ids above this one only. */
  readonly after: StatusId;
  /** Ids below this one only. */
  readonly before: StatusId;
  readonly count: number;
  readonly now: Date;
}

export interface EntryRow {
  readonly id: StatusId;
  readonly reblog_of_id: StatusId | null;
}

/**
 * The first `count` entries from the new end (`desc`) or the old end (`asc`) of the stretch. Only the authors whose
 * first entries are the first `count` of all can have a part in it, and nothing beyond the last of these first entries:
 * so one probe for each followed account finds who they are, and few rows are read besides.
 */
export function graphQuery(direction: 'asc' | 'desc', args: GraphArgs): RawBuilder<EntryRow> {
  const order = sql.raw(direction);
  const bound =
    direction === 'desc'
      ? sql`s.id >= (select case when count(*) < ${args.count}::int then 0 else min(head) end from heads)`
      : sql`s.id <= (select case when count(*) < ${args.count}::int then ${endOfTime}::bigint else max(head) end from heads)`;
  const posts = sql`
    from statuses s ${involved}
    where s.account_id = f.target_account_id and s.deleted_at is null
      and s.id > ${args.after}::bigint and s.id < ${args.before}::bigint and ${belongsInHome(args.now)}`;
  return sql<EntryRow>`
    with followed as (
      select account_id, target_account_id, show_reblogs, languages from follows
      where account_id = ${args.accountId}::bigint
        and (${args.authors}::bigint[] is null or target_account_id = any(${args.authors}::bigint[]))
      union all
      select ${args.accountId}::bigint, ${args.accountId}::bigint, true, null where ${args.authors}::bigint[] is null
    ), heads as materialized (
      select f.*, first.id as head from followed f
      cross join lateral (select s.id ${posts} order by s.id ${order} limit 1) first
      order by first.id ${order} limit ${args.count}::int
    )
    select entry.id, entry.reblog_of_id from heads f
    cross join lateral (
      select s.id, s.reblog_of_id ${posts} and ${bound} order by s.id ${order} limit ${args.count}::int
    ) entry
    order by entry.id ${order} limit ${args.count}::int`;
}

const statements = {
  asc: prepared<EntryRow>()((db, args: GraphArgs) => ({ compile: () => graphQuery('asc', args).compile(db) })),
  desc: prepared<EntryRow>()((db, args: GraphArgs) => ({ compile: () => graphQuery('desc', args).compile(db) })),
};

/** Reads a stretch of someone's home through the follow graph: any depth, at the price of a probe for each follow. */
export async function readGraph(app: App, direction: 'asc' | 'desc', args: Omit<GraphArgs, 'now'>): Promise<Entry[]> {
  const rows = await statements[direction](app, { ...args, now: app.clock.now() });
  return rows.map(({ id, reblog_of_id: reblogOfId }) => ({ id, reblogOfId: reblogOfId ?? undefined }));
}
