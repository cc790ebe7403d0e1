import type pg from 'pg';
import { LocalBus } from './bus.ts';
import type { Connection } from './database/connect.ts';
import { ChannelListener, type ListenTimeouts } from './database/channel-listener.ts';
import { DatabaseUnavailable } from './database/database-unavailable.ts';

const postgresChannel = 'fieldfare';
/** PostgreSQL takes 7,999 bytes in one notification. */
const maxPayloadBytes = 7_900;
const flushDelayMs = 5;
const retryDelayMs = 1_000;
/** Channel of the message that says that earlier ones were lost. */
const gapChannel = 'bus:gap';

export interface PostgresBusOptions {
  readonly pool: pg.Pool;
  /** Where the connection that listens is opened; it is not one of the pool. */
  readonly connection: Connection;
  readonly onError: (error: unknown) => void;
  readonly timeouts?: ListenTimeouts;
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
  #pending: [string, unknown][] = [];
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ pool, connection, onError, timeouts }: PostgresBusOptions) {
    super();
    this.#pool = pool;
    this.#onError = onError;
    this.#listener = new ChannelListener({
      connection,
      channel: postgresChannel,
      receive: (payload) => this.#receive(payload),
      onGap: () => this.reportGap(),
      onError,
      ...(timeouts && { timeouts }),
    });
  }

  /** Begins to hear what other processes say, on one connection that is replaced when it breaks. */
  async start(): Promise<void> {
    await this.#listener.start();
  }

  override publish(channel: string, message: unknown): void {
    this.deliver(channel, message);
    for (const part of splitMessage(message)) this.#pending.push([channel, part]);
    this.#scheduleFlush(flushDelayMs);
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#flush();
    await this.#listener.close();
    await super.close();
  }

  #scheduleFlush(milliseconds: number): void {
    if (!this.#isClosed) this.#timer ??= setTimeout(() => void this.#flush(), milliseconds);
  }

  async #flush(): Promise<void> {
    this.#timer = undefined;
    while (this.#pending.length > 0) {
      const batch: [string, unknown][] = [];
      let size = 60;
      while (this.#pending[0] !== undefined) {
        const length = messageBytes(this.#pending[0]) + 1;
        if (batch.length > 0 && size + length > maxPayloadBytes) break;
        size += length;
        batch.push(this.#pending.shift() as [string, unknown]);
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
      this.#pending = [[gapChannel, null]];
      this.#scheduleFlush(retryDelayMs);
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
function splitMessage(message: unknown): unknown[] {
  if (!Array.isArray(message) || message.length < 2 || messageBytes(message) < maxPayloadBytes / 2) return [message];
  const middle = message.length >> 1;
  return [...splitMessage(message.slice(0, middle)), ...splitMessage(message.slice(middle))];
}

const messageBytes = (message: unknown): number => Buffer.byteLength(JSON.stringify(message));
