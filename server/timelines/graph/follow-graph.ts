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

/** Selects the accounts whose statuses make up a home feed: those followed, unless by an exclusive list, and the owner. */
export const homeSources = (accountId: AccountId): RawBuilder<unknown> => sql`
  select account_id, target_account_id, show_reblogs, languages from follows f
  where account_id = ${accountId}::bigint and not ${isInExclusiveList(sql`f.target_account_id`)}
  union all select ${accountId}::bigint, ${accountId}::bigint, true, null`;

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

const authorStatement = (direction: 'asc' | 'desc') =>
  preparedQuery<EntryRow>()((db, args: GraphArgs) => ({
    compile: () => followGraphQuery(direction, args).compile(db),
  }));

const authorStatements = { asc: authorStatement('asc'), desc: authorStatement('desc') };

/** Loads a range of the statuses of some followed accounts, at any depth, at the cost of one probe per account. */
export async function loadFromAuthors(
  app: App,
  direction: 'asc' | 'desc',
  args: Omit<GraphArgs, 'now'>,
): Promise<FeedEntry[]> {
  const rows = await authorStatements[direction](app, { ...args, now: app.clock.now() });
  return rows.map(({ id, reblog_of_id: reblogOfId }) => ({ id, reblogOfId: reblogOfId ?? undefined }));
}
