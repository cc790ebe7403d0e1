import { toError } from './errors.ts';

interface WaitingTask {
  readonly start: () => void;
  readonly refuse: (reason: unknown) => void;
}

interface OwnerQueue {
  running: number;
  /** Oldest first. */
  readonly waiting: WaitingTask[];
}

/** Bounds of the tasks that wait for a slot. A task beyond them rejects. */
export interface WaitingLimits {
  readonly maxTasks?: number;
  readonly maxTasksOfOwner?: number;
  readonly maxWaitMs?: number;
  readonly createError: () => Error;
}

/**
 * Limits how many tasks run at a time. Owners with waiting tasks take turns, and no owner takes the last free slot: the
 * first task of another owner waits for at most one running task. An owner with many waiting tasks does not take the
 * places of others either: if all places are taken, the newest task of the owner with the most makes room.
 */
export class FairSemaphore {
  readonly #maxPerOwner: number;
  readonly #limits: WaitingLimits | undefined;
  /** Owners with running or waiting tasks, in order of their last turn. */
  readonly #owners = new Map<string, OwnerQueue>();
  #free: number;
  #waitingCount = 0;

  constructor(max: number, limits?: WaitingLimits) {
    this.#free = max;
    this.#maxPerOwner = Math.max(1, max - 1);
    this.#limits = limits;
  }

  /** Runs a task when it is its turn. A signal that aborts before that rejects with its reason. */
  async run<Result>(name: string, run: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    const owner: OwnerQueue = this.#owners.get(name) ?? { running: 0, waiting: [] };
    this.#owners.set(name, owner);
    // A task that waits while a slot is free is one of an owner that has all it may have.
    if (this.#free > 0 && owner.running < this.#maxPerOwner) this.#take(name, owner);
    else await this.#wait(name, owner, signal);
    try {
      return await run();
    } finally {
      this.#free += 1;
      owner.running -= 1;
      this.#deleteIdle(name, owner);
      this.#startNext();
    }
  }

  #wait(name: string, owner: OwnerQueue, signal: AbortSignal | undefined): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const { maxWaitMs, createError } = this.#limits ?? {};
      const stopWaiting = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
      };
      const task: WaitingTask = {
        start: () => {
          stopWaiting();
          resolve();
        },
        refuse: (reason) => {
          stopWaiting();
          owner.waiting.splice(owner.waiting.indexOf(task), 1);
          this.#waitingCount -= 1;
          this.#deleteIdle(name, owner);
          reject(toError(reason));
        },
      };
      const leave = (): void => task.refuse(signal?.reason);
      const timer = maxWaitMs === undefined ? undefined : setTimeout(() => task.refuse(createError?.()), maxWaitMs);
      signal?.addEventListener('abort', leave, { once: true });
      owner.waiting.push(task);
      this.#waitingCount += 1;
      this.#refuseExcess(owner);
    });
  }

  /** Called after a task of `owner` began to wait. Refuses a task if more wait than may. */
  #refuseExcess(owner: OwnerQueue): void {
    if (this.#limits === undefined) return;
    const { maxTasks = Infinity, maxTasksOfOwner = Infinity, createError } = this.#limits;
    if (owner.waiting.length > maxTasksOfOwner) owner.waiting.at(-1)?.refuse(createError());
    if (this.#waitingCount <= maxTasks) return;
    const largest = [...this.#owners.values()].reduce(
      (most, other) => (other.waiting.length > most.waiting.length ? other : most),
      owner,
    );
    largest.waiting.at(-1)?.refuse(createError());
  }

  #deleteIdle(name: string, owner: OwnerQueue): void {
    if (owner.running === 0 && owner.waiting.length === 0) this.#owners.delete(name);
  }

  #startNext(): void {
    if (this.#free === 0) return;
    for (const [name, owner] of this.#owners) {
      if (owner.running >= this.#maxPerOwner) continue;
      const task = owner.waiting.shift();
      if (task === undefined) continue;
      this.#waitingCount -= 1;
      this.#take(name, owner);
      return task.start();
    }
  }

  /** Takes a slot; other owners have their turn first from now on. */
  #take(name: string, owner: OwnerQueue): void {
    this.#free -= 1;
    owner.running += 1;
    this.#owners.delete(name);
    this.#owners.set(name, owner);
  }
}
