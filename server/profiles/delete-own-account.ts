import { deleteAccount, loadSigningKey } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import type { AccountId, UserId } from '../platform/ids.ts';
import { assertPassword } from '../users/index.ts';

/**
 * Deletes one's account for good: it, its user, sessions and tokens are gone when this returns, its data soon after; its
 * name is never given away again. 422 with `details` when the password is wrong.
 */
export async function deleteOwnAccount(
  app: App,
  { accountId, userId }: { readonly accountId: AccountId; readonly userId: UserId },
  password: string,
): Promise<void> {
  await assertPassword(app, userId, password, 'password');
  // Other servers believe a deletion that is signed: nobody makes a key for an account that is gone.
  await loadSigningKey(app, accountId);
  await deleteAccount(app, accountId);
}
