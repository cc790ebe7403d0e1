import { perApp } from '../../platform/app.ts';
import type { AccountId, ListId } from '../../platform/ids.ts';
import type { EndReason, StreamConnection } from './connection.ts';
import type { Subscription } from './subscription.ts';
import { TopicIndex } from './topics.ts';

/** Seconds after which every connection was checked once. */
export const slotCount = 30;

/** Names of the public streams. */
export const publicStreams = [
  'public',
  'public:media',
  'public:local',
  'public:local:media',
  'public:remote',
  'public:remote:media',
] as const;
export type PublicStream = (typeof publicStreams)[number];

/** The open connections of this process and what they subscribed to. */
export class StreamHub {
  readonly homes = new TopicIndex<AccountId>();
  readonly notifications = new TopicIndex<AccountId>();
  readonly conversations = new TopicIndex<AccountId>();
  readonly lists = new TopicIndex<ListId>();
  readonly publics = new TopicIndex<PublicStream>();
  /** By normalised name. */
  readonly tags = new TopicIndex<string>();
  readonly localTags = new TopicIndex<string>();
  readonly #slots: readonly Set<StreamConnection>[] = Array.from({ length: slotCount }, () => new Set());
  readonly #counts = new Map<AccountId, number>();
  #nextSlot = 0;
  #size = 0;

  /** Number of open connections. */
  get size(): number {
    return this.#size;
  }

  /** Number of open connections of an account. */
  countOf(accountId: AccountId): number {
    return this.#counts.get(accountId) ?? 0;
  }

  *connections(): Iterable<StreamConnection> {
    for (const slot of this.#slots) yield* slot;
  }

  /** The connections that are checked in the same second. */
  inSlot(slot: number): ReadonlySet<StreamConnection> {
    return this.#slots[slot % slotCount] ?? new Set();
  }

  add(connection: StreamConnection): void {
    connection.slot = this.#nextSlot;
    this.#nextSlot = (this.#nextSlot + 1) % slotCount;
    this.#slots[connection.slot]?.add(connection);
    this.#size += 1;
    const { accountId } = connection.user.viewer;
    this.#counts.set(accountId, this.countOf(accountId) + 1);
  }

  /** Removes a connection with its subscriptions. Idempotent. */
  remove(connection: StreamConnection): void {
    for (const subscription of connection.subscriptions.splice(0)) {
      for (const topic of subscription.topics) topic.remove(subscription);
    }
    if (this.#slots[connection.slot]?.delete(connection) !== true) return;
    this.#size -= 1;
    const { accountId } = connection.user.viewer;
    const rest = this.countOf(accountId) - 1;
    if (rest === 0) this.#counts.delete(accountId);
    else this.#counts.set(accountId, rest);
  }

  /** Adds a stream to an open connection. No-op if it has the stream or was removed. */
  subscribe(subscription: Subscription): void {
    const { connection, key, topics } = subscription;
    if (this.#slots[connection.slot]?.has(connection) !== true) return;
    if (connection.subscriptions.some((known) => known.key === key)) return;
    connection.subscriptions.push(subscription);
    for (const topic of topics) topic.add(subscription);
  }

  /** Removes a stream from a connection. No-op if it does not have the stream. */
  unsubscribe(connection: StreamConnection, key: string): void {
    const index = connection.subscriptions.findIndex((subscription) => subscription.key === key);
    if (index === -1) return;
    for (const subscription of connection.subscriptions.splice(index, 1)) {
      for (const topic of subscription.topics) topic.remove(subscription);
    }
  }

  /** Ends the connections that match. They receive nothing more. */
  endWhere(matches: (connection: StreamConnection) => boolean, reason: EndReason): Promise<void>[] {
    return this.end([...this.connections()].filter(matches), reason);
  }

  /** Ends connections. They receive nothing more. */
  end(connections: readonly StreamConnection[], reason: EndReason): Promise<void>[] {
    return connections.map((connection) => {
      this.remove(connection);
      connection.end(reason);
      return connection.closed;
    });
  }
}

export const streamHub = perApp(() => new StreamHub());
