import type { Static, TObject } from 'typebox';
import type { App } from '../app.ts';
import type { EventKind } from '../write/define-event.ts';

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
