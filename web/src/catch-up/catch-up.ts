import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { findFilters, isHidden } from '../status/index.ts';
import type { Status } from '../api/entities.ts';
import { statusOf } from '../store/statuses.ts';
import { homeSource, type Timeline, timelineOf } from '../timeline/index.ts';
import type { HomeRow } from './group-posts.ts';
import { readingSeconds } from './reading-time.ts';

const pageSize = 40;
/** As many rows as home keeps of an account that is away. */
export const maxRows = 800;

/** The rows of home since a time, up to one of them. They are loaded page by page, and change as those of home do. */
export class CatchUp {
  readonly since: number;
  readonly until: string;
  readonly timeline: Timeline;
  readonly isLoading = signal(false);
  /** Whether older rows are missing: the load failed, was stopped, or came to the limit. */
  readonly isCut: ReadonlySignal<boolean>;
  /** Which part of the time is loaded, from 0 to 1. */
  readonly progress: ReadonlySignal<number>;
  /** When the oldest loaded row appeared. */
  readonly oldestAt: ReadonlySignal<number | undefined>;
  /** The rows that no filter hides, newest first. */
  readonly rows: ReadonlySignal<readonly HomeRow[]>;
  #isStopped = false;
  #known: readonly HomeRow[] = [];

  constructor(since: number, until: string) {
    this.since = since;
    this.until = until;
    const query = { limit: pageSize, max_id: String(BigInt(until) + 1n) };
    const key = `catch-up:${since}:${until}`;
    this.timeline = timelineOf({ key, path: homeSource.path, query, context: 'home' });
    const times = computed(() => this.#ids().flatMap(timeOf));
    this.oldestAt = computed(() => times.value.at(-1));
    this.progress = computed(() => this.#findProgress(times.value));
    this.isCut = computed(() => !this.isLoading.value && !this.timeline.isComplete.value && this.progress.value < 1);
    this.rows = computed(() => (this.#known = keepEqual(this.#known, this.#listRows())));
  }

  /** Loads what is missing, back to the time, unless that is on its way. */
  async load(): Promise<void> {
    if (this.isLoading.peek()) return;
    this.isLoading.value = true;
    this.#isStopped = false;
    if (this.timeline.items.peek().length === 0) await this.timeline.load();
    while (this.#mustLoadMore()) await this.timeline.loadOlder();
    this.isLoading.value = false;
  }

  /** Ends the load after the page that is on its way. What is loaded is shown. */
  stop(): void {
    this.#isStopped = true;
  }

  #mustLoadMore(): boolean {
    const { items, isComplete, state } = this.timeline;
    if (this.#isStopped || state.peek() !== 'ready' || isComplete.peek()) return false;
    return items.peek().length < maxRows && this.progress.peek() < 1;
  }

  #ids(): readonly string[] {
    return this.timeline.items.value.flatMap((item) => (item.kind === 'status' ? [item.id] : []));
  }

  #findProgress(times: readonly number[]): number {
    const [newest, oldest] = [times[0], times.at(-1)];
    if (newest === undefined || oldest === undefined) return 0;
    return oldest <= this.since ? 1 : (newest - oldest) / Math.max(1, newest - this.since);
  }

  #listRows(): readonly HomeRow[] {
    return this.#ids()
      .slice(0, maxRows)
      .flatMap((id) => {
        const status = statusOf(id).value;
        if (status === undefined || isHidden(findFilters(status, 'home'))) return [];
        const row = rowOf(status);
        return row.at >= this.since ? [row] : [];
      });
  }
}

const timeOf = (id: string): number[] => {
  const status = statusOf(id).value;
  return status === undefined ? [] : [Date.parse(status.created_at)];
};

const rowsByStatus = new WeakMap<Status, HomeRow>();

function rowOf(status: Status): HomeRow {
  const known = rowsByStatus.get(status);
  if (known !== undefined) return known;
  const row = toRow(status);
  rowsByStatus.set(status, row);
  return row;
}

function toRow(status: Status): HomeRow {
  const shown = status.reblog ?? status;
  return {
    id: status.id,
    statusId: shown.id,
    authorId: shown.account.id,
    byId: status.account.id,
    isBoost: status.reblog !== null,
    parentId: shown.in_reply_to_id,
    hasMedia: shown.media_attachments.length > 0,
    at: Date.parse(status.created_at),
    seconds: readingSeconds(shown),
  };
}

/** Returns the rows as they were before where nothing changed that matters here, such as who favourited a post. */
function keepEqual(before: readonly HomeRow[], rows: readonly HomeRow[]): readonly HomeRow[] {
  const known = new Map(before.map((row) => [row.id, row]));
  const next = rows.map((row) => {
    const old = known.get(row.id);
    return old !== undefined && JSON.stringify(old) === JSON.stringify(row) ? old : row;
  });
  return next.length === before.length && next.every((row, index) => row === before[index]) ? before : next;
}

const catchUps = new Map<string, CatchUp>();

/** Returns the rows since a time up to one of home, which are kept while the client runs. */
export function catchUpOf(since: number, until: string): CatchUp {
  const key = `${since}:${until}`;
  let found = catchUps.get(key);
  if (found === undefined) catchUps.set(key, (found = new CatchUp(since, until)));
  return found;
}
