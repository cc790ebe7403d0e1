import { expect, test } from 'vitest';
import { openCommandLine } from './command-line.ts';
import { form } from '../client.ts';

const lastJson = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');

test('security 10: a password reset on the command line ends tokens and sessions of a running server (GHSA-f3q3)', async () => {
  await using commandLine = await openCommandLine({ LOG_LEVEL: 'warn' });
  const url = await commandLine.serve();
  const scopes = ['--confirmed', '--scopes', 'read', '--json', '--password', 'correct horse'];
  const created = await commandLine.runToEnd('account', 'create', 'alice', '--email', 'a@mail.test', ...scopes);
  const { access_token: token } = lastJson(created.stdout) as { access_token: string };
  const verify = async (): Promise<number> =>
    (await fetch(`${url}/api/v1/accounts/verify_credentials`, { headers: { authorization: `Bearer ${token}` } }))
      .status;
  expect(await verify()).toBe(200);
  const page = await fetch(`${url}/auth/sign_in`);
  const [, proof = ''] = /name="authenticity_token" value="([^"]+)"/.exec(await page.text()) ?? [];
  const body = form({ email: 'alice', password: 'correct horse', authenticity_token: proof });
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const signedIn = await fetch(`${url}/auth/sign_in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': body.contentType, cookie },
    body: new Uint8Array(body.payload),
  });
  expect(signedIn.status).toBe(303);
  const sessions = lastJson((await commandLine.runToEnd('account', 'sessions', 'alice', '--json')).stdout);
  expect(sessions).toMatchObject([{ ip: '127.0.0.1' }]);

  const reset = await commandLine.runToEnd('account', 'reset-password', '@Alice', '--json');
  expect(lastJson(reset.stdout)).toMatchObject({
    account: 'alice',
    password: expect.stringMatching(/^[a-z]{5}(-[a-z]{5}){3}$/),
  });
  await expect.poll(verify).toBe(401);
  expect((await commandLine.runToEnd('account', 'sessions', 'alice')).stdout).toBe('@alice is signed in nowhere.\n');
  expect((await commandLine.runToEnd('account', 'sessions', 'alice', '--revoke', '7')).stderr).toContain(
    '@alice has no session 7.',
  );
  expect((await commandLine.runToEnd('account', 'sessions', 'alice', '--revoke', 'x')).stderr).toContain(
    'Invalid session id: x',
  );
  expect((await commandLine.runToEnd('account', 'sessions', 'alice', '--revoke-all')).stdout).toBe(
    '@alice was signed out of 0 browsers.\n',
  );
  expect((await commandLine.runToEnd('account', 'disable-2fa', 'alice')).stdout).toBe('@alice had no second factor.\n');
  const client = await commandLine.database.connect();
  const keys = async () =>
    (await client.query<{ pem: string }>('select public_key_pem as pem from account_keys')).rows.map(({ pem }) => pem);
  expect((await commandLine.runToEnd('account', 'rotate-keys', 'alice')).stdout).toBe('@alice has new keys.\n');
  const before = await keys();
  await commandLine.run('account', 'rotate-keys', 'alice');
  expect(before).toHaveLength(2);
  expect(new Set([...before, ...(await keys())]).size).toBe(4);
  await client.end();
  expect((await commandLine.runToEnd('account', 'reset-password', 'nobody')).stderr).toContain(
    'Unknown account: nobody',
  );
  const log = await commandLine.runToEnd('audit', 'list', '--json');
  expect(log.stdout).toContain('user.reset_password');
});
