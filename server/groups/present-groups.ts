import { loadCachedAccounts, parseAccount } from '../accounts/present/index.ts';
import type { App } from '../platform/app.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import type { AccountId } from '../platform/ids.ts';
import { moderatingRole, requireGroup, type GroupRow } from './find-groups.ts';
import type { Group } from './schema.ts';

/** Presents groups to a viewer. Only those who moderate see what waits for them. */
export async function presentGroups(app: App, viewer: CurrentUser, groups: readonly GroupRow[]): Promise<Group[]> {
  const accounts = await loadCachedAccounts(
    app,
    new Set(groups.flatMap(({ id, moderatorIds }) => [id, ...moderatorIds])),
  );
  const present = (id: AccountId) => {
    const account = accounts.get(id);
    return account === undefined ? [] : [parseAccount(account)];
  };
  return groups.flatMap((group) => {
    const role = moderatingRole(group, viewer);
    return present(group.id).map((account) => ({
      id: group.id,
      account,
      posting: group.posting,
      moderated: group.moderated,
      rules: group.rules,
      note: group.note,
      moderators: group.moderatorIds.flatMap(present),
      role,
      waiting_posts_count: role === null ? null : group.waitingPosts,
      follow_requests_count: role === null ? null : group.followRequests,
    }));
  });
}

/** Presents one group. Throws 404 for any other account. */
export async function presentGroup(app: App, viewer: CurrentUser, id: AccountId): Promise<Group> {
  const [group] = await presentGroups(app, viewer, [await requireGroup(app, id)]);
  if (group === undefined) throw new Error(`the account of group ${id} cannot be loaded`);
  return group;
}
