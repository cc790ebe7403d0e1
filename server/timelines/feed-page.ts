import type { Page } from '../platform/http/pages.ts';
import type { StatusId } from '../platform/ids.ts';
import { fillPage, type FilledPage, type Stretch } from './fill-page.ts';
import { endOfTime } from './follow-graph.ts';
import { hideRepeats, repeatDistance, type Entry } from './hide-repeats.ts';

/** Smaller than every status id. */
export const beginning = '0' as StatusId;

/** Entries read beyond a page, so that a few hidden ones do not cost another query. */
const spare = 4;

/** A feed of posts and reblogs. Both give fewer than `count` entries only where the feed ends. */
export interface Feed {
  /** Entries below an id, newest first. */
  older(stretch: { before: StatusId; count: number }): Promise<Entry[]>;
  /** Entries above an id, oldest first. */
  newer(stretch: { after: StatusId; count: number }): Promise<Entry[]>;
}

/** A page of a feed, without reblogs of what was shown shortly before; `keep` says what the reader may be shown. */
export function feedPage(
  feed: Feed,
  page: Page,
  keep: (ids: StatusId[]) => Promise<StatusId[]>,
): Promise<FilledPage<StatusId>> {
  const count = page.limit + spare;
  return fillPage<StatusId>(
    page,
    (from, ascending) =>
      ascending ? readNewer(feed, from ?? beginning, count) : readOlder(feed, from ?? endOfTime, count),
    keep,
  );
}

async function readOlder(feed: Feed, before: StatusId, count: number): Promise<Stretch<StatusId>> {
  const wanted = count + repeatDistance;
  const entries = await feed.older({ before, count: wanted });
  if (entries.length < wanted) return { ids: hideRepeats(entries, entries.length), next: undefined };
  return { ids: hideRepeats(entries, count), next: entries[count - 1]?.id };
}

async function readNewer(feed: Feed, after: StatusId, count: number): Promise<Stretch<StatusId>> {
  const entries = (await feed.newer({ after, count })).toReversed();
  const next = entries.length === count ? entries[0]?.id : undefined;
  if (entries.every(({ reblogOfId }) => reblogOfId === undefined)) {
    return { ids: entries.map(({ id }) => id).toReversed(), next };
  }
  const before = String(BigInt(after) + 1n) as StatusId;
  const earlier = await feed.older({ before, count: repeatDistance });
  return { ids: hideRepeats([...entries, ...earlier], entries.length).toReversed(), next };
}
