import { loadCachedAccounts } from '../../accounts/present/index.ts';
import type { App } from '../../platform/app.ts';
import { inParts } from '../../platform/batching/slices.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { loadFollowersAmong, loadRelationsOf } from '../../relationships/rules/index.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import { isListed, loadWithOriginals, type ViewerContext } from '../read/filter-visible-statuses.ts';
import { plainVisibility, type Surface } from '../visibility/visibility.ts';

/** Returns those of many local viewers who see a status on a surface, in order, with few queries. */
export async function filterViewers(
  app: App,
  viewerIds: readonly AccountId[],
  id: StatusId,
  surface: Surface,
): Promise<AccountId[]> {
  if (viewerIds.length === 0) return [];
  const statuses = await loadWithOriginals(app, [id]);
  const status = statuses.get(id);
  if (status === undefined) return [];
  const found: AccountId[] = [];
  for await (const part of inParts(viewerIds)) {
    const contextOf = await loadViewerContexts(app, part, [...statuses.values()]);
    for (const viewerId of part) if (isListed(status, statuses, contextOf(viewerId), surface)) found.push(viewerId);
  }
  return found;
}

/** Loads what `loadViewerContext` loads, for many local viewers with a fixed number of queries. */
export async function loadViewerContexts(
  app: App,
  viewerIds: readonly AccountId[],
  statuses: readonly CachedStatus[],
): Promise<(viewerId: AccountId) => ViewerContext> {
  const [authors, relations] = await Promise.all([
    loadCachedAccounts(app, [...new Set(statuses.map(({ accountId }) => accountId))]),
    loadRelationsOf(app, viewerIds),
  ]);
  // The rules ask for the followers of no other author.
  const restricted = statuses.filter(
    ({ accountId, visibility }) =>
      plainVisibility(visibility) === 'private' || authors.get(accountId)?.silenced === true,
  );
  const restrictedIds = [...new Set(restricted.map(({ accountId }) => accountId))];
  const followers = await loadFollowersAmong(app, viewerIds, restrictedIds);
  return (viewerId) => ({
    viewerId,
    isOfThisServer: true,
    relations: relations(viewerId),
    followedIds: { has: (authorId) => followers.get(authorId)?.has(viewerId) ?? false },
    authors,
  });
}
