import type pg from 'pg';
import { isLateText, isLockedText } from '../platform/work/process-liveness.ts';
import { ServerImportError } from './server-import-error.ts';
import type { SourceKind } from './table-import.ts';

const names: Readonly<Record<string, string>> = { mastodon: 'Mastodon', gotosocial: 'GoToSocial' } satisfies Record<
  SourceKind,
  string
>;

interface TargetState {
  readonly isRunning: boolean;
  readonly hasSteps: boolean;
  /** The software of an earlier import, if it is another one. */
  readonly other: string | null;
  readonly hasAccounts: boolean;
  readonly wasUsed: boolean;
}

/**
 * Throws ServerImportError unless a database may be imported into: no process uses it, and it is new, or what it contains comes
 * from earlier runs with the same software.
 */
export async function requireImportTarget(target: pg.ClientBase, source: SourceKind): Promise<void> {
  const { rows } = await target.query<TargetState>(
    `select exists (select from lease_holders holder where ${isLockedText} or not ${isLateText}) as "isRunning",
      exists (select from server_import_steps) as "hasSteps",
      (select source from server_import_steps where source <> $1 limit 1) as other,
      exists (select from accounts) as "hasAccounts",
      exists (select from sessions) or exists (select from received_activities) or exists (select from activities) as "wasUsed"`,
    [source],
  );
  const [state] = rows;
  if (state === undefined) throw new Error('the database did not answer');
  const { isRunning, hasSteps, other, hasAccounts, wasUsed } = state;
  if (isRunning) throw new ServerImportError('The server is running. Stop it before you import.');
  if (other !== null)
    throw new ServerImportError(
      `The database has an import of a ${names[other] ?? other}. One database takes one server: start with a new one.`,
    );
  if (hasAccounts && !hasSteps)
    throw new ServerImportError(
      'The database has accounts already, of its own or of other servers. Import into a new DATA_DIR, or an empty database of DATABASE_URL.',
    );
  if (hasSteps && wasUsed)
    throw new ServerImportError(
      'The server has run since the last import: another run would delete what was written here. Start again with a new database.',
    );
}
