interface OwnerQueue {
  running: number;
  /** Resolvers of waiting tasks, oldest first. */
  readonly waiting: (() => void)[];
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

  async run<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    const owner: OwnerQueue = this.#owners.get(name) ?? { running: 0, waiting: [] };
    this.#owners.set(name, owner);
    await new Promise<void>((resolve) => {
      owner.waiting.push(resolve);
      this.#startNext();
    });
    try {
      return await run();
    } finally {
      this.#free += 1;
      owner.running -= 1;
      if (owner.running === 0 && owner.waiting.length === 0) this.#owners.delete(name);
      this.#startNext();
    }
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
