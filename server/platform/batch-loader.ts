/**
 * Joins what is asked for within one turn of the event loop into one load, such as the answers to requests that one
 * transaction served. A load begins after all that it answers was asked for; when it fails, it fails for each.
 */
export class BatchLoader<Key, Value> {
  readonly #load: (keys: Key[]) => Promise<readonly Value[]>;
  readonly #keyOf: (value: Value) => Key;
  #pendingKeys = new Set<Key>();
  #loading: Promise<Map<Key, Value>> | undefined;

  /** `load` may leave keys out and gives the values in any order; `keyOf` tells under what key each is handed out. */
  constructor(load: (keys: Key[]) => Promise<readonly Value[]>, keyOf: (value: Value) => Key) {
    this.#load = load;
    this.#keyOf = keyOf;
  }

  /** The values of these keys, as far as they exist, and maybe others. */
  get(keys: Iterable<Key>): Promise<ReadonlyMap<Key, Value>> {
    for (const key of keys) this.#pendingKeys.add(key);
    this.#loading ??= this.#loadBatch();
    return this.#loading;
  }

  async #loadBatch(): Promise<Map<Key, Value>> {
    await new Promise((resolve) => setImmediate(resolve));
    const keys = [...this.#pendingKeys];
    this.#pendingKeys = new Set();
    this.#loading = undefined;
    const values = await this.#load(keys);
    return new Map(values.map((value) => [this.#keyOf(value), value]));
  }
}
