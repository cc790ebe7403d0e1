import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { belongsInHome, involvedAccounts, isInExclusiveList } from './belongs-in-home.ts';
import { tagGraphQuery } from './tag-graph.ts';
import type { FeedEntry } from '../read/hide-repeats.ts';
import { walkSources, type EntryRow } from './walk-sources.ts';

/** A range of a home feed, read from the followed accounts instead of the stored feed. */
export interface GraphArgs {
  readonly accountId: AccountId;
  /** Some of the followed accounts; null for all of them and the account itself. */
  readonly authors: readonly AccountId[] | null;
  /** Exclusive. */
  readonly after: StatusId;
  /** Exclusive. */
  readonly before: StatusId;
  readonly count: number;
  readonly now: Date;
}

/** Selects the first `count` entries of a range from the new end (`desc`) or the old end (`asc`). */
export function followGraphQuery(direction: 'asc' | 'desc', args: GraphArgs): RawBuilder<EntryRow> {
  return walkSources(direction, {
    sources: sql`
      select account_id, target_account_id, show_reblogs, languages from follows f
      where account_id = ${args.accountId}::bigint
        and (${args.authors}::bigint[] is null or target_account_id = any(${args.authors}::bigint[]))
        and not ${isInExclusiveList(sql`f.target_account_id`)}
      union all
      select ${args.accountId}::bigint, ${args.accountId}::bigint, true, null where ${args.authors}::bigint[] is null`,
    posts: sql`
      from statuses s ${involvedAccounts}
      where s.account_id = f.target_account_id and s.deleted_at is null
        and s.id > ${args.after}::bigint and s.id < ${args.before}::bigint and ${belongsInHome(args.now)}`,
    count: sql`${args.count}::int`,
  });
}

/** Selects entries of all followed accounts and hashtags. */
export function homeGraphQuery(direction: 'asc' | 'desc', args: Omit<GraphArgs, 'authors'>): RawBuilder<EntryRow> {
  const order = sql.raw(direction);
  const { accountId, after, before, count, now } = args;
  const range = { accountId, after, before, count, now };
  return sql<EntryRow>`
    select id, reblog_of_id from (
      select * from (${followGraphQuery(direction, { ...range, authors: null })}) by_authors
      union select * from (${tagGraphQuery(direction, { ...range, tags: null })}) by_tags
    ) entry order by id ${order} limit ${count}::int`;
}

const homeStatement = (query: (args: GraphArgs) => RawBuilder<EntryRow>) =>
  preparedQuery<EntryRow>()((db, args: GraphArgs) => ({ compile: () => query(args).compile(db) }));

const homeStatements = {
  ofAll: {
    asc: homeStatement((args) => homeGraphQuery('asc', args)),
    desc: homeStatement((args) => homeGraphQuery('desc', args)),
  },
  ofAuthors: {
    asc: homeStatement((args) => followGraphQuery('asc', args)),
    desc: homeStatement((args) => followGraphQuery('desc', args)),
  },
};

/**
 * Loads a range of a home feed from the follow graph, at any depth, at the cost of one probe per followed account and
 * hashtag. With `authors`, only the statuses of these accounts.
 */
export async function loadFromFollowGraph(
  app: App,
  direction: 'asc' | 'desc',
  args: Omit<GraphArgs, 'now'>,
): Promise<FeedEntry[]> {
  const query = homeStatements[args.authors === null ? 'ofAll' : 'ofAuthors'][direction];
  const rows = await query(app, { ...args, now: app.clock.now() });
  return rows.map(({ id, reblog_of_id: reblogOfId }) => ({ id, reblogOfId: reblogOfId ?? undefined }));
}
