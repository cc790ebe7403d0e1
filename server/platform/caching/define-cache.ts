import { perApp, rootApp, type App } from '../app.ts';
import { Batcher } from '../batching/batcher.ts';
import type { Static, TObject } from 'typebox';
import type { EventKind } from '../events/define-event.ts';
import { CacheEntries, type CacheBounds } from './cache-entries.ts';

/** What a reaction may do with the entries of a cache. */
interface ChangeableEntries<Key, Value> {
  evict(key: Key): void;
  evictWhere(matches: (value: Value, key: Key) => boolean): void;
  clear(): void;
  patch(key: Key, change: (value: Value) => Value): void;
}

/** How a cache reacts to an event, in every process. */
export interface CacheReaction<Key extends {}, Value extends {}> {
  readonly event: string;
  apply(entries: ChangeableEntries<Key, Value>, data: unknown, app: App): void;
}

interface Options<Key extends {}, Value extends {}> extends CacheBounds<Value> {
  /** Unique, `domain.noun_plural`. */
  readonly name: string;
  /** Events that make entries outdated, declared with `evict`, `evictWhere`, `evictAll` and `patch`. */
  readonly evictOn?: readonly (CacheReaction<Key, Value> | readonly CacheReaction<Key, Value>[])[];
}

/** A bounded cache with an expiry, one per App. */
export interface Cache<Key, Value> {
  readonly name: string;
  /** Names of the events that it reacts to. */
  readonly events: readonly string[];
  /** Returns the cached value, without loading. */
  peek(app: App, key: Key): Value | undefined;
  set(app: App, key: Key, value: Value): void;
  /** Evicts in this process only. Use an event to evict in all processes. */
  evict(app: App, key: Key): void;
  clear(app: App): void;
  size(app: App): number;
}

export interface LoadingCache<Key, Value, Loaded = Value> extends Cache<Key, Value> {
  /** Returns the cached or loaded value. Callers share a load, unless an event evicted the key since it began. */
  get(app: App, key: Key): Promise<Loaded>;
}

export interface BatchLoadingCache<Key, Value> extends Cache<Key, Value> {
  /** Returns the values that exist. All keys requested in one turn of the event loop are loaded together. */
  getMany(app: App, keys: Iterable<Key>): Promise<Map<Key, Value>>;
}

/** More keys are loaded one part after the other, so that no load keeps the event loop busy for long. */
const maxKeysPerLoad = 250;
const definitions = new Map<string, Cache<never, unknown>>();
type Reaction = (app: App, data: unknown) => void;
const reactions = new Map<string, Reaction[]>();
const clearers: ((app: App) => void)[] = [];

/**
 * Declares a cache. `load` loads one key, `loadMany` all keys of a turn together (it may omit keys). Without either the
 * cache holds only values of `set`. A value that an event evicts or patches during its load is returned to its callers,
 * but never cached outdated. Undefined is not cached.
 */
export function defineCache<Key extends {}, Value extends {}, Loaded extends Value | undefined = Value>(
  options: Options<Key, Value> & { readonly load: (app: App, key: Key) => Promise<Loaded> },
): LoadingCache<Key, Value, Loaded>;
export function defineCache<Key extends {}, Value extends {}>(
  options: Options<Key, Value> & {
    readonly loadMany: (app: App, keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;
  },
): BatchLoadingCache<Key, Value>;
export function defineCache<Key extends {}, Value extends {}>(options: Options<Key, Value>): Cache<Key, Value>;
export function defineCache<Key extends {}, Value extends {}>(
  options: Options<Key, Value> & {
    readonly load?: (app: App, key: Key) => Promise<Value | undefined>;
    readonly loadMany?: (app: App, keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;
  },
): Cache<Key, Value> {
  const { name, load, loadMany } = options;
  const reactionsOfCache = (options.evictOn ?? []).flat();
  if (definitions.has(name)) throw new Error(`two caches are named ${name}`);
  const entriesOf = perApp(() => new CacheEntries<Key, Value>(options));
  const loadInParts = async (app: App, keys: readonly Key[]): Promise<ReadonlyMap<Key, Value>> => {
    const loaded = new Map<Key, Value>();
    for (let start = 0; start < keys.length; start += maxKeysPerLoad) {
      const part = keys.slice(start, start + maxKeysPerLoad);
      const values = await entriesOf(app).loadMany(async () => loadMany?.(app, part) ?? new Map<Key, Value>());
      for (const [key, value] of values) loaded.set(key, value);
    }
    return loaded;
  };
  const batcherOf = perApp(
    (app) =>
      new Batcher<readonly Key[], ReadonlyMap<Key, Value>>({
        maxBatchSize: maxKeysPerLoad,
        isSequential: false,
        run: async (batch) => {
          try {
            const keys = [...new Set(batch.flatMap(({ item }) => item))];
            const loaded = await loadInParts(app, keys);
            for (const { resolve } of batch) resolve(loaded);
          } catch (error) {
            for (const { reject } of batch) reject(error);
          }
        },
      }),
  );
  const cache: LoadingCache<Key, Value> & BatchLoadingCache<Key, Value> = {
    name,
    events: [...new Set(reactionsOfCache.map(({ event }) => event))],
    peek: (app, key) => entriesOf(app).get(key),
    set: (app, key, value) => entriesOf(app).set(key, value),
    evict: (app, key) => entriesOf(app).evict(key),
    clear: (app) => entriesOf(app).clear(),
    size: (app) => entriesOf(app).size,
    get: async (app, key) => {
      const entries = entriesOf(app);
      return entries.get(key) ?? ((await entries.load(key, async () => load?.(rootApp(app), key))) as Value);
    },
    getMany: async (app, keys) => {
      const entries = entriesOf(app);
      const found = new Map<Key, Value>();
      const missing: Key[] = [];
      for (const key of keys) {
        const value = entries.get(key);
        if (value === undefined) missing.push(key);
        else found.set(key, value);
      }
      if (missing.length === 0) return found;
      // Each part joins another batch, so that a request for a few keys does not wait for all parts of a large one.
      for (let start = 0; start < missing.length; start += maxKeysPerLoad) {
        const part = missing.slice(start, start + maxKeysPerLoad);
        const loaded = await batcherOf(app).add(part);
        for (const key of part) {
          const value = loaded.get(key);
          if (value !== undefined) found.set(key, value);
        }
      }
      return found;
    },
  };
  for (const { event, apply } of reactionsOfCache) {
    const reaction: Reaction = (app, data) => apply(entriesOf(app), data, app);
    const others = reactions.get(event);
    if (others === undefined) reactions.set(event, [reaction]);
    else others.push(reaction);
  }
  if (reactionsOfCache.length > 0) clearers.push((app) => entriesOf(app).clear());
  definitions.set(name, cache as unknown as Cache<never, unknown>);
  return cache;
}

/** Evicts the keys that `keysOf` returns for an event. */
export function evict<Key extends {}, Value extends {}, Schema extends TObject>(
  type: EventKind<Schema>,
  keysOf: (data: Static<Schema>, app: App) => readonly Key[],
): CacheReaction<Key, Value> {
  return {
    event: type.event,
    apply: (entries, data, app) => {
      for (const key of keysOf(data as Static<Schema>, app)) entries.evict(key);
    },
  };
}

/** Evicts the entries that match an event. Results of loads in progress are not cached either. */
export function evictWhere<Key extends {}, Value extends {}, Schema extends TObject>(
  type: EventKind<Schema>,
  matches: (value: Value, data: Static<Schema>, key: Key) => boolean,
): CacheReaction<Key, Value> {
  return {
    event: type.event,
    apply: (entries, data) => entries.evictWhere((value, key) => matches(value, data as Static<Schema>, key)),
  };
}

/** Evicts everything on each of these events. */
export function evictAll<Key extends {}, Value extends {}>(
  ...types: readonly EventKind[]
): readonly CacheReaction<Key, Value>[] {
  return types.map(({ event }) => ({ event, apply: (entries) => entries.clear() }));
}

/**
 * Changes a cached value, or one that is being loaded, on an event. The loaded value may already include the change, so
 * `change` must compare versions or be idempotent.
 */
export function patch<Key extends {}, Value extends {}, Schema extends TObject>(
  type: EventKind<Schema>,
  keyOf: (data: Static<Schema>) => Key,
  change: (value: Value, data: Static<Schema>) => Value,
): CacheReaction<Key, Value> {
  return {
    event: type.event,
    apply: (entries, data) =>
      entries.patch(keyOf(data as Static<Schema>), (value) => change(value, data as Static<Schema>)),
  };
}

/** Lists every declared cache, for tests. */
export const listCaches = (): readonly Cache<never, unknown>[] => [...definitions.values()];

/** Whether a cache reacts to this event, so that other processes must receive it. */
export const isCacheEvent = (event: string): boolean => reactions.has(event);

/** Lets the caches of this process react to an event. */
export function reactToEvent(app: App, event: string, data: unknown): void {
  for (const react of reactions.get(event) ?? []) react(app, data);
}

/** Clears all caches that rely on events, after some may have been lost. */
export function clearCaches(app: App): void {
  for (const clear of clearers) clear(app);
}
