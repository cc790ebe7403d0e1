import type { QuotePolicy } from '../users/index.ts';

/** Whom a rule about quoting may name, as the client interface calls them; the last: whom we cannot tell. */
export type QuoteGroup = 'public' | 'followers' | 'following' | 'unsupported_policy';

/** What an account may do with a post: quote it, ask to, neither, or nobody here can tell. */
export type QuotePermission = 'automatic' | 'manual' | 'denied' | 'unknown';

const groupBits: Readonly<Record<QuoteGroup, number>> = {
  unsupported_policy: 1,
  public: 2,
  followers: 4,
  following: 8,
};
const groups = Object.keys(groupBits) as QuoteGroup[];
/** The groups that have to ask stand above those that need not. */
const manualShift = 4;

/** A policy as it is stored: who may quote at once, and who after asking; the author always may. */
export function encodeQuotePolicy(automatic: readonly QuoteGroup[], manual: readonly QuoteGroup[] = []): number {
  const sum = (names: readonly QuoteGroup[]) => names.reduce((all, name) => all | groupBits[name], 0);
  return sum(automatic) | (sum(manual) << manualShift);
}

/** What a user of this server chose, as it is stored. A post that is not for everybody can be quoted by nobody else. */
export function quotePolicyFromSetting(choice: QuotePolicy, visibility: string): number {
  const isOpen = visibility === 'public' || visibility === 'unlisted';
  return !isOpen || choice === 'nobody' ? 0 : encodeQuotePolicy([choice]);
}

/** Who may quote at once and who after asking, as the client interface lists them. */
export function decodeQuotePolicy(policy: number): { automatic: QuoteGroup[]; manual: QuoteGroup[] } {
  const named = (mask: number) => groups.filter((name) => (mask & groupBits[name]) !== 0);
  return { automatic: named(policy & 15), manual: named(policy >> manualShift) };
}

/** Says whether what somebody may do depends on whom they follow, or on who follows them. */
export function quotePolicyDependencies(policy: number): { follower: boolean; followed: boolean } {
  const all = policy | (policy >> manualShift);
  return { follower: (all & groupBits.followers) !== 0, followed: (all & groupBits.following) !== 0 };
}

/** What decides whether somebody may quote a post. */
export interface QuotePermissionFacts {
  readonly policy: number;
  readonly visibility: string;
  readonly isAuthor: boolean;
  /** Follows the author. */
  readonly isFollower: boolean;
  /** The author follows them. */
  readonly isFollowed: boolean;
}

/**
 * Says whether somebody who sees a post may quote it: its author any but a direct one, others what is for everybody, as
 * the author allows.
 */
export function quotePermission(facts: QuotePermissionFacts): QuotePermission {
  const { policy, visibility } = facts;
  if (visibility === 'direct') return 'denied';
  if (facts.isAuthor) return 'automatic';
  if (visibility === 'private' || policy === 0) return 'denied';
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
