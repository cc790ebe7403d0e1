import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from './connect.ts';

export interface ListenTimeouts {
  /** Between two checks that the connection still answers, in milliseconds. */
  readonly checkMs: number;
  /** For each answer of PostgreSQL, and for a connection to close. */
  readonly responseMs: number;
  /** From the loss of a connection to the next try. */
  readonly retryMs: number;
}

export const listenTimeouts: ListenTimeouts = { checkMs: 10_000, responseMs: 5_000, retryMs: 1_000 };

export interface ListenOptions {
  readonly connection: Connection;
  readonly channel: string;
  readonly receive: (payload: string) => void;
  /** The connection was replaced: what was sent meanwhile was not heard. */
  readonly onGap: () => void;
  readonly onError: (error: unknown) => void;
  readonly timeouts?: ListenTimeouts;
}

/** Name under which such connections appear in pg_stat_activity. */
export const listenerApplicationName = 'fieldfare bus';

/**
 * Listens to a channel of PostgreSQL on one connection of its own, never more: the next is opened after the last one is
 * closed. A connection that breaks, or does not answer when checked, is replaced.
 */
export class ChannelListener {
  readonly #options: ListenOptions;
  readonly #timeouts: ListenTimeouts;
  readonly #closed = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: ListenOptions) {
    this.#options = options;
    this.#timeouts = options.timeouts ?? listenTimeouts;
  }

  /** Resolves when the first connection listens; rejects when it cannot be opened, and tries no further then. */
  async start(): Promise<void> {
    const started = Promise.withResolvers<void>();
    this.#running = this.#run(started);
    await started.promise;
  }

  /** Closes the connection. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#running;
  }

  async #run(started: PromiseWithResolvers<void>): Promise<void> {
    let isFirst = true;
    const listening = (): void => {
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

  /** Listens until this is closed; throws when the connection is lost. */
  async #listen(listening: () => void): Promise<void> {
    const client = this.#open();
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => {});
    client.on('error', (error) => lost.reject(error));
    client.once('end', () => lost.reject(new Error('the connection was closed')));
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
    } finally {
      await this.#close(client);
    }
  }

  #open(): pg.Client {
    return new pg.Client({
      ...this.#options.connection,
      application_name: listenerApplicationName,
      connectionTimeoutMillis: this.#timeouts.responseMs,
      query_timeout: this.#timeouts.responseMs,
      keepAlive: true,
    });
  }

  /** Takes leave in order, or cuts a connection that does not answer. */
  async #close(client: pg.Client): Promise<void> {
    const late = setTimeout(() => client.connection.stream.destroy(), this.#timeouts.responseMs);
    await client.end();
    clearTimeout(late);
  }

  /** Ends early when this is closed. */
  async #pause(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.#closed.signal }).catch(() => {});
  }
}
