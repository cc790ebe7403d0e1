import { signal, type ReadonlySignal, type Signal } from '@preact/signals';

interface EntityStoreOptions<Entity> {
  /** Entities that stay although nothing shows them. */
  readonly maxUnused: number;
  /** Entities in one request. */
  readonly maxPerRequest: number;
  /** Loads evicted entities. Those that do not exist any more are left out. */
  readonly load: (ids: readonly string[]) => Promise<readonly Entity[]>;
  /** Stores an entity that was loaded. */
  readonly store: (entity: Entity) => void;
  /** Called with the id of an entity that does not exist any more. */
  readonly onGone: (id: string) => void;
}

/** Unused entities above the limit until some are evicted, so that this happens rarely. */
const slack = 200;
const retryMs = 5_000;

/**
 * Entities as signals by id. What a component or a list shows stays. Of the others, those that were not used for longest are
 * evicted. An evicted entity is loaded again when it is shown.
 */
export class EntityStore<Entity> {
  readonly #options: EntityStoreOptions<Entity>;
  /** The least recently used first. */
  readonly #signals = new Map<string, Signal<Entity | undefined>>();
  readonly #shown = new Set<string>();
  readonly #lists = new Set<() => Iterable<string>>();
  readonly #evicted = new Set<string>();
  readonly #requested = new Set<string>();
  readonly #goneCount = signal(0);
  #evictAtSize: number;

  constructor(options: EntityStoreOptions<Entity>) {
    this.#options = options;
    this.#evictAtSize = options.maxUnused + slack;
  }

  /** Returns the entity as a signal; undefined until it is stored. */
  of(id: string): ReadonlySignal<Entity | undefined> {
    return this.#entry(id);
  }

  peek(id: string): Entity | undefined {
    return this.#signals.get(id)?.peek();
  }

  set(id: string, entity: Entity): void {
    const stored = this.#entry(id);
    this.#evicted.delete(id);
    stored.value = entity;
    this.#touch(id, stored);
    if (this.#signals.size > this.#evictAtSize) this.#evict();
  }

  /** Removes an entity that does not exist any more. */
  delete(id: string): void {
    this.#evicted.delete(id);
    const stored = this.#signals.get(id);
    if (stored !== undefined) stored.value = undefined;
  }

  /** Replaces all stored entities. */
  update(change: (entity: Entity) => Entity): void {
    for (const stored of this.#signals.values()) if (stored.value !== undefined) stored.value = change(stored.value);
  }

  /** Whether an entity was evicted and is loaded when it is shown. Components that ask are rendered again if it is gone. */
  isEvicted(id: string): boolean {
    return this.#goneCount.value >= 0 && this.#evicted.has(id);
  }

  /** Keeps the entities of a list, also those that are scrolled out of sight, until the returned function is called. */
  keep(ids: () => Iterable<string>): () => void {
    this.#lists.add(ids);
    return () => this.#lists.delete(ids);
  }

  #entry(id: string): Signal<Entity | undefined> {
    const found = this.#signals.get(id);
    if (found !== undefined) return found;
    const created: Signal<Entity | undefined> = signal<Entity | undefined>(undefined, {
      watched: () => {
        this.#shown.add(id);
        if (this.#evicted.has(id)) this.#request(id);
      },
      unwatched: () => {
        this.#shown.delete(id);
        this.#touch(id, created);
      },
    });
    this.#signals.set(id, created);
    return created;
  }

  /** Makes an entity the most recently used one. */
  #touch(id: string, stored: Signal<Entity | undefined>): void {
    this.#signals.delete(id);
    this.#signals.set(id, stored);
  }

  #evict(): void {
    const kept = new Set([...this.#shown, ...[...this.#lists].flatMap((ids) => [...ids()])]);
    const unused = [...this.#signals].filter(([id]) => !kept.has(id));
    for (const [id, stored] of unused.slice(0, -this.#options.maxUnused)) {
      this.#signals.delete(id);
      if (stored.peek() !== undefined) this.#evicted.add(id);
    }
    this.#evictAtSize = Math.max(this.#signals.size, this.#options.maxUnused) + slack;
  }

  /** Requests an entity with the others that are shown in the same turn. */
  #request(id: string): void {
    if (this.#requested.size === 0) setTimeout(() => void this.#loadRequested(), 0);
    this.#requested.add(id);
  }

  async #loadRequested(): Promise<void> {
    const ids = [...this.#requested].filter((id) => this.#evicted.has(id));
    this.#requested.clear();
    for (let start = 0; start < ids.length; start += this.#options.maxPerRequest) {
      const part = ids.slice(start, start + this.#options.maxPerRequest);
      try {
        for (const entity of await this.#options.load(part)) this.#options.store(entity);
      } catch {
        setTimeout(() => part.filter((id) => this.#shown.has(id)).forEach((id) => this.#request(id)), retryMs);
        continue;
      }
      for (const id of part) {
        if (!this.#evicted.delete(id)) continue;
        this.#options.onGone(id);
        this.#goneCount.value += 1;
      }
    }
  }
}
