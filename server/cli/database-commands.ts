import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import pg from 'pg';
import { openPool } from '../platform/database/connect.ts';
import { migrate, migrationStatus } from '../platform/database/migrate.ts';
import { CliError } from './cli-error.ts';
import { openCommandDatabase, type OpenDatabase } from './open-database.ts';
import { commandLog, jsonOption, print, formatTable, type OutputOptions } from './output.ts';
import { commandConfig } from './command-config.ts';
import { runSqlPrompt } from './sql-prompt.ts';

export function addDatabaseCommands(program: Command): void {
  const group = program.command('db').description('The database').enablePositionalOptions();
  group
    .command('migrate')
    .description('Bring the database up to this version')
    .option(...jsonOption)
    .action(migrateDatabase);
  group
    .command('status')
    .description('Show where the database is, its size and its migrations')
    .option(...jsonOption)
    .action(showStatus);
  group
    .command('psql [args...]')
    .description(
      'Open an SQL prompt: psql when it is installed, else a small one of our own. Arguments are those of psql',
    )
    .option('--json', 'print how to reach the database, for pg_dump and other programs, and end')
    .passThroughOptions()
    .allowUnknownOption()
    .action(openSqlPrompt);
}

const databaseLocations = {
  started: 'embedded, not running',
  attached: 'embedded, running',
  external: 'DATABASE_URL',
} as const;

/** How other programs reach the database. An embedded one answers while the server runs. */
function describeConnection({ kind, connection }: OpenDatabase): Record<string, unknown> {
  const { host, port, user, database } = new pg.Client(connection);
  return { where: databaseLocations[kind], host, port, user, database, connection_string: connection.connectionString };
}

async function withDatabase<Result>(run: (database: OpenDatabase, pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const database = await openCommandDatabase(commandConfig(), commandLog());
  const pool = openPool(database.connection, 2);
  try {
    return await run(database, pool);
  } finally {
    await pool.end();
    await database.close();
  }
}

async function migrateDatabase(options: OutputOptions): Promise<void> {
  await withDatabase(async (_database, pool) => {
    const applied = await migrate(pool);
    print(options, { applied }, () =>
      applied.length === 0 ? ['The database is up to date.'] : applied.map((name) => `applied ${name}`),
    );
  });
}

async function showStatus(options: OutputOptions): Promise<void> {
  await withDatabase(async ({ kind }, pool) => {
    const migrations = await migrationStatus(pool);
    const { rows } = await pool.query<{ version: string; size: string; shown: string }>(
      `select current_setting('server_version') as version, pg_database_size(current_database()) as size,
        pg_size_pretty(pg_database_size(current_database())) as shown`,
    );
    const facts = rows[0] ?? { version: '', size: '0', shown: '' };
    const where = databaseLocations[kind];
    const value = {
      where,
      version: facts.version,
      size: Number(facts.size),
      migrations: migrations.map(({ name, appliedAt }) => ({ name, applied_at: appliedAt ?? null })),
    };
    print(options, value, () => [
      `PostgreSQL ${facts.version} (${where}), ${facts.shown}`,
      ...formatTable(migrations.map(({ name, appliedAt }) => ({ migration: name, applied: appliedAt ?? 'pending' }))),
    ]);
  });
}

async function openSqlPrompt(args: readonly string[], options: OutputOptions): Promise<void> {
  if (options.json === true && args.length > 0) throw new CliError('--json takes no arguments of psql.');
  const database = await openCommandDatabase(commandConfig(), commandLog());
  try {
    if (options.json === true) {
      print(options, describeConnection(database), () => []);
      return;
    }
    const code = (await runPsql(database, args)) ?? (await runSqlPrompt(database.connection, args));
    process.exitCode = code;
  } finally {
    await database.close();
  }
}

/** Gives psql's exit code; undefined when it is not installed. */
async function runPsql({ connection }: OpenDatabase, args: readonly string[]): Promise<number | undefined> {
  // A Ctrl-C at the prompt is for psql.
  const ignore = (): void => {};
  process.on('SIGINT', ignore);
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn('psql', [connection.connectionString ?? '', ...args], { stdio: 'inherit' });
      child.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ENOENT' ? resolve(undefined) : reject(error),
      );
      child.once('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    process.off('SIGINT', ignore);
  }
}
