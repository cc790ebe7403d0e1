import type { Subscription } from './subscription.ts';

/** The subscriptions of one kind of stream, by what they are about: an account, a list, a hashtag. */
export class TopicIndex<Key extends string> {
  readonly #subscriptions = new Map<Key, Set<Subscription>>();
  #keys: readonly Key[] | undefined;

  /** Keys with at least one subscription. The same array until it changes. */
  get keys(): readonly Key[] {
    this.#keys ??= [...this.#subscriptions.keys()];
    return this.#keys;
  }

  get(key: Key): ReadonlySet<Subscription> {
    return this.#subscriptions.get(key) ?? none;
  }

  has(key: Key): boolean {
    return this.#subscriptions.has(key);
  }

  /** Returns the topic of a key, to which subscriptions are added. */
  topic(key: Key): Topic {
    return {
      add: (subscription) => {
        const known = this.#subscriptions.get(key);
        if (known !== undefined) {
          known.add(subscription);
          return;
        }
        this.#subscriptions.set(key, new Set([subscription]));
        this.#keys = undefined;
      },
      remove: (subscription) => {
        const known = this.#subscriptions.get(key);
        if (known?.delete(subscription) !== true || known.size > 0) return;
        this.#subscriptions.delete(key);
        this.#keys = undefined;
      },
    };
  }
}

const none: ReadonlySet<Subscription> = new Set();

/** What subscriptions are added to. */
export interface Topic {
  add(subscription: Subscription): void;
  remove(subscription: Subscription): void;
}
