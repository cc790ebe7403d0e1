import { perApp, rootApp, type App } from '../app.ts';
import { Batcher, type BatchEntry } from '../batching/batcher.ts';
import { CacheEntries, type CacheBounds } from './cache-entries.ts';
import { perDatabase, readOnReplica } from '../replicas/readers.ts';
import type { CacheReaction } from './cache-reactions.ts';
import { RecentEvictions } from './recent-evictions.ts';
import type { AnyCache } from '../write/subscriptions.ts';

interface Options<Key extends {}, Value extends {}> extends CacheBounds<Value> {
  /** Unique, `domain.noun_plural`. */
  readonly name: string;
  /** Events that make entries outdated, declared with `evict`, `evictWhere`, `evictAll` and `patch`. */
  readonly evictOn?: readonly (CacheReaction<Key, Value> | readonly CacheReaction<Key, Value>[])[];
}

/**
 * A bounded cache with an expiry, one per App, which holds what `set` stores. List it in the `caches` of its domain, or it
 * reacts to no event.
 */
export class Cache<Key extends {}, Value extends {}> implements AnyCache {
  readonly name: string;
  readonly events: readonly string[];
  protected readonly entriesOf: (app: App) => CacheEntries<Key, Value>;
  readonly #reactions: ReadonlyMap<string, readonly CacheReaction<Key, Value>[]>;

  constructor(options: Options<Key, Value>) {
    this.name = options.name;
    this.#reactions = Map.groupBy((options.evictOn ?? []).flat(), ({ event }) => event);
    this.events = [...this.#reactions.keys()];
    this.entriesOf = perApp(
      ({ replicas }) => new CacheEntries<Key, Value>(options, replicas && new RecentEvictions<Key>(replicas.horizonMs)),
    );
  }

  /** Returns the cached value, without loading. */
  peek(app: App, key: Key): Value | undefined {
    return this.entriesOf(app).get(key);
  }

  set(app: App, key: Key, value: Value): void {
    this.entriesOf(app).set(key, value);
  }

  /** Evicts in this process only. Use an event to evict in all processes. */
  evict(app: App, key: Key): void {
    this.entriesOf(app).evict(key);
  }

  clear(app: App): void {
    this.entriesOf(app).clear();
  }

  size(app: App): number {
    return this.entriesOf(app).size;
  }

  /** Evicts or patches what the event makes outdated, in this process. */
  react(app: App, event: string, data: unknown): void {
    for (const { apply } of this.#reactions.get(event) ?? []) apply(this.entriesOf(app), data, app);
  }
}

/**
 * A cache that loads one key. A value that an event evicts or patches during its load is returned to its callers, but
 * never cached outdated. Undefined is not cached.
 */
export class LoadingCache<Key extends {}, Value extends {}, Loaded extends Value | undefined = Value> extends Cache<
  Key,
  Value
> {
  readonly #load: (app: App, key: Key) => Promise<Loaded>;

  constructor(options: Options<Key, Value> & { readonly load: (app: App, key: Key) => Promise<Loaded> }) {
    super(options);
    this.#load = options.load;
  }

  /** Returns the cached or loaded value. Callers share a load, unless an event evicted the key since it began. */
  async get(app: App, key: Key): Promise<Loaded> {
    const entries = this.entriesOf(app);
    const cached = entries.get(key) ?? (await entries.load(key, () => this.#loadFrom(app, key)));
    return cached as Loaded;
  }

  /** Loads from the replica of the App if that has the last change of the key, else from the primary. */
  #loadFrom(app: App, key: Key): Promise<Loaded> {
    const { replica } = app;
    if (replica?.has(this.entriesOf(app).neededFor(key)) !== true) return this.#load(rootApp(app), key);
    return readOnReplica(app, { replica, run: (reader) => this.#load(reader, key) });
  }
}

/** More keys are loaded one part after the other, so that no load keeps the event loop busy for long. */
const maxKeysPerLoad = 250;

type LoadMany<Key, Value> = (app: App, keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;

/** As `LoadingCache`, but all keys that are requested in one turn of the event loop are loaded together. */
export class BatchLoadingCache<Key extends {}, Value extends {}> extends Cache<Key, Value> {
  readonly #loadMany: LoadMany<Key, Value>;
  readonly #batcherOf: (app: App) => Batcher<readonly Key[], ReadonlyMap<Key, Value>>;

  /** `loadMany` may omit keys. */
  constructor(options: Options<Key, Value> & { readonly loadMany: LoadMany<Key, Value> }) {
    super(options);
    this.#loadMany = options.loadMany;
    this.#batcherOf = perDatabase(
      (app) =>
        new Batcher<readonly Key[], ReadonlyMap<Key, Value>>({
          maxBatchSize: maxKeysPerLoad,
          isSequential: false,
          run: (batch) => this.#loadBatch(app, batch),
        }),
    );
  }

  /** Returns the values that exist. */
  async getMany(app: App, keys: Iterable<Key>): Promise<Map<Key, Value>> {
    const entries = this.entriesOf(app);
    const found = new Map<Key, Value>();
    const missing = entries.getMany(keys, found);
    // Each part joins another batch, so that a request for a few keys does not wait for all parts of a large one.
    for (let start = 0; start < missing.length; start += maxKeysPerLoad) {
      const part = missing.slice(start, start + maxKeysPerLoad);
      const loaded = await this.#batcherOf(app).add(part);
      for (const key of part) {
        const value = loaded.get(key);
        if (value !== undefined) found.set(key, value);
      }
    }
    return found;
  }

  /** As `getMany`, with another `load`, such as one that reads on the connection of a transaction. */
  async getManyBy(
    app: App,
    keys: Iterable<Key>,
    load: (missing: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
  ): Promise<Map<Key, Value>> {
    const entries = this.entriesOf(app);
    const found = new Map<Key, Value>();
    const missing = entries.getMany(new Set(keys), found);
    if (missing.length > 0)
      for (const [key, value] of await entries.loadMany(() => load(missing))) found.set(key, value);
    return found;
  }

  /** Loads from the replica of the App the keys whose last change it has, and others from the primary. */
  async #loadPart(app: App, keys: readonly Key[]): Promise<Iterable<readonly [Key, Value]>> {
    const { replica } = app;
    const entries = this.entriesOf(app);
    if (replica === undefined) return entries.loadMany(() => this.#loadMany(app, keys));
    const isOnReplica = (key: Key): boolean => replica.has(entries.neededFor(key));
    const held: Key[] = [];
    const missing: Key[] = [];
    for (const key of keys) (isOnReplica(key) ? held : missing).push(key);
    const read = { replica, run: (reader: App) => this.#loadMany(reader, held) };
    const parts = await Promise.all([
      held.length > 0 ? entries.loadMany(() => readOnReplica(app, read)) : [],
      missing.length > 0 ? entries.loadMany(() => this.#loadMany(rootApp(app), missing)) : [],
    ]);
    return parts.flatMap((part) => [...part]);
  }

  async #loadBatch(app: App, batch: readonly BatchEntry<readonly Key[], ReadonlyMap<Key, Value>>[]): Promise<void> {
    try {
      const keys = [...new Set(batch.flatMap(({ item }) => item))];
      const loaded = new Map<Key, Value>();
      for (let start = 0; start < keys.length; start += maxKeysPerLoad) {
        const part = keys.slice(start, start + maxKeysPerLoad);
        for (const [key, value] of await this.#loadPart(app, part)) loaded.set(key, value);
      }
      for (const { resolve } of batch) resolve(loaded);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
