import type { Static } from 'typebox';
import { perApp } from '../../platform/app.ts';
import { compareIds, type AccountId, type StatusId, type TagId } from '../../platform/ids.ts';
import { type FanOutPart, fanOutParts, type statusFannedOut } from '../events.ts';

/** A new status or reblog that is not in all feeds yet. */
export interface PendingStatus {
  readonly id: StatusId;
  readonly authorId: AccountId;
  /** The reblogged status, of a reblog. */
  readonly reblogOfId: StatusId | undefined;
  /** Hashtags of a public status. */
  readonly tagIds: readonly TagId[];
  /** Whether it may have hashtags. */
  readonly isTagged: boolean;
  /** The parts of its fan-out that are not finished. */
  readonly parts: ReadonlySet<FanOutPart>;
  /** When this process learned of it, in milliseconds since the epoch. */
  readonly since: number;
}

/** The finished parts of a fan-out, and when this process learned of the first. */
type FinishedParts = Pick<PendingStatus, 'parts' | 'since'>;

/** A failed fan-out is retried for days. Until then its statuses are missing from stored feeds. */
const maxAgeMs = 5 * 60_000;
/** Statuses that wait if the queue of feeds has a backlog. */
const maxPending = 2_000;
/** Earlier reblogs of a status that are compared with a new one. */
const maxEarlier = 20;

/** What an event reports about a status. */
interface Posted {
  readonly statusId: StatusId;
  readonly accountId: AccountId;
  readonly reblogOfId?: StatusId;
  readonly tagIds?: readonly TagId[];
  /** Whether it has hashtags. */
  readonly tags?: boolean;
}

/**
 * The statuses whose fan-out is not finished, as far as this process knows. Streams send a status before it is in feeds,
 * and reads merge it, so that the two agree.
 */
export class PendingStatuses {
  /** In the order of arrival. */
  readonly #statuses = new Map<StatusId, PendingStatus>();
  /** The reports of a post and of its fan-out may arrive in any order, so finished parts are remembered. */
  readonly #finished = new Map<StatusId, FinishedParts>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#statuses.size;
  }

  /** Adds a status, or what another event of the same transaction reports about it. Evicts the oldest of too many. */
  add({ statusId: id, accountId: authorId, reblogOfId, tagIds, tags }: Posted): void {
    const known = this.#statuses.get(id);
    const parts = known?.parts ?? new Set(fanOutParts).difference(this.#finished.get(id)?.parts ?? new Set());
    if (parts.size === 0) return;
    this.#statuses.set(id, {
      id,
      authorId,
      reblogOfId: reblogOfId ?? known?.reblogOfId,
      tagIds: tagIds ?? known?.tagIds ?? [],
      isTagged: tags ?? known?.isTagged ?? reblogOfId === undefined,
      parts,
      since: known?.since ?? this.#now(),
    });
    this.#evict(this.#statuses);
  }

  find(id: StatusId): PendingStatus | undefined {
    return this.#statuses.get(id);
  }

  /** Removes finished parts of a fan-out, and the status after the last one. */
  finish({ statusId, parts }: Static<typeof statusFannedOut.schema>): void {
    const { parts: others = [], since = this.#now() } = this.#finished.get(statusId) ?? {};
    const finished = new Set([...others, ...parts]);
    this.#finished.set(statusId, { parts: finished, since });
    this.#evict(this.#finished);
    const status = this.#statuses.get(statusId);
    if (status === undefined) return;
    const rest = status.parts.difference(finished);
    if (rest.size === 0) this.#statuses.delete(statusId);
    else this.#statuses.set(statusId, { ...status, parts: rest });
  }

  /** Returns all pending statuses. */
  list(): readonly PendingStatus[] {
    if (this.#statuses.size === 0) return none;
    this.#evict(this.#statuses);
    return [...this.#statuses.values()];
  }

  /** Whether a status may have hashtags, as far as this process knows. */
  mayHaveTags(id: StatusId): boolean {
    return this.#statuses.get(id)?.isTagged ?? true;
  }

  /** Returns the original of a pending reblog and earlier reblogs of it, as far as they are pending too. */
  listEarlier(id: StatusId): StatusId[] {
    const originalId = this.#statuses.get(id)?.reblogOfId;
    if (originalId === undefined) return [];
    return this.list()
      .filter((other) => other.id === originalId || other.reblogOfId === originalId)
      .map((other) => other.id)
      .filter((other) => compareIds(other, id) < 0)
      .slice(-maxEarlier);
  }

  #evict(reports: Map<StatusId, { readonly since: number }>): void {
    const oldest = this.#now() - maxAgeMs;
    for (const [id, { since }] of reports) {
      if (since >= oldest && reports.size <= maxPending) return;
      reports.delete(id);
    }
  }
}

const none: readonly PendingStatus[] = [];

export const pendingStatuses = perApp((app) => new PendingStatuses(() => app.clock.now().getTime()));
