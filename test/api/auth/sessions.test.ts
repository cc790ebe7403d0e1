import { expect, test } from 'vitest';
import {
  disableSecondFactorAsStaff,
  resetPasswordAsStaff,
  revokeSessionsAsStaff,
} from '../../../server/moderation/credentials/index.ts';
import { signIn } from '../../../server/users/sign-in/index.ts';
import { Browser } from '../../browser.ts';
import { PushClient } from '../../push-client.ts';
import { password, setUpTotp } from '../../second-factors.ts';
import { startServer, type TestServer } from '../../server.ts';
import { giveRole } from '../../staff/staff-roles.ts';
import { TestSocket } from '../../streams.ts';

const path = '/api/v1/fieldfare/sessions';

async function signInWith(server: TestServer, name: string): Promise<Browser> {
  const browser = new Browser(server);
  await browser.signIn(name);
  return browser;
}

const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.open('/auth/edit')) === '/auth/edit';

test('security 10: users list the browsers in which they are signed in, and sign them out', async () => {
  await using server = await startServer();
  await server.user('alice');
  await server.user('bob');
  const [first, second, third] = [
    await signInWith(server, 'alice'),
    await signInWith(server, 'alice'),
    await signInWith(server, 'alice'),
  ];
  const other = await signInWith(server, 'bob');
  await other.open('/settings/sessions');
  const [, foreign = ''] = /aria-labelledby="session-(\d+)"/.exec(other.text) ?? [];
  await first.open('/settings/sessions');
  expect(first.text.match(/aria-labelledby="session-/g)).toHaveLength(3);
  expect(first.text).toContain('This browser');
  expect(first.text).toContain('from 127.0.0.1');
  const [, action = ''] = /action="(\/settings\/sessions\/\d+\/revoke)"/.exec(first.text) ?? [];
  await first.submit(action);
  expect([await isSignedIn(first), await isSignedIn(second), await isSignedIn(third)]).toEqual([true, true, false]);
  const cookie = [...first.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  await first.open('/settings/sessions');
  const token = first.hiddenFields('/settings/sessions/revoke_others');
  for (const id of [foreign, '1']) {
    expect((await first.send(`/settings/sessions/${id}/revoke`, token, { cookie })).status).toBe(303);
  }
  await first.submit('/settings/sessions/revoke_others');
  expect([await isSignedIn(first), await isSignedIn(second), await isSignedIn(other)]).toEqual([true, false, true]);
});

test('security 10: apps list and revoke the sessions of their user with full scopes only', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const userAgent = 'Firefox/140.0';
  await signIn(server.app, { username: 'alice', password, ip: '2001:db8::1', userAgent });
  server.clock.advance(10);
  await signIn(server.app, { username: 'alice', password });
  const list = (await alice.get(path)).json as { id: string }[];
  expect(list).toMatchObject([
    { ip: null, user_agent: '' },
    { ip: '2001:db8::1', user_agent: userAgent, created_at: expect.stringMatching(/Z$/) },
  ]);
  const first = `${path}/${list[0]?.id}`;
  expect((await bob.get(path)).json).toEqual([]);
  expect((await bob.delete(first)).status).toBe(404);
  expect((await server.anonymous.get(path)).status).toBe(401);
  const limited = await server.withScopes(alice, 'read:accounts write:accounts');
  expect([
    (await limited.get(path)).status,
    (await limited.delete(first)).status,
    (await limited.delete(path)).status,
  ]).toEqual([403, 403, 403]);
  expect((await alice.delete(first)).status).toBe(200);
  expect((await alice.delete(first)).status).toBe(404);
  expect((await alice.get(path)).json).toHaveLength(1);
  expect((await alice.delete(path)).status).toBe(200);
  expect((await alice.get(path)).json).toEqual([]);
  expect((await alice.get('/api/v1/timelines/home')).status).toBe(200);
});

test('security 10: the oldest sessions end when a user has more than a hundred', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const oldest = await signInWith(server, 'alice');
  const template = await server.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
  const copies = Array.from({ length: 100 }, (_, index) => ({
    ...template,
    id: String(BigInt(template.id) + BigInt(index + 1)) as typeof template.id,
    token_hash: Buffer.from(`copy ${index}`),
    last_used_at: new Date(template.last_used_at.getTime() + index + 1),
  }));
  await server.db.insertInto('sessions').values(copies).execute();
  server.clock.advance(5);
  const newest = await signInWith(server, 'alice');
  expect([await isSignedIn(oldest), await isSignedIn(newest)]).toEqual([false, true]);
  expect((await alice.get(path)).json).toHaveLength(100);
});

test('security 10: a password that staff reset ends sessions, tokens, streams and push, and is in the audit log', async () => {
  await using server = await startServer();
  const [alice, mod] = [await server.user('alice'), await server.user('marta')];
  await giveRole(server, mod.id, { position: 10, permissions: ['manage_user_access'] });
  const browser = await signInWith(server, 'alice');
  const socket = await TestSocket.open(server, alice, 'stream=user');
  const { app } = server;
  await (await PushClient.create('https://push.test/')).subscribe(alice);
  await expect(resetPasswordAsStaff(app, alice.id, { accountId: mod.id, password })).rejects.toMatchObject({
    status: 403,
  });
  await expect(resetPasswordAsStaff(app, 'system', { accountId: alice.id, password: 'short' })).rejects.toMatchObject({
    status: 422,
  });
  await resetPasswordAsStaff(app, mod.id, { accountId: alice.id, password: 'a better password' });
  expect(await socket.ended).toBe(1008);
  expect(await isSignedIn(browser)).toBe(false);
  expect((await alice.get('/api/v1/timelines/home')).status).toBe(401);
  expect(await signIn(app, { username: 'alice', password })).toBeUndefined();
  expect(await signIn(app, { username: 'alice', password: 'a better password' })).toBeDefined();
  const [entry] = await app.db.selectFrom('audit_log').selectAll().execute();
  expect(entry).toMatchObject({ staff_id: mod.id, action: 'user.reset_password', target_label: 'alice' });
  expect(JSON.stringify(entry)).not.toContain('better');
  await server.drain();
  expect(server.outbox.map(({ text }) => text).join()).toContain('password of @alice@fieldfare.test was changed');
});

test('security 15: staff remove a lost second factor and end sessions, each with an entry in the audit log', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { app } = server;
  const browser = await signInWith(server, 'alice');
  await setUpTotp(server, browser);
  expect(await new Browser(server).signIn('alice')).toBe('/auth/sign_in/second_factor');
  await expect(disableSecondFactorAsStaff(app, bob.id, { accountId: alice.id })).rejects.toMatchObject({ status: 403 });
  expect(await disableSecondFactorAsStaff(app, 'system', { accountId: alice.id })).toBe(true);
  expect(await disableSecondFactorAsStaff(app, 'system', { accountId: alice.id })).toBe(false);
  await server.drain();
  expect(server.outbox.map(({ text }) => text).join()).toContain('The staff removed the second factor');
  expect(await new Browser(server).signIn('alice')).toBe('/');
  expect(await revokeSessionsAsStaff(app, 'system', { accountId: alice.id })).toBe(2);
  expect(await revokeSessionsAsStaff(app, 'system', { accountId: alice.id })).toBe(0);
  const entries = await app.db.selectFrom('audit_log').select('action').orderBy('id').execute();
  expect(entries.map(({ action }) => action)).toEqual(['user.disable_second_factor', 'user.revoke_sessions']);
});
