import { expect, test } from 'vitest';
import { startServer } from '../../server.ts';

const path = '/api/v1/fieldfare/preferences';

test('a user changes the language and the reading preferences, which apps read', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const before = (await alice.get(path)).json;
  expect(before).toMatchObject({ locale: 'en', expand_media: 'default', show_application: true });
  const changed = await alice.patch(path, { locale: 'de', expand_media: 'show_all', show_application: false });
  expect(changed.json).toEqual({ ...before, locale: 'de', expand_media: 'show_all', show_application: false });
  expect((await alice.get('/api/v1/preferences')).json).toMatchObject({ 'reading:expand:media': 'show_all' });
  expect((await alice.get('/api/v1/statuses/1')).json.error).not.toBe((await bob.get('/api/v1/statuses/1')).json.error);
  const { json: status } = await alice.post('/api/v1/statuses', { status: 'Hello' });
  expect((await bob.get(`/api/v1/statuses/${status.id}`)).json.application ?? null).toBeNull();
  expect((await alice.patch(path, { locale: 'xx' })).status).toBe(422);
  expect((await alice.patch(path, {})).json).toEqual(changed.json);
  expect((await bob.get(path)).json).toEqual(before);
  const limited = await server.withScopes(alice, 'read:statuses write:statuses');
  expect([(await limited.get(path)).status, (await limited.patch(path, {})).status]).toEqual([403, 403]);
});

test('security 10: only a token with full scopes reads the e-mail address and second factors', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  expect((await alice.get('/api/v1/fieldfare/account_security')).json).toEqual({
    email: expect.stringContaining('@'),
    unconfirmed_email: null,
    has_password: true,
    has_sign_in_providers: false,
    linked_sign_ins_count: 0,
    has_totp: false,
    passkeys_count: 0,
    recovery_codes_count: 0,
    may_invite: expect.any(Boolean),
    second_factor_required_from: null,
    lost_second_factor: false,
  });
  const limited = await server.withScopes(alice, 'read:accounts');
  expect((await limited.get('/api/v1/fieldfare/account_security')).status).toBe(403);
});

test('security 10: a user lists the apps with access and revokes them, and no app of another user', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const apps = '/api/v1/fieldfare/authorized_apps';
  const list = (await alice.get(apps)).json as { id: string }[];
  expect(list).toMatchObject([{ name: expect.any(String), created_at: expect.stringMatching(/Z$/) }]);
  const limited = await server.withScopes(alice, 'read:accounts write:accounts');
  const one = `${apps}/${list[0]?.id}`;
  expect([(await limited.get(apps)).status, (await limited.delete(one)).status]).toEqual([403, 403]);
  await server.withScopes(bob, 'read');
  expect((await bob.delete('/api/v1/fieldfare/authorized_apps/1')).status).toBe(200);
  expect((await alice.get(apps)).status).toBe(200);
  expect((await alice.delete(one)).status).toBe(200);
  expect((await alice.get(apps)).status).toBe(401);
});
