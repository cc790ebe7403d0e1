import { bindSequence, type IdSequence } from './ids.ts';

/** The current time. Tests set it instead of sleeping. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock for tests, which changes only when it is advanced. */
export class ManualClock implements Clock {
  readonly #ids: IdSequence = { last: 0n };
  #now: Date;

  constructor(now: Date = new Date()) {
    this.#now = now;
  }

  now(): Date {
    return bindSequence(new Date(this.#now), this.#ids);
  }

  advance(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + seconds * 1000);
  }
}
