import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../test/free-port.ts';
import { serverRole } from './postgres-server.ts';
import { nobody, Program } from './program.ts';

const configuration = join(import.meta.dirname, '..', '..', 'deploy', 'pgbouncer', 'pgbouncer.ini');

/** PgBouncer with the file of deploy/pgbouncer, on ports of this machine. */
export class Pooler implements AsyncDisposable {
  readonly port: number;
  readonly program: Program;
  readonly #folder: string;

  private constructor(port: number, folder: string, program: Program) {
    this.port = port;
    this.#folder = folder;
    this.program = program;
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
    const program = await Program.start({
      command: 'pgbouncer',
      args: ['--quiet', file],
      // PgBouncer refuses to run as root.
      user: nobody,
      isReady: async () => (await query(port, 'select 1')).rowCount === 1,
    });
    return new Pooler(port, folder, program);
  }

  /** Runs a statement in a session that the pooler lends. */
  query(text: string): Promise<pg.QueryResult> {
    return query(this.port, text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function query(port: number, text: string): Promise<pg.QueryResult> {
  const { name: user, password, database } = serverRole;
  const client = new pg.Client({ host: '127.0.0.1', port, user, password, database });
  client.on('error', () => {});
  try {
    await client.connect();
    return await client.query(text);
  } finally {
    await client.end();
  }
}
