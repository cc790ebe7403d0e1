import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { forbidden, notFound } from '../platform/http/http-errors.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import type { AccountId } from '../platform/ids.ts';
import { hasPermission } from '../users/access/index.ts';
import type { Posting } from './tables.ts';

/** A group with what concerns its moderators. */
export interface GroupRow {
  readonly id: AccountId;
  readonly posting: Posting;
  readonly moderated: boolean;
  readonly rules: string;
  /** As typed. */
  readonly note: string;
  /** Oldest first. */
  readonly moderatorIds: AccountId[];
  readonly waitingPosts: number;
  readonly followRequests: number;
}

const groupRows = preparedQuery<GroupRow>()((db, { ids }: { ids: readonly AccountId[] }) => ({
  compile: () =>
    sql<GroupRow>`
      select groups.account_id as id, groups.posting, groups.moderated, groups.rules, accounts.note,
        array(select account_id from group_moderators moderator where moderator.group_id = groups.account_id
          order by created_at, account_id) as "moderatorIds",
        (select count(*)::int from group_posts post join statuses on statuses.id = post.status_id
            join accounts author on author.id = statuses.account_id
          where post.group_id = groups.account_id and post.state = 'waiting' and statuses.deleted_at is null
            and author.suspended_at is null and author.deleted_at is null) as "waitingPosts",
        (select count(*)::int from follow_requests where target_account_id = groups.account_id) as "followRequests"
      from groups join accounts on accounts.id = groups.account_id
      where groups.account_id = any(${ids}::bigint[]) and accounts.deleted_at is null
      order by groups.account_id`.compile(db),
}));

/** Loads groups by their accounts, oldest first. */
export const loadGroups = (app: App, ids: readonly AccountId[]): Promise<GroupRow[]> => groupRows(app, { ids });

/** Returns the group with this account; undefined for any other account. */
export const findGroup = async (app: App, id: AccountId): Promise<GroupRow | undefined> =>
  (await loadGroups(app, [id]))[0];

/** Returns a group. Throws 404 for any other account. */
export async function requireGroup(app: App, id: AccountId): Promise<GroupRow> {
  const group = await findGroup(app, id);
  if (group === undefined) throw notFound();
  return group;
}

/** Returns what permits someone to moderate a group: they are its moderator, or manage users. */
export function moderatingRole(group: GroupRow, viewer: CurrentUser): 'moderator' | 'staff' | null {
  if (group.moderatorIds.includes(viewer.accountId)) return 'moderator';
  return hasPermission(viewer, 'manage_users') ? 'staff' : null;
}

/** Returns a group that the viewer may moderate. Throws 404 if there is none, 403 if they may not. */
export async function requireModerated(app: App, viewer: CurrentUser, id: AccountId): Promise<GroupRow> {
  const group = await requireGroup(app, id);
  if (moderatingRole(group, viewer) === null) throw forbidden('groups.notModerator');
  return group;
}

const idsOfModerator = preparedQuery<{ id: AccountId }>()((db, { accountId }: { accountId: AccountId }) =>
  db.selectFrom('group_moderators').select('group_id as id').where('account_id', '=', accountId),
);

const idsWithoutModerator = preparedQuery<{ id: AccountId }>()((db) => ({
  compile: () =>
    sql<{ id: AccountId }>`
      select account_id as id from groups
      where not exists (select from group_moderators where group_id = groups.account_id)
      order by account_id limit 100`.compile(db),
}));

/** Lists the groups that someone moderates; for those who manage users also those that nobody moderates, at most 100. */
export async function listModeratedGroups(app: App, viewer: CurrentUser): Promise<GroupRow[]> {
  const [own, orphaned] = await Promise.all([
    idsOfModerator(app, { accountId: viewer.accountId }),
    hasPermission(viewer, 'manage_users') ? idsWithoutModerator(app, {}) : [],
  ]);
  return loadGroups(
    app,
    [...own, ...orphaned].map(({ id }) => id),
  );
}
