import { signal } from '@preact/signals';
import { requestPage, type Page } from '../api/client.ts';
import type { Status } from '../api/entities.ts';
import { subscribe } from '../api/stream.ts';
import { removeStatus, storeStatus, storeStatuses } from '../store/statuses.ts';
import type { TimelineSource } from './sources.ts';

/** A row of a timeline: a post, or a gap between posts that can be loaded. */
export type TimelineItem =
  | { readonly kind: 'status'; readonly id: string }
  | { readonly kind: 'gap'; readonly below: string; readonly above: string };

const pageSize = 20;

/** A list of posts, newest first, that is loaded on demand and kept while the client runs. */
export class Timeline {
  readonly source: TimelineSource;
  readonly items = signal<readonly TimelineItem[]>([]);
  /** New posts that wait until the reader wants to see them, newest first. */
  readonly waiting = signal<readonly string[]>([]);
  readonly state = signal<'empty' | 'loading' | 'ready' | 'failed'>('empty');
  /** Whether the oldest post is loaded. */
  readonly isComplete = signal(false);
  error: unknown;
  /** Where the reader was, for a return to the page. */
  position: { readonly offset: number; readonly cache: unknown } | undefined;
  #next: string | undefined;
  #loading: Promise<void> | undefined;

  constructor(source: TimelineSource) {
    this.source = source;
  }

  /** Loads the newest page. */
  load(): Promise<void> {
    return this.#run(async () => {
      const page = await this.#request(this.source.path);
      this.items.value = toItems(page.items);
      this.#setNext(page);
    });
  }

  /** Loads the page after the oldest post. */
  loadOlder(): Promise<void> {
    const path = this.#next;
    if (path === undefined || this.isComplete.peek()) return Promise.resolve();
    return this.#run(async () => {
      const page = await requestPage<Status>(path);
      storeStatuses(page.items);
      this.items.value = [...this.items.peek(), ...this.#unknown(toItems(page.items))];
      this.#setNext(page);
    });
  }

  /** Loads posts that are newer than the newest one. More than a page leaves a gap. */
  async loadNewer(): Promise<void> {
    const newest = this.#newestId();
    if (newest === undefined) return this.load();
    return this.#run(async () => {
      const page = await this.#request(this.source.path, { since_id: newest });
      const items = this.#unknown(toItems(page.items));
      const oldest = page.items.at(-1)?.id;
      const hasGap = page.items.length === pageSize && oldest !== undefined;
      this.waiting.value = [];
      this.items.value = [
        ...items,
        ...(hasGap ? [{ kind: 'gap' as const, below: oldest, above: newest }] : []),
        ...this.items.peek(),
      ];
    });
  }

  /** Loads the newest page of a gap. */
  fillGap(gap: Extract<TimelineItem, { kind: 'gap' }>): Promise<void> {
    return this.#run(async () => {
      const page = await this.#request(this.source.path, { max_id: gap.below, since_id: gap.above });
      const items = this.#unknown(toItems(page.items));
      const oldest = page.items.at(-1)?.id;
      const rest = page.items.length === pageSize && oldest !== undefined ? [{ ...gap, below: oldest }] : [];
      this.items.value = this.items.peek().flatMap((item) => (item === gap ? [...items, ...rest] : [item]));
    });
  }

  /** Shows the waiting posts. */
  showWaiting(): void {
    this.items.value = [...this.waiting.peek().map((id) => ({ kind: 'status' as const, id })), ...this.items.peek()];
    this.waiting.value = [];
  }

  /** Removes posts, such as those of an account that was blocked. */
  removeWhere(isRemoved: (id: string) => boolean): void {
    this.items.value = this.items.peek().filter((item) => item.kind === 'gap' || !isRemoved(item.id));
    this.waiting.value = this.waiting.peek().filter((id) => !isRemoved(id));
  }

  /** Receives new posts until the returned function is called. */
  follow(): () => void {
    const { stream } = this.source;
    if (stream === undefined) return () => undefined;
    return subscribe(stream, {
      onEvent: ({ event, payload = '' }) => {
        if (event === 'update') this.#receive(JSON.parse(payload) as Status);
        if (event === 'status.update') storeStatus(JSON.parse(payload) as Status);
        if (event === 'delete') {
          removeStatus(payload);
          this.removeWhere((id) => id === payload);
        }
      },
      onReconnect: () => void this.#collectMissed(),
    });
  }

  /** Stores a post that the reader just sent, on top. */
  prepend(status: Status): void {
    storeStatus(status);
    this.items.value = [...this.#unknown(toItems([status])), ...this.items.peek()];
  }

  #receive(status: Status): void {
    storeStatus(status);
    if (this.#unknown(toItems([status])).length > 0) this.waiting.value = [status.id, ...this.waiting.peek()];
  }

  /** Adds the posts to the waiting ones that came while the stream was closed. */
  async #collectMissed(): Promise<void> {
    const newest = this.waiting.peek()[0] ?? this.#newestId();
    if (newest === undefined) return;
    const page = await this.#request(this.source.path, { min_id: newest }).catch(() => undefined);
    for (const status of page?.items.toReversed() ?? []) this.#receive(status);
  }

  #newestId(): string | undefined {
    const first = this.items.peek().find((item) => item.kind === 'status');
    return first?.kind === 'status' ? first.id : undefined;
  }

  /** Returns the items whose posts are neither shown nor waiting. */
  #unknown(items: readonly TimelineItem[]): readonly TimelineItem[] {
    const known = new Set([
      ...this.items.peek().flatMap((item) => (item.kind === 'status' ? [item.id] : [])),
      ...this.waiting.peek(),
    ]);
    return items.filter((item) => item.kind === 'gap' || !known.has(item.id));
  }

  async #request(path: string, query: Record<string, string> = {}): Promise<Page<Status>> {
    const page = await requestPage<Status>(path, { query: { limit: pageSize, ...this.source.query, ...query } });
    storeStatuses(page.items);
    return page;
  }

  #setNext({ next, items }: Page<Status>): void {
    this.#next = next;
    this.isComplete.value = next === undefined || items.length === 0;
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

const toItems = (statuses: readonly Status[]): TimelineItem[] =>
  statuses.map(({ id }) => ({ kind: 'status' as const, id }));

const timelines = new Map<string, Timeline>();

/** Returns the timeline of a source, which is kept while the client runs. */
export function timelineOf(source: TimelineSource): Timeline {
  let timeline = timelines.get(source.key);
  if (timeline === undefined) timelines.set(source.key, (timeline = new Timeline(source)));
  return timeline;
}

/** Returns all timelines that were shown. */
export const shownTimelines = (): Iterable<Timeline> => timelines.values();
