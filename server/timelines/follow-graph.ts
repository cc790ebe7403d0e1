import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { belongsInHome, involved, isExcluded } from './belongs-in-home.ts';
import type { Entry } from './hide-repeats.ts';
import { walkSources, type EntryRow } from './walk-sources.ts';

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

/** The first `count` entries from the new end (`desc`) or the old end (`asc`) of the stretch. */
export function graphQuery(direction: 'asc' | 'desc', args: GraphArgs): RawBuilder<EntryRow> {
  return walkSources(direction, {
    sources: sql`
      select account_id, target_account_id, show_reblogs, languages from follows f
      where account_id = ${args.accountId}::bigint
        and (${args.authors}::bigint[] is null or target_account_id = any(${args.authors}::bigint[]))
        and not ${isExcluded(sql`f.target_account_id`)}
      union all
      select ${args.accountId}::bigint, ${args.accountId}::bigint, true, null where ${args.authors}::bigint[] is null`,
    posts: sql`
      from statuses s ${involved}
      where s.account_id = f.target_account_id and s.deleted_at is null
        and s.id > ${args.after}::bigint and s.id < ${args.before}::bigint and ${belongsInHome(args.now)}`,
    count: sql`${args.count}::int`,
  });
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
