import type { PlainVisibility, Visibility } from '../tables.ts';

/** Whether everyone may see it, also without an account. */
export const isPublicOrUnlisted = (visibility: Visibility): boolean =>
  visibility === 'public' || visibility === 'unlisted';

/** Whether only local accounts see a status, whoever follows its author or is mentioned in it. */
export const isLocalOnly = (visibility: Visibility): boolean => visibility.startsWith('local_');

/** Whether a status was imported from an archive of its author. */
export const isImported = (visibility: Visibility): boolean => visibility.startsWith('imported_');

/** Whether a status does not exist for other servers: it is local-only or imported. */
export const staysHere = (visibility: Visibility): boolean => visibility !== plainVisibility(visibility);

const plainVisibilities: Record<Visibility, PlainVisibility> = {
  public: 'public',
  unlisted: 'unlisted',
  private: 'private',
  direct: 'direct',
  local_public: 'public',
  local_unlisted: 'unlisted',
  local_private: 'private',
  imported_public: 'public',
  imported_unlisted: 'unlisted',
  imported_private: 'private',
  imported_direct: 'direct',
};

/** Returns the visibility as the API shows it, beside `local_only`. */
export const plainVisibility = (visibility: Visibility): PlainVisibility => plainVisibilities[visibility];

/** Returns the visibility of a local-only status with the same audience on this server. That of a direct one stays. */
export function localVisibility(visibility: Visibility): Visibility {
  const plain = plainVisibility(visibility);
  return plain === 'direct' ? 'direct' : `local_${plain}`;
}

/** Returns the visibility of an imported status with the same audience on this server. */
export const importedVisibility = (visibility: PlainVisibility): Visibility => `imported_${visibility}`;

/** The facts that decide whether a viewer may see a status. Facts about an anonymous viewer are false. */
export interface VisibilityFacts {
  readonly visibility: Visibility;
  /** Suspended, deleted, or not activated yet. */
  readonly authorUnavailable: boolean;
  readonly isAuthor: boolean;
  /** The viewer has an account on this server. */
  readonly isOfThisServer: boolean;
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
    case 'imported_public':
    case 'imported_unlisted':
      return true;
    case 'private':
      return facts.isFollower || facts.isMentioned;
    case 'direct':
    case 'imported_direct':
      return facts.isMentioned;
    case 'local_public':
    case 'local_unlisted':
      return facts.isOfThisServer;
    case 'local_private':
    case 'imported_private':
      return facts.isOfThisServer && (facts.isFollower || facts.isMentioned);
  }
}

const visibilities: readonly Visibility[] = [
  'public',
  'unlisted',
  'private',
  'direct',
  'local_public',
  'local_unlisted',
  'local_private',
  'imported_public',
  'imported_unlisted',
  'imported_private',
  'imported_direct',
];

/** Returns the visibilities of an author's statuses that a viewer may see without being mentioned in them. */
export function listReadableVisibilities(facts: Partial<VisibilityFacts>): Visibility[] {
  return visibilities.filter((visibility) => canSee({ ...noFacts, ...facts, visibility, isMentioned: false }));
}

const noFacts: Omit<VisibilityFacts, 'visibility'> = {
  authorUnavailable: false,
  isAuthor: false,
  isOfThisServer: false,
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
 * the viewer asked for them. Threads and search show silenced authors to followers only. Feeds show no imported statuses.
 */
export function isShown(facts: ListingFacts, surface: Surface): boolean {
  if (!canSee(facts) || isLeftOut(facts, surface)) return false;
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

/** Whether a feed leaves out a status because of what it is: an imported one, or one that does not belong in public timelines. */
function isLeftOut({ visibility, authorSilenced, isAuthor }: ListingFacts, surface: Surface): boolean {
  switch (surface) {
    case 'home':
    case 'lists':
      return isImported(visibility);
    case 'public':
      return isImported(visibility) || plainVisibility(visibility) !== 'public' || (authorSilenced && !isAuthor);
    default:
      return false;
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

const visibilityRank: Record<PlainVisibility, number> = { public: 3, unlisted: 2, private: 1, direct: 0 };

/** Returns the visibility with the smaller audience; local-only if one of both stays on this server. */
export function narrowerVisibility(a: Visibility, b: Visibility): Visibility {
  const [first, second] = [plainVisibility(a), plainVisibility(b)];
  const narrower = visibilityRank[first] <= visibilityRank[second] ? first : second;
  return staysHere(a) || staysHere(b) ? localVisibility(narrower) : narrower;
}

/** Returns the visibility that others than the author see: public posts of a silenced local author are unlisted. */
export const visibilityToOthers = (visibility: Visibility, { silenced }: { readonly silenced: boolean }): Visibility =>
  silenced ? narrowerVisibility(visibility, 'unlisted') : visibility;
