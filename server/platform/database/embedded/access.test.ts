import { spawnSync } from 'node:child_process';
import { chmodSync, lchownSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbedded, type EmbeddedServer } from './index.ts';
import { databaseUserName, findOrCreateUser, nobody, chownCluster, type UserOptions } from './user.ts';

const isRoot = process.getuid?.() === 0;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ff-access-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const start = (dataDir: string): Promise<EmbeddedServer> =>
  startEmbedded({ dataDir, log: pino({ level: 'silent' }), purpose: 'tests', skipSync: true });

async function query(server: EmbeddedServer, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    return (await client.query(statement)).rows as unknown[];
  } finally {
    await client.end();
  }
}

function listRecursively(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}

/**
 * Returns the response of PostgreSQL to another system user who requests its role, or why the socket cannot be opened.
 */
function connectAs(uid: number, server: EmbeddedServer): string {
  const script = `
    const socket = require('node:net').connect(process.argv[1]);
    const names = Buffer.from('user\\0fieldfare\\0database\\0fieldfare\\0\\0');
    const head = Buffer.alloc(8);
    head.writeInt32BE(names.length + 8, 0);
    head.writeInt32BE(196608, 4);
    socket.on('connect', () => socket.write(Buffer.concat([head, names])));
    socket.on('data', (answer) => { console.log(answer.toString('latin1')); process.exit(); });
    socket.on('error', (error) => console.log(error.code));`;
  const path = join(server.host, `.s.PGSQL.${server.port}`);
  const { stdout, error } = spawnSync(process.execPath, ['-e', script, path], {
    uid,
    gid: uid,
    cwd: '/',
    env: {},
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  return stdout;
}

test.runIf(isRoot)(
  'other system users are refused, whatever role they request and whatever folders are open',
  async () => {
    const dataDir = join(newFolder(), 'postgres');
    const server = await start(dataDir);
    try {
      // PostgreSQL may run as this user.
      expect(connectAs(nobody.uid + 1, server)).toBe('EACCES\n');
      for (const folder of [dirname(dataDir), server.host]) chmodSync(folder, 0o755);
      chmodSync(join(server.host, `.s.PGSQL.${server.port}`), 0o777);
      expect(connectAs(nobody.uid, server)).toContain('Peer authentication failed for user "fieldfare"');
      expect(connectAs(1, server)).toContain('Peer authentication failed for user "fieldfare"');
      expect(await query(server, 'select current_user as role')).toEqual([{ role: 'fieldfare' }]);
    } finally {
      await server.stop();
    }
  },
);

test('a cluster with trust authentication accepts only the server after its next start', async () => {
  const dataDir = join(newFolder(), 'postgres');
  await (await start(dataDir)).stop();
  writeFileSync(join(dataDir, 'pg_hba.conf'), 'local all all trust\n');
  const server = await start(dataDir);
  const rules = await query(server, 'select type, user_name, auth_method from pg_hba_file_rules');
  await server.stop();
  expect(rules).toEqual([{ type: 'local', user_name: ['fieldfare'], auth_method: 'peer' }]);
});

test('the folders of a cluster are closed to other users, whatever the umask', async () => {
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));
  const folder = join(newFolder(), 'data');
  const server = await start(join(folder, 'postgres'));
  try {
    const open = listRecursively(folder).filter((path) => (lstatSync(path).mode & 0o077) !== 0);
    expect(open).toEqual([]);
    expect(lstatSync(folder).mode & 0o767).toBe(0o700);
  } finally {
    await server.stop();
  }
});

test.runIf(isRoot)('the cluster of a deleted user changes its owner without loss', async () => {
  const dataDir = join(newFolder(), 'postgres');
  const first = await start(dataDir);
  const { uid } = lstatSync(dataDir);
  await query(first, 'create table kept as select 7 as number');
  await first.stop();
  for (const path of [...listRecursively(dataDir), dataDir]) lchownSync(path, 54_321, 54_321);
  const second = await start(dataDir);
  expect(await query(second, 'select number from kept')).toEqual([{ number: 7 }]);
  await second.stop();
  expect(listRecursively(dataDir).filter((path) => lstatSync(path).uid !== uid)).toEqual([]);
});

test.runIf(isRoot)('an interrupted change of owner is completed, and files of other users keep theirs', () => {
  const folder = newFolder();
  const [done, unfinished, foreign] = ['done', 'left', 'foreign'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [done, unfinished, foreign]) writeFileSync(path, '');
  lchownSync(done, 54_322, 54_322);
  for (const path of [unfinished, folder]) lchownSync(path, 54_321, 54_321);
  chownCluster(folder, { uid: 54_322, gid: 54_322 });
  expect([done, unfinished, folder, foreign].map((path) => lstatSync(path).uid)).toEqual([54_322, 54_322, 54_322, 0]);
});

/** A machine whose useradd command runs `script`. */
function runScript(script: string): UserOptions & { messages: string[] } {
  const folder = newFolder();
  const passwdFile = join(folder, 'passwd');
  writeFileSync(passwdFile, 'root:x:0:0:root:/root:/bin/sh\n');
  writeFileSync(join(folder, 'useradd'), `#!/bin/sh\npasswd=${passwdFile}\n${script}\n`, { mode: 0o755 });
  const path = process.env['PATH'];
  process.env['PATH'] = `${folder}:${path}`;
  onTestFinished(() => void (process.env['PATH'] = path));
  const messages: string[] = [];
  const addMessage = (sentence: string): void => void messages.push(sentence);
  return { canCreate: true, onCreated: addMessage, onRefused: addMessage, passwdFile, messages };
}

test('as root, PostgreSQL gets its own system user once, and a message is printed', async () => {
  const options = runScript('for name; do :; done; echo "$name:x:998:997::/nonexistent:/bin/false" >> $passwd');
  expect(await findOrCreateUser(options)).toMatchObject({ uid: 998, gid: 997 });
  expect(await findOrCreateUser(options)).toMatchObject({ uid: 998, gid: 997 });
  expect(options.messages).toEqual([expect.stringContaining(`Created the system user ${databaseUserName}`)]);
});

test('it retries while another process creates users', async () => {
  const options = runScript(`
    test -e $passwd.lock || { touch $passwd.lock; echo 'useradd: cannot lock /etc/passwd; try again later.' >&2; exit 1; }
    echo "${databaseUserName}:x:998:997::/nonexistent:/bin/false" >> $passwd`);
  expect(await findOrCreateUser(options)).toMatchObject({ uid: 998, gid: 997 });
});

test('if no user can be created, PostgreSQL runs as nobody, and the reason is printed', async () => {
  const options = runScript("echo 'useradd: cannot open /etc/passwd' >&2; exit 1");
  expect(await findOrCreateUser(options)).toEqual(nobody);
  expect(options.messages).toEqual([expect.stringContaining('cannot open /etc/passwd')]);
});
