import { createInterface } from 'node:readline';
import type pg from 'pg';
import type { Connection } from '../../platform/wire/pool.ts';
import { PrimaryClient } from '../../platform/wire/primary-client.ts';
import { maintenanceSettings, withSettings } from '../../platform/wire/session-settings.ts';
import { formatTable } from '../output.ts';
import type { Shell } from '../shell.ts';
import { toError } from '../../platform/errors.ts';

/**
 * Runs SQL statements from the terminal, a pipe or `-c`, each ended by a semicolon, and prints their results. Returns the
 * exit code: 1 if a statement of a pipe or of `-c` failed.
 */
export async function runSqlPrompt(shell: Shell, connection: Connection, args: readonly string[]): Promise<number> {
  const client = new PrimaryClient(withSettings(connection, maintenanceSettings));
  client.on('error', () => {});
  await client.connect();
  try {
    const given = args.indexOf('-c');
    if (given !== -1) return (await runStatement(shell, client, args[given + 1] ?? '')) ? 0 : 1;
    return await runInputStatements(shell, client);
  } finally {
    await client.end();
  }
}

async function runInputStatements(shell: Shell, client: pg.Client): Promise<number> {
  const terminal = shell.stdin.isTTY === true;
  const lines = createInterface({
    input: shell.stdin,
    ...(terminal && { output: shell.stdout }),
    prompt: 'fieldfare=# ',
  });
  if (terminal)
    shell.console.log(
      'psql is not installed; this is a simple prompt. End statements with a semicolon. Exit with \\q or Ctrl-D.',
    );
  let text = '';
  let failed = false;
  const prompt = (): void => {
    if (!terminal) return;
    lines.setPrompt(text === '' ? 'fieldfare=# ' : 'fieldfare-# ');
    lines.prompt();
  };
  prompt();
  for await (const line of lines) {
    if (line.trim() === '\\q') break;
    text += `${line}\n`;
    if (line.trimEnd().endsWith(';')) {
      failed = !(await runStatement(shell, client, text)) || failed;
      text = '';
    }
    prompt();
  }
  if (text.trim() !== '') failed = !(await runStatement(shell, client, text)) || failed;
  return failed && !terminal ? 1 : 0;
}

async function runStatement({ console }: Shell, client: pg.Client, text: string): Promise<boolean> {
  try {
    const results = [await client.query<Record<string, unknown>>(text)].flat() as pg.QueryResult<
      Record<string, unknown>
    >[];
    for (const { rows, command, rowCount } of results) {
      for (const line of rows.length > 0 ? formatTable(rows) : []) console.log(line);
      console.log(`(${command}${rowCount === null ? '' : ` ${rowCount}`})`);
    }
    return true;
  } catch (error) {
    console.error(`ERROR: ${toError(error).message}`);
    return false;
  }
}
