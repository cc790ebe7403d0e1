import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By then who waited for the start has been answered. */
const delayMs = 1_000;

/**
 * Gives back, once, what loading the program took and nobody needs any more (about 20 MB): by itself V8 would keep it for
 * as long as the server has little to do. Takes a tenth of a second, shortly after the start.
 */
export function collectStartupGarbage(): void {
  const timer = setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (how: object) => void;
    setFlagsFromString('--no-expose-gc');
    // Only the last resort makes the young generation small again.
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, delayMs);
  timer.unref();
}
