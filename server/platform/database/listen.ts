import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from './connect.ts';

export interface ListenTimes {
  /** Between two checks that the connection still answers, in milliseconds. */
  readonly check: number;
  /** For each answer of PostgreSQL, and for a connection to close. */
  readonly answer: number;
  /** From the loss of a connection to the next try. */
  readonly retry: number;
}

export const listenTimes: ListenTimes = { check: 10_000, answer: 5_000, retry: 1_000 };

export interface ListenOptions {
  readonly connection: Connection;
  readonly channel: string;
  readonly receive: (payload: string) => void;
  /** The connection was replaced: what was sent meanwhile was not heard. */
  readonly onGap: () => void;
  readonly onError: (error: unknown) => void;
  readonly times?: ListenTimes;
}

/** Name under which such connections appear in pg_stat_activity. */
export const listenerName = 'fieldfare bus';

/**
 * Listens to a channel of PostgreSQL on one connection of its own, never more: the next is opened after the last one is
 * closed. A connection that breaks, or does not answer when checked, is replaced.
 */
export class ChannelListener {
  readonly #options: ListenOptions;
  readonly #times: ListenTimes;
  readonly #closed = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: ListenOptions) {
    this.#options = options;
    this.#times = options.times ?? listenTimes;
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
        await this.#pause(this.#times.retry);
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
        await Promise.race([lost.promise, this.#pause(this.#times.check)]);
        await client.query('select 1');
      }
    } finally {
      await this.#end(client);
    }
  }

  #open(): pg.Client {
    return new pg.Client({
      ...this.#options.connection,
      application_name: listenerName,
      connectionTimeoutMillis: this.#times.answer,
      query_timeout: this.#times.answer,
      keepAlive: true,
    });
  }

  /** Takes leave in order, or cuts a connection that does not answer. */
  async #end(client: pg.Client): Promise<void> {
    const late = setTimeout(() => client.connection.stream.destroy(), this.#times.answer);
    await client.end();
    clearTimeout(late);
  }

  /** Ends early when this is closed. */
  async #pause(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.#closed.signal }).catch(() => {});
  }
}
