import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { forbidden, unprocessable } from '../../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { quotePolicyFromSetting } from '../../quotes/policy/index.ts';
import { loadUserSettings } from '../../users/settings/index.ts';
import type { QuotePolicy } from '../../users/index.ts';
import { quotePolicyChanged, statusChanged } from '../events.ts';
import { requireVisibleStatus } from '../read/filter-visible-statuses.ts';

/**
 * Changes who may quote a status of the local account `accountId`; without `choice`, to the account's default. This is no
 * edit, and accepted quotes stay. Throws 404 if the account may not see the status, 403 if it is not the author, 422 for
 * a reblog.
 */
export async function changeQuotePolicy(
  app: App,
  accountId: AccountId,
  statusId: StatusId,
  choice: QuotePolicy | undefined,
): Promise<void> {
  const status = await requireVisibleStatus(app, accountId, statusId);
  if (status.accountId !== accountId) throw forbidden();
  if (status.reblogOfId !== null) throw unprocessable('statuses.quoteBoost');
  const preferred = choice ?? (await loadUserSettings(app, accountId)).default_quote_policy;
  const policy = quotePolicyFromSetting(preferred, status.visibility);
  await transaction(app, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('statuses')
      .set({ quote_policy: policy })
      .where('id', '=', statusId)
      .where('quote_policy', '<>', policy)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
    tx.emit(statusChanged({ statusId }));
    tx.emit(quotePolicyChanged({ statusId, accountId, local: true }));
  });
}
