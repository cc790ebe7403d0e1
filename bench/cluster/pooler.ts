import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../test/free-port.ts';
import { serverRole } from './postgres-server.ts';
import { waitFor } from './wait-for.ts';

const configuration = join(import.meta.dirname, '..', '..', 'deploy', 'pgbouncer', 'pgbouncer.ini');
/** PgBouncer refuses to run as root. */
const nobody = { uid: 65_534, gid: 65_534 };

/** PgBouncer with the file of deploy/pgbouncer, on ports of this machine. */
export class Pooler implements AsyncDisposable {
  readonly port: number;
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(port: number, folder: string, child: ChildProcess) {
    this.port = port;
    this.#folder = folder;
    this.#child = child;
  }

  static async start(databasePort: number, mode: 'transaction' | 'session' = 'transaction'): Promise<Pooler> {
    const folder = mkdtempSync(join(tmpdir(), 'ff-pooler-'));
    chmodSync(folder, 0o755);
    const port = await findFreePort();
    const users = join(folder, 'userlist.txt');
    writeFileSync(users, `"${serverRole.name}" "${serverRole.password}"\n`);
    const file = join(folder, 'pgbouncer.ini');
    const adapted = readFileSync(configuration, 'utf8')
      .replace('port=5432', `port=${databasePort}`)
      .replace('listen_port = 6432', `listen_port = ${port}`)
      .replace('/etc/pgbouncer/userlist.txt', users)
      .replace('pool_mode = transaction', `pool_mode = ${mode}`);
    writeFileSync(file, adapted);
    const child = spawn('pgbouncer', ['--quiet', file], {
      ...(process.getuid?.() === 0 ? nobody : {}),
      cwd: '/',
      stdio: 'ignore',
    });
    const pooler = new Pooler(port, folder, child);
    await waitFor(() => pooler.query('select 1'));
    return pooler;
  }

  /** Runs a statement in a session that the pooler lends. */
  async query(text: string): Promise<pg.QueryResult> {
    const { name: user, password, database } = serverRole;
    const client = new pg.Client({ host: '127.0.0.1', port: this.port, user, password, database });
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await exited;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
