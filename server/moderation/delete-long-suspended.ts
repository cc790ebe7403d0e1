import { suspensionRetentionDays } from '../accounts/lifecycle/index.ts';
import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { deleteAccountAsStaff } from './delete-account-as-staff.ts';

const dayMs = 86_400_000;
/** Each deletion stores jobs for all data of an account, and a delivery to every known server. */
const maxAccountsPerRun = 20;

/**
 * Deletes accounts with their data 30 days after staff or their own server suspended them, unless that was lifted or an
 * appeal is open. Accounts that the block of a domain suspends keep their data (docs/moderation.md).
 */
export const deleteLongSuspended: Schedule = {
  name: 'moderation.delete_long_suspended',
  pattern: '*/10 * * * *',
  async run(app) {
    for (const accountId of await listDue(app)) await deleteAccountAsStaff(app, 'system', { accountId });
  },
};

async function listDue({ db, clock }: App): Promise<AccountId[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('accounts.id')
    .where('suspended_at', '<', new Date(clock.now().getTime() - suspensionRetentionDays * dayMs))
    .where('suspension_origin', 'in', ['local', 'remote'])
    .where('deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('appeals')
            .select('appeals.id')
            .whereRef('appeals.account_id', '=', 'accounts.id')
            .where('appeals.state', '=', 'pending'),
        ),
      ),
    )
    .orderBy('suspended_at')
    .limit(maxAccountsPerRun)
    .execute();
  return rows.map(({ id }) => id);
}
