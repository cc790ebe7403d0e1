import { loadCachedAccounts, type CachedAccount } from '../../accounts/present/index.ts';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import {
  blocksDomain,
  isUnwanted,
  loadFollowedIds,
  loadAccountRelations,
  type Relations,
} from '../../relationships/rules/index.ts';
import type { CachedStatus } from './cached-status.ts';
import { loadCachedStatuses } from './status-cache.ts';
import { canSee, isShown, type ListingFacts, type Surface } from '../visibility/visibility.ts';

/** A viewer and the facts that decide which statuses it sees. */
export interface ViewerContext {
  readonly viewerId: AccountId | undefined;
  readonly isOfThisServer: boolean;
  readonly relations: Relations | undefined;
  /** The followed authors, as far as a rule asks for them. */
  readonly followedIds: Pick<ReadonlySet<AccountId>, 'has'>;
  readonly authors: ReadonlyMap<AccountId, CachedAccount>;
}

/**
 * Returns the ids of statuses that `viewerId` (undefined: anonymous) may see and that the surface shows, in order. Leaves
 * out deleted statuses, and reblogs of statuses that it leaves out.
 */
export async function filterVisibleStatuses(
  app: App,
  viewerId: AccountId | undefined,
  ids: readonly StatusId[],
  surface: Surface,
): Promise<StatusId[]> {
  if (ids.length === 0) return [];
  const statuses = await loadWithOriginals(app, ids);
  const context = await loadViewerContext(app, viewerId, [...statuses.values()]);
  return ids.filter((id) => isListed(statuses.get(id), statuses, context, surface));
}

/** Whether a surface shows a status to a viewer. */
export function isListed(
  status: CachedStatus | undefined,
  statuses: ReadonlyMap<StatusId, CachedStatus>,
  context: ViewerContext,
  surface: Surface,
): boolean {
  if (status === undefined || !isShown(listingFacts(status, context), surface)) return false;
  if (isFeedSurface(surface) && status.accountId !== context.viewerId && mentionsBlockedOrMuted(status, context))
    return false;
  return status.reblogOfId === null || isOriginalShown(statuses.get(status.reblogOfId), context, surface);
}

/**
 * Returns a status that `viewerId` (undefined: anonymous) may see. Throws 404 for every other one, without the reason.
 */
export async function requireVisibleStatus(
  app: App,
  viewerId: AccountId | undefined,
  id: StatusId,
): Promise<CachedStatus> {
  const statuses = await loadWithOriginals(app, [id]);
  const status = statuses.get(id);
  if (status === undefined) throw notFound();
  const context = await loadViewerContext(app, viewerId, [...statuses.values()]);
  if (!canSee(listingFacts(status, context))) throw notFound();
  if (status.reblogOfId !== null) {
    const original = statuses.get(status.reblogOfId);
    if (original === undefined || !canSee(listingFacts(original, context))) throw notFound();
  }
  return status;
}

/** Like `requireVisibleStatus`, but returns the original of a reblog. Reactions always go to originals. */
export async function requireVisibleOriginal(
  app: App,
  viewerId: AccountId | undefined,
  id: StatusId,
): Promise<CachedStatus> {
  const status = await requireVisibleStatus(app, viewerId, id);
  return status.reblogOfId === null ? status : requireVisibleStatus(app, viewerId, status.reblogOfId);
}

/** Loads statuses and the originals of reblogs among them. */
export async function loadWithOriginals(app: App, ids: readonly StatusId[]): Promise<Map<StatusId, CachedStatus>> {
  const statuses = await loadCachedStatuses(app, ids);
  const missing: StatusId[] = [];
  for (const { reblogOfId } of statuses.values())
    if (reblogOfId !== null && !statuses.has(reblogOfId)) missing.push(reblogOfId);
  if (missing.length > 0)
    for (const [id, original] of await loadCachedStatuses(app, missing)) statuses.set(id, original);
  return statuses;
}

/** Loads the facts that decide which of these statuses `viewerId` (undefined: anonymous) sees. */
export async function loadViewerContext(
  app: App,
  viewerId: AccountId | undefined,
  statuses: readonly CachedStatus[],
): Promise<ViewerContext> {
  const accountIds = new Set<AccountId>();
  for (const { accountId } of statuses) accountIds.add(accountId);
  if (viewerId !== undefined) accountIds.add(viewerId);
  const [authors, relations, followed] = await Promise.all([
    loadCachedAccounts(app, accountIds),
    viewerId === undefined ? undefined : loadAccountRelations(app, viewerId),
    viewerId === undefined ? new Set<AccountId>() : loadFollowedIds(app, viewerId),
  ]);
  const isOfThisServer = viewerId !== undefined && authors.get(viewerId)?.domain === null;
  return { viewerId, isOfThisServer, relations, followedIds: followed, authors };
}

/** Returns the facts that decide whether the viewer is shown a status. */
export function listingFacts(
  status: CachedStatus,
  { viewerId, isOfThisServer, relations, followedIds, authors }: ViewerContext,
): ListingFacts {
  const author = authors.get(status.accountId);
  const isSignedIn = viewerId !== undefined;
  return {
    visibility: status.visibility,
    authorUnavailable: author === undefined || author.suspended || !author.activated,
    authorSilenced: author?.silenced ?? false,
    isAuthor: isSignedIn && viewerId === status.accountId,
    isOfThisServer,
    isFollower: isSignedIn && followedIds.has(status.accountId),
    isMentioned: isSignedIn && status.mentionedIds.includes(viewerId),
    blockedByAuthor: relations?.blockedBy.has(status.accountId) ?? false,
    blocking: relations?.blocking.has(status.accountId) ?? false,
    muting: relations?.muting.has(status.accountId) ?? false,
    domainBlocked: relations !== undefined && blocksDomain(relations, author?.domain ?? null),
  };
}

/**
 * Whether the original of a reblog is shown. On a profile it follows the rules of a home feed, as its author was not
 * asked for.
 */
function isOriginalShown(original: CachedStatus | undefined, context: ViewerContext, surface: Surface): boolean {
  if (original === undefined) return false;
  const facts = listingFacts(original, context);
  if (isFeedSurface(surface) && !facts.isAuthor && mentionsBlockedOrMuted(original, context)) return false;
  return isShown(facts, surface === 'account' ? 'home' : surface);
}

/** Whether a surface also hides statuses that mention accounts which the viewer blocks or mutes. */
const isFeedSurface = (surface: Surface): boolean => surface === 'home' || surface === 'lists';

function mentionsBlockedOrMuted({ namedIds, inReplyToAccountId }: CachedStatus, { relations }: ViewerContext): boolean {
  if (relations === undefined) return false;
  return (
    namedIds.some((id) => isUnwanted(relations, id)) ||
    (inReplyToAccountId !== null && isUnwanted(relations, inReplyToAccountId))
  );
}
