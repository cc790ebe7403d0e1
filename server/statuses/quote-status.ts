import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/database/transaction.ts';
import { validationFailed, notFound, HttpError } from '../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { quotePermission, type NewQuote } from '../quotes/index.ts';
import { isFollowing, loadAccountRelations } from '../relationships/index.ts';
import { formatLink } from '../text/index.ts';
import { requireVisibleOriginal } from './filter-visible-statuses.ts';
import type { CachedStatus } from './cached-status.ts';
import { loadCachedStatuses } from './status-cache.ts';
import type { Visibility } from './tables.ts';
import { canSeeSql } from './visibility-sql.ts';
import { narrowerVisibility } from './visibility.ts';

/**
 * The status that `accountId` wants to quote: itself, or what it reblogs. One that it may not quote does not exist for it
 * (404), as one that it may not see or whose author it blocks.
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

/** 404, whatever the reason is: it is the quoted author's affair. */
export const notQuotableError = (): HttpError => notFound('There is no such post to quote');

/** What `accountId`, local or remote, may do with a status that it sees: quote it, ask to, or not. */
export async function loadQuotePermission(app: App, accountId: AccountId, quoted: CachedStatus) {
  const { accountId: authorId, quotePolicy: policy, visibility } = quoted;
  const isAuthor = authorId === accountId;
  const [isFollower, isFollowed] =
    isAuthor || policy === 0
      ? [false, false]
      : await Promise.all([isFollowing(app, accountId, authorId), isFollowing(app, authorId, accountId)]);
  return quotePermission({ policy, visibility, isAuthor, isFollower, isFollowed });
}

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

/** A post for followers is quoted for followers at most. */
export function limitQuoteVisibility(visibility: Visibility, quoted: CachedStatus | undefined): Visibility {
  return quoted?.visibility === 'private' ? narrowerVisibility(visibility, 'private') : visibility;
}

/** Who quotes others where only the mentioned read it mentions them: 422, so that nobody is talked about behind their back. */
export function assertPrivateQuoteAllowed(
  accountId: AccountId,
  visibility: Visibility,
  quoted: CachedStatus | undefined,
  mentionedIds: readonly AccountId[],
): void {
  if (quoted === undefined || visibility !== 'direct' || quoted.accountId === accountId) return;
  if (!mentionedIds.includes(quoted.accountId)) {
    throw validationFailed('A private mention can quote only posts of those whom it mentions');
  }
}

/** What a post begins with for those who cannot show quotes: a link to what it quotes, unless the post has it. */
export function withQuoteLink(content: string, quoted: Pick<CachedStatus, 'uri' | 'url'> | undefined): string {
  if (quoted === undefined) return content;
  const link = formatLink(quoted.url ?? quoted.uri);
  return content.includes(link) ? content : `<p class="quote-inline">RE: ${link}</p>${content}`;
}

/** The status that a local status quotes, to be linked to; undefined when it quotes none, or one that is gone. */
export async function findQuotedStatus(app: App, statusId: StatusId): Promise<CachedStatus | undefined> {
  const quotedId = (await loadCachedStatuses(app, [statusId])).get(statusId)?.quote?.quotedId ?? undefined;
  return quotedId === undefined ? undefined : (await loadCachedStatuses(app, [quotedId])).get(quotedId);
}

/** The quote of a status that is being posted: at once where both are of this server, else when the other one agrees. */
export function buildQuote(statusId: StatusId, accountId: AccountId, quoted: CachedStatus): NewQuote {
  return {
    statusId,
    accountId,
    quoted: { id: quoted.id, accountId: quoted.accountId },
    quotedUri: quoted.uri,
    state: quoted.local ? 'accepted' : 'pending',
  };
}
