import type { WaitingMigration } from '../platform/database/migrate.ts';

/** Printed when missing migrations have to wait. */
export const blockedByOthers = 'Waiting for another process that migrates the database, or backs it up';

/** Returns a sentence about contract migrations and the older processes that they wait for. */
export function describeWaiting(waiting: readonly WaitingMigration[]): string {
  const names = waiting.map(({ name }) => name).join(', ');
  const processes = [...new Set(waiting.flatMap(({ olderProcesses }) => olderProcesses.map(describeProcess)))];
  if (processes.length === 0) return `${names} will be applied within a minute, or by: fieldfare db migrate`;
  return `${names} will be applied when no older process is left. Running: ${processes.join(', ')}`;
}

const describeProcess = ({ version, process_id: pid }: WaitingMigration['olderProcesses'][number]): string =>
  `${pid === null ? 'a process' : `process ${pid}`} of ${version === null ? 'an older version' : `version ${version}`}`;
