import { spawn } from 'node:child_process';
import { Option, type Command } from 'commander';
import pg from 'pg';
import { openPool } from '../../platform/wire/pool.ts';
import { primaryOf } from '../../platform/wire/primary-client.ts';
import { maintenanceSettings, withSettings } from '../../platform/wire/session-settings.ts';
import { migrate, migrationStatus } from '../../platform/database/migrate.ts';
import { listMigrations } from '../../platform/database/migrations.ts';
import { blockedByOthers, describeWaiting } from '../describe-waiting.ts';
import { CliError, ExitError } from '../cli-error.ts';
import { openCommandDatabase, type OpenDatabase } from '../open/open-database.ts';
import { commandLog, jsonOption, print, formatTable, type OutputOptions } from '../output.ts';
import { commandConfig } from '../command-config.ts';
import type { CommandOptions, Shell } from '../shell.ts';
import { formatPlan, loadTableSizes, planMigrations } from './migration-plan.ts';
import { runSqlPrompt } from './sql-prompt.ts';
import type { UpgradeOptions } from './upgrade-command.ts';

export function addDatabaseCommands(group: Command): void {
  group.enablePositionalOptions();
  group
    .command('migrate')
    .description('Apply missing migrations')
    .option('--plan', 'apply nothing, but show what each migration locks and for how long')
    .option(...jsonOption)
    .action(migrateDatabase);
  group
    .command('status')
    .description('Show the location, size and migrations of the database')
    .option(...jsonOption)
    .action(showStatus);
  group
    .command('upgrade')
    .description('Move the embedded database to a newer major version of PostgreSQL, while the server is stopped')
    .option('--old-bin <folder>', 'programs of the version that created the database, if they are in no usual folder')
    .addOption(new Option('--cancel', 'discard an upgrade that was interrupted').conflicts('confirm'))
    .option('--confirm', 'delete the old database after an upgrade')
    .option(...jsonOption)
    .action(async (options: UpgradeOptions) => {
      const { upgradeDatabase } = await import('./upgrade-command.ts');
      await upgradeDatabase(options);
    });
  group
    .command('psql [args...]')
    .description('Open an SQL prompt: psql if it is installed, else a built-in one. Takes the arguments of psql')
    .option('--json', 'print the connection as JSON, for pg_dump and other programs')
    .passThroughOptions()
    .allowUnknownOption()
    .action(openSqlPrompt);
}

const databaseLocations = {
  started: 'embedded, not running',
  attached: 'embedded, running',
  external: 'DATABASE_URL',
} as const;

/** Returns the connection for other programs. An embedded database accepts connections only while the server runs. */
async function describeConnection({ kind, directConnection }: OpenDatabase): Promise<Record<string, unknown>> {
  const connection = await primaryOf(directConnection);
  const { host, port, user, database } = new pg.Client(connection);
  return { where: databaseLocations[kind], host, port, user, database, connection_string: connection.connectionString };
}

async function withDatabase<Result>(
  options: CommandOptions,
  run: (database: OpenDatabase, pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const database = await openCommandDatabase(commandConfig(options), commandLog(options));
  const pool = openPool(database.directConnection, 2);
  try {
    return await run(database, pool);
  } finally {
    await pool.end();
    await database.close();
  }
}

async function migrateDatabase(options: OutputOptions & { readonly plan?: boolean }): Promise<void> {
  if (options.plan === true) return showPlan(options);
  await withDatabase(options, async ({ directConnection }) => {
    const onBlocked = (): void => void options.shell.stderr.write(`${blockedByOthers}\n`);
    const { applied, waiting } = await migrate(directConnection, { onBlocked });
    print(options, { applied, waiting }, () => [
      ...applied.map((name) => `applied ${name}`),
      ...(waiting.length > 0 ? [describeWaiting(waiting)] : []),
      ...(applied.length + waiting.length === 0 ? ['The database is up to date.'] : []),
    ]);
  });
}

/** Runs the missing migrations in an empty database of its own, to see what they do. */
async function showPlan(options: OutputOptions): Promise<void> {
  const { tables, migrations } = await withDatabase(options, async (_, pool) => ({
    migrations: await migrationStatus(pool),
    tables: await loadTableSizes(pool),
  }));
  const isApplied = new Set(migrations.flatMap(({ name, appliedAt }) => (appliedAt === undefined ? [] : [name])));
  const all = listMigrations();
  const plan = await planMigrations(
    { applied: all.filter(({ name }) => isApplied.has(name)), pending: all.filter(({ name }) => !isApplied.has(name)) },
    { log: commandLog(options), postgresBin: commandConfig(options).POSTGRES_BIN },
  );
  print(options, plan, () => formatPlan(plan, tables));
}

async function showStatus(options: OutputOptions): Promise<void> {
  await withDatabase(options, async ({ kind }, pool) => {
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
      migrations: migrations.map(({ name, kind, appliedAt }) => ({ name, kind, applied_at: appliedAt ?? null })),
    };
    print(options, value, () => [
      `PostgreSQL ${facts.version} (${where}), ${facts.shown}`,
      ...formatTable(
        migrations.map(({ name, kind, appliedAt }) => ({ migration: name, kind, applied: appliedAt ?? 'pending' })),
      ),
    ]);
  });
}

async function openSqlPrompt(args: readonly string[], options: OutputOptions): Promise<void> {
  if (options.json === true && args.length > 0)
    throw new CliError('--json cannot be combined with arguments for psql.');
  const database = await openCommandDatabase(commandConfig(options), commandLog(options));
  try {
    if (options.json === true) {
      print(options, await describeConnection(database), () => []);
      return;
    }
    const code =
      (await runPsql(options.shell, database, args)) ??
      (await runSqlPrompt(options.shell, database.directConnection, args));
    if (code !== 0) throw new ExitError(code);
  } finally {
    await database.close();
  }
}

/** Returns the exit code of psql; undefined if it is not installed. */
async function runPsql(
  { env, cwd }: Shell,
  { directConnection }: OpenDatabase,
  args: readonly string[],
): Promise<number | undefined> {
  const { connectionString = '', options } = withSettings(await primaryOf(directConnection), maintenanceSettings);
  // psql handles Ctrl-C.

  const ignore = (): void => {};
  process.on('SIGINT', ignore);
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn('psql', [connectionString, ...args], {
        stdio: 'inherit',
        env: { ...env, PGOPTIONS: `${options} ${env['PGOPTIONS'] ?? ''}` },
        cwd,
      });
      child.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ENOENT' ? resolve(undefined) : reject(error),
      );
      child.once('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    process.off('SIGINT', ignore);
  }
}
