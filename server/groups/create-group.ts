import { createLocalAccount } from '../accounts/lifecycle/index.ts';
import { profileErrors } from '../accounts/profile/index.ts';
import type { App } from '../platform/app.ts';
import { forbidden, invalidFieldsError, validationFailed } from '../platform/http/http-errors.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import type { AccountId } from '../platform/ids.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { acceptFollowRequest, followAccount } from '../relationships/follow/index.ts';
import { hasPermission } from '../users/access/index.ts';
import { rethrowTakenError, usernameErrors } from '../users/sign-up/index.ts';
import { groupsChanged } from './events.ts';
import { settingColumns, type GroupSettings } from './group-settings.ts';
import { writable } from './tables.ts';

/** Groups that a person may moderate, so that nobody takes many names. */
export const maxGroups = 20;

export interface NewGroup extends GroupSettings {
  readonly username: string;
  readonly displayName?: string | undefined;
  readonly note?: string | undefined;
  /** Moderators accept each follower. */
  readonly locked?: boolean | undefined;
  readonly discoverable?: boolean | undefined;
}

/**
 * Creates a group, whose first moderator and member is the viewer. Returns the id of its account. Throws 403 without the
 * permission, 422 with all invalid fields, or if the viewer moderates `maxGroups`.
 */
export async function createGroup(app: App, viewer: CurrentUser, group: NewGroup): Promise<AccountId> {
  if (!hasPermission(viewer, 'create_groups')) throw forbidden();
  const username = group.username.trim();
  const { displayName, note } = group;
  const errors = [...(await usernameErrors(app, username)), ...profileErrors({ displayName, note })];
  if (errors.length > 0) throw invalidFieldsError(errors);
  const settings = settingColumns(group);
  const now = app.clock.now();
  const id = await transaction(app, async (tx) => {
    await assertBelowLimit(tx, viewer.accountId);
    const accountId = await createLocalAccount(tx, app, {
      username,
      displayName: displayName?.trim() ?? '',
      note: note?.trim() ?? '',
      actorType: 'Group',
      locked: group.locked ?? false,
      discoverable: group.discoverable ?? true,
    });
    await writable(tx.db)
      .insertInto('groups')
      .values({ account_id: accountId, created_at: now, ...settings })
      .execute();
    await writable(tx.db)
      .insertInto('group_moderators')
      .values({ group_id: accountId, account_id: viewer.accountId, created_at: now })
      .execute();
    tx.emit(groupsChanged({}));
    return accountId;
  }).catch(rethrowTakenError);
  await followAccount(app, viewer.accountId, id);
  if (group.locked === true) await acceptFollowRequest(app, id, viewer.accountId);
  return id;
}

/** Locks the account, so that two requests count one after the other. Throws 422 if it moderates `maxGroups`. */
export async function assertBelowLimit({ db }: Transaction, accountId: AccountId): Promise<void> {
  await db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const groups = await db
    .selectFrom('group_moderators')
    .select('group_id')
    .where('account_id', '=', accountId)
    .execute();
  if (groups.length >= maxGroups) throw validationFailed('groups.tooMany', { max: maxGroups });
}
