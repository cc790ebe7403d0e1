import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Connection } from '../wire/pool.ts';
import { PrimaryClient } from '../wire/primary-client.ts';

export interface ListenTimeouts {
  /** Interval between checks that the connection still responds, in milliseconds. */
  readonly checkMs: number;
  /** Timeout of each response of PostgreSQL, and for a connection to close. */
  readonly responseMs: number;
  /** Delay between the loss of a connection and the next attempt. */
  readonly retryMs: number;
}

export const listenTimeouts: ListenTimeouts = { checkMs: 3_000, responseMs: 5_000, retryMs: 1_000 };

export interface ListenOptions {
  readonly connection: Connection;
  readonly channel: string;
  readonly receive: (payload: string) => void;
  /** Called after the connection was replaced: messages in between were lost. */
  readonly onGap: () => void;
  readonly onError: (error: unknown) => void;
  readonly timeouts?: ListenTimeouts;
}

/** Name of these connections in pg_stat_activity. */
export const listenerApplicationName = 'fieldfare bus';

/**
 * Listens to a PostgreSQL channel on one connection of its own, never more: the next one is opened after the last is
 * closed. A connection that breaks, or does not respond to a check, is replaced.
 */
export class ChannelListener {
  readonly #options: ListenOptions;
  readonly #timeouts: ListenTimeouts;
  readonly #closed = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #isListening = false;

  constructor(options: ListenOptions) {
    this.#options = options;
    this.#timeouts = options.timeouts ?? listenTimeouts;
  }

  /** Whether notifications arrive: false until a connection that broke, or does not respond, is replaced. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /** Resolves when the first connection listens. Rejects, without further attempts, if it cannot be opened. */
  async start(): Promise<void> {
    const started = Promise.withResolvers<void>();
    this.#running = this.#run(started);
    await started.promise;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#running;
  }

  async #run(started: PromiseWithResolvers<void>): Promise<void> {
    let isFirst = true;
    const listening = (): void => {
      this.#isListening = true;
      if (isFirst) started.resolve();
      else this.#options.onGap();
      isFirst = false;
    };
    while (!this.#closed.signal.aborted) {
      try {
        await this.#listen(listening);
      } catch (error) {
        if (this.#closed.signal.aborted) return;
        if (isFirst) return started.reject(error);
        this.#options.onError(error);
        await this.#pause(this.#timeouts.retryMs);
      }
    }
  }

  /** Listens until `close` is called. Throws if the connection is lost. */
  async #listen(listening: () => void): Promise<void> {
    const client = this.#open();
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => {});
    const lose = (error: Error): void => {
      this.#isListening = false;
      lost.reject(error);
    };
    client.on('error', lose);
    client.once('end', () => lose(new Error('the connection was closed')));
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.#options.receive(payload);
    });
    try {
      await client.connect();
      await client.query(`listen ${this.#options.channel}`);
      listening();
      while (!this.#closed.signal.aborted) {
        await Promise.race([lost.promise, this.#pause(this.#timeouts.checkMs)]);
        await client.query('select 1');
      }
    } catch (error) {
      this.#isListening = false;
      client.connection.stream.destroy();
      throw error;
    } finally {
      await this.#close(client);
    }
  }

  #open(): pg.Client {
    return new PrimaryClient({
      ...this.#options.connection,
      application_name: listenerApplicationName,
      connectionTimeoutMillis: this.#timeouts.responseMs,
      query_timeout: this.#timeouts.responseMs,
      keepAlive: true,
    });
  }

  /** Closes a connection, or destroys it if it does not respond. */
  async #close(client: pg.Client): Promise<void> {
    const late = setTimeout(() => client.connection.stream.destroy(), this.#timeouts.responseMs);
    await client.end();
    clearTimeout(late);
  }

  /** Waits, but not longer than until `close` is called. */
  async #pause(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.#closed.signal }).catch(() => {});
  }
}
