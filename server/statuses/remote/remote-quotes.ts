import type { RemoteQuote } from './remote-status.ts';
import { statusChanged } from '../events.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import {
  acceptQuote,
  findQuote,
  insertQuote,
  linkQuote,
  lockQuoteOf,
  markQuotedDeleted,
  deleteQuotesOf,
  reopenQuote,
  type QuoteId,
} from '../../quotes/index.ts';
import { isPublicOrUnlisted } from '../visibility/visibility.ts';

interface QuotingStatus {
  readonly statusId: StatusId;
  readonly accountId: AccountId;
}

/** Stores the quote of a new remote status. It is pending, except that quotes of one's own posts are accepted. */
export async function storeRemoteQuote(
  tx: Transaction,
  app: App,
  { statusId, accountId }: QuotingStatus,
  quote: RemoteQuote,
): Promise<void> {
  const quoted = await findQuotable(tx.db, accountId, quote.quotedId);
  const isOwn = quoted?.accountId === accountId;
  await insertQuote(tx, app, {
    statusId,
    accountId,
    quoted: quoted === undefined ? null : { id: quoted.id, accountId: quoted.accountId },
    quotedUri: quote.uri,
    state: quote.quotedDeleted ? 'deleted' : isOwn ? 'accepted' : 'pending',
    legacy: quote.legacy,
    approvalUri: remoteApprovalUri(quote, quoted),
    depth: quote.depth ?? 0,
  });
}

/**
 * Updates the quote of a remote status. If it quotes another post now, the quote is replaced. Another approval makes it pending
 * again.
 */
export async function updateRemoteQuote(
  tx: Transaction,
  app: App,
  quoting: QuotingStatus,
  quote: RemoteQuote | undefined,
): Promise<void> {
  const existing = await lockQuoteOf(tx, quoting.statusId);
  if (quote === undefined) return deleteQuotesOf(tx, [quoting.statusId]);
  if (existing !== undefined && quote.quotedDeleted) return markQuotedDeleted(tx, existing.id);
  if (existing === undefined || existing.quoted_uri !== quote.uri) {
    if (existing !== undefined) await deleteQuotesOf(tx, [quoting.statusId]);
    return storeRemoteQuote(tx, app, quoting, quote);
  }
  if (quote.legacy || existing.quoted_account_id === quoting.accountId) return;
  const quoted = await findQuotable(tx.db, quoting.accountId, existing.quoted_status_id ?? quote.quotedId);
  const approvalUri = remoteApprovalUri(quote, quoted);
  const isApprovalChanged = quoted?.local !== true && approvalUri !== existing.approval_uri;
  if (existing.legacy || isApprovalChanged) await reopenQuote(tx, existing.id, approvalUri);
}

/** Links a pending quote to the quoted status. Accepts it and returns true if both have the same author. */
export async function linkRemoteQuote(app: App, id: QuoteId, quotedId: StatusId): Promise<boolean> {
  const quote = await findQuote(app, id);
  if (quote === undefined) return false;
  const quoted = await findQuotable(app.db, quote.account_id, quotedId);
  if (quoted === undefined) return false;
  return transaction(app, async (tx) => {
    await linkQuote(tx, id, { id: quoted.id, accountId: quoted.accountId });
    tx.emit(statusChanged({ statusId: quote.status_id }));
    return quoted.accountId === quote.account_id && acceptQuote(tx, id);
  });
}

interface QuotableStatus {
  readonly id: StatusId;
  readonly accountId: AccountId;
  readonly local: boolean;
}

/**
 * Returns a status that `accountId` could quote: no reblog, and public or unlisted unless it is its own. Reads with the
 * given connection, so that a transaction does not wait for a second one.
 */
async function findQuotable(
  db: App['db'],
  accountId: AccountId,
  id: StatusId | undefined,
): Promise<QuotableStatus | undefined> {
  if (id === undefined) return undefined;
  const status = await db
    .selectFrom('statuses')
    .select(['id', 'account_id', 'local', 'visibility'])
    .where('id', '=', id)
    .where('reblog_of_id', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (status === undefined) return undefined;
  const { account_id: authorId, local, visibility } = status;
  return isPublicOrUnlisted(visibility) || authorId === accountId ? { id, accountId: authorId, local } : undefined;
}

/** Returns the approval to store. Quotes of local posts need none: their approval is stored locally. */
function remoteApprovalUri({ approvalUri, legacy }: RemoteQuote, quoted: QuotableStatus | undefined): string | null {
  return legacy || quoted?.local === true ? null : (approvalUri ?? null);
}
