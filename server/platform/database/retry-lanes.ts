import { perApp } from '../app.ts';
import { DatabaseUnavailable, lockNotAvailable } from './database-unavailable.ts';

/** A write that a group could not do. It settles whoever waits for it, by `fail` too. */
export interface LaneTask {
  /** Runs in a transaction of its own. Throws when a lock is not to be had within `lockMs`. */
  readonly run: (lockMs: number) => Promise<void>;
  readonly reject: (error: unknown) => void;
}

interface QueuedTask extends LaneTask {
  readonly deadline: number;
}

/** Each takes a connection of the pool. */
const laneCount = 3;
/** How long a write may wait for locks altogether. */
const maxWaitMs = 15_000;
/** How long the first attempt waits for a lock, and a group. */
export const firstLockTimeoutMs = 100;
const retryLockTimeoutMs = 1_000;

/** Says whether a statement gave up on a lock that another transaction holds. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.code === lockNotAvailable;

/**
 * Runs writes each in a transaction of its own, a few side by side for the whole App. Those that wait for a lock take
 * turns and always leave a lane to those that were not tried yet, so that nobody waits for a row they do not need.
 */
class RetryLanes {
  readonly #untried: QueuedTask[] = [];
  readonly #blocked: QueuedTask[] = [];
  #running = 0;
  #blockedCount = 0;

  add(task: LaneTask): void {
    this.#untried.push({ ...task, deadline: performance.now() + maxWaitMs });
    this.#startNext();
  }

  #startNext(): void {
    while (this.#running < laneCount) {
      const untried = this.#untried.shift();
      const task = untried ?? (this.#blockedCount < laneCount - 1 ? this.#blocked.shift() : undefined);
      if (task === undefined) return;
      void this.#run(task, untried === undefined);
    }
  }

  async #run(task: QueuedTask, isBlocked: boolean): Promise<void> {
    this.#running += 1;
    if (isBlocked) this.#blockedCount += 1;
    try {
      await task.run(isBlocked ? retryLockTimeoutMs : firstLockTimeoutMs);
    } catch (error) {
      if (isLockTimeout(error) && performance.now() < task.deadline) this.#blocked.push(task);
      else task.reject(error);
    }
    this.#running -= 1;
    if (isBlocked) this.#blockedCount -= 1;
    this.#startNext();
  }
}

/** The lanes that all group commits of an App share. */
export const retryLanes = perApp(() => new RetryLanes());
