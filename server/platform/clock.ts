/** The time, as the server sees it: tests set it, nothing sleeps. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  #now: Date;

  constructor(now: Date = new Date()) {
    this.#now = now;
  }

  now(): Date {
    return new Date(this.#now);
  }

  /** Moves the clock on by `seconds`. */
  advance(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + seconds * 1000);
  }
}
