import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { validationFailed, notFound, HttpError } from '../../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { loadQuotePermission } from '../../quotes/policy/index.ts';
import type { NewQuote } from '../../quotes/index.ts';
import { loadAccountRelations } from '../../relationships/rules/index.ts';
import { formatLink } from '../../text/format/index.ts';
import { requireVisibleOriginal } from '../read/filter-visible-statuses.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import { loadCachedStatuses } from '../read/status-cache.ts';
import type { Visibility } from '../tables.ts';
import { canSeeSql } from '../visibility/visibility-sql.ts';
import { narrowerVisibility } from '../visibility/visibility.ts';

/**
 * Returns the status to quote, or the original of a reblog. Throws 404 if `accountId` may not see or quote it, or blocks
 * its author.
 */
export async function requireQuotableStatus(app: App, accountId: AccountId, statusId: StatusId): Promise<CachedStatus> {
  try {
    const quoted = await requireVisibleOriginal(app, accountId, statusId);
    const { blocking } = await loadAccountRelations(app, accountId);
    if (!blocking.has(quoted.accountId) && (await loadQuotePermission(app, accountId, quoted)) !== 'denied')
      return quoted;
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 404) throw error;
  }
  throw notQuotableError();
}

/** Creates the error for every reason, so that it does not reveal which one applies. */
export const notQuotableError = (): HttpError => notFound('statuses.nothingToQuote');

/**
 * Locks a status that is about to be quoted until the end of the transaction. Returns false if the author has changed
 * its quote policy or deleted it since it was loaded, or if the account may no longer see it.
 */
export async function lockQuotableStatus(
  { db }: Transaction,
  accountId: AccountId,
  quoted: CachedStatus,
): Promise<boolean> {
  const { rows } = await sql`
    select s.id from statuses s
    where s.id = ${quoted.id} and s.quote_policy = ${quoted.quotePolicy} and s.deleted_at is null
      and ${canSeeSql(sql`${accountId}::bigint`)}
    for share of s`.execute(db);
  return rows.length > 0;
}

/** Returns `visibility`, at most `private` if the quoted status is private. */
export function limitQuoteVisibility(visibility: Visibility, quoted: CachedStatus | undefined): Visibility {
  return quoted?.visibility === 'private' ? narrowerVisibility(visibility, 'private') : visibility;
}

/**
 * Throws 422 if a direct status quotes an account that it does not mention: a quoted author must be able to see the
 * quote.
 */
export function assertPrivateQuoteAllowed(
  accountId: AccountId,
  visibility: Visibility,
  quoted: CachedStatus | undefined,
  mentionedIds: readonly AccountId[],
): void {
  if (quoted === undefined || visibility !== 'direct' || quoted.accountId === accountId) return;
  if (!mentionedIds.includes(quoted.accountId)) {
    throw validationFailed('statuses.quoteUnmentioned');
  }
}

/** Prepends a link to the quoted status, for servers and clients without quotes. No-op if the content has the link. */
export function withQuoteLink(content: string, quoted: Pick<CachedStatus, 'uri' | 'url'> | undefined): string {
  if (quoted === undefined) return content;
  const link = formatLink(quoted.url ?? quoted.uri);
  return content.includes(link) ? content : `<p class="quote-inline">RE: ${link}</p>${content}`;
}

/** Returns the status that a status quotes, or undefined if there is none or it was deleted. */
export async function findQuotedStatus(app: App, statusId: StatusId): Promise<CachedStatus | undefined> {
  const quotedId = (await loadCachedStatuses(app, [statusId])).get(statusId)?.quote?.quotedId ?? undefined;
  return quotedId === undefined ? undefined : (await loadCachedStatuses(app, [quotedId])).get(quotedId);
}

/** Returns the quote of a new local status: accepted if the quoted status is local, else pending. */
export function buildQuote(statusId: StatusId, accountId: AccountId, quoted: CachedStatus): NewQuote {
  return {
    statusId,
    accountId,
    quoted: { id: quoted.id, accountId: quoted.accountId },
    quotedUri: quoted.uri,
    state: quoted.local ? 'accepted' : 'pending',
  };
}
