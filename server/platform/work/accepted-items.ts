/** Accepts items for a worker without a claim. */
export interface Room<Item> {
  /** Reserves room for items of an open transaction. Returns false if there is too little. */
  reserve(items: number): boolean;
  /** Runs items, which frees the room that was reserved for them. */
  start(items: readonly Item[]): void;
  /** Frees room. */
  cancel(items: number): void;
}

/** Items that wait for the next turn of their worker, and those that open transactions may add. Bounded. */
export class AcceptedItems<Item> implements Room<Item> {
  readonly #maxItems: number;
  readonly #canAccept: () => boolean;
  #onStart: (() => void) | undefined;
  #waiting: Item[] = [];
  #reserved = 0;

  constructor(maxItems: number, canAccept: () => boolean) {
    this.#maxItems = maxItems;
    this.#canAccept = canAccept;
  }

  /** Accepts items from now on. `onStart`: makes the worker take them. */
  open(onStart: () => void): void {
    this.#onStart = onStart;
  }

  close(): void {
    this.#onStart = undefined;
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
    this.#onStart?.();
  }

  cancel(items: number): void {
    this.#reserved -= items;
  }

  take(): readonly Item[] {
    return this.#waiting.splice(0);
  }
}
