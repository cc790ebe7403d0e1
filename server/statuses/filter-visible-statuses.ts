import { loadCachedAccounts, type CachedAccount } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import {
  blocksDomain,
  isUnwanted,
  loadFollowedIds,
  loadAccountRelations,
  type Relations,
} from '../relationships/index.ts';
import type { CachedStatus } from './cached-status.ts';
import { loadCachedStatuses } from './status-cache.ts';
import { canSee, isShown, type ListingFacts, type Surface } from './visibility.ts';

/** A viewer with all that decides what it sees of some statuses. */
export interface ViewerContext {
  readonly viewerId: AccountId | undefined;
  readonly relations: Relations | undefined;
  readonly followedIds: ReadonlySet<AccountId>;
  readonly authors: ReadonlyMap<AccountId, CachedAccount>;
}

/**
 * Drops from `ids` what `viewerId` (undefined: anonymous) may not see, what the surface hides from it, what is gone, and
 * reblogs whose original falls under any of these. Keeps the order.
 */
export async function filterVisibleStatuses(
  app: App,
  viewerId: AccountId | undefined,
  ids: readonly StatusId[],
  surface: Surface,
): Promise<StatusId[]> {
  if (ids.length === 0) return [];
  const bodies = await loadWithOriginals(app, ids);
  const sight = await loadViewerContext(app, viewerId, [...bodies.values()]);
  return ids.filter((id) => {
    const body = bodies.get(id);
    if (body === undefined || !isShown(listingFacts(body, sight), surface)) return false;
    if (isFeedSurface(surface) && body.accountId !== viewerId && mentionsBlockedOrMuted(body, sight)) return false;
    return body.reblogOfId === null || isOriginalShown(bodies.get(body.reblogOfId), sight, surface);
  });
}

/** A status that `viewerId` (undefined: anonymous) may see; throws 404 for every other (never tells why). */
export async function requireVisibleStatus(
  app: App,
  viewerId: AccountId | undefined,
  id: StatusId,
): Promise<CachedStatus> {
  const bodies = await loadWithOriginals(app, [id]);
  const body = bodies.get(id);
  if (body === undefined) throw notFound();
  const sight = await loadViewerContext(app, viewerId, [...bodies.values()]);
  if (!canSee(listingFacts(body, sight))) throw notFound();
  if (body.reblogOfId !== null) {
    const original = bodies.get(body.reblogOfId);
    if (original === undefined || !canSee(listingFacts(original, sight))) throw notFound();
  }
  return body;
}

/** The status itself, or what it reblogs: people react to originals, whatever id they send. */
export async function requireVisibleOriginal(
  app: App,
  viewerId: AccountId | undefined,
  id: StatusId,
): Promise<CachedStatus> {
  const body = await requireVisibleStatus(app, viewerId, id);
  return body.reblogOfId === null ? body : requireVisibleStatus(app, viewerId, body.reblogOfId);
}

async function loadWithOriginals(app: App, ids: readonly StatusId[]): Promise<Map<StatusId, CachedStatus>> {
  const bodies = await loadCachedStatuses(app, ids);
  const missing = [...bodies.values()].flatMap(({ reblogOfId }) =>
    reblogOfId === null || bodies.has(reblogOfId) ? [] : [reblogOfId],
  );
  if (missing.length === 0) return bodies;
  return new Map([...bodies, ...(await loadCachedStatuses(app, missing))]);
}

/** What decides which of these statuses `viewerId` (undefined: anonymous) sees. */
export async function loadViewerContext(
  app: App,
  viewerId: AccountId | undefined,
  bodies: readonly CachedStatus[],
): Promise<ViewerContext> {
  const [authors, relations, followed] = await Promise.all([
    loadCachedAccounts(app, [...new Set(bodies.map(({ accountId }) => accountId))]),
    viewerId === undefined ? undefined : loadAccountRelations(app, viewerId),
    viewerId === undefined ? new Set<AccountId>() : loadFollowedIds(app, viewerId),
  ]);
  return { viewerId, relations, followedIds: followed, authors };
}

/** What decides whether the viewer of `sight` is shown a status. */
export function listingFacts(
  body: CachedStatus,
  { viewerId, relations, followedIds, authors }: ViewerContext,
): ListingFacts {
  const author = authors.get(body.accountId);
  const isSignedIn = viewerId !== undefined;
  return {
    visibility: body.visibility,
    authorUnavailable: author === undefined || author.suspended || !author.activated,
    authorSilenced: author?.silenced ?? false,
    isAuthor: isSignedIn && viewerId === body.accountId,
    isFollower: isSignedIn && followedIds.has(body.accountId),
    isMentioned: isSignedIn && body.mentionedIds.includes(viewerId),
    blockedByAuthor: relations?.blockedBy.has(body.accountId) ?? false,
    blocking: relations?.blocking.has(body.accountId) ?? false,
    muting: relations?.muting.has(body.accountId) ?? false,
    domainBlocked: relations !== undefined && blocksDomain(relations, author?.domain ?? null),
  };
}

/** On a profile the profile's owner was asked for, but not those whom it reblogs. */
function isOriginalShown(original: CachedStatus | undefined, sight: ViewerContext, surface: Surface): boolean {
  if (original === undefined) return false;
  const facts = listingFacts(original, sight);
  if (isFeedSurface(surface) && !facts.isAuthor && mentionsBlockedOrMuted(original, sight)) return false;
  return isShown(facts, surface === 'account' ? 'home' : surface);
}

/** Feeds do not bring in whom their owner blocks or mutes by way of those who talk to them. */
const isFeedSurface = (surface: Surface): boolean => surface === 'home' || surface === 'lists';

function mentionsBlockedOrMuted({ namedIds, inReplyToAccountId }: CachedStatus, { relations }: ViewerContext): boolean {
  if (relations === undefined) return false;
  return (
    namedIds.some((id) => isUnwanted(relations, id)) ||
    (inReplyToAccountId !== null && isUnwanted(relations, inReplyToAccountId))
  );
}
