import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';
import { ValkeyServer } from '../valkey-server.ts';
import { Installation } from './cli-process.ts';
import { runHere } from './run-in-process.ts';
import { migratedInstallation } from './migrated-installation.ts';
import { DatabaseInstallation } from './database-installation.ts';
import { openCommandLine } from './command-line.ts';

const parseLastLine = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');

test('accounts and tokens created while the server runs work immediately', async () => {
  await using commandLine = await openCommandLine();
  const url = await commandLine.serve();
  const created = await commandLine.runToEnd(
    'account',
    'create',
    'alice',
    '--email',
    'alice@mail.test',
    '--confirmed',
    '--scopes',
    'read write',
    '--json',
  );
  expect(created.code, created.stderr).toBe(0);
  const account = parseLastLine(created.stdout) as { id: string; username: string; access_token: string };
  expect(Object.keys(account)).toEqual(['id', 'username', 'password', 'access_token']);
  const result = await commandLine.runToEnd(
    'token',
    'create',
    '@alice',
    '--scopes',
    'read follow',
    '--app',
    'A script',
    '--json',
  );
  const token = parseLastLine(result.stdout) as { access_token: string; scope: string; account_id: string };
  expect(token).toMatchObject({ scope: 'read follow', account_id: account.id });
  for (const { access_token } of [account, token]) {
    const response = await fetch(`${url}/api/v1/accounts/verify_credentials`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(await response.json()).toMatchObject({ id: account.id, username: 'alice' });
  }
  const draft = await fetch(`${url}/api/v1/fieldfare/drafts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ posts: [{ text: 'secret' }, {}] }),
  });
  expect(draft.status).toBe(200);
  const drafts = await commandLine.runToEnd('account', 'drafts', '@alice', '--json');
  expect(parseLastLine(drafts.stdout)).toMatchObject([{ version: 1, posts: 2, files: 0 }]);
  expect(drafts.stdout).not.toContain('secret');
  const folder = await fetch(`${url}/api/v1/fieldfare/bookmark_folders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'secret' }),
  });
  expect(folder.status).toBe(200);
  const folders = await commandLine.runToEnd('account', 'bookmark-folders', 'alice', '--json');
  expect(parseLastLine(folders.stdout)).toMatchObject([{ bookmarks: 0 }]);
  expect(folders.stdout).not.toContain('secret');
  const unknown = await commandLine.runToEnd('account', 'drafts', 'nobody');
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('Unknown account: nobody')]);
});

test('accounts and tokens can be created while the server is stopped', async () => {
  await using installation = await migratedInstallation();
  const created = await installation.runToEnd(
    'account',
    'create',
    'bea',
    '--email',
    'bea@mail.test',
    '--role',
    'owner',
    '--confirmed',
  );
  expect(created.code, created.stderr).toBe(0);
  expect(created.stdout).toMatch(/Created @bea \(account \d+, owner\)\.\nPassword: [a-z]{5}(-[a-z]{5}){3}\n/);
  const account = await runHere(installation, 'account', 'show', 'BEA', '--json');
  expect(JSON.parse(account.stdout)).toMatchObject({
    username: 'bea',
    email: 'bea@mail.test',
    role: 'owner',
    state: 'active',
  });
  const waiting = await runHere(
    installation,
    'account',
    'create',
    'cara',
    '--email',
    'c@mail.test',
    '--confirmed',
    '--no-approved',
  );
  expect(waiting.stdout).toContain('The account is pending approval: fieldfare account approve cara');
  const token = await runHere(installation, 'token', 'create', 'bea', '--scopes', 'read');
  expect(token.stdout).toMatch(/^\S{32,}\n$/);
});

test('two concurrent commands wait for each other when the server is stopped', async () => {
  await using installation = new Installation();
  const [first, second] = await Promise.all([
    installation.runToEnd('db', 'migrate', '--json'),
    installation.runToEnd('db', 'status', '--json'),
  ]);
  expect([first.code, second.code], first.stderr + second.stderr).toEqual([0, 0]);
  const status = JSON.parse((await runHere(installation, 'db', 'status', '--json')).stdout) as {
    where: string;
    migrations: { applied_at: string | null }[];
  };
  expect(status.where).toBe('embedded, not running');
  expect(status.migrations.length).toBeGreaterThan(5);
  expect(status.migrations.filter(({ applied_at }) => applied_at === null)).toEqual([]);
});

test('invalid commands fail with a message and exit code 1', async () => {
  await using commandLine = await openCommandLine();
  await commandLine.serve();
  await commandLine.runToEnd('account', 'create', 'cato', '--email', 'cato@mail.test', '--confirmed');
  const refusals: [string[], string][] = [
    [['account', 'create', 'cato', '--email', 'other@mail.test'], 'Username has already been taken'],
    [
      ['account', 'create', 'dora', '--email', 'dora@mail.test', '--scopes', 'read everything'],
      'Unknown scope: everything',
    ],
    [['token', 'create', 'nobody', '--scopes', 'read'], 'Unknown account: nobody'],
    [['fly'], "unknown command 'fly'"],
  ];
  for (const [args, message] of refusals) {
    const { code, stderr } = await commandLine.runToEnd(...args);
    expect(stderr, args.join(' ')).toContain(message);
    expect(code, args.join(' ')).toBe(1);
  }
  expect(JSON.parse((await commandLine.runToEnd('account', 'list', '--json')).stdout)).toHaveLength(1);
});

test('a command has help text', async () => {
  await using installation = new Installation();
  const { code, stdout } = await installation.runToEnd('account', 'create', '--help');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: fieldfare account create /);
});

test('SQL can be piped to the database', async () => {
  await using installation = await migratedInstallation();
  const named = JSON.parse((await runHere(installation, 'db', 'psql', '--json')).stdout) as object;
  expect(named).toEqual({
    where: 'embedded, not running',
    host: join(installation.dataDir, 'postgres-socket'),
    port: 5432,
    user: 'fieldfare',
    database: 'fieldfare',
    connection_string: expect.stringMatching(/^postgresql:\/\/fieldfare@\/fieldfare\?host=/),
  });
  const withoutPsql = { PATH: '/nowhere' };
  const result = await installation.run(['db', 'psql'], withoutPsql, "select 6 * 7 as answer,\n 'ä' as letter;\n")
    .exited;
  expect(result.code, result.stderr).toBe(0);
  expect(result.stdout).toBe('answer  letter\n42      ä\n(SELECT 1)\n');
  const wrong = await installation.run(['db', 'psql', '--', '-c', 'select nothing'], withoutPsql).exited;
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain('ERROR: column "nothing" does not exist');
});

test('the doctor reports a healthy server as healthy, and how to fix problems', async () => {
  await using valkey = new ValkeyServer();
  await valkey.start();
  await using mail = await startMailServer();
  const services = { SMTP_URL: mail.url, VALKEY_URL: valkey.url, FFMPEG: 'none' };
  await using commandLine = await openCommandLine({ BASE_URL: 'https://social.test', ...services });
  const healthy = await commandLine.runToEnd('doctor', '--json');
  expect(healthy.code, healthy.stdout).toBe(0);
  const findings = JSON.parse(healthy.stdout) as { subject: string; state: string }[];
  expect(new Set(findings.map(({ subject }) => subject))).toEqual(
    new Set([
      'settings',
      'database',
      'addresses',
      'proxy',
      'clock',
      'limits',
      'queues',
      'valkey',
      'mail',
      'ffmpeg',
      'storage',
      'disk',
    ]),
  );
  expect(findings.filter(({ state }) => state === 'fail')).toEqual([]);
  await commandLine.database.query(
    "insert into jobs (queue, name, data, run_at, exhausted_at) values ('default', 'x', '{}', now(), now())",
  );
  const result = await commandLine.runToEnd('doctor');
  expect(result.stdout).toMatch(/warn\S*\s+queues\s+1 jobs failed after all retries/);
  await commandLine.runToEnd('account', 'create', 'alice', '--email', 'alice@social.test');
  const moved = await commandLine.runWith({ BASE_URL: 'https://other.test' }, 'doctor');
  expect(moved.stdout).toMatch(
    /warn\S*\s+addresses\s+\d+ accounts were created when BASE_URL was https:\/\/social\.test;/,
  );
  const misled = await commandLine.runWith({ DATABASE_URL: 'postgres://127.0.0.1:1/x' }, 'doctor');
  expect(misled.code).toBe(1);
  expect(misled.stdout).toContain('cannot be reached');
});

test('the doctor says which service does not answer, and a server does not start without its Valkey', async () => {
  await using commandLine = await openCommandLine({ BASE_URL: 'https://social.test' });
  const unreachable = {
    VALKEY_URL: 'redis://someone:hunter2@127.0.0.1:1',
    SMTP_URL: 'smtp://someone:hunter2@127.0.0.1:1',
    FFMPEG: '/nowhere/ffmpeg',
  };
  const { code, stdout, stderr } = await commandLine.runWith(unreachable, 'doctor');
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toMatch(/fail\S*\s+valkey\s+redis:\/\/\[hidden\]@127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/);
  expect(stdout).toMatch(/fail\S*\s+mail\s+the mail server at smtp:\/\/\[hidden\]@127\.0\.0\.1:1 cannot be used: /);
  expect(stdout).toMatch(/warn\S*\s+ffmpeg\s/);
  expect(stdout).toMatch(/ok\S*\s+storage\s/);
  expect(stdout).not.toContain('hunter2');
  await using installation = new DatabaseInstallation(commandLine.database);
  const started = await installation.run(['serve'], { VALKEY_URL: unreachable.VALKEY_URL }).exited;
  expect([started.code, started.stderr]).toEqual([
    1,
    expect.stringMatching(
      /Valkey at redis:\/\/\[hidden\]@127\.0\.0\.1:1 cannot be used \(.*ECONNREFUSED.*\)\. Start it/,
    ),
  ]);
});

/** A mail server that accepts connections. */
async function startMailServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(resolve)),
  };
}

test('custom emojis are added, imported, disabled and deleted while the server runs', async () => {
  await using commandLine = await openCommandLine();
  const url = await commandLine.serve();
  const listed = async (): Promise<string[]> => {
    const response = await fetch(`${url}/api/v1/custom_emojis`);
    return ((await response.json()) as { shortcode: string }[]).map(({ shortcode }) => shortcode);
  };
  expect(await listed()).toEqual([]);
  const imagePath = join(import.meta.dirname, '../../server/assets/icon-192.png');
  const pack = join(commandLine.folder, 'pack');
  await mkdir(pack);
  for (const name of ['tree.png', 'sun.png', 'no-name.png', 'note.txt']) await copyFile(imagePath, join(pack, name));
  await writeFile(join(pack, 'broken.gif'), 'GIF89a');
  const added = await commandLine.runToEnd('emoji', 'add', 'bird', imagePath, '--category', 'Animals');
  expect([added.code, added.stdout, added.stderr]).toEqual([0, 'Added :bird:.\n', '']);
  const imported = await commandLine.runToEnd('emoji', 'import', pack, '--prefix', 'p_', '--json');
  expect(parseLastLine(imported.stdout)).toMatchObject({
    added: ['p_sun', 'p_tree'],
    skipped: [{ name: 'broken.gif' }, { name: 'no-name.png' }],
  });
  expect(await listed()).toEqual(['bird', 'p_sun', 'p_tree']);
  expect((await commandLine.runToEnd('emoji', 'disable', ':bird:')).code).toBe(0);
  expect((await commandLine.runToEnd('emoji', 'delete', 'p_sun')).code).toBe(0);
  expect(await listed()).toEqual(['p_tree']);
  const all = parseLastLine((await commandLine.runToEnd('emoji', 'list', '--json')).stdout);
  expect(all).toMatchObject([{ shortcode: 'p_tree' }, { shortcode: 'bird', category: 'Animals', disabled: true }]);
  const folder = join(commandLine.folder, 'exported', 'animals');
  const exported = await commandLine.runToEnd('emoji', 'export', folder, '--category', 'Animals');
  expect([exported.code, exported.stdout]).toEqual([0, `1 exported to ${folder}.\n`]);
  expect(await readFile(join(folder, 'bird.png'))).toEqual(await readFile(imagePath));
  const full = await commandLine.runToEnd('emoji', 'export', folder);
  expect([full.code, full.stderr]).toEqual([1, `fieldfare: The folder ${folder} is not empty.\n`]);
  const none = await commandLine.runToEnd('emoji', 'export', join(folder, 'bird.png'));
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('is not a folder that can be read')]);
  const others = join(commandLine.folder, 'others');
  const rest = await commandLine.runToEnd('emoji', 'export', others, '--category', '', '--json');
  expect(parseLastLine(rest.stdout)).toEqual({ exported: ['p_tree'], missing: [] });
  const back = await commandLine.runToEnd('emoji', 'import', others, '--overwrite', '--json');
  expect(parseLastLine(back.stdout)).toMatchObject({ added: ['p_tree'], skipped: [] });
  const edited = await commandLine.runToEnd('emoji', 'edit', 'bird', '--category', '', '--no-listed');
  expect([edited.stdout, edited.stderr]).toEqual(['Changed :bird:.\n', '']);
  const disabled = await commandLine.runToEnd('emoji', 'list', '--disabled', '--json');
  expect(parseLastLine(disabled.stdout)).toMatchObject([{ shortcode: 'bird', category: null, listed: false }]);
  const unknown = await commandLine.runToEnd('emoji', 'copy', 'tree@far.test');
  expect([unknown.code, unknown.stderr]).toEqual([1, 'fieldfare: There is no emoji :tree:\n']);
  const again = await commandLine.runToEnd('emoji', 'add', 'bird', imagePath);
  expect([again.code, again.stderr]).toEqual([1, 'fieldfare: There is already an emoji :bird:\n']);
  expect((await commandLine.runToEnd('emoji', 'import', join(pack, 'note.txt'))).stderr).toBe(
    'fieldfare: This file is not a tar or zip archive.\n',
  );
  await commandLine.refuse(['emoji', 'purge', '--yes'], 'Pass one of --local, --remote and --domain.');
  await commandLine.refuse(['emoji', 'purge', '--local', '--remote', '--yes'], 'Pass one of');
  await commandLine.refuse(['emoji', 'purge', '--local'], 'add --yes');
  expect(await commandLine.run('emoji', 'purge', '--local', '--dry-run')).toBe('It would delete 2 emojis.\n');
  expect(await commandLine.runJson('emoji', 'purge', '--remote', '--yes')).toEqual({ purged: 0 });
  expect(await listed()).toEqual(['p_tree']);
  expect(await commandLine.run('emoji', 'purge', '--local', '--yes')).toBe('Deleted 2 emojis.\n');
  await expect.poll(listed).toEqual([]);
});
