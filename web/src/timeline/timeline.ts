import { signal } from '@preact/signals';
import { ApiError, OfflineError, requestPage, type Page } from '../api/client.ts';
import { followRefresh } from '../api/async-refreshes.ts';
import type { Status } from '../api/entities.ts';
import { isStreaming, subscribe } from '../api/stream.ts';
import { keepStatuses, statusOf, storeStatus, storeStatuses } from '../store/statuses.ts';
import { findSavedPosition, scrollToTop, type Position } from './positions.ts';
import { isOrderedById, type TimelineSource } from './sources.ts';
import {
  addMissed,
  fillGap,
  fillGapUpwards,
  idsOf,
  joinPages,
  newerThan,
  toItems,
  withoutKnown,
  type Gap,
  type LoadedPage,
  type TimelineItem,
} from './timeline-items.ts';

const pageSize = 20;
/** After the stream opened. Doubled after each failure. */
const secondCollectionMs = 5_000;
const maxPauseMs = 60_000;

/** A list of posts, newest first, that is loaded on demand and kept while the client runs. */
export class Timeline {
  readonly source: TimelineSource;
  readonly items = signal<readonly TimelineItem[]>([]);
  /** New posts that wait until the reader wants to see them, newest first. */
  readonly waiting = signal<readonly TimelineItem[]>([]);
  readonly state = signal<'empty' | 'loading' | 'ready' | 'failed'>('empty');
  /** Whether the oldest post is loaded. */
  readonly isComplete = signal(false);
  error: unknown;
  /** Where the reader was, for a return to the page; undefined: at the top. */
  position: Position | undefined;
  #next: string | undefined;
  #first: Promise<void> | undefined;
  #loading: Promise<void> | undefined;
  #followers = 0;
  /** The newest post before the stream opened, and whether a collection succeeded, until all that was missed is there. */
  #missed: { readonly since: string; readonly isCollected: boolean } | undefined;
  #collectionTimer: ReturnType<typeof setTimeout> | undefined;
  #unsubscribe: (() => void) | undefined;
  #stopFollowing: (() => void) | undefined;

  constructor(source: TimelineSource) {
    this.source = source;
  }

  /** Whether the server does not know the timeline, such as that of a deleted list. */
  get isMissing(): boolean {
    const isUnknown = this.error instanceof ApiError && (this.error.status === 404 || this.error.status === 410);
    return this.state.value === 'failed' && isUnknown;
  }

  /** Loads the timeline unless that was done or began before. A failure is not repeated: `load` tries again. */
  loadOnce(): Promise<void> {
    return (this.#first ??= this.load());
  }

  /** Loads the newest page; after a reload of the window, also the posts where the reader was. */
  load(): Promise<void> {
    const saved = isOrderedById(this.source) ? findSavedPosition(this.source.key) : undefined;
    if (saved !== undefined) return this.openAt(saved);
    return this.#run(async () => {
      const page = await this.#request();
      this.items.value = toItems(toLoaded(page).ids);
      // Of those that arrived before it was loaded, the newest ones are in the page.
      this.waiting.value = newerThan(this.waiting.peek(), page.items[0]?.id);
      this.#setNext(page);
      this.#followRead(page);
    });
  }

  /**
   * Loads the newest page and the posts around a position, with a gap between them. Only the newest page if just that is
   * stored for the time without a connection.
   */
  openAt(position: Position): Promise<void> {
    return this.#run(async () => {
      const [newest, pages] = await Promise.all([this.#request(), this.#requestAround(position)]);
      this.waiting.value = [];
      if (pages === undefined) {
        scrollToTop();
        this.items.value = toItems(toLoaded(newest).ids);
        return this.#setNext(newest);
      }
      const [above, below] = pages;
      const around = { ids: [...toLoaded(above).ids, ...toLoaded(below).ids], isFull: toLoaded(above).isFull };
      this.position = position;
      this.items.value = joinPages(toLoaded(newest), around);
      this.#setNext(below.items.length === 0 ? newest : below);
    });
  }

  /** Loads the page after the oldest post. */
  loadOlder(): Promise<void> {
    const path = this.#next;
    if (path === undefined || this.isComplete.peek()) return Promise.resolve();
    return this.#run(async () => {
      const page = await requestPage<Status>(path);
      storeStatuses(page.items);
      const older = withoutKnown(toItems(toLoaded(page).ids), this.items.peek(), this.waiting.peek());
      this.items.value = [...this.items.peek(), ...older];
      this.#setNext(page);
      this.#followRead(page, path);
    });
  }

  /** Loads the newest page of a gap. */
  fillGap(gap: Gap): Promise<void> {
    return this.#run(async () => {
      const page = toLoaded(await this.#request({ max_id: gap.below, since_id: gap.above }));
      this.items.value = fillGap(this.items.peek(), gap, page);
    });
  }

  /** Loads the oldest page of a gap. `findPosition` tells what stays in place when the posts are inserted above it. */
  fillGapUpwards(gap: Gap, findPosition: () => Position | undefined): Promise<void> {
    return this.#run(async () => {
      const page = toLoaded(await this.#request({ max_id: gap.below, min_id: gap.above }));
      this.position = findPosition();
      this.items.value = fillGapUpwards(this.items.peek(), gap, page);
    });
  }

  /** Shows the waiting posts. */
  showWaiting(): void {
    this.items.value = [...withoutKnown(this.waiting.peek(), this.items.peek()), ...this.items.peek()];
    this.waiting.value = [];
    this.position = undefined;
  }

  /** Removes posts, such as those of an account that was blocked. */
  removeWhere(isRemoved: (id: string) => boolean): void {
    const isKept = (item: TimelineItem): boolean => item.kind === 'gap' || !isRemoved(item.id);
    if (!this.items.peek().every(isKept)) this.items.value = this.items.peek().filter(isKept);
    if (!this.waiting.peek().every(isKept)) this.waiting.value = this.waiting.peek().filter(isKept);
  }

  /**
   * Keeps the posts and receives new ones until the returned function is called. Home goes on, so that it is current on
   * return.
   */
  follow(): () => void {
    const release = keepStatuses(() => idsOf([...this.waiting.peek(), ...this.items.peek()]));
    const { streams, key } = this.source;
    if (streams === undefined) return release;
    this.#followers += 1;
    if (this.#unsubscribe === undefined) {
      const subscriptions = streams.map((stream, index) =>
        subscribe(stream, {
          onEvent: ({ event, payload = '' }) => {
            if (event === 'update') this.#receive(JSON.parse(payload) as Status);
            if (event === 'status.update') storeStatus(JSON.parse(payload) as Status);
          },
          // All streams open at once.
          onOpen: () => index === 0 && this.#collectAfterOpen(),
        }),
      );
      this.#unsubscribe = () => {
        for (const unsubscribe of subscriptions) unsubscribe();
      };
      if (this.state.peek() === 'ready') void this.#collectMissed();
    }
    return () => {
      release();
      this.#followers -= 1;
      if (this.#followers > 0 || key === 'home') return;
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
    };
  }

  /** Stores a post that the reader just sent, on top. */
  prepend(status: Status): void {
    storeStatus(status);
    this.#putFirst(status.id);
    // The page that is on its way may be older than the post.
    void this.#loading?.then(() => {
      if (!idsOf(this.items.peek()).includes(status.id)) this.#putFirst(status.id);
    });
  }

  #putFirst(id: string): void {
    this.removeWhere((other) => other === id);
    this.items.value = [...toItems([id]), ...this.items.peek()];
  }

  #receive(status: Status): void {
    storeStatus(status);
    if (this.source.query?.['only_media'] === true && (status.reblog ?? status).media_attachments.length === 0) return;
    const [item] = withoutKnown(toItems([status.id]), this.items.peek(), this.waiting.peek());
    if (item !== undefined) this.waiting.value = [item, ...this.waiting.peek()];
  }

  /**
   * Collects missed posts at once, and again until it succeeds: a post may be published before the subscription and stored
   * after the first request.
   */
  #collectAfterOpen(): void {
    const since = this.#newestId();
    // Posts that are still missing from an earlier time come before those that arrived since.
    if (since !== undefined && this.#missed?.isCollected !== false) this.#missed = { since, isCollected: false };
    void this.#collectMissed();
    this.#collectLater(secondCollectionMs);
  }

  #collectLater(pauseMs: number): void {
    clearTimeout(this.#collectionTimer);
    this.#collectionTimer = setTimeout(() => void this.#collectAgain(pauseMs), pauseMs);
  }

  async #collectAgain(pauseMs: number): Promise<void> {
    // The next opening of the stream or of the timeline collects what is missing.
    if (this.#unsubscribe === undefined || !isStreaming.peek()) return;
    if (await this.#collectMissed()) this.#missed = undefined;
    else this.#collectLater(Math.min(2 * pauseMs, maxPauseMs));
  }

  /** Adds missed posts to the waiting ones. Returns whether the server answered. */
  async #collectMissed(): Promise<boolean> {
    const since = this.#missed?.since ?? this.#newestId();
    if (since === undefined) {
      if (this.state.peek() === 'ready') await this.load();
      return this.state.peek() !== 'loading';
    }
    const page = await this.#request({ since_id: since }).catch(() => undefined);
    if (page === undefined) return false;
    const shown = this.items.peek();
    const isRepeated = this.#missed?.since === since && this.#missed.isCollected;
    this.waiting.value = addMissed(this.waiting.peek(), toLoaded(page), { shown, since, isRepeated });
    if (this.#missed?.since === since) this.#missed = { since, isCollected: true };
    return true;
  }

  #newestId(): string | undefined {
    return idsOf([...this.waiting.peek(), ...this.items.peek()])[0];
  }

  /** Returns the pages above and below a position; undefined without a connection. */
  async #requestAround({ id }: Position): Promise<readonly [Page<Status>, Page<Status>] | undefined> {
    try {
      const older = { max_id: String(BigInt(id) + 1n) };
      return await Promise.all([this.#request({ min_id: id }), this.#request(older)]);
    } catch (error) {
      if (error instanceof OfflineError) return undefined;
      throw error;
    }
  }

  async #request(query: Record<string, string> = {}): Promise<Page<Status>> {
    const { path, query: own, mayBeUnknown = false } = this.source;
    try {
      const page = await requestPage<Status>(path, { query: { limit: pageSize, ...own, ...query } });
      storeStatuses(page.items);
      return page;
    } catch (error) {
      if (mayBeUnknown && error instanceof ApiError && error.status === 404) return emptyPage;
      throw error;
    }
  }

  #setNext({ next, items }: Page<Status>): void {
    this.#next = next;
    this.isComplete.value = next === undefined || items.length === 0;
  }

  /**
   * Loads a page again once its server has read more posts of a profile. `path`: of an older page; undefined: the newest one,
   * unless the reader loaded more since.
   */
  #followRead({ refresh, items }: Page<Status>, path?: string): void {
    if (refresh === undefined || this.source.streams !== undefined) return;
    if (path !== undefined && items.length === pageSize) return;
    this.#stopFollowing?.();
    this.#stopFollowing = followRefresh(refresh, () => {
      if (path !== undefined) {
        [this.#next, this.isComplete.value] = [path, false];
        void this.loadOlder();
      } else if (this.items.peek().length <= pageSize) void this.load();
    });
  }

  /** Runs one load at a time; those that are asked for meanwhile join it. */
  #run(load: () => Promise<void>): Promise<void> {
    this.#loading ??= this.#runAlone(load).finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #runAlone(load: () => Promise<void>): Promise<void> {
    this.state.value = 'loading';
    try {
      await load();
      this.state.value = 'ready';
    } catch (error) {
      this.error = error;
      this.state.value = 'failed';
    }
  }
}

const emptyPage: Page<Status> = { items: [], next: undefined, previous: undefined, refresh: undefined };

/** Posts that were deleted while the page was loaded are not in the store. */
const toLoaded = ({ items }: Page<Status>): LoadedPage => ({
  ids: items.map(({ id }) => id).filter((id) => statusOf(id).peek() !== undefined),
  isFull: items.length === pageSize,
});

const timelines = new Map<string, Timeline>();

/** Returns the timeline of a source, which is kept while the client runs. */
export function timelineOf(source: TimelineSource): Timeline {
  let timeline = timelines.get(source.key);
  if (timeline === undefined) timelines.set(source.key, (timeline = new Timeline(source)));
  return timeline;
}

/** Returns all timelines that were shown. */
export const shownTimelines = (): Iterable<Timeline> => timelines.values();
