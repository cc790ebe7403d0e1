import type { Schedule } from '../platform/work/run-schedules.ts';
import { transaction } from '../platform/write/transaction.ts';
import { writable } from './tables.ts';

/** Deletes expired refreshes. */
export const cleanUpRefreshes: Schedule = {
  name: 'refresh.clean_up',
  pattern: '52 * * * *',
  run: (app) =>
    transaction(app, async ({ db }) => {
      await writable(db).deleteFrom('async_refreshes').where('expires_at', '<=', app.clock.now()).execute();
    }),
};
