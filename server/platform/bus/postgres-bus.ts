import type pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { gapChannel, LocalBus, maxFlushMs } from './bus.ts';
import type { Connection } from '../wire/pool.ts';
import { ChannelListener, type ListenTimeouts } from '../database/channel-listener.ts';
import { DatabaseUnavailable } from '../wire/database-unavailable.ts';

const postgresChannel = 'fieldfare';
/** PostgreSQL limits a notification to 7,999 bytes. */
const maxPayloadBytes = 7_900;
const flushDelayMs = 5;
const retryDelayMs = 1_000;

export interface PostgresBusOptions {
  readonly pool: pg.Pool;
  /** Address for the listening connection, which is not part of the pool. */
  readonly connection: Connection;
  readonly onError: (error: unknown) => void;
  readonly timeouts?: ListenTimeouts;
}

/**
 * A bus over PostgreSQL NOTIFY. Messages of a few milliseconds share one notification, because notifications serialise
 * commits. Local subscribers are called at once, and the process ignores its own notifications. While PostgreSQL is
 * down messages are lost; once it is back, every process reports a gap.
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

  override get isInterrupted(): boolean {
    return !this.#listener.isListening;
  }

  /** Starts to listen, on one connection that is replaced if it breaks. */
  async start(): Promise<void> {
    await this.#listener.start();
  }

  override publish(channel: string, message: unknown): void {
    this.deliver(channel, message);
    for (const part of splitMessage(message)) this.#pending.push([channel, part]);
    this.#scheduleFlush(flushDelayMs);
  }

  override async flush(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.race([this.#flush(), pause(maxFlushMs, undefined, { ref: false })]);
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

  /** Returns whether the database was reached. A message that it refuses is lost; later ones are not. */
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
    const [sender, batch]: [string, [string, unknown][]] = JSON.parse(payload);
    if (sender === this.#sender) return;
    for (const [channel, message] of batch) this.deliver(channel, message);
  }
}

/** Splits a list that is too long for one notification. */
function splitMessage(message: unknown): unknown[] {
  if (!Array.isArray(message) || message.length < 2 || messageBytes(message) < maxPayloadBytes / 2) return [message];
  const middle = message.length >> 1;
  return [...splitMessage(message.slice(0, middle)), ...splitMessage(message.slice(middle))];
}

const messageBytes = (message: unknown): number => Buffer.byteLength(JSON.stringify(message));
