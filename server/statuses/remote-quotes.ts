import { statusChanged } from './events.ts';
import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import {
  acceptQuote,
  findQuote,
  insertQuote,
  linkQuote,
  lockQuoteOf,
  noteQuotedGone,
  removeQuoteOf,
  reopenQuote,
  type QuoteId,
} from '../quotes/index.ts';
import { isForEverybody } from './visibility.ts';

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
  readonly gone: boolean;
  /** How many posts quote each other down to the one that quotes. */
  readonly depth?: number | undefined;
}

interface Quoting {
  readonly statusId: StatusId;
  readonly accountId: AccountId;
}

/** Stores what a new post of another server quotes. Nothing but a quote of oneself is granted by that. */
export async function storeRemoteQuote(
  write: Write,
  app: App,
  { statusId, accountId }: Quoting,
  quote: RemoteQuote,
): Promise<void> {
  const quoted = await quotable(write.db, accountId, quote.quotedId);
  const isOwn = quoted?.accountId === accountId;
  await insertQuote(write, app, {
    statusId,
    accountId,
    quoted: quoted === undefined ? null : { id: quoted.id, accountId: quoted.accountId },
    quotedUri: quote.uri,
    state: quote.gone ? 'deleted' : isOwn ? 'accepted' : 'pending',
    legacy: quote.legacy,
    approvalUri: approvalOf(quote, quoted),
    depth: quote.depth ?? 0,
  });
}

/** Brings what a known post of another server quotes up to date: another quote is a new one, another approval has to be seen anew. */
export async function updateRemoteQuote(
  write: Write,
  app: App,
  quoting: Quoting,
  quote: RemoteQuote | undefined,
): Promise<void> {
  const known = await lockQuoteOf(write, quoting.statusId);
  if (quote === undefined) return removeQuoteOf(write, quoting.statusId);
  if (known !== undefined && quote.gone) return noteQuotedGone(write, known.id);
  if (known === undefined || known.quoted_uri !== quote.uri) {
    if (known !== undefined) await removeQuoteOf(write, quoting.statusId);
    return storeRemoteQuote(write, app, quoting, quote);
  }
  if (quote.legacy || known.quoted_account_id === quoting.accountId) return;
  const quoted = await quotable(write.db, quoting.accountId, known.quoted_status_id ?? quote.quotedId);
  const approvalUri = approvalOf(quote, quoted);
  const isOther = quoted?.local !== true && approvalUri !== known.approval_uri;
  if (known.legacy || isOther) await reopenQuote(write, known.id, approvalUri);
}

/** Notes which post here a waiting quote names; true when that is its author's own, and the quote is thereby granted. */
export async function linkRemoteQuote(app: App, id: QuoteId, quotedId: StatusId): Promise<boolean> {
  const quote = await findQuote(app, id);
  if (quote === undefined) return false;
  const quoted = await quotable(app.db, quote.account_id, quotedId);
  if (quoted === undefined) return false;
  return write(app, async (transaction) => {
    await linkQuote(transaction, id, { id: quoted.id, accountId: quoted.accountId });
    transaction.emit(statusChanged({ statusId: quote.status_id }));
    return quoted.accountId === quote.account_id && acceptQuote(transaction, id);
  });
}

interface QuotedPost {
  readonly id: StatusId;
  readonly accountId: AccountId;
  readonly local: boolean;
}

/**
 * Returns a post that `accountId` could quote at all: no reblog, and for everyone unless it is the account's own. Reads
 * with the given connection, so that a transaction does not wait for a second one.
 */
async function quotable(
  db: App['db'],
  accountId: AccountId,
  id: StatusId | undefined,
): Promise<QuotedPost | undefined> {
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
  return isForEverybody(visibility) || authorId === accountId ? { id, accountId: authorId, local } : undefined;
}

/** For a post of ours, what grants a quote is known here, whatever others say. */
function approvalOf({ approvalUri, legacy }: RemoteQuote, quoted: QuotedPost | undefined): string | null {
  return legacy || quoted?.local === true ? null : (approvalUri ?? null);
}
