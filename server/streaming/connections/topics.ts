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
    return new KeyTopic(this, key);
  }

  add(key: Key, subscription: Subscription): void {
    const known = this.#subscriptions.get(key);
    if (known !== undefined) {
      known.add(subscription);
      return;
    }
    this.#subscriptions.set(key, new Set([subscription]));
    this.#keys = undefined;
  }

  remove(key: Key, subscription: Subscription): void {
    const known = this.#subscriptions.get(key);
    if (known?.delete(subscription) !== true || known.size > 0) return;
    this.#subscriptions.delete(key);
    this.#keys = undefined;
  }
}

const none: ReadonlySet<Subscription> = new Set();

/** What subscriptions are added to. */
export interface Topic {
  add(subscription: Subscription): void;
  remove(subscription: Subscription): void;
}

/** A class, because each of thousands of connections has one or two: closures take more memory. */
class KeyTopic<Key extends string> implements Topic {
  readonly #index: TopicIndex<Key>;
  readonly #key: Key;

  constructor(index: TopicIndex<Key>, key: Key) {
    this.#index = index;
    this.#key = key;
  }

  add(subscription: Subscription): void {
    this.#index.add(this.#key, subscription);
  }

  remove(subscription: Subscription): void {
    this.#index.remove(this.#key, subscription);
  }
}
