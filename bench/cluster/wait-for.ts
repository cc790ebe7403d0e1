import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 20;
/** Enough for a busy machine. */
const maxSeconds = 100;

/** Polls until `load` returns a value. An error is the same as none. Throws after 100 s, with the last error. */
export async function waitFor<Value>(load: () => Promise<Value | undefined> | Value | undefined): Promise<Value> {
  let failure: unknown;
  for (const deadline = Date.now() + maxSeconds * 1000; Date.now() < deadline; await pause(pollMs)) {
    try {
      const value = await load();
      if (value !== undefined) return value;
    } catch (error) {
      failure = error;
    }
  }
  throw new Error('waited too long', { cause: failure });
}
