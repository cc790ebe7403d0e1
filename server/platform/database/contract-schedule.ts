import type { App } from '../app.ts';
import type { Schedule } from '../work/run-schedules.ts';
import { listWaiting, migrate } from './migrate.ts';
import type { Migration } from './migrations.ts';

/** Applies contract migrations once the last process of the older version has ended. `migrations`: default, all. */
export async function contractSchema(
  app: Pick<App, 'pool' | 'directConnection' | 'log'>,
  migrations?: readonly Migration[],
): Promise<void> {
  const waiting = await listWaiting(app.pool, migrations);
  if (!waiting.some(({ olderProcesses }) => olderProcesses.length === 0)) return;
  const { applied } = await migrate(app.directConnection, { ...(migrations !== undefined && { migrations }) });
  if (applied.length > 0)
    app.log.info({ migrations: applied }, 'migrated: the last process of an older version has ended');
}

export const contractSchedule: Schedule = {
  name: 'platform.contract_schema',
  pattern: '* * * * *',
  run: (app) => contractSchema(app),
};
