import type { Visibility } from '../tables.ts';

export const isPublicOrUnlisted = (visibility: Visibility): boolean =>
  visibility === 'public' || visibility === 'unlisted';

/** The facts that decide whether a viewer may see a status. Facts about an anonymous viewer are false. */
export interface VisibilityFacts {
  readonly visibility: Visibility;
  /** Suspended, deleted, or not activated yet. */
  readonly authorUnavailable: boolean;
  readonly isAuthor: boolean;
  readonly isFollower: boolean;
  /** The viewer is a recipient, named in the text or not. */
  readonly isMentioned: boolean;
  readonly blockedByAuthor: boolean;
}

/** Returns whether a viewer may see a status. Otherwise every endpoint responds with 404. */
export function canSee(facts: VisibilityFacts): boolean {
  if (facts.authorUnavailable) return false;
  if (facts.isAuthor) return true;
  if (facts.blockedByAuthor) return false;
  switch (facts.visibility) {
    case 'public':
    case 'unlisted':
      return true;
    case 'private':
      return facts.isFollower || facts.isMentioned;
    case 'direct':
      return facts.isMentioned;
  }
}

const visibilities: readonly Visibility[] = ['public', 'unlisted', 'private', 'direct'];

/** Returns the visibilities of an author's statuses that a viewer may see without being mentioned in them. */
export function listReadableVisibilities(facts: Partial<VisibilityFacts>): Visibility[] {
  return visibilities.filter((visibility) => canSee({ ...noFacts, ...facts, visibility, isMentioned: false }));
}

const noFacts: Omit<VisibilityFacts, 'visibility'> = {
  authorUnavailable: false,
  isAuthor: false,
  isFollower: false,
  isMentioned: false,
  blockedByAuthor: false,
};

/**
 * Where statuses are listed: `home` and `lists` are feeds of followed accounts; `public` the public and hashtag
 * timelines; `account` one account's profile; `thread` the context of a status; `saved` the viewer's favourites and
 * bookmarks.
 */
export type Surface = 'home' | 'lists' | 'public' | 'account' | 'thread' | 'notifications' | 'search' | 'saved';

/** The facts that decide whether a listing shows a status that the viewer may see. */
export interface ListingFacts extends VisibilityFacts {
  readonly authorSilenced: boolean;
  readonly blocking: boolean;
  readonly muting: boolean;
  /** The viewer blocks the author's domain. */
  readonly domainBlocked: boolean;
}

/**
 * Returns whether a listing shows a status. Profiles and saved statuses ignore the viewer's own blocks and mutes, because
 * the viewer asked for them. Threads and search show silenced authors to followers only.
 */
export function isShown(facts: ListingFacts, surface: Surface): boolean {
  if (!canSee(facts)) return false;
  if (surface === 'public' && (facts.visibility !== 'public' || (facts.authorSilenced && !facts.isAuthor)))
    return false;
  if (facts.isAuthor) return true;
  const unwanted = facts.blocking || facts.muting || facts.domainBlocked;
  switch (surface) {
    case 'account':
    case 'saved':
      return true;
    case 'notifications':
      return !facts.blocking;
    case 'home':
    case 'lists':
    case 'public':
      return !unwanted;
    case 'thread':
    case 'search':
      return !unwanted && (!facts.authorSilenced || facts.isFollower);
  }
}

/** How a quoted status is shown to a viewer: plainly, behind a notice (blocked or muted), or not at all. */
export type QuotedVisibility = 'accepted' | 'unauthorized' | 'blocked_account' | 'blocked_domain' | 'muted_account';

/** Returns how a quoted status is shown inside the status that quotes it. */
export function quotedVisibility(facts: ListingFacts): QuotedVisibility {
  if (!canSee(facts)) return 'unauthorized';
  if (facts.isAuthor) return 'accepted';
  if (facts.authorSilenced && !facts.isFollower) return 'unauthorized';
  if (facts.domainBlocked) return 'blocked_domain';
  if (facts.blocking) return 'blocked_account';
  return facts.muting ? 'muted_account' : 'accepted';
}

const visibilityRank: Record<Visibility, number> = { public: 3, unlisted: 2, private: 1, direct: 0 };

/** Returns the visibility with the smaller audience. */
export const narrowerVisibility = (a: Visibility, b: Visibility): Visibility =>
  visibilityRank[a] <= visibilityRank[b] ? a : b;

/** Returns the visibility that others than the author see: public posts of a silenced local author are unlisted. */
export const visibilityToOthers = (visibility: Visibility, { silenced }: { readonly silenced: boolean }): Visibility =>
  silenced ? narrowerVisibility(visibility, 'unlisted') : visibility;
