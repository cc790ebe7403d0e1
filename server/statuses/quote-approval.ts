import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { AccountId } from '../platform/ids.ts';
import { decodeQuotePolicy, quotePolicyDependencies, quotePermission } from '../quotes/index.ts';
import { loadFollowedIds } from '../relationships/index.ts';
import type { CachedStatus } from './cached-status.ts';

/** The follows between a viewer and authors, as far as they decide what the viewer may quote. */
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

/** Loads the follows that decide which of these statuses `viewerId` may quote. Queries only what their policies depend on. */
export async function loadQuoteRelations(
  app: App,
  viewerId: AccountId | undefined,
  statuses: Iterable<CachedStatus>,
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

/** Returns whether a viewer may quote a status. */
export function quotePermissionFor(status: CachedStatus, viewerId: AccountId | undefined, relations: QuoteRelations) {
  if (viewerId === undefined) return 'denied';
  return quotePermission({
    policy: status.quotePolicy,
    visibility: status.visibility,
    isAuthor: status.accountId === viewerId,
    isFollower: relations.following.has(status.accountId),
    isFollowed: relations.followedBy.has(status.accountId),
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
