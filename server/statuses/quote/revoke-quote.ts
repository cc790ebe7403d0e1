import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { forbidden, notFound } from '../../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { findQuoteOf, rejectOrRevokeQuote } from '../../quotes/index.ts';
import { requireVisibleStatus } from '../read/filter-visible-statuses.ts';

/**
 * Revokes the quote of a status as its local author `accountId`. Idempotent. Throws 404 if the account may not see the
 * status or `quotingId` does not quote it, 403 if the account is not its author.
 */
export async function revokeQuote(
  app: App,
  accountId: AccountId,
  statusId: StatusId,
  quotingId: StatusId,
): Promise<void> {
  const quoted = await requireVisibleStatus(app, accountId, statusId);
  const quote = await findQuoteOf(app, quotingId);
  if (quote === undefined || quote.quoted_status_id !== quoted.id) throw notFound();
  if (quoted.accountId !== accountId) throw forbidden();
  await transaction(app, (tx) => rejectOrRevokeQuote(tx, quote.id));
}
