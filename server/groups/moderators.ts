import { accountChanged, accountUpdated } from '../accounts/index.ts';
import { requireAccount } from '../accounts/find/index.ts';
import type { App } from '../platform/app.ts';
import { forbidden, invalidField, notFound, validationFailed } from '../platform/http/http-errors.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import type { AccountId } from '../platform/ids.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { assertBelowLimit } from './create-group.ts';
import { moderatingRole, requireGroup, requireModerated } from './find-groups.ts';
import { writable } from './tables.ts';

/**
 * Makes a local member a moderator of a group. Idempotent. Throws 404 and 403, and 422 if the account is remote or no member:
 * people who do not follow a group did not ask for it.
 */
export async function addModerator(app: App, viewer: CurrentUser, groupId: AccountId, id: AccountId): Promise<void> {
  const group = await requireModerated(app, viewer, groupId);
  const account = await requireAccount(app, id);
  if (account.domain !== null) throw invalidField('account_id', 'problems.notLocal');
  if (group.moderatorIds.includes(id)) return;
  await transaction(app, async (tx) => {
    const follow = await tx.db
      .selectFrom('follows')
      .select('id')
      .where('account_id', '=', id)
      .where('target_account_id', '=', groupId)
      .forKeyShare()
      .executeTakeFirst();
    if (follow === undefined) throw invalidField('account_id', 'problems.notMember');
    await assertBelowLimit(tx, id);
    await writable(tx.db)
      .insertInto('group_moderators')
      .values({ group_id: groupId, account_id: id, created_at: app.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    announceModerators(tx, groupId);
  });
}

/**
 * Takes the role of a moderator from an account, also from oneself. Throws 404 if it is none, 403 for those who do not
 * moderate, 422 for the last one: they name another or delete the group.
 */
export async function removeModerator(app: App, viewer: CurrentUser, groupId: AccountId, id: AccountId): Promise<void> {
  const group = await requireGroup(app, groupId);
  const role = moderatingRole(group, viewer);
  if (role === null) throw forbidden('groups.notModerator');
  await transaction(app, async (tx) => {
    await tx.db.selectFrom('groups').select('account_id').where('account_id', '=', groupId).forUpdate().execute();
    const moderators = await tx.db
      .selectFrom('group_moderators')
      .select('account_id')
      .where('group_id', '=', groupId)
      .execute();
    if (!moderators.some(({ account_id: accountId }) => accountId === id)) throw notFound();
    if (role === 'moderator' && moderators.length === 1) throw validationFailed('groups.lastModerator');
    await writable(tx.db)
      .deleteFrom('group_moderators')
      .where('group_id', '=', groupId)
      .where('account_id', '=', id)
      .execute();
    announceModerators(tx, groupId);
  });
}

/** The actor document refers to the collection of moderators. */
function announceModerators(tx: Transaction, groupId: AccountId): void {
  tx.emit(accountUpdated({ accountId: groupId }));
  tx.emit(accountChanged({ accountId: groupId }));
}
