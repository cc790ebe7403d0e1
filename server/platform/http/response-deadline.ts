import { Readable } from 'node:stream';
import { message } from '../i18n/message.ts';
import { serviceUnavailable, type HttpError } from './http-errors.ts';
import { HttpResponse } from './http-response.ts';

/**
 * Limits the time until a request has a response, whatever it waits for. The timeout of a single wait is shorter, but a
 * request may wait several times. The time starts at once.
 */
export class ResponseDeadline {
  readonly #ms: number;
  readonly #expiry = Promise.withResolvers<never>();
  #timer: NodeJS.Timeout | undefined;
  #isExpired = false;

  constructor(ms: number) {
    this.#ms = ms;
    this.#expiry.promise.catch(() => {});
    this.restart();
  }

  /** Stops the time, for a wait that has a timeout of its own: for a body that arrives slowly. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Starts the full time again. */
  restart(): void {
    this.stop();
    if (!this.#isExpired) this.#timer = setTimeout(() => this.#expire(), this.#ms).unref();
  }

  /**
   * Returns the result of `work`. If the time is over first, calls `onLate` and throws 503; the work goes on, and its
   * result is discarded.
   */
  async settle<Result>(work: Promise<Result>, onLate: () => void = () => {}): Promise<Result> {
    try {
      return await Promise.race([work, this.#expiry.promise]);
    } finally {
      this.stop();
      if (this.#isExpired) {
        work.then(closeResponse, () => {});
        onLate();
      }
    }
  }

  /** Calls `run` when the time is over. */
  onExpired(run: (error: HttpError) => void): void {
    this.#expiry.promise.catch(run);
  }

  #expire(): void {
    this.#isExpired = true;
    this.#expiry.reject(serviceUnavailable(message('http.responseTimeout')));
  }
}

/** Closes the file or connection that a response would have streamed. */
function closeResponse(response: unknown): void {
  if (response instanceof HttpResponse && response.text instanceof Readable) response.text.destroy();
}
