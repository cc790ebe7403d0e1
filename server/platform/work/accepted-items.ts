/** Accepts items for a worker without a claim. */
export interface Room<Item> {
  /** Reserves room for items of an open transaction. Returns false if there is too little. */
  reserve(items: number): boolean;
  /** Runs items, which frees the room that was reserved for them. */
  start(items: readonly Item[]): void;
  /** Frees room. */
  cancel(items: number): void;
}

/**
 * Minimum time between two turns that take items. Those that arrive in between share statements, and what they store shares
 * them as well. An item that arrives alone never waits.
 */
const defaultGatherMs = 50;

/** Items that wait for the next turn of their worker, and those that open transactions may add. Bounded. */
export class AcceptedItems<Item> implements Room<Item> {
  readonly #maxItems: number;
  readonly #canAccept: () => boolean;
  readonly #gatherMs: number;
  #onStart: (() => void) | undefined;
  #waiting: Item[] = [];
  #reserved = 0;
  #lastTakenAt = -Infinity;
  /** Set while the items wait for others. */
  #timer: NodeJS.Timeout | undefined;

  constructor(maxItems: number, canAccept: () => boolean, gatherMs = defaultGatherMs) {
    this.#maxItems = maxItems;
    this.#canAccept = canAccept;
    this.#gatherMs = gatherMs;
  }

  /** Accepts items from now on. `onStart`: makes the worker take them. */
  open(onStart: () => void): void {
    this.#onStart = onStart;
  }

  /** Accepts nothing more. What waits can be taken at once. */
  close(): void {
    this.#onStart = undefined;
    this.#endWait();
  }

  reserve(items: number): boolean {
    const isFull = this.#reserved + this.#waiting.length + items > this.#maxItems;
    if (this.#onStart === undefined || isFull || !this.#canAccept()) return false;
    this.#reserved += items;
    return true;
  }

  start(items: readonly Item[]): void {
    this.#reserved -= items.length;
    this.#waiting.push(...items);
    const waitMs = this.#lastTakenAt + this.#gatherMs - performance.now();
    if (this.#onStart === undefined || waitMs <= 0 || this.#waiting.length >= this.#maxItems / 2) this.#startTurn();
    else this.#timer ??= setTimeout(() => this.#startTurn(), waitMs);
  }

  cancel(items: number): void {
    this.#reserved -= items;
  }

  /** Returns the items, unless they wait for others. */
  take(): readonly Item[] {
    if (this.#timer !== undefined || this.#waiting.length === 0) return [];
    this.#lastTakenAt = performance.now();
    return this.#waiting.splice(0);
  }

  #startTurn(): void {
    this.#endWait();
    this.#onStart?.();
  }

  #endWait(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
