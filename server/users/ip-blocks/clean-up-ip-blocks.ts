import type { Schedule } from '../../platform/work/run-schedules.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { writable } from './tables.ts';

/** Deletes expired IP blocks, which have no effect any more. */
export const cleanUpIpBlocks: Schedule = {
  name: 'user.clean_up_ip_blocks',
  pattern: '13 * * * *',
  run: (app) =>
    transaction(app, async ({ db }) => {
      await writable(db).deleteFrom('ip_blocks').where('expires_at', '<=', app.clock.now()).execute();
    }),
};
