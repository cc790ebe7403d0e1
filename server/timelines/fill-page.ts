import { compareIds, type Id } from '../platform/ids.ts';
import type { Page } from '../platform/http/pages.ts';

/** Part of a listing in the order it is walked. */
export interface CandidateBatch<Item extends string> {
  /** Candidates for the page. */
  readonly ids: readonly Item[];
  /** Where to go on; undefined when the listing ends here. */
  readonly next: Item | undefined;
}

export interface FilledPage<Item extends string> {
  /** Newest first. */
  readonly ids: Item[];
  /** For the link to newer entries: the newest id, or how far was looked when a page of newer ones could not be filled. */
  readonly first: Item | undefined;
  /** For the link to older entries: the oldest id, or how far was looked when the page could not be filled. */
  readonly last: Item | undefined;
}

/** Stretches that are read for one page when nearly everything is hidden from the viewer. */
const maxBatches = 8;

/**
 * Fills a page although some candidates are hidden from the viewer, by reading on where they leave gaps. `read` gives
 * the candidates beyond `from` (newest first below it; oldest first above it when the page asks for `min_id`), `keep`
 * those of them that may be shown, in the same order.
 */
export async function fillPage<Item extends Id<string>>(
  page: Page,
  read: (from: Item | undefined, ascending: boolean) => Promise<CandidateBatch<Item>>,
  filterVisible: (ids: Item[]) => Promise<Item[]>,
): Promise<FilledPage<Item>> {
  const ascending = page.minId !== undefined;
  const isInside = createBoundsFilter(page, ascending);
  const ids: Item[] = [];
  let from = (ascending ? page.minId : page.maxId) as Item | undefined;
  for (let round = 0; round < maxBatches && ids.length < page.limit; round += 1) {
    const stretch = await read(from, ascending);
    const inside = stretch.ids.filter(isInside);
    if (inside.length > 0) ids.push(...(await filterVisible(inside)).slice(0, page.limit - ids.length));
    from = stretch.next;
    if (from === undefined || !isInside(from)) break;
  }
  const reached = ids.length < page.limit && from !== undefined && isInside(from) ? from : undefined;
  if (!ascending) return { ids, first: ids[0], last: reached ?? ids.at(-1) };
  ids.reverse();
  return { ids, first: reached ?? ids[0], last: ids.at(-1) };
}

/** Tells what lies within the far bound of a page; the near bound is where reading begins. */
function createBoundsFilter(page: Page, ascending: boolean): (id: string) => boolean {
  const { maxId, sinceId } = page;
  if (ascending) return maxId === undefined ? () => true : (id) => compareIds(id, maxId) < 0;
  return sinceId === undefined ? () => true : (id) => compareIds(id, sinceId) > 0;
}
