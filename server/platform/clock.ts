import { bindSequence, type IdSequence } from './ids.ts';

/** The time, as the server sees it: tests set it, nothing sleeps. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  readonly #ids: IdSequence = { last: 0n };
  #now: Date;

  constructor(now: Date = new Date()) {
    this.#now = now;
  }

  now(): Date {
    return bindSequence(new Date(this.#now), this.#ids);
  }

  /** Moves the clock on by `seconds`. */
  advance(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + seconds * 1000);
  }
}
