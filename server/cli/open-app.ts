import pg from 'pg';
import type { Logger } from 'pino';
import { closeApp, createApp } from '../app.ts';
import type { App } from '../platform/app.ts';
import { PostgresBus } from '../platform/bus.ts';
import type { Config } from '../platform/config.ts';
import { openPool } from '../platform/database/connect.ts';
import { migrate, migrationStatus } from '../platform/database/migrate.ts';
import { Failure } from './failure.ts';
import { openCommandDatabase, type OpenDatabase } from './open-database.ts';

/** The bus of a server that is alone on its database but for commands: it hears them and has nobody to tell. */
class HearingBus extends PostgresBus {
  override publish(channel: string, message: unknown): void {
    this.deliver(channel, message);
  }
}

/** Builds the App on an open database whose tables are up to date. */
export async function openApp(config: Config, database: OpenDatabase, log: Logger): Promise<App> {
  const pool = openPool(database.connection, config.DATABASE_POOL);
  pool.on('error', (error) => log.warn({ err: error }, 'a connection to the database broke'));
  const AppBus = database.kind === 'own' ? HearingBus : PostgresBus;
  const bus = new AppBus(
    pool,
    () => new pg.Client({ ...database.connection, application_name: 'fieldfare bus' }),
    (error) => log.warn({ err: error }, 'messages between processes failed'),
  );
  return createApp({ config, pool, log, bus });
}

/** Starts hearing what other processes say. */
export async function startBus(app: App): Promise<void> {
  if (app.bus instanceof PostgresBus) await app.bus.start();
}

/** Runs a command's work on an App, whether the server runs or not, and leaves everything as it was. */
export async function withApp<Result>(
  config: Config,
  log: Logger,
  run: (app: App) => Promise<Result>,
): Promise<Result> {
  const database = await openCommandDatabase(config, log);
  try {
    const app = await openApp(config, database, log);
    try {
      if (database.kind !== 'joined') await bringUpToDate(app.pool, database);
      return await run(app);
    } finally {
      await closeApp(app);
    }
  } finally {
    await database.close();
  }
}

/** A database that only this command uses is migrated; one that others may use is only looked at. */
async function bringUpToDate(pool: pg.Pool, database: OpenDatabase): Promise<void> {
  if (database.kind === 'own') {
    await migrate(pool);
    return;
  }
  const pending = (await migrationStatus(pool)).filter(({ appliedAt }) => appliedAt === undefined);
  if (pending.length > 0) throw new Failure('The database is not up to date. Run: fieldfare db migrate');
}
