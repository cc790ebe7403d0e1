import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By then, requests that waited for the start are answered. */
const delayMs = 1_000;

/**
 * Collects garbage once, shortly after the start: loading the program leaves about 20 MB, which V8 does not release while
 * the server is idle. Takes about 100 ms.
 */
export function collectStartupGarbage(): void {
  const timer = setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (how: object) => void;
    setFlagsFromString('--no-expose-gc');
    // Only the last-resort flavor shrinks the young generation.
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, delayMs);
  timer.unref();
}
