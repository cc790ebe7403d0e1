interface OwnerQueue {
  running: number;
  /** Resolvers of waiting tasks, oldest first. */
  readonly waiting: (() => void)[];
}

/** Tasks that wait for a slot. */
interface WaitingCount {
  readonly total: number;
  readonly ofOwner: number;
}

/**
 * Limits how many tasks run at a time. Owners with waiting tasks take turns, and no owner takes the last free slot: the
 * first task of another owner waits for at most one running task.
 */
export class FairSemaphore {
  readonly #maxPerOwner: number;
  /** Owners with running or waiting tasks, in order of their last turn. */
  readonly #owners = new Map<string, OwnerQueue>();
  #free: number;

  constructor(max: number) {
    this.#free = max;
    this.#maxPerOwner = Math.max(1, max - 1);
  }

  /** Runs a task when it is its turn. A signal that aborts before that rejects with its reason. */
  async run<Result>(name: string, run: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    const owner: OwnerQueue = this.#owners.get(name) ?? { running: 0, waiting: [] };
    this.#owners.set(name, owner);
    await this.#wait(name, owner, signal);
    try {
      return await run();
    } finally {
      this.#free += 1;
      owner.running -= 1;
      this.#deleteIdle(name, owner);
      this.#startNext();
    }
  }

  countWaiting(name: string): WaitingCount {
    const counts = this.#owners.values().map(({ waiting }) => waiting.length);
    return {
      total: counts.reduce((sum, count) => sum + count, 0),
      ofOwner: this.#owners.get(name)?.waiting.length ?? 0,
    };
  }

  #wait(name: string, owner: OwnerQueue, signal: AbortSignal | undefined): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        owner.waiting.splice(owner.waiting.indexOf(start), 1);
        this.#deleteIdle(name, owner);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      owner.waiting.push(start);
      this.#startNext();
    });
  }

  #deleteIdle(name: string, owner: OwnerQueue): void {
    if (owner.running === 0 && owner.waiting.length === 0) this.#owners.delete(name);
  }

  #startNext(): void {
    if (this.#free === 0) return;
    for (const [name, owner] of this.#owners) {
      if (owner.running >= this.#maxPerOwner) continue;
      const start = owner.waiting.shift();
      if (start === undefined) continue;
      this.#free -= 1;
      owner.running += 1;
      this.#owners.delete(name);
      this.#owners.set(name, owner);
      return start();
    }
  }
}
