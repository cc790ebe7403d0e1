import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { copyFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { embeddedDataFolder, startEmbedded } from '../../../server/platform/database/embedded/index.ts';
import { findFreePort } from '../../free-port.ts';
import { Installation, type CliProcess } from '../cli-process.ts';
import { runHere } from '../run-in-process.ts';
import { migratedInstallation } from '../migrated-installation.ts';
import { dumpDatabase } from './backup-scene.ts';

/** An inbox on another host, which accepts everything. */
async function startInbox(): Promise<{ readonly url: string; readonly bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.method === 'POST' && request.headers['signature'] !== undefined) bodies.push(body);
      response.writeHead(request.method === 'POST' ? 202 : 404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/inbox`, bodies };
}

async function serve(installation: Installation, settings: Record<string, string> = {}): Promise<CliProcess> {
  const server = installation.run(['serve'], settings);
  await server.waitForOutput('Fieldfare is ready');
  return server;
}

const parseLastLine = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');

/** Dumps the embedded database of a stopped server. */
async function dumpStopped(installation: Installation): Promise<Record<string, string[]>> {
  const database = await startEmbedded({
    dataDir: embeddedDataFolder(installation.dataDir),
    log: pino({ level: 'silent' }),
    purpose: 'command',
  });
  try {
    return await dumpDatabase({ connectionString: database.connectionString });
  } finally {
    await database.stop();
  }
}

/** Returns the content of all files below a folder. */
function readFolder(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name)).toString('base64')]));
}

test('an instance moves to another machine in one encrypted file, and federates there', async () => {
  const inbox = await startInbox();
  const settings = { BASE_URL: 'http://fieldfare.test', ALLOW_PRIVATE_ADDRESSES: 'on', LOG_LEVEL: 'warn' };
  const port = await findFreePort();
  await using origin = await migratedInstallation({ ...settings, PORT: String(port) });
  const first = await serve(origin);
  const account = ['account', 'create', 'alice', '--email', 'a@mail.test', '--confirmed', '--approved'];
  const created = await runHere(origin, ...account, '--scopes', 'read write', '--json');
  const token = (parseLastLine(created.stdout) as { access_token: string }).access_token;
  const authorization = `Bearer ${token}`;
  const image = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#08f' } })
    .png()
    .toBuffer();
  const upload = new FormData();
  upload.set('file', new Blob([new Uint8Array(image)]), 'image.png');
  const uploaded = await fetch(`http://127.0.0.1:${port}/api/v2/media`, {
    method: 'POST',
    headers: { authorization },
    body: upload,
  });
  const { id: mediaId } = (await uploaded.json()) as { id: string };
  const post = async (at: number, body: object): Promise<Response> =>
    fetch(`http://127.0.0.1:${at}/api/v1/statuses`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await post(port, { status: 'Before the backup', media_ids: [mediaId] })).status).toBe(200);
  const described = parseLastLine((await runHere(origin, 'db', 'psql', '--json')).stdout) as {
    connection_string: string;
  };
  const client = new pg.Client(described.connection_string);
  await client.connect();
  await client.query(
    `with remote as (
       insert into accounts (id, username, domain, uri, inbox_url, created_at, updated_at)
         values (1, 'rhea', 'remote.test', 'https://remote.test/rhea', $1, now(), now()) returning id),
     counted as (
       update account_stats set followers_count = 1 from accounts
         where accounts.id = account_stats.account_id and username = 'alice')
     insert into follows (id, account_id, target_account_id, created_at)
       select 1, remote.id, alice.id, now() from remote, accounts alice where alice.username = 'alice'`,
    [inbox.url],
  );
  await client.end();

  const secret = join(origin.folder, 'passphrase');
  writeFileSync(secret, 'correct horse battery staple\n');
  mkdirSync(join(origin.folder, 'backups'));
  const encrypted = ['--passphrase-file', secret];
  const whileRunning = await origin.runToEnd(
    'backup',
    'create',
    join(origin.folder, 'backups'),
    ...encrypted,
    '--json',
  );
  expect([whileRunning.code, parseLastLine(whileRunning.stdout)]).toMatchObject([
    0,
    { encrypted: true, media: { files: 2 }, rows: { statuses: 1 } },
  ]);
  expect(readdirSync(join(origin.folder, 'backups'))).toEqual([expect.stringMatching(/^fieldfare\.test-.*\.backup$/)]);
  await first.kill('SIGTERM');

  const file = join(origin.folder, 'stopped.backup');
  const create = await origin.runToEnd('backup', 'create', file, ...encrypted);
  expect(create.stdout).toContain('2 media files');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const again = await runHere(origin, 'backup', 'create', file, ...encrypted);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('exists')]);
  const verified = await runHere(origin, 'backup', 'verify', file, ...encrypted);
  expect(verified.stdout).toContain('is intact');

  const newPort = await findFreePort();
  await using machine = new Installation({ PORT: String(newPort) });
  const copy = join(machine.folder, 'copy.backup');
  await copyFile(file, copy);
  const damaged = readFileSync(copy);
  damaged.writeUInt8(damaged.readUInt8(damaged.length - 100) ^ 1, damaged.length - 100);
  writeFileSync(join(machine.folder, 'damaged.backup'), damaged);
  const refused = await runHere(machine, 'backup', 'restore', join(machine.folder, 'damaged.backup'), ...encrypted);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('damaged')]);
  expect(readdirSync(machine.folder).toSorted()).toEqual(['copy.backup', 'damaged.backup']);

  const restored = await machine.runToEnd('backup', 'restore', copy, ...encrypted);
  expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('copy what you need to .env')]);
  expect(restored.stdout).toContain('The address of the instance is http://fieldfare.test');
  const twice = await runHere(machine, 'backup', 'restore', copy, ...encrypted);
  expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('Restore into a new DATA_DIR')]);
  expect(await dumpStopped(machine)).toEqual(await dumpStopped(origin));
  expect(readFolder(join(machine.dataDir, 'media'))).toEqual(readFolder(join(origin.dataDir, 'media')));
  const copied = parseEnv(readFileSync(join(machine.dataDir, 'secrets', 'restored.env'), 'utf8'));
  expect(copied).toEqual({ ...settings });

  const second = await serve(machine, copied as Record<string, string>);
  expect((await post(newPort, { status: 'After the move' })).status).toBe(200);
  await expect.poll(() => inbox.bodies.filter((body) => body.includes('After the move')).length).toBe(1);
  const running = await runHere(machine, 'backup', 'restore', copy, ...encrypted);
  expect([running.code, running.stderr]).toEqual([1, expect.stringMatching(/already|running/)]);
  const resumed = await runHere(machine, 'backup', 'create', join(machine.folder, 'next.tar'), '--json');
  expect(parseLastLine(resumed.stdout)).toMatchObject({ encrypted: false, rows: { statuses: 2 } });
  await second.kill('SIGTERM');
});

test('commands about backups name what is wrong', async () => {
  await using machine = new Installation();
  const missing = await runHere(machine, 'backup', 'verify', join(machine.folder, 'no.backup'));
  expect(missing.stderr).toContain('cannot be read');
  const short = machine.run(['backup', 'create', join(machine.folder, 'x'), '--passphrase-file', '-'], {}, 'short\n');
  expect((await short.exited).stderr).toContain('at least 12 characters');
  writeFileSync(join(machine.folder, 'note.txt'), 'Not a backup');
  const other = await runHere(machine, 'backup', 'restore', join(machine.folder, 'note.txt'));
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('is not a backup')]);
  expect(readdirSync(machine.folder)).toEqual(['note.txt']);
  const nowhere = await runHere(machine, 'backup', 'create', join(machine.folder, 'none', 'x.backup'));
  expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('cannot be written')]);
});
