import { sql } from 'kysely';
import { requireList, type RepliesPolicy } from '../lists/index.ts';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, ListId, StatusId } from '../platform/ids.ts';
import { keepVisible } from '../statuses/index.ts';
import { belongsInHome, involved } from './belongs-in-home.ts';
import { beginning, feedPage } from './feed-page.ts';
import type { FilledPage } from './fill-page.ts';
import { endOfTime } from './follow-graph.ts';
import type { Entry } from './hide-repeats.ts';
import { readEntries } from './stored-feed.ts';

interface Args {
  readonly accountId: AccountId;
  readonly listId: ListId;
  readonly repliesPolicy: RepliesPolicy;
  readonly after: StatusId;
  readonly before: StatusId;
  readonly count: number;
  /** Posts of members that are looked at, from the end where reading begins. */
  readonly scan: number;
  readonly now: Date;
}

interface Row {
  /** As `readEntries` takes them. */
  readonly entries: string | null;
  /** The last post that was looked at; null when there are no more. */
  readonly reached: StatusId | null;
}

/**
 * Of the first `scan` posts of the members, found in an index alone, those that the list shows: what belongs in the
 * owner's home of the members that it follows (who only were asked for show nothing yet) and of itself, but for direct
 * posts, and for the replies that the policy leaves out. Of a member only some posts are read: who wrote more ends the
 * stretch of which all is known.
 */
const statement = (direction: 'asc' | 'desc') =>
  prepared<Row>()((db, args: Args) => {
    const order = sql.raw(direction);
    const [farthest, nearest, within, none] =
      direction === 'desc'
        ? [sql`min`, sql`max`, sql`>=`, sql`0`]
        : [sql`max`, sql`min`, sql`<=`, sql`9223372036854775807`];
    const scan = sql`${args.scan}::int`;
    const posts = sql`
      from statuses s where s.account_id = f.target_account_id and s.deleted_at is null
        and s.id > ${args.after}::bigint and s.id < ${args.before}::bigint`;
    return {
      compile: () =>
        sql<Row>`
          with members as (
            select f.account_id, f.target_account_id, f.show_reblogs, f.languages
            from list_accounts m join follows f on f.account_id = m.owner_id and f.target_account_id = m.account_id
            where m.list_id = ${args.listId}::bigint and m.owner_id = ${args.accountId}::bigint
            union all
            select m.owner_id, m.owner_id, true, null from list_accounts m
            where m.list_id = ${args.listId}::bigint and m.owner_id = ${args.accountId}::bigint
              and m.account_id = m.owner_id
          ), heads as materialized (
            select f.*, first.id as head from members f
            cross join lateral (select s.id ${posts} order by s.id ${order} limit 1) first
            order by first.id ${order} limit ${scan}
          ), most as materialized (
            select greatest(8, least(${scan}, 4 * ${scan} / greatest(count(*), 1))) as posts from heads
          ), stretches as materialized (
            select f.*, array(
              select s.id ${posts}
                and s.id ${within} (select case when count(*) < ${scan} then ${none} else ${farthest}(head) end from heads)
              order by s.id ${order} limit (select posts from most)
            ) as ids from heads f
          ), known as materialized (
            select coalesce(${nearest}(ids[(select posts from most)]), ${none}) as until from stretches
          ), candidates as materialized (
            select f.*, post.id from stretches f cross join unnest(f.ids) as post(id)
            where post.id ${within} (select until from known) order by post.id ${order} limit ${scan}
          ), entries as (
            select s.id, s.reblog_of_id from candidates f join statuses s on s.id = f.id ${involved}
            where s.visibility <> 'direct'
              and (not s.is_reply or s.in_reply_to_account_id = f.account_id or case ${args.repliesPolicy}::text
                when 'followed' then true
                when 'list' then exists (
                  select 1 from list_accounts x
                  where x.list_id = ${args.listId}::bigint and x.account_id = s.in_reply_to_account_id)
                else false end)
              and ${belongsInHome(args.now)}
            order by s.id ${order} limit ${args.count}::int
          )
          select
            (select string_agg(id || coalesce(':' || reblog_of_id, ''), ',' order by id ${order}) from entries) as entries,
            (select case
              when count(*) = ${scan} then ${farthest}(id)
              else nullif((select until from known), ${none})
            end from candidates) as reached`.compile(db),
    };
  });

const statements = { asc: statement('asc'), desc: statement('desc') };

/** A page of the timeline of a list (LST-02); 404 when the list is not of this account. */
export async function listPage(
  app: App,
  accountId: AccountId,
  listId: ListId,
  page: Page,
): Promise<FilledPage<StatusId>> {
  const { replies_policy: repliesPolicy } = await requireList(app, accountId, listId);
  const list = { accountId, listId, repliesPolicy, now: app.clock.now() };
  return feedPage(
    {
      older: (stretch) => read(app, 'desc', { ...list, after: beginning, ...stretch }),
      newer: (stretch) => read(app, 'asc', { ...list, before: endOfTime, ...stretch }),
    },
    page,
    (ids) => keepVisible(app, accountId, ids, 'lists'),
  );
}

/** Most posts that one statement looks at. */
const mostScanned = 10_000;

/** Reads on, in ever longer steps, where a list shows little of what its members post. */
async function read(app: App, direction: 'asc' | 'desc', args: Omit<Args, 'scan'>): Promise<Entry[]> {
  const entries: Entry[] = [];
  let { after, before } = args;
  for (let scan = Math.ceil(args.count * 1.5); ; scan = Math.min(scan * 4, mostScanned)) {
    const count = args.count - entries.length;
    const [row] = await statements[direction](app, { ...args, after, before, count, scan });
    entries.push(...readEntries(row?.entries ?? null));
    if (entries.length === args.count || !row?.reached) return entries;
    if (direction === 'desc') before = row.reached;
    else after = row.reached;
  }
}
