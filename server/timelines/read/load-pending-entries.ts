import { loadFollowedTagIds } from '../../hashtags/index.ts';
import type { App } from '../../platform/app.ts';
import { compareIds, type StatusId } from '../../platform/ids.ts';
import { loadFollowedIds } from '../../relationships/rules/index.ts';
import { findHomeReceivers, findListReceivers } from '../fan-out/find-receivers.ts';
import type { PendingStatus } from '../feeds/pending-statuses.ts';
import type { OwnedFeed } from './find-stored-entries.ts';
import type { FeedEntry } from './hide-repeats.ts';

interface Range {
  /** Exclusive. */
  readonly after: StatusId;
  /** Exclusive. */
  readonly before: StatusId;
}

/**
 * Returns the entries of a feed among the statuses that may not be stored in it yet. No query if neither their authors nor
 * their hashtags are followed.
 */
export async function loadPendingEntries(
  app: App,
  feed: OwnedFeed,
  pending: readonly PendingStatus[],
  { after, before }: Range,
): Promise<FeedEntry[]> {
  const inRange = pending.filter(({ id }) => compareIds(id, after) > 0 && compareIds(id, before) < 0);
  const candidates = inRange.length === 0 ? [] : await filterCandidates(app, feed, inRange);
  if (candidates.length === 0) return [];
  const ids = candidates.map(({ id }) => id);
  const options = { withRepeats: true };
  const receivers =
    feed.kind === 'home'
      ? await findHomeReceivers(app, [feed.id], ids, options)
      : await findListReceivers(app, [feed.id], ids, options);
  return candidates.filter(({ id }) => receivers.has(id));
}

/** Filters statuses by what the owner of a feed follows, which is cached. */
async function filterCandidates(
  app: App,
  feed: OwnedFeed,
  pending: readonly PendingStatus[],
): Promise<PendingStatus[]> {
  const { kind, ownerId } = feed;
  const byAuthor = kind === 'home' ? 'followers' : 'lists';
  const hasTags = kind === 'home' && pending.some(({ parts, tagIds }) => parts.has('hashtags') && tagIds.length > 0);
  const [authors, tags] = await Promise.all([
    loadFollowedIds(app, ownerId),
    hasTags ? loadFollowedTagIds(app, ownerId) : undefined,
  ]);
  return pending.filter(
    ({ authorId, parts, tagIds }) =>
      (parts.has(byAuthor) && (authorId === ownerId || authors.has(authorId))) ||
      (parts.has('hashtags') && tagIds.some((id) => tags?.has(id))),
  );
}
