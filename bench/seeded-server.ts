import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { withApp } from '../server/cli/open/open-app.ts';
import type { App } from '../server/platform/app.ts';
import { parseConfig } from '../server/platform/config.ts';
import { createLog } from '../server/platform/log.ts';
import { connectDirectly } from './connect-directly.ts';
import { seedOnce } from './seed-once.ts';
import { startProcess, type StartedProcess } from './start-process.ts';

interface SeededServerOptions {
  /** Part of the name of a temporary folder. */
  readonly name: string;
  readonly port: string;
  /** A folder that is filled with demo data the first time, and kept. Default: a temporary one. */
  readonly dataDir?: string | undefined;
  readonly accounts: string;
  readonly statuses: string;
  /** Further settings. */
  readonly env?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');

/** A folder with demo data, and the settings of servers that run in it. */
export class SeededServer {
  readonly origin: string;
  readonly #dataDir: string;
  readonly #isTemporary: boolean;
  /** Settings of its servers. */
  readonly env: Readonly<Record<string, string>> & { readonly DATA_DIR: string };

  constructor({ name, port, dataDir, accounts, statuses, env = {} }: SeededServerOptions) {
    this.origin = `http://127.0.0.1:${port}`;
    this.#isTemporary = dataDir === undefined;
    this.#dataDir = dataDir ?? mkdtempSync(join(tmpdir(), `fieldfare-${name}-`));
    this.env = {
      DATA_DIR: this.#dataDir,
      PORT: port,
      BASE_URL: `http://localhost:${port}`,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      ...env,
    };
    try {
      seedOnce(this.env, { accounts, statuses });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Starts a server by a shell command, opens its database as well, and stops the server afterwards. */
  async run<Result>(command: string, work: (app: App, server: StartedProcess) => Promise<Result>): Promise<Result> {
    const server = await startProcess('sh', ['-c', command], { env: this.env, ready: /is ready/ });
    try {
      return await withApp(parseConfig(this.env, root), createLog({ level: 'error' }), (app) => work(app, server));
    } finally {
      await server.stop();
    }
  }

  /** Connects to the database, which need not have a server. */
  connect<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    return connectDirectly(this.env, work);
  }

  /** Deletes the folder if it is temporary. */
  close(): void {
    if (this.#isTemporary) rmSync(this.#dataDir, { recursive: true, force: true });
  }
}
