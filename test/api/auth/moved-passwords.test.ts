import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { changePassword, signIn } from '../../../server/users/sign-in/index.ts';
import { Browser } from '../../browser.ts';
import { password, setUpTotp } from '../../second-factors.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

/** The hash that crypt(3) of libxcrypt makes of `password`, without its prefix. */
const bcrypt = '10$0123456789abcdefghijkOnuwl.V2u01NoBznnxlzUUALHSttrMBW';

const storeHash = (server: TestServer, { userId }: TestUser, hash: string): Promise<unknown> =>
  sql`update users set password_hash = ${hash} where id = ${userId}::bigint`.execute(server.db);

const loadHash = async (server: TestServer, { userId }: TestUser): Promise<string> => {
  const { rows } = await sql<{ hash: string }>`
    select password_hash as hash from users where id = ${userId}::bigint`.execute(server.db);
  return rows[0]?.hash ?? '';
};

test('users moved from Mastodon sign in with their password, whose hash is replaced once', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.user('bob');
  const { app } = server;
  for (const version of ['2a', '2b', '2y']) {
    const stored = `$${version}$${bcrypt}`;
    await storeHash(server, alice, stored);
    expect(await signIn(app, { username: 'alice', password: 'wrong' })).toBeUndefined();
    expect(await signIn(app, { username: 'nobody', password })).toBeUndefined();
    expect(await signIn(app, { username: 'bob', password })).toBeDefined();
    expect(await loadHash(server, alice)).toBe(stored);
    // Several devices at once all sign in.
    const results = await Promise.all([1, 2, 3].map(() => signIn(app, { username: 'alice', password })));
    expect(results.every((result) => result !== undefined)).toBe(true);
    const replaced = await loadHash(server, alice);
    expect(replaced).toMatch(/^\$argon2id\$/);
    expect(await signIn(app, { username: 'alice', password })).toBeDefined();
    expect(await loadHash(server, alice)).toBe(replaced);
  }
});

test('a password that Mastodon hashed is accepted on pages and to confirm a change', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const stored = `$2a$${bcrypt}`;
  await storeHash(server, alice, stored);
  const browser = new Browser(server);
  await browser.signIn('alice');
  expect(browser.cookies.has('__Host-session')).toBe(true);

  await storeHash(server, alice, stored);
  const wrong = await alice.post('/api/v1/profile/delete', { password: 'wrong' });
  expect(wrong.status).not.toBe(200);
  expect(await loadHash(server, alice)).toBe(stored);
  await setUpTotp(server, browser);
  expect(await loadHash(server, alice)).toMatch(/^\$argon2id\$/);

  await storeHash(server, alice, stored);
  const attempt = { current: password, origin: {} };
  await changePassword(server.app, alice.userId, { ...attempt, password: 'another long password' });
  expect(await signIn(server.app, { username: 'alice', password })).toBeUndefined();
});

test('users without a password, who signed in by another service, cannot sign in with any', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const stored of ['', '$2a$10$short', '!']) {
    await storeHash(server, alice, stored);
    for (const typed of ['', password, stored])
      expect(await signIn(server.app, { username: 'alice', password: typed })).toBeUndefined();
  }
});

test('recovery codes from Mastodon work once', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const browser = new Browser(server);
  await browser.signIn('alice');
  await setUpTotp(server, browser);
  // The hash that crypt(3) makes of backup0123456789.
  const hash = '$2a$04$0123456789abcdefghijkOeM8O5HZbqHM5s13A.LxkxNXIcTl9wDq';
  await sql`insert into recovery_codes (user_id, code_hash) values (${alice.userId}::bigint, ${Buffer.from(hash)})`.execute(
    server.db,
  );
  const signInWith = async (code: string): Promise<boolean> => {
    const other = new Browser(server);
    await other.signIn('alice');
    await other.submit('/auth/sign_in/second_factor', { code });
    return other.cookies.has('__Host-session');
  };
  expect(await signInWith('backup0000000000')).toBe(false);
  expect(await signInWith(hash)).toBe(false);
  expect(await signInWith('backup0123456789')).toBe(true);
  expect(await signInWith('backup0123456789')).toBe(false);
});
