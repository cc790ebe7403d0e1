import { ApiError } from '../api/client.ts';
import type { Account, Relationship } from '../api/entities.ts';

/** What became of accounts that were to be followed or unfollowed, by their ids. */
export interface Outcome {
  readonly followed: readonly string[];
  /** They decide about their followers. */
  readonly requested: readonly string[];
  readonly problems: ReadonlyMap<string, unknown>;
}

type Followed = Pick<Relationship, 'following' | 'requested'>;

interface Run {
  /** Sends the request for one account. */
  readonly send: (id: string) => Promise<Followed>;
  readonly onProgress: (done: number) => void;
  /** Whether the reader stopped it. */
  readonly isStopped: () => boolean;
}

/**
 * Changes follows one after the other. Ends early if the reader stops it, or if the server or the connection would refuse
 * all others as well: those are left as they are.
 */
export async function followEach(ids: readonly string[], { send, onProgress, isStopped }: Run): Promise<Outcome> {
  const followed: string[] = [];
  const requested: string[] = [];
  const problems = new Map<string, unknown>();
  for (const [index, id] of ids.entries()) {
    if (isStopped()) break;
    try {
      const relationship = await send(id);
      if (relationship.following) followed.push(id);
      else if (relationship.requested) requested.push(id);
    } catch (error) {
      problems.set(id, error);
      if (refusesOthers(error)) break;
    }
    onProgress(index + 1);
  }
  return { followed, requested, problems };
}

/** Whether the next request would fail for the same reason: too many requests, too many follows, or no connection. */
const refusesOthers = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 429 || error.status === 422 || error.status >= 500;

/** Returns whether an account can be followed: it is neither the reader's, nor followed, requested, blocked or gone. */
export function isFollowable(
  account: Pick<Account, 'id' | 'suspended' | 'moved'>,
  relationship: Pick<Relationship, 'following' | 'requested' | 'blocking' | 'domain_blocking'> | undefined,
  viewerId: string,
): boolean {
  if (account.id === viewerId || account.suspended === true || account.moved !== undefined) return false;
  if (relationship === undefined) return false;
  const { following, requested, blocking, domain_blocking: isServerBlocked } = relationship;
  return !following && !requested && !blocking && !isServerBlocked;
}
