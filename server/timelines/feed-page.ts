import type { Page } from '../platform/http/pages.ts';
import type { StatusId } from '../platform/ids.ts';
import { fillPage, type FilledPage, type CandidateBatch } from './fill-page.ts';
import { maxId } from './follow-graph.ts';
import { hideRepeats, repeatDistance, type FeedEntry } from './hide-repeats.ts';

/** Smaller than every status id. */
export const minId = '0' as StatusId;

/** Entries read beyond a page, so that a few hidden ones do not cost another query. */
const extraEntries = 4;

/** A feed of posts and reblogs. Both give fewer than `count` entries only where the feed ends. */
export interface Feed {
  /** Entries below an id, newest first. */
  older(stretch: { before: StatusId; count: number }): Promise<FeedEntry[]>;
  /** Entries above an id, oldest first. */
  newer(stretch: { after: StatusId; count: number }): Promise<FeedEntry[]>;
}

/** A page of a feed, without reblogs of what was shown shortly before; `keep` says what the reader may be shown. */
export function loadFeedPage(
  feed: Feed,
  page: Page,
  filterVisible: (ids: StatusId[]) => Promise<StatusId[]>,
): Promise<FilledPage<StatusId>> {
  const count = page.limit + extraEntries;
  return fillPage<StatusId>(
    page,
    (from, ascending) => (ascending ? loadNewer(feed, from ?? minId, count) : loadOlder(feed, from ?? maxId, count)),
    filterVisible,
  );
}

async function loadOlder(feed: Feed, before: StatusId, count: number): Promise<CandidateBatch<StatusId>> {
  const wanted = count + repeatDistance;
  const entries = await feed.older({ before, count: wanted });
  if (entries.length < wanted) return { ids: hideRepeats(entries, entries.length), next: undefined };
  return { ids: hideRepeats(entries, count), next: entries[count - 1]?.id };
}

async function loadNewer(feed: Feed, after: StatusId, count: number): Promise<CandidateBatch<StatusId>> {
  const entries = (await feed.newer({ after, count })).toReversed();
  const next = entries.length === count ? entries[0]?.id : undefined;
  if (entries.every(({ reblogOfId }) => reblogOfId === undefined)) {
    return { ids: entries.map(({ id }) => id).toReversed(), next };
  }
  const before = String(BigInt(after) + 1n) as StatusId;
  const earlier = await feed.older({ before, count: repeatDistance });
  return { ids: hideRepeats([...entries, ...earlier], entries.length).toReversed(), next };
}
