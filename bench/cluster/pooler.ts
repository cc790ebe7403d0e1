import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../test/free-port.ts';
import { serverRole } from './postgres-server.ts';
import { nobody, Program } from './program.ts';

const configuration = join(import.meta.dirname, '..', '..', 'deploy', 'pgbouncer', 'pgbouncer.ini');

interface PoolerOptions {
  readonly replacements?: Readonly<Record<string, string>>;
  readonly parent?: string;
}

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

  /** `replacements`: of texts in the file, such as values of settings. `parent`: of its folder. */
  static async start(
    databasePort: number,
    { replacements = {}, parent = tmpdir() }: PoolerOptions = {},
  ): Promise<Pooler> {
    const folder = mkdtempSync(join(parent, 'ff-pooler-'));
    chmodSync(folder, 0o755);
    const port = await findFreePort();
    const original = readFileSync(configuration, 'utf8');
    const users = join(folder, 'userlist.txt');
    writeFileSync(users, `"${serverRole.name}" "${serverRole.password}"\n`);
    const file = join(folder, 'pgbouncer.ini');
    const all = {
      'port=5432': `port=${databasePort}`,
      'listen_port = 6432': `listen_port = ${port}`,
      '/etc/pgbouncer/userlist.txt': users,
      'admin_users = fieldfare': `admin_users = ${serverRole.name}`,
      ...replacements,
    };
    writeFileSync(
      file,
      Object.entries(all).reduce((text, [from, to]) => replaceOnly(text, from, to), original),
    );
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

  /** Runs a command of its console, such as RECONNECT. */
  async command(text: string): Promise<void> {
    await query(this.port, text, 'pgbouncer');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Throws if the file does not have the text exactly once. */
function replaceOnly(text: string, from: string, to: string): string {
  const [before = '', after, ...others] = text.split(from);
  if (after === undefined || others.length > 0) throw new Error(`${configuration} must have "${from}" once`);
  return before + to + after;
}

async function query(port: number, text: string, database = serverRole.database): Promise<pg.QueryResult> {
  const { name: user, password } = serverRole;
  const client = new pg.Client({ host: '127.0.0.1', port, user, password, database });
  client.on('error', () => {});
  try {
    await client.connect();
    return await client.query(text);
  } finally {
    await client.end();
  }
}
