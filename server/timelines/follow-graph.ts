import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { belongsInHome, involvedAccounts, isInExclusiveList } from './belongs-in-home.ts';
import { tagGraphQuery } from './followed-tags.ts';
import type { FeedEntry } from './hide-repeats.ts';
import { walkSources, type EntryRow } from './walk-sources.ts';

/** A stretch of someone's home, read from what it follows rather than from the stored feed. */
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

/** As `graphQuery` of all followed accounts, with what followed hashtags bring. */
export function homeGraphQuery(direction: 'asc' | 'desc', args: Omit<GraphArgs, 'authors'>): RawBuilder<EntryRow> {
  const order = sql.raw(direction);
  const { accountId, after, before, count, now } = args;
  const stretch = { accountId, after, before, count, now };
  return sql<EntryRow>`
    select id, reblog_of_id from (
      select * from (${followGraphQuery(direction, { ...stretch, authors: null })}) by_authors
      union select * from (${tagGraphQuery(direction, { ...stretch, tags: null })}) by_tags
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
 * Reads a stretch of someone's home through the follow graph: any depth, at the price of a probe for each account and
 * hashtag that it follows. With `authors`, only what these write.
 */
export async function loadFromFollowGraph(
  app: App,
  direction: 'asc' | 'desc',
  args: Omit<GraphArgs, 'now'>,
): Promise<FeedEntry[]> {
  const read = homeStatements[args.authors === null ? 'ofAll' : 'ofAuthors'][direction];
  const rows = await read(app, { ...args, now: app.clock.now() });
  return rows.map(({ id, reblog_of_id: reblogOfId }) => ({ id, reblogOfId: reblogOfId ?? undefined }));
}
