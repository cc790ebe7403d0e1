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

async function query(server: EmbeddedServer, question: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    return (await client.query(question)).rows as unknown[];
  } finally {
    await client.end();
  }
}

function listRecursively(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}

/** What PostgreSQL answers to a user of the machine who claims to be the database's role, or why there is no way to it. */
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
  'another user of the machine is refused, whatever role they claim and whatever folders are open',
  async () => {
    const dataDir = join(newFolder(), 'postgres');
    const server = await start(dataDir);
    try {
      // Nobody may be the very user that PostgreSQL runs as.
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

test('a cluster that trusted everybody lets in the server only from its next start on', async () => {
  const dataDir = join(newFolder(), 'postgres');
  await (await start(dataDir)).stop();
  writeFileSync(join(dataDir, 'pg_hba.conf'), 'local all all trust\n');
  const server = await start(dataDir);
  const rules = await query(server, 'select type, user_name, auth_method from pg_hba_file_rules');
  await server.stop();
  expect(rules).toEqual([{ type: 'local', user_name: ['fieldfare'], auth_method: 'peer' }]);
});

test('the folders of a cluster are closed to others, whatever the umask', async () => {
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

test.runIf(isRoot)('a cluster of a user who is gone is taken over without loss', async () => {
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

test.runIf(isRoot)('a take-over that was cut short goes on, and leaves the files of others alone', () => {
  const folder = newFolder();
  const [done, left, foreign] = ['done', 'left', 'foreign'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [done, left, foreign]) writeFileSync(path, '');
  lchownSync(done, 54_322, 54_322);
  for (const path of [left, folder]) lchownSync(path, 54_321, 54_321);
  chownCluster(folder, { uid: 54_322, gid: 54_322 });
  expect([done, left, folder, foreign].map((path) => lstatSync(path).uid)).toEqual([54_322, 54_322, 54_322, 0]);
});

/** A machine whose useradd does what `script` says. */
function runScript(script: string): UserOptions & { said: string[] } {
  const folder = newFolder();
  const passwdFile = join(folder, 'passwd');
  writeFileSync(passwdFile, 'root:x:0:0:root:/root:/bin/sh\n');
  writeFileSync(join(folder, 'useradd'), `#!/bin/sh\npasswd=${passwdFile}\n${script}\n`, { mode: 0o755 });
  const path = process.env['PATH'];
  process.env['PATH'] = `${folder}:${path}`;
  onTestFinished(() => void (process.env['PATH'] = path));
  const said: string[] = [];
  const say = (sentence: string): void => void said.push(sentence);
  return { canCreate: true, onCreated: say, onRefused: say, passwdFile, said };
}

test('as root, PostgreSQL gets a system user of its own once, and the person at the terminal is told', async () => {
  const options = runScript('for name; do :; done; echo "$name:x:998:997::/nonexistent:/bin/false" >> $passwd');
  expect(await findOrCreateUser(options)).toMatchObject({ uid: 998, gid: 997 });
  expect(await findOrCreateUser(options)).toMatchObject({ uid: 998, gid: 997 });
  expect(options.said).toEqual([expect.stringContaining(`Created the system user ${databaseUserName}`)]);
});

test('while another process creates users, it tries again', async () => {
  const options = runScript(`
    test -e $passwd.lock || { touch $passwd.lock; echo 'useradd: cannot lock /etc/passwd; try again later.' >&2; exit 1; }
    echo "${databaseUserName}:x:998:997::/nonexistent:/bin/false" >> $passwd`);
  expect(await findOrCreateUser(options)).toMatchObject({ uid: 998, gid: 997 });
});

test('where no user can be created, nobody runs PostgreSQL, and the reason is told', async () => {
  const options = runScript("echo 'useradd: cannot open /etc/passwd' >&2; exit 1");
  expect(await findOrCreateUser(options)).toEqual(nobody);
  expect(options.said).toEqual([expect.stringContaining('cannot open /etc/passwd')]);
});
