import type { App } from '../platform/app.ts';
import { forbidden, notFound } from '../platform/http/http-errors.ts';
import type { Staff } from '../site/index.ts';
import type { ModerationDecision } from './apply-decision.ts';
import { deleteAccountAsStaff } from './delete-account-as-staff.ts';

/**
 * Deletes an account that staff suspended, as `deleteAccountAsStaff`. Throws 404 if there is none, 403 if staff did not
 * suspend it: a deletion cannot be undone, so it takes two steps.
 */
export async function deleteSuspendedAccount(app: App, staff: Staff, { accountId }: ModerationDecision): Promise<void> {
  const account = await app.db
    .selectFrom('accounts')
    .select('suspension_origin')
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow(() => notFound());
  if (account.suspension_origin !== 'local') throw forbidden('moderation.suspendFirst');
  await deleteAccountAsStaff(app, staff, { accountId });
}
