import type { App } from '../platform/app.ts';
import { notFound, validationFailed } from '../platform/http/http-errors.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import type { AccountId } from '../platform/ids.ts';
import { acceptFollowRequest, rejectFollowRequest } from '../relationships/follow/index.ts';
import { blockAccount, unblockAccount } from '../relationships/hide/index.ts';
import { requireModerated } from './find-groups.ts';

/**
 * Bans an account: the group blocks it, which ends its membership, and it cannot follow the group again. Idempotent. Throws
 * 404, 403, and 422 for a moderator.
 */
export async function banMember(app: App, viewer: CurrentUser, groupId: AccountId, id: AccountId): Promise<void> {
  const group = await requireModerated(app, viewer, groupId);
  if (group.moderatorIds.includes(id)) throw validationFailed('groups.banModerator');
  await blockAccount(app, groupId, id);
}

/** Lifts a ban. Idempotent. Throws 404, 403. */
export async function unbanMember(app: App, viewer: CurrentUser, groupId: AccountId, id: AccountId): Promise<void> {
  await requireModerated(app, viewer, groupId);
  await unblockAccount(app, groupId, id);
}

/** Accepts or refuses an account that wants to follow a locked group. Throws 404 if it does not, 403. */
export async function decideMember(
  app: App,
  viewer: CurrentUser,
  groupId: AccountId,
  { accountId, isAccepted }: { readonly accountId: AccountId; readonly isAccepted: boolean },
): Promise<void> {
  await requireModerated(app, viewer, groupId);
  const decide = isAccepted ? acceptFollowRequest : rejectFollowRequest;
  if (!(await decide(app, groupId, accountId))) throw notFound();
}
