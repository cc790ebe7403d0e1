import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { AccountId } from '../platform/ids.ts';
import { decodeQuotePolicy, quotePolicyDependencies, quotePermission } from '../quotes/index.ts';
import { loadFollowedIds } from '../relationships/index.ts';
import type { CachedStatus } from './cached-status.ts';

/** Whom a viewer follows and who follows it, as far as that decides what it may quote. */
export interface QuoteRelations {
  readonly following: ReadonlySet<AccountId>;
  readonly followedBy: ReadonlySet<AccountId>;
}

const noRelations: QuoteRelations = { following: new Set(), followedBy: new Set() };

const followerRows = preparedQuery<{ id: AccountId }>()((db, args: { accountId: AccountId; authorIds: AccountId[] }) =>
  db
    .selectFrom('follows')
    .select('account_id as id')
    .where('target_account_id', '=', args.accountId)
    .where(sql<boolean>`account_id = any(${args.authorIds}::bigint[])`),
);

/** What decides what `viewerId` may quote of `bodies`; asks only for what one of their policies depends on. */
export async function loadQuoteRelations(
  app: App,
  viewerId: AccountId | undefined,
  bodies: Iterable<CachedStatus>,
): Promise<QuoteRelations> {
  if (viewerId === undefined) return noRelations;
  let asksFollowing = false;
  const authorIds: AccountId[] = [];
  for (const { quotePolicy, accountId } of bodies) {
    if (quotePolicy === 0 || accountId === viewerId) continue;
    const asks = quotePolicyDependencies(quotePolicy);
    asksFollowing ||= asks.follower;
    if (asks.followed) authorIds.push(accountId);
  }
  if (!asksFollowing && authorIds.length === 0) return noRelations;
  const [following, followers] = await Promise.all([
    asksFollowing ? loadFollowedIds(app, viewerId) : noRelations.following,
    authorIds.length === 0 ? [] : followerRows(app, { accountId: viewerId, authorIds }),
  ]);
  return { following, followedBy: new Set(followers.map(({ id }) => id)) };
}

/** What a viewer may do with a status: quote it, ask to, or not. */
export function quotePermissionFor(body: CachedStatus, viewerId: AccountId | undefined, ties: QuoteRelations) {
  if (viewerId === undefined) return 'denied';
  return quotePermission({
    policy: body.quotePolicy,
    visibility: body.visibility,
    isAuthor: body.accountId === viewerId,
    isFollower: ties.following.has(body.accountId),
    isFollowed: ties.followedBy.has(body.accountId),
  });
}

/** The beginning of `quote_approval` by policy: a policy has eight bits. */
const approvalPrefixes = Array.from({ length: 256 }, (_, policy) =>
  JSON.stringify(decodeQuotePolicy(policy)).slice(0, -1),
);

/** Renders the `quote_approval` of a status. */
export function renderQuoteApproval(
  status: CachedStatus,
  viewerId: AccountId | undefined,
  relations: QuoteRelations,
): string {
  const prefix = approvalPrefixes[status.quotePolicy & 255] ?? '';
  return `${prefix},"current_user":"${quotePermissionFor(status, viewerId, relations)}"}`;
}
