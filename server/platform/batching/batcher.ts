import { currentSpan, inSharedSpan, type Span } from '../tracing/span.ts';

/** One item of a batch, with the promise of its caller. */
export interface BatchEntry<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Bounds the items that are not in a batch yet. Those beyond the bounds are rejected with `createError()`. */
export interface WaitingLimit {
  readonly maxItems: number;
  /** Maximum time that an item waits, in milliseconds. It may wait up to twice as long. */
  readonly maxWaitMs?: number;
  readonly createError: () => Error;
}

export interface BatcherOptions<Item, Result> {
  readonly maxBatchSize: number;
  /** Starts a batch only when the previous one has finished; otherwise batches overlap. */
  readonly isSequential: boolean;
  readonly waitingLimit?: WaitingLimit | undefined;
  /**
   * How long the next batch waits for as many items, in milliseconds since the answers to a batch of several items or with
   * others waiting: callers who were answered together tend to come again. For sequential batches. Default: not at all.
   */
  readonly lingerMs?: number | undefined;
  /** Whether two items may share a batch. Order is kept: a batch ends before the first item that may not join it. */
  readonly canShareBatch?: ((first: Item, next: Item) => boolean) | undefined;
  /** Resolves or rejects every entry. If it throws, the entries that it left open are rejected. */
  readonly run: (batch: readonly BatchEntry<Item, Result>[]) => Promise<void>;
}

interface WaitingEntry<Item, Result> extends BatchEntry<Item, Result> {
  /** Time at which it was added, in milliseconds. */
  readonly since: number;
  /** That it was added in. */
  readonly span: Span | undefined;
}

/**
 * Collects items that arrive in one turn of the event loop, or while a sequential batch runs, and runs them together in
 * the order of arrival. The only batching primitive: `groupCommit` and `batchedQuery` use it.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  #waiting: WaitingEntry<Item, Result>[] = [];
  #expiryTimer: NodeJS.Timeout | undefined;
  #isScheduled = false;
  /** Ends the wait for more items. */
  #onEnough: (() => void) | undefined;
  #expected = 0;
  /** Items of the batch that runs, until the first is answered. */
  #running = 0;
  #endedAt = 0;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    const { waitingLimit } = this.#options;
    if (waitingLimit !== undefined && this.#waiting.length >= waitingLimit.maxItems)
      return Promise.reject(waitingLimit.createError());
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const answer = (result: Result): void => {
      this.#noteAnswer();
      resolve(result);
    };
    this.#waiting.push({ item, resolve: answer, reject, since: performance.now(), span: currentSpan() });
    this.#watchExpiry();
    if (this.#waiting.length >= this.#expected) this.#onEnough?.();
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      // Requests that arrived in the same packet are parsed before the batch starts.
      setImmediate(() => void this.#runAll());
    }
    return promise;
  }

  /** Looks for items that waited too long, while there are any. One timer serves all of them. */
  #watchExpiry(): void {
    const { waitingLimit } = this.#options;
    if (waitingLimit?.maxWaitMs === undefined || this.#expiryTimer !== undefined) return;
    const { maxWaitMs, createError } = waitingLimit;
    this.#expiryTimer = setTimeout(() => {
      this.#expiryTimer = undefined;
      const latest = performance.now() - maxWaitMs;
      const expired = this.#waiting.filter(({ since }) => since <= latest);
      this.#waiting = this.#waiting.filter(({ since }) => since > latest);
      for (const { reject } of expired) reject(createError());
      if (this.#waiting.length > 0) this.#watchExpiry();
    }, maxWaitMs).unref();
  }

  async #runAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#options.lingerMs !== undefined) await this.#linger(this.#options.lingerMs);
      const batch = this.#takeBatch();
      this.#expected = 0;
      this.#running = batch.length;
      const running = this.#run(batch);
      if (this.#options.isSequential) await running;
    }
    this.#isScheduled = false;
  }

  /** Counts those who are in the batch or wait, before any of them can come again. */
  #noteAnswer(): void {
    if (this.#running === 0) return;
    this.#expected = Math.min(this.#running + this.#waiting.length, this.#options.maxBatchSize);
    this.#running = 0;
    this.#endedAt = performance.now();
  }

  /** Waits until as many items are there as during the last batch, but not long. One item after another never waits. */
  async #linger(ms: number): Promise<void> {
    const rest = this.#endedAt + ms - performance.now();
    if (this.#expected <= 1 || this.#waiting.length >= this.#expected || rest <= 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEnough = resolve;
    const timer = setTimeout(resolve, rest);
    await promise;
    clearTimeout(timer);
    this.#onEnough = undefined;
  }

  /** Never throws: an error of one batch must not keep the next ones waiting. */
  async #run(batch: readonly WaitingEntry<Item, Result>[]): Promise<void> {
    try {
      await inSharedSpan(batch, () => this.#options.run(batch));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #takeBatch(): WaitingEntry<Item, Result>[] {
    const { maxBatchSize, canShareBatch } = this.#options;
    const [first] = this.#waiting;
    if (canShareBatch === undefined || first === undefined) return this.#waiting.splice(0, maxBatchSize);
    const end = this.#waiting.findIndex(({ item }, index) => index > 0 && !canShareBatch(first.item, item));
    return this.#waiting.splice(0, Math.min(end === -1 ? maxBatchSize : end, maxBatchSize));
  }
}
