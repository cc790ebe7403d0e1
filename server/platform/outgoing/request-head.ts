import type { Dispatcher } from 'undici';
import { toError } from '../errors.ts';

/** Bytes to read of an unused body, so that its connection can be reused. */
export const maxDumpedBytes = 16_384;
/** Maximum time for reading an unused body; then the connection is closed. */
const dumpTimeoutMs = 2_000;

type Controller = Dispatcher.DispatchController;

/** A response without its body. */
export type ResponseHead = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>;

/**
 * Sends a request and returns the status and headers as soon as they arrive. Reads a short body in the background, so that
 * the connection can be reused, and closes the connection of a longer or slower one. Creates no stream, because a post may
 * be delivered thousands of times.
 */
export function requestHead(
  connection: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<ResponseHead> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    connection.dispatch(options, new HeadHandler({ resolve, reject, signal }));
  });
}

class HeadHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (head: ResponseHead) => void;
  readonly #reject: (error: unknown) => void;
  readonly #signal: AbortSignal;
  #controller: Controller | undefined;
  #dumpTimer: NodeJS.Timeout | undefined;
  #dumpedBytes = 0;

  constructor(options: {
    readonly resolve: (head: ResponseHead) => void;
    readonly reject: (error: unknown) => void;
    readonly signal: AbortSignal;
  }) {
    this.#resolve = options.resolve;
    this.#reject = options.reject;
    this.#signal = options.signal;
    this.#signal.addEventListener('abort', this.#abort);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    // It was aborted while it waited for a connection.
    if (this.#signal.aborted) this.#abort();
  }

  onResponseStart(controller: Controller, statusCode: number, headers: Dispatcher.ResponseData['headers']): void {
    if (statusCode < 200) return;
    this.#signal.removeEventListener('abort', this.#abort);
    this.#dumpTimer = setTimeout(() => controller.abort(new Error('the body is slow')), dumpTimeoutMs);
    this.#resolve({ statusCode, headers });
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#dumpedBytes += chunk.length;
    if (this.#dumpedBytes > maxDumpedBytes) controller.abort(new Error('the body is long'));
  }

  onResponseEnd(): void {
    clearTimeout(this.#dumpTimer);
  }

  onResponseError(_controller: Controller, error: Error): void {
    clearTimeout(this.#dumpTimer);
    this.#signal.removeEventListener('abort', this.#abort);
    this.#reject(error);
  }

  readonly #abort = (): void => {
    const reason = toError(this.#signal.reason);
    this.#reject(reason);
    this.#controller?.abort(reason);
  };
}
