import { statusChanged } from './events.ts';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/database/transaction.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import {
  acceptQuote,
  findQuote,
  insertQuote,
  linkQuote,
  lockQuoteOf,
  markQuotedDeleted,
  deleteQuoteOf,
  reopenQuote,
  type QuoteId,
} from '../quotes/index.ts';
import { isPublicOrUnlisted } from './visibility.ts';

/** What a post of another server quotes, as its author says. */
export interface RemoteQuote {
  /** The ActivityPub id of the quoted post. */
  readonly uri: string;
  /** The same post here, if it is known. */
  readonly quotedId: StatusId | undefined;
  /** The QuoteAuthorization that is said to grant it. */
  readonly approvalUri: string | undefined;
  /** Said in a way that knows no approval. */
  readonly legacy: boolean;
  /** The quoted post is gone. */
  readonly quotedDeleted: boolean;
  /** How many posts quote each other down to the one that quotes. */
  readonly depth?: number | undefined;
}

interface QuotingStatus {
  readonly statusId: StatusId;
  readonly accountId: AccountId;
}

/** Stores what a new post of another server quotes. Nothing but a quote of oneself is granted by that. */
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

/** Brings what a known post of another server quotes up to date: another quote is a new one, another approval has to be seen anew. */
export async function updateRemoteQuote(
  tx: Transaction,
  app: App,
  quoting: QuotingStatus,
  quote: RemoteQuote | undefined,
): Promise<void> {
  const existing = await lockQuoteOf(tx, quoting.statusId);
  if (quote === undefined) return deleteQuoteOf(tx, quoting.statusId);
  if (existing !== undefined && quote.quotedDeleted) return markQuotedDeleted(tx, existing.id);
  if (existing === undefined || existing.quoted_uri !== quote.uri) {
    if (existing !== undefined) await deleteQuoteOf(tx, quoting.statusId);
    return storeRemoteQuote(tx, app, quoting, quote);
  }
  if (quote.legacy || existing.quoted_account_id === quoting.accountId) return;
  const quoted = await findQuotable(tx.db, quoting.accountId, existing.quoted_status_id ?? quote.quotedId);
  const approvalUri = remoteApprovalUri(quote, quoted);
  const isOther = quoted?.local !== true && approvalUri !== existing.approval_uri;
  if (existing.legacy || isOther) await reopenQuote(tx, existing.id, approvalUri);
}

/** Notes which post here a waiting quote names; true when that is its author's own, and the quote is thereby granted. */
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
 * Returns a post that `accountId` could quote at all: no reblog, and for everyone unless it is the account's own. Reads
 * with the given connection, so that a transaction does not wait for a second one.
 */
async function findQuotable(
  db: App['db'],
  accountId: AccountId,
  id: StatusId | undefined,
): Promise<QuotableStatus | undefined> {
  if (id === undefined) return undefined;
  const post = await db
    .selectFrom('statuses')
    .select(['id', 'account_id', 'local', 'visibility'])
    .where('id', '=', id)
    .where('reblog_of_id', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (post === undefined) return undefined;
  const { account_id: authorId, local, visibility } = post;
  return isPublicOrUnlisted(visibility) || authorId === accountId ? { id, accountId: authorId, local } : undefined;
}

/** For a post of ours, what grants a quote is known here, whatever others say. */
function remoteApprovalUri({ approvalUri, legacy }: RemoteQuote, quoted: QuotableStatus | undefined): string | null {
  return legacy || quoted?.local === true ? null : (approvalUri ?? null);
}
