import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../clients/real-server.ts';
import { freePort, Place } from './process.ts';

const json = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');

/** Milliseconds: each command is a process of its own. */
const timeout = 240_000;

test(
  'people and servers are moderated from the command line while the server runs, and it acts at once',
  { timeout },
  async () => {
    const port = await freePort();
    await using place = new Place({ PORT: String(port), REGISTRATIONS: 'approval', LOG_LEVEL: 'warn' });
    const server = place.run(['serve']);
    await server.says('Fieldfare is ready');
    const url = `http://127.0.0.1:${port}`;
    const scopes = ['--scopes', 'read write', '--json'];
    const made = await place.do('account', 'create', 'alice', '--email', 'a@mail.test', '--confirmed', ...scopes);
    const authorization = `Bearer ${(json(made.stdout) as { access_token: string }).access_token}`;
    await place.do('account', 'create', 'carl', '--email', 'c@mail.test', '--confirmed', '--no-approved');

    const waiting = await place.do('account', 'list', '--pending', '--json');
    expect(json(waiting.stdout)).toMatchObject([{ username: 'carl', email: 'c@mail.test', confirmed: true }]);
    const approved = await place.do('account', 'approve', '@Carl', '--text', 'Welcome');
    expect([approved.code, approved.stdout, approved.stderr]).toEqual([0, '@carl is approved.\n', '']);
    const folder = join(place.dataDir, 'mail');
    const mail = await eventually(async () => {
      const files = await readdir(folder).catch(() => []);
      const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
      return texts.find((text) => text.includes('To: c@mail.test') && text.includes('is approved'));
    });
    expect(mail).toContain('Welcome');

    const status = async (): Promise<number> =>
      (await fetch(`${url}/api/v1/accounts/verify_credentials`, { headers: { authorization } })).status;
    const becomes = (wanted: number) => eventually(async () => ((await status()) === wanted ? true : undefined));
    expect(await status()).toBe(200);
    const suspended = await place.do('account', 'suspend', 'alice', '--no-notify', '--json');
    expect(json(suspended.stdout)).toMatchObject({ account: 'alice', changed: true });
    await becomes(403);
    expect((await place.do('account', 'suspend', 'alice')).stdout).toBe('@alice was suspended already.\n');
    await place.do('account', 'unsuspend', 'alice');
    await becomes(200);

    const block = ['--severity', 'suspend', '--public-comment', 'spam', '--reject-media', '--json'];
    expect(json((await place.do('domain', 'block', 'Bad.example', ...block)).stdout)).toMatchObject({
      domain: 'bad.example',
      severity: 'suspend',
      reject_media: true,
    });
    expect((await place.do('domain', 'list')).stdout).toMatch(/bad\.example\s+suspend\s+true\s+false\s+spam/);
    expect((await place.do('domain', 'unblock', 'bad.example')).stdout).toBe('bad.example is not blocked any more.\n');
    await server.kill('SIGTERM');
  },
);

test('the same while the server is stopped; what cannot be is refused in words', { timeout }, async () => {
  await using place = new Place();
  for (const name of ['alice', 'bob']) {
    await place.do('account', 'create', name, '--email', `${name}@mail.test`, '--confirmed');
  }
  expect((await place.do('account', 'role', 'alice', 'moderator')).stdout).toBe('@alice has the role moderator.\n');
  expect((await place.do('account', 'role', 'alice', 'moderator')).stdout).toBe(
    '@alice had the role moderator already.\n',
  );
  const refusals: [string[], string][] = [
    [['account', 'suspend', 'alice', 'nobody'], 'There is no account nobody.'],
    [['account', 'disable', 'eve@far.test'], 'eve@far.test is not an account of this server.'],
    [['account', 'approve', 'a b'], 'There is no account a b.'],
    [['account', 'reject', 'alice'], 'The account was approved already'],
    [['account', 'delete', 'bob'], 'add --yes: account delete bob --yes'],
    [['domain', 'block', 'no domain'], 'Domain is not a valid domain name: no domain'],
    [['domain', 'block', 'localhost'], 'Domain is the domain of this server: localhost'],
  ];
  for (const [args, words] of refusals) {
    const { code, stderr } = await place.do(...args);
    expect([code, stderr.includes(words) || stderr], args.join(' ')).toEqual([1, true]);
  }
  const accounts = json((await place.do('account', 'list', '--json')).stdout) as { username: string; state: string }[];
  expect(accounts.map(({ username, state }) => `${username} ${state}`)).toEqual(['bob active', 'alice active']);
  expect((await place.do('account', 'delete', 'bob', '--yes')).stdout).toBe('@bob is deleted.\n');
  expect(json((await place.do('account', 'list', '--json')).stdout)).toMatchObject([{ username: 'alice' }]);
});
