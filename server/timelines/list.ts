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
import { walkSources, type EntryRow } from './walk-sources.ts';

interface Args {
  readonly accountId: AccountId;
  readonly listId: ListId;
  readonly repliesPolicy: RepliesPolicy;
  readonly after: StatusId;
  readonly before: StatusId;
  readonly count: number;
  readonly now: Date;
}

/**
 * What belongs in the owner's home of the members that it follows (who only were asked for show nothing yet) and of
 * itself, but for direct posts, and for the replies that the policy leaves out.
 */
const statement = (direction: 'asc' | 'desc') =>
  prepared<EntryRow>()((db, args: Args) => {
    const query = walkSources(direction, {
      sources: sql`
        select f.account_id, f.target_account_id, f.show_reblogs, f.languages
        from list_accounts m join follows f on f.account_id = m.owner_id and f.target_account_id = m.account_id
        where m.list_id = ${args.listId}::bigint and m.owner_id = ${args.accountId}::bigint
        union all
        select m.owner_id, m.owner_id, true, null from list_accounts m
        where m.list_id = ${args.listId}::bigint and m.owner_id = ${args.accountId}::bigint and m.account_id = m.owner_id`,
      posts: sql`
        from statuses s ${involved}
        where s.account_id = f.target_account_id and s.deleted_at is null and s.visibility <> 'direct'
          and s.id > ${args.after}::bigint and s.id < ${args.before}::bigint
          and (not s.is_reply or s.in_reply_to_account_id = f.account_id or case ${args.repliesPolicy}::text
            when 'followed' then true
            when 'list' then exists (
              select 1 from list_accounts x
              where x.list_id = ${args.listId}::bigint and x.account_id = s.in_reply_to_account_id)
            else false end)
          and ${belongsInHome(args.now)}`,
      count: sql`${args.count}::int`,
    });
    return { compile: () => query.compile(db) };
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
  const read = async (
    direction: 'asc' | 'desc',
    stretch: Pick<Args, 'after' | 'before' | 'count'>,
  ): Promise<Entry[]> => {
    const args = { accountId, listId, repliesPolicy, ...stretch, now: app.clock.now() };
    const rows = await statements[direction](app, args);
    return rows.map(({ id, reblog_of_id: reblogOfId }) => ({ id, reblogOfId: reblogOfId ?? undefined }));
  };
  return feedPage(
    {
      older: (stretch) => read('desc', { after: beginning, ...stretch }),
      newer: (stretch) => read('asc', { before: endOfTime, ...stretch }),
    },
    page,
    (ids) => keepVisible(app, accountId, ids, 'lists'),
  );
}
