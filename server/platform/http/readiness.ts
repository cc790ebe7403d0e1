import type { App } from '../app.ts';
import { reportTemporaryFailure } from '../temporary-failures.ts';
import { valkeyWatch } from '../valkey-watch.ts';

/** Whether a process can serve, and a text for people. */
export interface Readiness {
  readonly isReady: boolean;
  readonly text: string;
}

/** Asks the database. The text also names what else does not answer. */
export async function checkReadiness(app: App): Promise<Readiness> {
  try {
    await app.pool.query('select 1');
    return { isReady: true, text: valkeyWatch(app).isAvailable === false ? 'OK\nValkey does not answer' : 'OK' };
  } catch (error) {
    if (!reportTemporaryFailure(app, error)) throw error;
    return { isReady: false, text: 'The database does not answer' };
  }
}
