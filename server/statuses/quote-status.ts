import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Write } from '../platform/database/write.ts';
import { invalid, notFound, Problem } from '../platform/http/problems.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { quotePermission, type NewQuote } from '../quotes/index.ts';
import { follows, relationsOf } from '../relationships/index.ts';
import { linkTo } from '../text/index.ts';
import { requireVisibleOriginal } from './keep-visible.ts';
import { statusBodies, type StatusBody } from './status-bodies.ts';
import type { Visibility } from './tables.ts';
import { narrower } from './visibility.ts';

/**
 * The status that `accountId` wants to quote: itself, or what it reblogs. One that it may not quote does not exist for it
 * (404), as one that it may not see or whose author it blocks.
 */
export async function requireQuotable(app: App, accountId: AccountId, statusId: StatusId): Promise<StatusBody> {
  try {
    const quoted = await requireVisibleOriginal(app, accountId, statusId);
    const { blocking } = await relationsOf(app, accountId);
    if (!blocking.has(quoted.accountId) && (await mayQuote(app, accountId, quoted)) !== 'denied') return quoted;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
  }
  throw notQuotable();
}

/** 404, whatever the reason is: it is the quoted author's affair. */
export const notQuotable = (): Problem => notFound('There is no such post to quote');

/** What `accountId`, local or remote, may do with a status that it sees: quote it, ask to, or not. */
export async function mayQuote(app: App, accountId: AccountId, quoted: StatusBody) {
  const { accountId: authorId, quotePolicy: policy, visibility } = quoted;
  const isAuthor = authorId === accountId;
  const [isFollower, isFollowed] =
    isAuthor || policy === 0
      ? [false, false]
      : await Promise.all([follows(app, accountId, authorId), follows(app, authorId, accountId)]);
  return quotePermission({ policy, visibility, isAuthor, isFollower, isFollowed });
}

/**
 * Makes sure that a status may be quoted as it could when it was looked at, and keeps that so until the end of the
 * transaction; false when its author has changed that or deleted it, or blocks who quotes it.
 */
export async function holdQuotable({ db }: Write, accountId: AccountId, quoted: StatusBody): Promise<boolean> {
  const { rows } = await sql`
    select s.id from statuses s
    where s.id = ${quoted.id} and s.quote_policy = ${quoted.quotePolicy} and s.deleted_at is null and not exists (
      select 1 from blocks b where b.account_id = s.account_id and b.target_account_id = ${accountId}::bigint)
    for share of s`.execute(db);
  return rows.length > 0;
}

/** A post for followers is quoted for followers at most. */
export function visibilityOfQuoting(visibility: Visibility, quoted: StatusBody | undefined): Visibility {
  return quoted?.visibility === 'private' ? narrower(visibility, 'private') : visibility;
}

/** Who quotes others where only the mentioned read it mentions them: 422, so that nobody is talked about behind their back. */
export function checkPrivateQuote(
  accountId: AccountId,
  visibility: Visibility,
  quoted: StatusBody | undefined,
  mentionedIds: readonly AccountId[],
): void {
  if (quoted === undefined || visibility !== 'direct' || quoted.accountId === accountId) return;
  if (!mentionedIds.includes(quoted.accountId)) {
    throw invalid('A private mention can quote only posts of those whom it mentions');
  }
}

/** What a post begins with for those who cannot show quotes: a link to what it quotes, unless the post has it. */
export function withQuoteLink(content: string, quoted: Pick<StatusBody, 'uri' | 'url'> | undefined): string {
  if (quoted === undefined) return content;
  const link = linkTo(quoted.url ?? quoted.uri);
  return content.includes(link) ? content : `<p class="quote-inline">RE: ${link}</p>${content}`;
}

/** The status that a local status quotes, to be linked to; undefined when it quotes none, or one that is gone. */
export async function quotedBy(app: App, statusId: StatusId): Promise<StatusBody | undefined> {
  const quotedId = (await statusBodies(app, [statusId])).get(statusId)?.quote?.quotedId ?? undefined;
  return quotedId === undefined ? undefined : (await statusBodies(app, [quotedId])).get(quotedId);
}

/** The quote of a status that is being posted: at once where both are of this server, else when the other one agrees. */
export function newQuote(statusId: StatusId, accountId: AccountId, quoted: StatusBody): NewQuote {
  return {
    statusId,
    accountId,
    quoted: { id: quoted.id, accountId: quoted.accountId },
    quotedUri: quoted.uri,
    state: quoted.local ? 'accepted' : 'pending',
  };
}
