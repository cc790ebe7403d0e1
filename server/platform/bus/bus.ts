/**
 * Messages between the processes of this instance: cache evictions, streaming, wake-ups. Delivered at most once, in any
 * order.
 */
export interface Bus {
  /**
   * Sends a small JSON message (ids and counters, never bodies) to all subscribers of `channel`, in this process too. A
   * list may reach other processes in parts.
   */
  publish(channel: string, message: unknown): void;
  /** Resolves when what was published is on its way to every process, or after `maxFlushMs`. Does not reject. */
  flush(): Promise<void>;
  /** Returns a function that ends the subscription. */
  subscribe(channel: string, receive: (message: unknown) => void): () => void;
  /** Calls `run` when messages of other processes may have been lost. Caches that rely on messages are then cleared. */
  onGap(run: () => void): void;
  /** Whether messages of other processes may be missing now, because the bus is not connected. A gap ends it. */
  readonly isInterrupted: boolean;
  close(): Promise<void>;
}

/** Maximum time that `flush` takes. */
export const maxFlushMs = 500;

/** Whoever publishes on this channel, which has no subscribers, reports a gap to all processes. */
export const gapChannel = 'bus:gap';

/** A bus within one process. */
export class LocalBus implements Bus {
  readonly #receivers = new Map<string, Set<(message: unknown) => void>>();
  readonly #gapReceivers = new Set<() => void>();

  get isInterrupted(): boolean {
    return false;
  }

  publish(channel: string, message: unknown): void {
    this.deliver(channel, message);
  }

  async flush(): Promise<void> {}

  /** Delivers a message to the subscribers in this process. */
  deliver(channel: string, message: unknown): void {
    if (channel === gapChannel) return this.reportGap();
    for (const receive of this.#receivers.get(channel) ?? []) receive(message);
  }

  subscribe(channel: string, receive: (message: unknown) => void): () => void {
    const receivers = this.#receivers.get(channel) ?? new Set();
    receivers.add(receive);
    this.#receivers.set(channel, receivers);
    return () => receivers.delete(receive);
  }

  onGap(run: () => void): void {
    this.#gapReceivers.add(run);
  }

  /** Reports to the subscribers in this process that messages may have been lost. */
  reportGap(): void {
    for (const run of this.#gapReceivers) run();
  }

  async close(): Promise<void> {
    this.#receivers.clear();
    this.#gapReceivers.clear();
  }
}
