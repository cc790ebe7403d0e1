import { withApp } from '../server/cli/open/open-app.ts';
import { openCommandDatabase } from '../server/cli/open/open-database.ts';
import type { App } from '../server/platform/app.ts';
import { parseConfig } from '../server/platform/config.ts';
import { createLog } from '../server/platform/log.ts';
import { startProcess, type StartedProcess } from './start-process.ts';

const readyLine = /is ready|is running jobs/;
const log = createLog({ level: 'error' });

/** A PostgreSQL of this process, which several server processes share. */
export class SharedDatabase {
  readonly #env: Readonly<Record<string, string>>;

  private constructor(env: Readonly<Record<string, string>>) {
    this.#env = env;
  }

  /** Starts PostgreSQL in the data folder of these settings, and stops it after `work`. */
  static async open<Result>(
    env: Readonly<Record<string, string>>,
    work: (database: SharedDatabase) => Promise<Result>,
  ): Promise<Result> {
    const { connection, close } = await openCommandDatabase(parseConfig(env), log);
    try {
      return await work(new SharedDatabase({ ...env, DATABASE_URL: connection.connectionString ?? '' }));
    } finally {
      await close();
    }
  }

  openApp<Result>(work: (app: App) => Promise<Result>): Promise<Result> {
    return withApp(parseConfig(this.#env), log, work);
  }

  /** Starts a server process by a shell command and waits until it is ready. */
  start(command: string): Promise<StartedProcess> {
    return startProcess('sh', ['-c', command], { env: this.#env, ready: readyLine });
  }

  /** Does some work while a server process runs. */
  async run<Result>(command: string, work: () => Promise<Result>): Promise<Result> {
    const server = await this.start(command);
    try {
      return await work();
    } finally {
      await server.stop();
    }
  }
}
