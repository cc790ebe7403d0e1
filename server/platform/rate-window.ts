/** What is left of a budget after a request was counted. */
export interface Budget {
  readonly limit: number;
  /** Zero or less when the budget is used up; below zero the request is refused. */
  readonly remaining: number;
  /** End of the window; windows are aligned to the epoch. */
  readonly reset: Date;
}

/** Counts requests in fixed windows. */
export interface RateLimiter {
  /** Counts one request of `key` against `limit` in `seconds`. */
  take(key: string, limit: number, seconds: number): Promise<Budget> | Budget;
  close(): Promise<void>;
}

/** The window of `seconds` that `now` lies in: its number since the epoch and its end. */
export function windowAt(now: Date, seconds: number): { index: number; reset: Date } {
  const index = Math.floor(now.getTime() / 1000 / seconds);
  return { index, reset: new Date((index + 1) * seconds * 1000) };
}
