import type { Page } from '../../platform/http/pages.ts';
import { compareIds, type Id, maxId } from '../../platform/ids.ts';

/** Where the next batch of a listing starts. */
export interface Cursor<Item extends string> {
  /** `desc`: ids below `bound`, newest first. `asc`: ids above it, oldest first. */
  readonly direction: 'asc' | 'desc';
  readonly bound: Item;
}

/** The candidates that follow a cursor, in its direction. */
export interface CandidateBatch<Item extends string> {
  readonly ids: readonly Item[];
  /** Bound of the next batch; undefined where the listing ends. */
  readonly next: Item | undefined;
}

export interface FilledPage<Item extends string> {
  /** Newest first. */
  readonly ids: Item[];
  /** For the link to newer items: the newest id, or the last one examined if an ascending page could not be filled. */
  readonly first: Item | undefined;
  /** For the link to older items: the oldest id, or the last one examined if the page could not be filled. */
  readonly last: Item | undefined;
}

/** Batches loaded for one page if nearly everything is hidden from the viewer. */
const maxBatches = 8;

/**
 * Fills one page with visible items, batch by batch, although some candidates are hidden from the viewer. Descends from
 * the newest item, or ascends from `min_id`.
 *
 *     while (filler.needsMore) {
 *       const { ids, next } = await listCandidates(filler.cursor);
 *       filler.add(await filterVisible(filler.withinPage(ids)), next);
 *     }
 */
export class PageFiller<Item extends Id<string>> {
  readonly #page: Page;
  readonly #isAscending: boolean;
  readonly #ids: Item[] = [];
  /** Bound of the next batch; undefined where the page or the listing ends. */
  #next: Item | undefined;
  #batchCount = 0;

  constructor(page: Page) {
    this.#page = page;
    this.#isAscending = page.minId !== undefined;
    this.#next = (page.minId ?? page.maxId ?? maxId) as Item;
  }

  /** Whether another batch may add items. */
  get needsMore(): boolean {
    return this.#next !== undefined && this.#batchCount < maxBatches && this.#ids.length < this.#page.limit;
  }

  get cursor(): Cursor<Item> {
    if (this.#next === undefined) throw new Error('the listing has ended');
    return { direction: this.#isAscending ? 'asc' : 'desc', bound: this.#next };
  }

  /** Drops candidates past the far bound of the page. */
  withinPage(candidates: readonly Item[]): Item[] {
    return candidates.filter((id) => this.#isWithinPage(id));
  }

  /** Adds the visible items of a batch, in the order of the batch. `next`: bound of the next batch. */
  add(visible: readonly Item[], next: Item | undefined): void {
    this.#ids.push(...visible.slice(0, this.#page.limit - this.#ids.length));
    this.#batchCount += 1;
    this.#next = next !== undefined && this.#isWithinPage(next) ? next : undefined;
  }

  result(): FilledPage<Item> {
    const examined = this.#ids.length < this.#page.limit ? this.#next : undefined;
    if (!this.#isAscending) return { ids: this.#ids, first: this.#ids[0], last: examined ?? this.#ids.at(-1) };
    const ids = this.#ids.toReversed();
    return { ids, first: examined ?? ids[0], last: ids.at(-1) };
  }

  #isWithinPage(id: string): boolean {
    const { maxId: below, sinceId: above } = this.#page;
    if (this.#isAscending) return below === undefined || compareIds(id, below) < 0;
    return above === undefined || compareIds(id, above) > 0;
  }
}
