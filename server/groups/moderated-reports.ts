import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { AccountId, AnyId, Id } from '../platform/ids.ts';

/** A group with those who moderate it. */
export interface ModeratedGroup {
  readonly groupId: AccountId;
  readonly moderatorIds: AccountId[];
}

const reportedGroups = preparedQuery<ModeratedGroup>()((db, { reportId }: { reportId: Id<string> }) => ({
  compile: () =>
    sql<ModeratedGroup>`
      select moderator.group_id as "groupId", array_agg(moderator.account_id order by moderator.account_id) as "moderatorIds"
      from group_moderators moderator
      where moderator.group_id in (
        select post.group_id from reports join group_posts post on post.status_id = any(reports.status_ids)
        where reports.id = ${reportId}::bigint and post.state in ('waiting', 'accepted'))
      group by moderator.group_id order by moderator.group_id`.compile(db),
}));

/** Returns the groups that have posts which a report names, with their moderators. */
export const findReportedGroups = (app: App, reportId: Id<string>): Promise<ModeratedGroup[]> =>
  reportedGroups(app, { reportId });

const moderatedReports = preparedQuery<{ id: string }>()(
  (db, { accountId, ids }: { accountId: AccountId; ids: readonly AnyId[] }) => ({
    compile: () =>
      sql<{ id: string }>`
      select reports.id from reports
      where reports.id = any(${ids}::bigint[]) and exists (
        select from group_posts post join group_moderators moderator on moderator.group_id = post.group_id
        where post.status_id = any(reports.status_ids) and moderator.account_id = ${accountId}::bigint)`.compile(db),
  }),
);

/** Returns those of these reports that are about a post of a group which someone moderates. */
export async function findModeratedReports(
  app: App,
  accountId: AccountId,
  ids: readonly AnyId[],
): Promise<Set<string>> {
  return new Set((await moderatedReports(app, { accountId, ids })).map(({ id }) => id));
}

/** Lists the moderators of a group. */
export async function listModerators({ db }: App, groupId: AccountId): Promise<AccountId[]> {
  const rows = await db.selectFrom('group_moderators').select('account_id').where('group_id', '=', groupId).execute();
  return rows.map(({ account_id: id }) => id);
}
