import { expect, test } from 'vitest';
import { Browser } from '../browser.ts';
import { openCommandLine } from '../ops/command-line.ts';
import { appCode } from '../second-factors.ts';
import { startServer, type TestServer } from '../server.ts';
import { domain, otpSecret, recoveryCode } from './mastodon-rows.ts';
import { environmentFile, importInto, MastodonDatabase } from './mastodon-scene.ts';

const users = async ({ pool }: TestServer): Promise<unknown[]> => {
  const { rows } = await pool.query<Record<string, unknown>>(
    `select id, has_second_factor as has, lost_second_factor as lost,
      (select last_step from user_totp where user_id = users.id and confirmed_at is not null) as step,
      (select count(*)::int from recovery_codes where user_id = users.id) as codes
      from users where id in (11, 12, 13, 22) order by id`,
  );
  return rows;
};

const [alice, bob, mallory, keyless] = [
  { id: '11', has: true, lost: false, step: '5', codes: 1 },
  { id: '12', has: true, lost: false, step: '0', codes: 1 },
  { id: '13', has: false, lost: false, step: null, codes: 0 },
  { id: '22', has: true, lost: false, step: null, codes: 0 },
];
const bobWithout = { ...bob, has: false, lost: true, step: null, codes: 0 };

/** Enters a password, then a code, and returns whether this signs in. */
async function signInWith(server: TestServer, username: string, code: string): Promise<boolean> {
  const browser = new Browser(server);
  expect(await browser.signIn(username)).toBe('/auth/sign_in/second_factor');
  await browser.submit('/auth/sign_in/second_factor', { code });
  return browser.cookies.has('__Host-session');
}

test.each(['4.2', '4.4'] as const)('users of Mastodon %s sign in with their second factors', async (version) => {
  await using server = await startServer({ domain });
  await using source = await MastodonDatabase.create(version);
  const { refused, verified } = await importInto(server, source);
  expect(refused).toBe(0);
  expect(verified.filter(({ sampled, equal }) => equal !== sampled)).toEqual([]);
  expect(verified).toContainEqual(expect.objectContaining({ name: 'authenticator apps', sampled: 2, total: 2 }));
  expect(await users(server)).toEqual([alice, bob, mallory, keyless]);
  for (const name of ['alice', 'bob']) {
    const code = appCode(server, otpSecret);
    expect(await signInWith(server, name, code)).toBe(true);
    expect(await signInWith(server, name, code)).toBe(false);
    expect(await signInWith(server, name, recoveryCode)).toBe(true);
    expect(await signInWith(server, name, recoveryCode)).toBe(false);
  }
  // The passkey alone is asked for as well.
  expect(await signInWith(server, 'keyless', '000000')).toBe(false);
});

test('users whose secret cannot be read are asked to set it up again', async () => {
  await using server = await startServer({ domain });
  await using source = await MastodonDatabase.create('4.4');
  const lines = ['ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY='];
  await importInto(server, source, { lines });
  expect(await users(server)).toEqual([alice, bobWithout, mallory, keyless]);
  const browser = new Browser(server);
  expect(await browser.signIn('bob')).toBe('/settings/two_factor');
  expect(browser.text).toContain('could not be taken over');
});

test('a later run takes second factors again', async () => {
  await using server = await startServer({ domain });
  await using source = await MastodonDatabase.create('4.4');
  await importInto(server, source, { lines: ['ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY='] });
  // The key was found, a recovery code was used, and the passkey and an app were deleted without another change.
  await source.client.query(`update users set otp_backup_codes = '{}' where id = 12;
    update users set otp_required_for_login = false where id = 11;
    delete from webauthn_credentials`);
  expect(await importInto(server, source)).toMatchObject({ isLater: true, refused: 0, deleted: 2 });
  expect(await users(server)).toEqual([
    { ...alice, has: false, step: null, codes: 0 },
    { ...bob, codes: 0 },
    mallory,
    { ...keyless, has: false },
  ]);
});

test('the dry run counts secrets that cannot be read, with the reason', async () => {
  await using command = await openCommandLine({ BASE_URL: `https://${domain}` });
  await using source = await MastodonDatabase.create('4.4');
  const dryRun = (lines: string[]): Promise<string> =>
    command.run('import', 'mastodon', '--database', source.url, '--env', environmentFile(lines), '--dry-run');
  expect(await dryRun([])).toMatch(/^authenticator apps +2 +2 +-$/m);
  const output = await dryRun(['OTP_SECRET=', 'ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY=another']);
  expect(output).toMatch(/^authenticator apps +2 +0 .*1 their secret cannot be read: OTP_SECRET is missing/m);
  expect(output).toMatch(/1 their secret cannot be read: the keys of ACTIVE_RECORD_ENCRYPTION do not fit/);
  expect(output).toMatch(/^recovery codes +2 +1 +1 of users without another second factor$/m);
});
