import type { App } from '../app.ts';
import { reportTemporaryFailure } from '../temporary-failures.ts';
import { valkeyWatch } from '../valkey-watch.ts';

/** Whether a process can serve, and a text for people. */
export interface Readiness {
  readonly isReady: boolean;
  readonly text: string;
}

/** Asks the database. The text also names what else cannot be used. */
export async function checkReadiness(app: App): Promise<Readiness> {
  try {
    await app.pool.query('select 1');
    const { problem } = valkeyWatch(app);
    return { isReady: true, text: problem === undefined ? 'OK' : `OK\n${problem}` };
  } catch (error) {
    if (!reportTemporaryFailure(app, error)) throw error;
    return { isReady: false, text: 'The database does not answer' };
  }
}
