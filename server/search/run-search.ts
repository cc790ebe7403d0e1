import { perApp, type App } from '../platform/app.ts';
import { FairSemaphore } from '../platform/fair-semaphore.ts';
import { serviceUnavailable } from '../platform/http/http-errors.ts';
import { message } from '../platform/i18n/message.ts';
import { withDeadline } from '../platform/with-deadline.ts';

/** Who searches. */
export interface Searcher {
  /** An account, or the address of an anonymous caller: for IPv6 its /64. Owners take turns. */
  readonly owner: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Of the connections of a process. A search uses one at a time. */
const maxShareOfPool = 0.4;
const waitingLimits = {
  /** A search for everything is three. */
  maxTasks: 480,
  /** Enough for 30 connections of one client. */
  maxTasksOfOwner: 96,
  maxWaitMs: 8_000,
};
/** For all statements of a search. */
const maxSearchMs = 5_000;

const retrySoon = { 'retry-after': '5' };
const busy = () => serviceUnavailable(message('search.busy'), retrySoon);
const tooSlow = () => serviceUnavailable(message('search.tooSlow'), retrySoon);

const turnsOf = perApp(
  ({ pool }) =>
    new FairSemaphore(Math.max(1, Math.floor(pool.options.max * maxShareOfPool)), {
      ...waitingLimits,
      createError: busy,
    }),
);

/**
 * Runs a search when it is its turn, so that searches leave most connections to others. The signal aborts when the time
 * is over or the client disconnects. Throws 503 if too many searches wait, or this one waited or ran too long.
 */
export function runSearch<Result>(
  app: App,
  { owner, signal }: Searcher,
  search: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return turnsOf(app).run(owner, () => withDeadline(signal, { ms: maxSearchMs, createError: tooSlow }, search), signal);
}
