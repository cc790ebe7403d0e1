import { perApp } from '../app.ts';
import { DatabaseUnavailable, lockNotAvailable } from '../wire/database-unavailable.ts';

/** A write that failed in a group. `run` and `reject` settle the promise of its caller. */
export interface LaneTask {
  /** Runs in a transaction of its own. Throws if a lock is not available within `lockMs`. */
  readonly run: (lockMs: number) => Promise<void>;
  readonly reject: (error: unknown) => void;
}

interface QueuedTask extends LaneTask {
  readonly deadline: number;
  readonly expiry: NodeJS.Timeout;
}

/** Each lane takes a connection of the pool. */
const laneCount = 3;
/** Maximum time that a write waits for locks and a lane in total. A longer attempt is completed. */
const maxWaitMs = 15_000;
/** Lock timeout of a group, and of the first attempt alone. */
export const firstLockTimeoutMs = 100;
const retryLockTimeoutMs = 1_000;

/** Returns whether a statement exceeded `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.code === lockNotAvailable;

/**
 * Runs writes in transactions of their own, a few at a time for the whole App. Writes that wait for a lock take turns,
 * and always leave a lane to untried writes, so that these do not wait for rows they do not need. A write that is not
 * running when its time is over is rejected, so that slow writes do not delay those behind them for ever.
 */
export class RetryLanes {
  readonly #untried: QueuedTask[] = [];
  readonly #blocked: QueuedTask[] = [];
  readonly #maxWaitMs: number;
  #running = 0;
  #blockedCount = 0;

  constructor(waitMs = maxWaitMs) {
    this.#maxWaitMs = waitMs;
  }

  add(task: LaneTask): void {
    const queued: QueuedTask = {
      ...task,
      deadline: performance.now() + this.#maxWaitMs,
      expiry: setTimeout(() => this.#expire(queued), this.#maxWaitMs),
    };
    this.#untried.push(queued);
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
    if (!this.#blocked.includes(task)) clearTimeout(task.expiry);
    this.#running -= 1;
    if (isBlocked) this.#blockedCount -= 1;
    this.#startNext();
  }

  /** Rejects a task that waits for a lane. */
  #expire(task: QueuedTask): void {
    for (const queue of [this.#untried, this.#blocked]) {
      const index = queue.indexOf(task);
      if (index === -1) continue;
      queue.splice(index, 1);
      task.reject(new DatabaseUnavailable(new Error('a write waited too long for its turn')));
    }
  }
}

/** Lanes shared by all group commits of an App. */
export const retryLanes = perApp(() => new RetryLanes());
