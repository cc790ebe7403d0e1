import { message } from '../i18n/message.ts';
import { serviceUnavailable, type HttpError } from './http-errors.ts';

type OnExpired = (error: HttpError) => void;

/**
 * Limits the time until a request has a response, whatever it waits for. The timeout of a single wait is shorter, but a
 * request may wait several times. One timer serves all requests: they have the same limit, so that they expire in the
 * order in which they started.
 */
export class ResponseDeadlines {
  readonly #ms: number;
  readonly #running = new Set<ResponseDeadline>();
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Starts the time of a request. Calls `onExpired` with a 503 when it is over. */
  start(onExpired: OnExpired): ResponseDeadline {
    const deadline = new ResponseDeadline(this, onExpired);
    this.restart(deadline);
    return deadline;
  }

  /** Returns the result of `work`. If the time is over first, throws 503; the work goes on, and its result is discarded. */
  async settle<Result>(work: Promise<Result>): Promise<Result> {
    const late = Promise.withResolvers<never>();
    const deadline = this.start(late.reject);
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      deadline.stop();
    }
  }

  stop(deadline: ResponseDeadline): void {
    this.#running.delete(deadline);
  }

  restart(deadline: ResponseDeadline): void {
    deadline.expiresAt = performance.now() + this.#ms;
    this.#running.delete(deadline);
    this.#running.add(deadline);
    if (this.#timer === undefined) this.#timer = this.#wait(this.#ms);
  }

  #wait(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#expire(), ms).unref();
  }

  /** Ends the deadlines that are over, and waits for the next one. */
  #expire(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const deadline of this.#running) {
      if (deadline.expiresAt > now) {
        this.#timer = this.#wait(Math.ceil(deadline.expiresAt - now));
        return;
      }
      this.#running.delete(deadline);
      deadline.expire();
    }
  }
}

/** The limit of one request. */
export class ResponseDeadline {
  /** As `performance.now()`. */
  expiresAt = 0;
  isExpired = false;
  readonly #deadlines: ResponseDeadlines;
  /**
   * Never assign a function literal to a property here. V8 creates such a function in the old generation, where it keeps all
   * that it closes over, the whole request, until the next full garbage collection.
   */
  readonly #onExpired: OnExpired[];

  constructor(deadlines: ResponseDeadlines, onExpired: OnExpired) {
    this.#deadlines = deadlines;
    this.#onExpired = [onExpired];
  }

  /** Stops the time, also for a wait that has a timeout of its own, for a body that arrives slowly. */
  stop(): void {
    this.#deadlines.stop(this);
  }

  /** Starts the full time again. */
  restart(): void {
    if (!this.isExpired) this.#deadlines.restart(this);
  }

  /** Also calls `run` when the time is over. */
  onExpired(run: OnExpired): void {
    this.#onExpired.push(run);
  }

  expire(): void {
    this.isExpired = true;
    const error = serviceUnavailable(message('http.responseTimeout'));
    for (const run of this.#onExpired) run(error);
  }
}
