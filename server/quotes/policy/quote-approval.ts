import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId } from '../../platform/ids.ts';
import { isFollowing, loadFollowedIds, loadFollowersAmong } from '../../relationships/rules/index.ts';
import {
  decodeQuotePolicy,
  quotePolicyDependencies,
  quotePermission,
  quotePermissions,
  type QuotePermission,
} from './quote-policy.ts';

/** The facts of a status that decide who may quote it. */
export interface QuotableStatus {
  readonly accountId: AccountId;
  readonly visibility: string;
  readonly quotePolicy: number;
}

/** The follows between a viewer and authors, as far as they decide what the viewer may quote. */
export interface QuoteRelations {
  readonly following: Pick<ReadonlySet<AccountId>, 'has'>;
  readonly followedBy: Pick<ReadonlySet<AccountId>, 'has'>;
}

const noRelations: QuoteRelations = { following: new Set(), followedBy: new Set() };

const followerRows = preparedQuery<{ id: AccountId }>()((db, args: { accountId: AccountId; authorIds: AccountId[] }) =>
  db
    .selectFrom('follows')
    .select('account_id as id')
    .where('target_account_id', '=', args.accountId)
    .where(sql<boolean>`account_id = any(${args.authorIds}::bigint[])`),
);

/**
 * Loads the follows that decide which of these statuses `viewerId` may quote. Queries only what their policies depend
 * on.
 */
export async function loadQuoteRelations(
  app: App,
  viewerId: AccountId | undefined,
  statuses: Iterable<QuotableStatus>,
): Promise<QuoteRelations> {
  if (viewerId === undefined) return noRelations;
  let needsFollowing = false;
  const authorIds: AccountId[] = [];
  for (const { quotePolicy, accountId } of statuses) {
    if (quotePolicy === 0 || accountId === viewerId) continue;
    const dependencies = quotePolicyDependencies(quotePolicy);
    needsFollowing ||= dependencies.follower;
    if (dependencies.followed) authorIds.push(accountId);
  }
  if (!needsFollowing && authorIds.length === 0) return noRelations;
  const [following, followers] = await Promise.all([
    needsFollowing ? loadFollowedIds(app, viewerId) : noRelations.following,
    authorIds.length === 0 ? [] : followerRows(app, { accountId: viewerId, authorIds }),
  ]);
  return { following, followedBy: new Set(followers.map(({ id }) => id)) };
}

/** Like `loadQuoteRelations`, for many viewers. Returns undefined if no policy depends on follows. */
export async function loadQuoteRelationsOfMany(
  app: App,
  viewerIds: readonly AccountId[],
  statuses: readonly QuotableStatus[],
): Promise<((viewerId: AccountId) => QuoteRelations) | undefined> {
  const authorsOf = (dependency: 'follower' | 'followed'): AccountId[] =>
    statuses.flatMap(({ quotePolicy, accountId }) =>
      quotePolicyDependencies(quotePolicy)[dependency] ? [accountId] : [],
    );
  const [byFollowers, byFollowed] = [authorsOf('follower'), authorsOf('followed')];
  if (byFollowers.length === 0 && byFollowed.length === 0) return undefined;
  const [followers, followed] = await Promise.all([
    loadFollowersAmong(app, viewerIds, byFollowers),
    loadFollowersAmong(app, byFollowed, viewerIds),
  ]);
  return (viewerId) => ({
    following: { has: (authorId) => followers.get(authorId)?.has(viewerId) ?? false },
    followedBy: { has: (authorId) => followed.get(viewerId)?.has(authorId) ?? false },
  });
}

/** Returns whether the local or remote `accountId` may quote a status that it can see. */
export async function loadQuotePermission(
  app: App,
  accountId: AccountId,
  status: QuotableStatus,
): Promise<QuotePermission> {
  const { accountId: authorId, quotePolicy: policy, visibility } = status;
  const isAuthor = authorId === accountId;
  const [isFollower, isFollowed] =
    isAuthor || policy === 0
      ? [false, false]
      : await Promise.all([isFollowing(app, accountId, authorId), isFollowing(app, authorId, accountId)]);
  return quotePermission({ policy, visibility, isAuthor, isFollower, isFollowed });
}

/** Returns whether a viewer may quote a status. */
function quotePermissionFor(status: QuotableStatus, viewerId: AccountId | undefined, relations: QuoteRelations) {
  if (viewerId === undefined) return 'denied';
  return quotePermission({
    policy: status.quotePolicy,
    visibility: status.visibility,
    isAuthor: status.accountId === viewerId,
    isFollower: relations.following.has(status.accountId),
    isFollowed: relations.followedBy.has(status.accountId),
  });
}

/** `quote_approval` by policy, which has eight bits, and permission of the viewer. */
const approvals = Array.from({ length: 256 }, (_, policy) => {
  const decoded = decodeQuotePolicy(policy);
  return new Map(quotePermissions.map((current) => [current, JSON.stringify({ ...decoded, current_user: current })]));
});

/** Renders the `quote_approval` of a status. */
export function renderQuoteApproval(
  status: QuotableStatus,
  viewerId: AccountId | undefined,
  relations: QuoteRelations,
): string {
  return approvals[status.quotePolicy & 255]?.get(quotePermissionFor(status, viewerId, relations)) ?? 'null';
}
