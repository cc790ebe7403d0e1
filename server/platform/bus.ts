import type pg from 'pg';

/** Messages to every process of this instance, at most once, in no order: cache drops, streaming, wake-ups. */
export interface Bus {
  /**
   * Sends `message` (JSON, small: ids and counters, never bodies) to all subscribers of `channel`, those of this process
   * included. A list may reach other processes in parts.
   */
  publish(channel: string, message: unknown): void;
  /** Gives a function that ends the subscription. */
  subscribe(channel: string, receive: (message: unknown) => void): () => void;
  close(): Promise<void>;
}

/** A bus within one process. */
export class LocalBus implements Bus {
  readonly #receivers = new Map<string, Set<(message: unknown) => void>>();

  publish(channel: string, message: unknown): void {
    this.deliver(channel, message);
  }

  /** Hands a message to the subscribers in this process. */
  deliver(channel: string, message: unknown): void {
    for (const receive of this.#receivers.get(channel) ?? []) receive(message);
  }

  subscribe(channel: string, receive: (message: unknown) => void): () => void {
    const receivers = this.#receivers.get(channel) ?? new Set();
    receivers.add(receive);
    this.#receivers.set(channel, receivers);
    return () => receivers.delete(receive);
  }

  async close(): Promise<void> {
    this.#receivers.clear();
  }
}

const postgresChannel = 'fieldfare';
/** PostgreSQL takes 7,999 bytes in one notification. */
const largestPayload = 7_900;
const flushAfterMilliseconds = 5;

/** A message as others are sent it: a list that is too long for one notification in halves. */
function partsOf(message: unknown): unknown[] {
  if (!Array.isArray(message) || message.length < 2 || sizeOf(message) < largestPayload / 2) return [message];
  const middle = message.length >> 1;
  return [...partsOf(message.slice(0, middle)), ...partsOf(message.slice(middle))];
}

const sizeOf = (message: unknown): number => Buffer.byteLength(JSON.stringify(message));

/**
 * A bus over PostgreSQL NOTIFY. Messages are gathered for a few milliseconds and sent in one notification, because each
 * one serialises commits. Local subscribers hear at once; the process skips its own echo.
 */
export class PostgresBus extends LocalBus {
  readonly #pool: pg.Pool;
  readonly #listen: () => pg.Client;
  readonly #sender = crypto.randomUUID();
  readonly #onError: (error: unknown) => void;
  #client: pg.Client | undefined;
  #waiting: [string, unknown][] = [];
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(pool: pg.Pool, listen: () => pg.Client, onError: (error: unknown) => void) {
    super();
    this.#pool = pool;
    this.#listen = listen;
    this.#onError = onError;
  }

  /** Begins to hear what other processes say; reconnects by itself when the connection breaks. */
  async start(): Promise<void> {
    const client = this.#listen();
    client.on('error', (error) => this.#reconnect(error));
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.#receive(payload);
    });
    await client.connect();
    await client.query(`listen ${postgresChannel}`);
    this.#client = client;
  }

  override publish(channel: string, message: unknown): void {
    this.deliver(channel, message);
    for (const part of partsOf(message)) this.#waiting.push([channel, part]);
    this.#timer ??= setTimeout(() => void this.#flush(), flushAfterMilliseconds);
  }

  override async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#flush();
    await this.#client?.end();
    await super.close();
  }

  async #flush(): Promise<void> {
    this.#timer = undefined;
    while (this.#waiting.length > 0) {
      const batch: [string, unknown][] = [];
      let size = 60;
      while (this.#waiting[0] !== undefined) {
        const length = sizeOf(this.#waiting[0]) + 1;
        if (batch.length > 0 && size + length > largestPayload) break;
        size += length;
        batch.push(this.#waiting.shift() as [string, unknown]);
      }
      await this.#notify(batch);
    }
  }

  /** What cannot be sent is lost; what is said after it is not. */
  async #notify(batch: readonly [string, unknown][]): Promise<void> {
    try {
      await this.#pool.query('select pg_notify($1, $2)', [postgresChannel, JSON.stringify([this.#sender, batch])]);
    } catch (error) {
      this.#onError(error);
    }
  }

  #receive(payload: string): void {
    const [sender, batch] = JSON.parse(payload) as [string, [string, unknown][]];
    if (sender === this.#sender) return;
    for (const [channel, message] of batch) this.deliver(channel, message);
  }

  async #startAgain(): Promise<void> {
    try {
      await this.start();
    } catch (error) {
      this.#reconnect(error);
    }
  }

  #reconnect(error: unknown): void {
    if (this.#closed) return;
    this.#onError(error);
    this.#client = undefined;
    setTimeout(() => void this.#startAgain(), 1000);
  }
}
