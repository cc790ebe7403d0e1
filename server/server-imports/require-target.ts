import type pg from 'pg';
import { isLateText, isLockedText } from '../platform/work/process-liveness.ts';
import { ServerImportError } from './server-import-error.ts';

/**
 * Throws ServerImportError unless a database may be imported into: no process uses it, and it is new, or what it contains comes
 * from earlier runs.
 */
export async function requireImportTarget(target: pg.ClientBase): Promise<void> {
  const { rows } = await target.query<{ isRunning: boolean; hasSteps: boolean; hasUsers: boolean; wasUsed: boolean }>(
    `select exists (select from lease_holders holder where ${isLockedText} or not ${isLateText}) as "isRunning",
      exists (select from server_import_steps) as "hasSteps",
      exists (select from users) or exists (select from statuses) as "hasUsers",
      exists (select from sessions) or exists (select from received_activities) or exists (select from activities) as "wasUsed"`,
  );
  const { isRunning = false, hasSteps = false, hasUsers = false, wasUsed = false } = rows[0] ?? {};
  if (isRunning) throw new ServerImportError('The server is running. Stop it before you import.');
  if (hasUsers && !hasSteps)
    throw new ServerImportError(
      'The database has users or posts already. Import into a new DATA_DIR, or an empty database of DATABASE_URL.',
    );
  if (hasSteps && wasUsed)
    throw new ServerImportError(
      'The server has run since the last import: another run would delete what was written here. Start again with a new database.',
    );
}
