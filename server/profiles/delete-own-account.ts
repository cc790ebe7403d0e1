import { deleteAccount } from '../accounts/lifecycle/index.ts';
import { loadSigningKeys } from '../accounts/keys/index.ts';
import type { App } from '../platform/app.ts';
import type { AccountId, UserId } from '../platform/ids.ts';
import { assertPassword, type PasswordAttempt } from '../users/sign-in/index.ts';

/**
 * Deletes the account of a user, with the user, sessions and tokens; jobs delete the remaining data. The name is never
 * available again. Throws 422 with `details` if the password is wrong.
 */
export async function deleteOwnAccount(
  app: App,
  { accountId, userId }: { readonly accountId: AccountId; readonly userId: UserId },
  attempt: PasswordAttempt,
): Promise<void> {
  await assertPassword(app, userId, attempt, 'password');
  // Remote servers accept only a signed deletion, and a deleted account gets no new key.
  await loadSigningKeys(app, accountId);
  await deleteAccount(app, accountId);
}
