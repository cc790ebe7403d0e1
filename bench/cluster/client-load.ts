import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { toError } from '../../server/platform/errors.ts';

/** How often a failed request is repeated. */
const retryMs = 100;

export interface LoadAnswer {
  /** The status code; `none` with the reason if the connection broke. */
  readonly status: string;
  /** The header Retry-After. */
  readonly retryAfter: string | undefined;
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly isRead: boolean;
}

export interface ClientLoadOptions {
  readonly origin: string;
  readonly token: string;
  readonly connections: number;
  /** Between two requests of a connection. */
  readonly pauseMs?: number;
}

/**
 * Apps that read their home timeline and post by turns. A post that is not acknowledged is sent again with the same
 * Idempotency-Key until it is, as apps do, so that afterwards each exists once.
 */
export class ClientLoad {
  readonly answers: LoadAnswer[] = [];
  /** Ids of the posts, in the order of their answers. */
  readonly acknowledged: string[] = [];
  readonly #options: ClientLoadOptions;
  readonly #pool: Pool;
  readonly #senders: Promise<void>[];
  #isStopped = false;

  constructor(options: ClientLoadOptions) {
    this.#options = options;
    this.#pool = new Pool(options.origin, {
      connections: options.connections,
      // The certificate of a cluster is its own.
      connect: { rejectUnauthorized: false },
    });
    this.#senders = Array.from({ length: options.connections }, () => this.#send());
  }

  /** Ends when all posts are acknowledged that were begun. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#senders);
    await this.#pool.close();
  }

  async #send(): Promise<void> {
    while (!this.#isStopped) {
      await this.#request('GET', '/api/v1/timelines/home?limit=5');
      const key = crypto.randomUUID();
      for (;;) {
        const id = await this.#request('POST', '/api/v1/statuses', key);
        if (id !== undefined) this.acknowledged.push(id);
        if (id !== undefined) break;
        await pause(retryMs);
      }
      await pause(this.#options.pauseMs ?? 0);
    }
  }

  /** Returns the id in the answer; undefined if it is an error. */
  async #request(method: 'GET' | 'POST', path: string, key?: string): Promise<string | undefined> {
    const record = (status: string, retryAfter?: string): void =>
      void this.answers.push({ status, retryAfter, at: Date.now(), isRead: method === 'GET' });
    const headers = { authorization: `Bearer ${this.#options.token}`, 'content-type': 'application/json' };
    try {
      const response = await this.#pool.request({
        method,
        path,
        headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
        body: key === undefined ? null : JSON.stringify({ status: `Post ${key}`, language: 'en' }),
      });
      const text = await response.body.text();
      record(String(response.statusCode), String(response.headers['retry-after'] ?? '') || undefined);
      return response.statusCode === 200 ? (JSON.parse(text) as { id?: string }).id : undefined;
    } catch (error) {
      // Nothing was done: browsers and libraries of apps send the request again by themselves (RFC 9113, 8.7).
      if (toError(error).message.includes('NGHTTP2_REFUSED_STREAM')) {
        await pause(retryMs);
        return this.#request(method, path, key);
      }
      record(`none: ${toError(error).message}`);
      return undefined;
    }
  }
}
