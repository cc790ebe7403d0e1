import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { backgroundShare } from '../batching/loop-share.ts';
import { receiveError, type BulkRequestMessage, type BulkResultMessage } from './bulk-messages.ts';
import type { HttpClientSettings } from './http-client.ts';
import type { Outgoing, OutgoingRequest, OutgoingResponse } from './outgoing.ts';

/** More requests than this within a second start the thread: the usual post has fewer. */
const maxPerSecond = 64;
/** Longer than hosts usually keep idle connections open. */
const idleMs = 90_000;

type Waiting = PromiseWithResolvers<OutgoingResponse>;

/**
 * Sends bulk requests: few of them by `client`, and many by a thread, which starts when it is needed and ends when it is
 * idle. Most of the work of a request is the connection, with its handshake: in this thread it would delay what users
 * wait for (docs/decisions/0129).
 */
export class BulkRequests implements Outgoing {
  readonly #client: Outgoing;
  readonly #settings: HttpClientSettings;
  readonly #log: Logger;
  #thread: BulkThread | undefined;
  /** After that, all requests are sent by the client until the process restarts. */
  #hasFailed = false;
  #second = 0;
  #countInSecond = 0;

  constructor(client: Outgoing, settings: HttpClientSettings, log: Logger) {
    this.#client = client;
    this.#settings = settings;
    this.#log = log;
  }

  async request(url: string, request: OutgoingRequest = {}): Promise<OutgoingResponse> {
    if (this.#thread === undefined && (this.#hasFailed || !this.#areMany())) return this.#client.request(url, request);
    this.#thread ??= this.#start();
    return this.#thread.request(url, request);
  }

  async close(): Promise<void> {
    await this.#thread?.end();
  }

  #start(): BulkThread {
    const thread = new BulkThread(this.#settings, (error) => {
      if (this.#thread === thread) this.#thread = undefined;
      if (error === undefined) return;
      this.#hasFailed = true;
      this.#log.error({ err: error }, 'the thread of bulk requests failed; they are sent without it');
    });
    return thread;
  }

  #areMany(): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) [this.#second, this.#countInSecond] = [second, 0];
    this.#countInSecond += 1;
    return this.#countInSecond > maxPerSecond;
  }
}

class BulkThread {
  readonly #worker: Worker;
  readonly #onEnd: (error?: Error) => void;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  /** `onEnd`: called when the thread takes no more requests, with the error if it failed. */
  constructor(settings: HttpClientSettings, onEnd: (error?: Error) => void) {
    this.#onEnd = onEnd;
    this.#worker = new Worker(new URL('bulk-thread.ts', import.meta.url), { workerData: settings });
    const { performance: ofThread } = this.#worker;
    const unwatch = backgroundShare.watchLoop((since) => ofThread.eventLoopUtilization(since));
    this.#worker.on('message', (message: BulkResultMessage) => this.#settle(message));
    this.#worker.once('error', onEnd);
    this.#worker.once('exit', () => {
      clearTimeout(this.#idleTimer);
      unwatch();
      onEnd();
      for (const { reject } of this.#waiting.values()) reject(new Error('the thread of bulk requests ended'));
    });
  }

  request(url: string, request: OutgoingRequest): Promise<OutgoingResponse> {
    const id = (this.#nextId += 1);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have a target origin
    this.#worker.postMessage({ id, url, request } satisfies BulkRequestMessage);
    clearTimeout(this.#idleTimer);
    this.#worker.ref();
    const waiting = Promise.withResolvers<OutgoingResponse>();
    this.#waiting.set(id, waiting);
    return waiting.promise;
  }

  async end(): Promise<void> {
    this.#onEnd();
    await this.#worker.terminate();
  }

  #settle(message: BulkResultMessage): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) {
      // An idle thread does not keep the process alive.
      this.#worker.unref();
      this.#idleTimer = setTimeout(() => void this.end(), idleMs).unref();
    }
    if ('failure' in message) waiting?.reject(receiveError(message.failure));
    else waiting?.resolve({ ...message.response, body: Buffer.alloc(0) });
  }
}
