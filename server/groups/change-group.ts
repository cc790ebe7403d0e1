import { accountChanged, accountUpdated } from '../accounts/index.ts';
import { loadSigningKeys } from '../accounts/keys/index.ts';
import { deleteAccount } from '../accounts/lifecycle/index.ts';
import type { App } from '../platform/app.ts';
import { validationFailed } from '../platform/http/http-errors.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import type { AccountId } from '../platform/ids.ts';
import { transaction } from '../platform/write/transaction.ts';
import { updateCredentials } from '../relationships/credentials/index.ts';
import { moderatingRole, requireModerated } from './find-groups.ts';
import { settingColumns, type GroupSettings } from './group-settings.ts';
import { writable } from './tables.ts';

type ProfileChanges = Parameters<typeof updateCredentials>[2];

/** Changes the profile and the settings of a group. Throws 404, 403, and 422 with the invalid fields. */
export async function updateGroup(
  app: App,
  viewer: CurrentUser,
  id: AccountId,
  { settings, profile }: { readonly settings: GroupSettings; readonly profile: ProfileChanges },
): Promise<void> {
  await requireModerated(app, viewer, id);
  const columns = settingColumns(settings);
  await updateCredentials(app, id, profile);
  if (Object.keys(columns).length === 0) return;
  await transaction(app, async (tx) => {
    await writable(tx.db).updateTable('groups').set(columns).where('account_id', '=', id).execute();
    // The actor document has `postingRestrictedToMods`.
    tx.emit(accountUpdated({ accountId: id }));
    tx.emit(accountChanged({ accountId: id }));
  });
}

/**
 * Deletes a group permanently; its name is not available again. Throws 404, 403, and 422 if other people moderate it, too:
 * one alone cannot take it from them. Staff can.
 */
export async function deleteGroup(app: App, viewer: CurrentUser, id: AccountId): Promise<void> {
  const group = await requireModerated(app, viewer, id);
  if (moderatingRole(group, viewer) === 'moderator' && group.moderatorIds.length > 1)
    throw validationFailed('groups.othersModerate');
  // Remote servers accept only a signed deletion, and a deleted account gets no new key.
  await loadSigningKeys(app, id);
  await deleteAccount(app, id);
}
