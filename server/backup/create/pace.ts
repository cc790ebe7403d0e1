import { setTimeout as pause } from 'node:timers/promises';

/** Waits before more bytes are read. */
export type Pace = (bytes: number) => Promise<void>;

/** Waits that are not worth a timer. */
const minPauseMs = 5;

/** Limits how many bytes are read in a second, so that a backup leaves the disk and the database to users. */
export function createPace(
  bytesPerSecond: number,
  { now, wait }: { readonly now: () => number; readonly wait: (ms: number) => Promise<unknown> } = {
    now: () => performance.now(),
    wait: pause,
  },
): Pace {
  let freeAt = now();
  return async (bytes) => {
    // Time in which nothing was read is not made up for.
    freeAt = Math.max(freeAt, now()) + (bytes / bytesPerSecond) * 1000;
    const pauseMs = freeAt - now();
    if (pauseMs >= minPauseMs) await wait(pauseMs);
  };
}
