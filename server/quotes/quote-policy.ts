import type { QuotePolicy } from '../users/index.ts';

/** Whom a rule about quoting may name, as the client interface calls them; the last: whom we cannot tell. */
export type QuoteGroup = 'public' | 'followers' | 'following' | 'unsupported_policy';

/** What an account may do with a post: quote it, ask to, neither, or nobody here can tell. */
export type QuotePermission = 'automatic' | 'manual' | 'denied' | 'unknown';

const bits: Readonly<Record<QuoteGroup, number>> = { unsupported_policy: 1, public: 2, followers: 4, following: 8 };
const groups = Object.keys(bits) as QuoteGroup[];
/** The groups that have to ask stand above those that need not. */
const asking = 4;

/** A policy as it is stored: who may quote at once, and who after asking; the author always may. */
export function storedPolicy(automatic: readonly QuoteGroup[], manual: readonly QuoteGroup[] = []): number {
  const sum = (names: readonly QuoteGroup[]) => names.reduce((all, name) => all | bits[name], 0);
  return sum(automatic) | (sum(manual) << asking);
}

/** What a user of this server chose, as it is stored. A post that is not for everybody can be quoted by nobody else. */
export function policyOfChoice(choice: QuotePolicy, visibility: string): number {
  const isOpen = visibility === 'public' || visibility === 'unlisted';
  return !isOpen || choice === 'nobody' ? 0 : storedPolicy([choice]);
}

/** Who may quote at once and who after asking, as the client interface lists them. */
export function groupsOf(policy: number): { automatic: QuoteGroup[]; manual: QuoteGroup[] } {
  const named = (mask: number) => groups.filter((name) => (mask & bits[name]) !== 0);
  return { automatic: named(policy & 15), manual: named(policy >> asking) };
}

/** Says whether what somebody may do depends on whom they follow, or on who follows them. */
export function policyAsks(policy: number): { follower: boolean; followed: boolean } {
  const all = policy | (policy >> asking);
  return { follower: (all & bits.followers) !== 0, followed: (all & bits.following) !== 0 };
}

/** What decides whether somebody may quote a post. */
export interface QuotingFacts {
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
export function quotePermission(facts: QuotingFacts): QuotePermission {
  const { policy, visibility } = facts;
  if (visibility === 'direct') return 'denied';
  if (facts.isAuthor) return 'automatic';
  if (visibility === 'private' || policy === 0) return 'denied';
  if (belongs(policy & 15, facts)) return 'automatic';
  if (belongs(policy >> asking, facts)) return 'manual';
  return ((policy | (policy >> asking)) & bits.unsupported_policy) === 0 ? 'denied' : 'unknown';
}

function belongs(mask: number, { isFollower, isFollowed }: QuotingFacts): boolean {
  return (
    (mask & bits.public) !== 0 ||
    (isFollower && (mask & bits.followers) !== 0) ||
    (isFollowed && (mask & bits.following) !== 0)
  );
}
