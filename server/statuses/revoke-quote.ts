import type { App } from '../platform/app.ts';
import { transaction } from '../platform/database/transaction.ts';
import { forbidden, notFound } from '../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { findQuoteOf, rejectOrRevokeQuote } from '../quotes/index.ts';
import { requireVisibleStatus } from './filter-visible-statuses.ts';

/**
 * Takes back, as the local author `accountId` of a status, that another status may quote it. Doing it twice is the same as
 * doing it once. 404 for a status that is not there or is not quoted by the other, 403 when it is somebody else's.
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
