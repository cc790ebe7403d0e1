import type pg from 'pg';
import { LocalBus } from './bus.ts';
import type { Connection } from './database/connect.ts';
import { ChannelListener, type ListenTimes } from './database/listen.ts';
import { DatabaseUnavailable } from './database/unavailable.ts';

const postgresChannel = 'fieldfare';
/** PostgreSQL takes 7,999 bytes in one notification. */
const largestPayload = 7_900;
const flushAfterMilliseconds = 5;
const retryAfterMilliseconds = 1_000;
/** Channel of the message that says that earlier ones were lost. */
const gapChannel = 'bus:gap';

export interface PostgresBusParts {
  readonly pool: pg.Pool;
  /** Where the connection that listens is opened; it is not one of the pool. */
  readonly connection: Connection;
  readonly onError: (error: unknown) => void;
  readonly times?: ListenTimes;
}

/**
 * A bus over PostgreSQL NOTIFY. Messages are gathered for a few milliseconds and sent in one notification, because each
 * one serialises commits. Local subscribers hear at once; the process skips its own echo. While PostgreSQL is away
 * messages are lost; as soon as it is back, every process learns that some were.
 */
export class PostgresBus extends LocalBus {
  readonly #pool: pg.Pool;
  readonly #listener: ChannelListener;
  readonly #sender = crypto.randomUUID();
  readonly #onError: (error: unknown) => void;
  #waiting: [string, unknown][] = [];
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor({ pool, connection, onError, times }: PostgresBusParts) {
    super();
    this.#pool = pool;
    this.#onError = onError;
    this.#listener = new ChannelListener({
      connection,
      channel: postgresChannel,
      receive: (payload) => this.#receive(payload),
      onGap: () => this.reportGap(),
      onError,
      ...(times && { times }),
    });
  }

  /** Begins to hear what other processes say, on one connection that is replaced when it breaks. */
  async start(): Promise<void> {
    await this.#listener.start();
  }

  override publish(channel: string, message: unknown): void {
    this.deliver(channel, message);
    for (const part of partsOf(message)) this.#waiting.push([channel, part]);
    this.#flushAfter(flushAfterMilliseconds);
  }

  override async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#flush();
    await this.#listener.close();
    await super.close();
  }

  #flushAfter(milliseconds: number): void {
    if (!this.#closed) this.#timer ??= setTimeout(() => void this.#flush(), milliseconds);
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
      if (!(await this.#notify(batch))) break;
    }
  }

  /** Returns whether the database could be reached. A message that it refuses is lost; those after it are not. */
  async #notify(batch: readonly [string, unknown][]): Promise<boolean> {
    try {
      await this.#pool.query('select pg_notify($1, $2)', [postgresChannel, JSON.stringify([this.#sender, batch])]);
      return true;
    } catch (error) {
      this.#onError(error);
      if (!(error instanceof DatabaseUnavailable)) return true;
      this.#waiting = [[gapChannel, null]];
      this.#flushAfter(retryAfterMilliseconds);
      return false;
    }
  }

  #receive(payload: string): void {
    const [sender, batch] = JSON.parse(payload) as [string, [string, unknown][]];
    if (sender === this.#sender) return;
    for (const [channel, message] of batch) {
      if (channel === gapChannel) this.reportGap();
      else this.deliver(channel, message);
    }
  }
}

/** A message as others are sent it: a list that is too long for one notification in halves. */
function partsOf(message: unknown): unknown[] {
  if (!Array.isArray(message) || message.length < 2 || sizeOf(message) < largestPayload / 2) return [message];
  const middle = message.length >> 1;
  return [...partsOf(message.slice(0, middle)), ...partsOf(message.slice(middle))];
}

const sizeOf = (message: unknown): number => Buffer.byteLength(JSON.stringify(message));
