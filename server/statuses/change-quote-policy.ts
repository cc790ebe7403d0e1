import type { App } from '../platform/app.ts';
import { write } from '../platform/database/write.ts';
import { forbidden, unprocessable } from '../platform/http/problems.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { policyOfChoice } from '../quotes/index.ts';
import { userSettings, type QuotePolicy } from '../users/index.ts';
import { quotePolicyChanged, statusChanged } from './events.ts';
import { requireVisibleStatus } from './keep-visible.ts';

/**
 * Changes who may quote a status of the local account `accountId` from now on; no choice means what it usually prefers.
 * That is no edit, and quotes that were granted stay. 404 for a status that is not there, 403 for somebody else's, 422 for
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
  if (status.reblogOfId !== null) throw unprocessable('A reblog cannot be quoted');
  const preferred = choice ?? (await userSettings(app, accountId)).default_quote_policy;
  const policy = policyOfChoice(preferred, status.visibility);
  await write(app, async (transaction) => {
    const { numUpdatedRows } = await transaction.db
      .updateTable('statuses')
      .set({ quote_policy: policy })
      .where('id', '=', statusId)
      .where('quote_policy', '<>', policy)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
    transaction.emit(statusChanged({ statusId }));
    transaction.emit(quotePolicyChanged({ statusId, accountId, local: true }));
  });
}
