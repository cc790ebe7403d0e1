import type { QuotePolicy } from '../../users/index.ts';
import { namesOf } from '../../platform/known-names.ts';

/** The groups of a quote policy, as in the API. `unsupported_policy`: a group that only the remote server knows. */
export type QuoteGroup = 'public' | 'followers' | 'following' | 'unsupported_policy';

/** Whether an account may quote a post: at once, after approval, not at all, or unknown. */
export const quotePermissions = ['automatic', 'manual', 'denied', 'unknown'] as const;
export type QuotePermission = (typeof quotePermissions)[number];

const groupBits: Readonly<Record<QuoteGroup, number>> = {
  unsupported_policy: 1,
  public: 2,
  followers: 4,
  following: 8,
};
const groups = namesOf(groupBits);
/** Groups that need approval are in the upper four bits, the others in the lower four. */
const manualShift = 4;

/** Encodes a policy for storage. The author may always quote. */
export function encodeQuotePolicy(automatic: readonly QuoteGroup[], manual: readonly QuoteGroup[] = []): number {
  const sum = (names: readonly QuoteGroup[]) => names.reduce((all, name) => all | groupBits[name], 0);
  return sum(automatic) | (sum(manual) << manualShift);
}

/** Encodes a local user's setting. A private or direct post can be quoted by its author only. */
export function quotePolicyFromSetting(choice: QuotePolicy, visibility: string): number {
  const isOpen = visibility === 'public' || visibility === 'unlisted';
  return !isOpen || choice === 'nobody' ? 0 : encodeQuotePolicy([choice]);
}

/** Decodes a stored policy into the lists of the API. */
export function decodeQuotePolicy(policy: number): { automatic: QuoteGroup[]; manual: QuoteGroup[] } {
  const named = (mask: number) => groups.filter((name) => (mask & groupBits[name]) !== 0);
  return { automatic: named(policy & 15), manual: named(policy >> manualShift) };
}

/** Returns whether a policy depends on the follows of the viewer (`follower`) or of the author (`followed`). */
export function quotePolicyDependencies(policy: number): { follower: boolean; followed: boolean } {
  const all = policy | (policy >> manualShift);
  return { follower: (all & groupBits.followers) !== 0, followed: (all & groupBits.following) !== 0 };
}

/** The facts that decide whether an account may quote a post. */
export interface QuotePermissionFacts {
  readonly policy: number;
  readonly visibility: string;
  readonly isAuthor: boolean;
  /** The account follows the author. */
  readonly isFollower: boolean;
  /** The author follows the account. */
  readonly isFollowed: boolean;
}

/**
 * Returns whether an account that can see a post may quote it. Authors may quote all but their direct posts. Others may
 * quote public and unlisted posts, as the policy allows.
 */
export function quotePermission(facts: QuotePermissionFacts): QuotePermission {
  const { policy, visibility } = facts;
  if (visibility === 'direct') return 'denied';
  if (facts.isAuthor) return 'automatic';
  if (visibility === 'private' || visibility === 'local_private' || policy === 0) return 'denied';
  if (matchesPolicy(policy & 15, facts)) return 'automatic';
  if (matchesPolicy(policy >> manualShift, facts)) return 'manual';
  return ((policy | (policy >> manualShift)) & groupBits.unsupported_policy) === 0 ? 'denied' : 'unknown';
}

function matchesPolicy(mask: number, { isFollower, isFollowed }: QuotePermissionFacts): boolean {
  return (
    (mask & groupBits.public) !== 0 ||
    (isFollower && (mask & groupBits.followers) !== 0) ||
    (isFollowed && (mask & groupBits.following) !== 0)
  );
}
