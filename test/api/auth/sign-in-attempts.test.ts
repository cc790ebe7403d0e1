import { expect, test } from 'vitest';
import { deleteOwnAccount } from '../../../server/profiles/index.ts';
import { completeSignInByCode } from '../../../server/users/second-factor/index.ts';
import { signIn } from '../../../server/users/sign-in/index.ts';
import { Browser } from '../../browser.ts';
import { password, setUpTotp } from '../../second-factors.ts';
import { startServer, type TestServer } from '../../server.ts';

const wrong = 'wrong password';
const home = { ip: '192.0.2.7', browser: 'the browser at home' };
const attacker = { ip: '198.51.100.9' };

/** Starts a server that limits attempts, at the start of an hour: the limits reset on the hour. */
async function startLimitedServer(): Promise<TestServer> {
  const server = await startServer({ settings: { RATE_LIMITS: 'on' } });
  server.clock.advance(3600 - ((server.clock.now().getTime() / 1000) % 3600));
  return server;
}

const statusOf = (attempt: Promise<unknown>): Promise<number> =>
  attempt.then(
    () => 200,
    (error: { status?: number }) => error.status ?? 500,
  );

async function exhaust(attempt: () => Promise<unknown>, left = 25): Promise<void> {
  for (let turn = 0; turn < left; turn += 1) expect(await statusOf(attempt())).not.toBe(429);
  expect(await statusOf(attempt())).toBe(429);
}

test('security 15: attacks from elsewhere do not lock a known browser or address out', async () => {
  await using server = await startLimitedServer();
  await server.user('alice');
  await server.user('bob');
  const { app } = server;
  expect(await signIn(app, { username: 'alice', password, ...home })).toBeDefined();
  // The first sign-in at home counted for the name, too.
  await exhaust(() => signIn(app, { username: 'alice', password: wrong, ...attacker }), 24);
  // More addresses do not help.
  const elsewhere = { ip: '203.0.113.5', browser: 'another browser' };
  expect(await statusOf(signIn(app, { username: 'alice', password, ...elsewhere }))).toBe(429);
  // A limit of the user would reveal that this address is the one of alice.
  expect(await signIn(app, { email: 'alice@mail.test', password: wrong, ...elsewhere })).toBeUndefined();
  for (const known of [home, { ...attacker, browser: home.browser }, { ip: home.ip, browser: 'new' }]) {
    expect(await signIn(app, { username: 'alice', password, ...known })).toBeDefined();
  }
  // A known browser of alice is not one of bob, and is limited as well.
  await exhaust(() => signIn(app, { username: 'bob', password: wrong, ...home }));
  await exhaust(() => signIn(app, { username: 'alice', password: wrong, browser: 'new', ip: home.ip }));
});

test('security 15: codes, and passwords that confirm a change, are limited like sign-ins', async () => {
  await using server = await startLimitedServer();
  const alice = await server.user('alice');
  const { app } = server;
  await exhaust(() =>
    deleteOwnAccount(app, { accountId: alice.id, userId: alice.userId }, { current: wrong, origin: attacker }),
  );
  expect(await statusOf(alice.post('/api/v1/profile/delete', { password: wrong }))).toBe(200);
  server.clock.advance(3600);
  const browser = new Browser(server);
  await browser.signIn('alice');
  await setUpTotp(server, browser);
  let secret = '';
  await exhaust(async () => {
    if (secret === '') secret = (await signIn(app, { username: 'alice', password, ...home }))?.secret ?? '';
    const result = await completeSignInByCode(app, secret, { code: '000000', origin: attacker });
    if (result === 'expired') secret = '';
  });
});

test('security 15: a sign-in from a new browser or address is mailed in the language of the user, a known one is not', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { app } = server;
  const countMails = async () => {
    await server.drain();
    return server.outbox.length;
  };
  const before = await countMails();
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  await signIn(app, { username: 'alice', password, ...home });
  await signIn(app, { username: 'alice', password, ...home, userAgent });
  await signIn(app, { username: 'alice', password: wrong, ...attacker });
  expect(await countMails()).toBe(before);
  await signIn(app, { username: 'alice', password, ...home, ip: '203.0.113.5', userAgent });
  expect(await countMails()).toBe(before + 1);
  expect(server.outbox.at(-1)?.text).toMatch(
    /Firefox on Linux, from 203\.0\.113\.5, on \w+ \d+, \d{4} at \d\d:\d\d UTC/,
  );
  await server.db.updateTable('users').set({ locale: 'de' }).where('id', '=', alice.userId).execute();
  await signIn(app, { username: 'alice', password, ip: home.ip, browser: 'a new one', userAgent: '<b>' });
  expect(await countMails()).toBe(before + 2);
  expect(server.outbox.at(-1)?.text).toContain('Unbekannter Browser, von 192.0.2.7');
  // Origins are forgotten half a year after their last use.
  server.clock.advance(181 * 86_400);
  await signIn(app, { username: 'alice', password, ...home });
  await server.runSchedule('user.clean_up_sign_ins');
  expect(await app.db.selectFrom('sign_in_origins').select('origin').execute()).toHaveLength(2);
});
