import type pg from 'pg';
import type { Logger } from 'pino';
import type { App } from '../../platform/app.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Config } from '../../platform/config.ts';
import { openPool } from '../../platform/wire/pool.ts';
import { buildApp, closeApp, type AppOptions } from '../../platform/create-app.ts';
import { resumeIds } from '../../platform/database/resume-ids.ts';
import { migrate, migrationStatus } from '../../platform/database/migrate.ts';
import { PostgresBus } from '../../platform/bus/postgres-bus.ts';
import { connectValkeyBus } from '../../platform/bus/valkey-bus.ts';
import { startTracing } from '../../platform/tracing/start-tracing.ts';
import { redactSecrets } from '../../platform/redact.ts';
import { checkValkey } from '../../platform/valkey.ts';
import { CliError } from '../cli-error.ts';
import { openCommandDatabase, type OpenDatabase } from './open-database.ts';
import { checkReplicas, openReplicas } from './open-replicas.ts';
import { toError } from '../../platform/errors.ts';

/** The bus of the only server on its database: it receives messages of commands, and delivers its own locally. */
class ReceiveOnlyBus extends PostgresBus {
  override publish(channel: string, message: unknown): void {
    this.deliver(channel, message);
  }
}

/** Builds the full App on an open database. */
export async function openApp(config: Config, database: OpenDatabase, log: Logger): Promise<App> {
  const { createApp } = await import('../../app.ts');
  return createApp(await openAppParts(config, database, log));
}

/** Builds the App of a server that runs jobs only: as `openApp`, with traces. */
export async function openTracedApp(config: Config, database: OpenDatabase, log: Logger): Promise<App> {
  const { createApp } = await import('../../app.ts');
  return createApp({ ...(await openAppParts(config, database, log)), tracing: await startTracing(config, log) });
}

/** As `openTracedApp`, with the replicas of the settings. The caller starts them. Throws CliError for wrong addresses. */
export async function openAppWithReplicas(config: Config, database: OpenDatabase, log: Logger): Promise<App> {
  const { createApp } = await import('../../app.ts');
  await checkReplicas(config, database);
  const parts = await openAppParts(config, database, log);
  return createApp({
    ...parts,
    replicas: openReplicas(config, parts.pool, log),
    tracing: await startTracing(config, log),
  });
}

async function openAppParts(config: Config, database: OpenDatabase, log: Logger): Promise<AppOptions> {
  const { connection, directConnection, isPooled } = database;
  const pool = openPool(connection, config.DATABASE_POOL, { isPooled });
  const bus = await openBus(config, database, { pool, log });
  return { config, pool, directConnection, log, bus };
}

async function openBus(
  config: Config,
  database: OpenDatabase,
  { pool, log }: { pool: pg.Pool; log: Logger },
): Promise<Bus> {
  // At level debug: everything else that needs the database reports an outage too.
  const onError = (error: unknown): void => {
    log.debug({ err: error }, 'messages between processes failed');
  };
  if (config.VALKEY_URL !== undefined) return openValkeyBus(config, config.VALKEY_URL, onError);
  const AppBus = database.kind === 'started' ? ReceiveOnlyBus : PostgresBus;
  return new AppBus({ pool, connection: database.directConnection, onError });
}

async function openValkeyBus(config: Config, url: string, onError: (error: unknown) => void): Promise<Bus> {
  try {
    await checkValkey(url);
    return await connectValkeyBus(config, onError);
  } catch (error) {
    throw new CliError(
      `Valkey at ${redactSecrets(url)} cannot be used (${toError(error).message}). Start it, or check VALKEY_URL.`,
    );
  }
}

/** Starts to receive messages of other processes. */
export async function startBus(app: App): Promise<void> {
  if (app.bus instanceof PostgresBus) await app.bus.start();
}

type RunWithApp = <Result>(config: Config, log: Logger, run: (app: App) => Promise<Result>) => Promise<Result>;

/** Runs a command with an App, whether the server runs or not, and closes what it opened. */
export const withApp: RunWithApp = (config, log, run) => runWithApp(openApp, { config, log }, run);

/** Like `withApp`, with only accounts, users and OAuth: starts in half the time. */
export const withAccountsApp: RunWithApp = (config, log, run) => runWithApp(openAccountsApp, { config, log }, run);

/** Like `withApp`, for commands that only read: without domains, so that it starts fast. Throws if a transaction begins. */
export const withReadingApp: RunWithApp = (config, log, run) => runWithApp(openReadingApp, { config, log }, run);

async function openReadingApp(config: Config, database: OpenDatabase, log: Logger): Promise<App> {
  return buildApp(await openAppParts(config, database, log), { subscriptions: noSubscriptions, isPartial: true });
}

/** Throws at once: the reactions to an event would be lost. */
const noSubscriptions = new Proxy({} as App['subscriptions'], {
  get() {
    throw new Error('a command that only reads wants to change something');
  },
});

async function openAccountsApp(config: Config, database: OpenDatabase, log: Logger): Promise<App> {
  const { createAccountsApp } = await import('./accounts-app.ts');
  return createAccountsApp(await openAppParts(config, database, log));
}

async function runWithApp<Result>(
  open: typeof openApp,
  { config, log }: { config: Config; log: Logger },
  run: (app: App) => Promise<Result>,
): Promise<Result> {
  const database = await openCommandDatabase(config, log);
  try {
    const app = await open(config, database, log);
    try {
      if (database.kind !== 'attached') await ensureMigrated(app.pool, database);
      // Commands that only read create no ids, and this is the most expensive part of opening an App.
      if (open !== openReadingApp) await resumeIds(app.pool);
      return await run(app);
    } finally {
      await closeApp(app);
    }
  } finally {
    await database.close();
  }
}

/** Migrates a database that only this command uses. For others, throws CliError if migrations are missing. */
async function ensureMigrated(pool: pg.Pool, database: OpenDatabase): Promise<void> {
  if (database.kind === 'started') {
    await migrate(database.directConnection);
    return;
  }
  const pending = (await migrationStatus(pool)).filter(({ kind, appliedAt }) => kind === 'expand' && !appliedAt);
  if (pending.length > 0) throw new CliError('The database needs migrations. Run: fieldfare db migrate');
}
