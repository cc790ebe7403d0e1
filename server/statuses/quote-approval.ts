import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { AccountId } from '../platform/ids.ts';
import { groupsOf, policyAsks, quotePermission } from '../quotes/index.ts';
import { followedIds } from '../relationships/index.ts';
import type { StatusBody } from './status-bodies.ts';

/** Whom a viewer follows and who follows it, as far as that decides what it may quote. */
export interface QuotingTies {
  readonly following: ReadonlySet<AccountId>;
  readonly followedBy: ReadonlySet<AccountId>;
}

const noTies: QuotingTies = { following: new Set(), followedBy: new Set() };

const followersAmong = prepared<{ id: AccountId }>()((db, args: { accountId: AccountId; authorIds: AccountId[] }) =>
  db
    .selectFrom('follows')
    .select('account_id as id')
    .where('target_account_id', '=', args.accountId)
    .where(sql<boolean>`account_id = any(${args.authorIds}::bigint[])`),
);

/** What decides what `viewerId` may quote of `bodies`; asks only for what one of their policies depends on. */
export async function quotingTies(
  app: App,
  viewerId: AccountId | undefined,
  bodies: Iterable<StatusBody>,
): Promise<QuotingTies> {
  if (viewerId === undefined) return noTies;
  let asksFollowing = false;
  const authorIds: AccountId[] = [];
  for (const { quotePolicy, accountId } of bodies) {
    if (quotePolicy === 0 || accountId === viewerId) continue;
    const asks = policyAsks(quotePolicy);
    asksFollowing ||= asks.follower;
    if (asks.followed) authorIds.push(accountId);
  }
  if (!asksFollowing && authorIds.length === 0) return noTies;
  const [following, followers] = await Promise.all([
    asksFollowing ? followedIds(app, viewerId) : noTies.following,
    authorIds.length === 0 ? [] : followersAmong(app, { accountId: viewerId, authorIds }),
  ]);
  return { following, followedBy: new Set(followers.map(({ id }) => id)) };
}

/** What a viewer may do with a status: quote it, ask to, or not. */
export function permissionFor(body: StatusBody, viewerId: AccountId | undefined, ties: QuotingTies) {
  if (viewerId === undefined) return 'denied';
  return quotePermission({
    policy: body.quotePolicy,
    visibility: body.visibility,
    isAuthor: body.accountId === viewerId,
    isFollower: ties.following.has(body.accountId),
    isFollowed: ties.followedBy.has(body.accountId),
  });
}

const texts = new Map<number, string>();

/** The `quote_approval` of a status as JSON. */
export function approvalText(body: StatusBody, viewerId: AccountId | undefined, ties: QuotingTies): string {
  let text = texts.get(body.quotePolicy);
  if (text === undefined) {
    text = JSON.stringify(groupsOf(body.quotePolicy)).slice(0, -1);
    texts.set(body.quotePolicy, text);
  }
  return `${text},"current_user":"${permissionFor(body, viewerId, ties)}"}`;
}
