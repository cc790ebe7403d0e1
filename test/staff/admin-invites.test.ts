import { expect, test } from 'vitest';
import { createInvite, findInvite } from '../../server/users/invites/index.ts';
import { startServer, type TestServer } from '../server.ts';
import { giveRole } from './staff-roles.ts';

const path = '/api/v1/fieldfare/admin/invites';

async function createStaff(server: TestServer) {
  const staff = await server.user('merle', { scopes: 'admin:read admin:write' });
  await giveRole(server, staff.id, { permissions: ['manage_invites'], position: 50 });
  return staff;
}

const namesOf = (invites: { username: string }[]): string[] => invites.map(({ username }) => username);

test('ADM-06: staff create invites, of themselves or of a user below them', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  const alice = await server.user('alice');
  await server.user('oswin', { role: 'owner' });
  const { json } = await staff.post(path, { username: '@Alice', max_uses: 3, expires_in: 3600, comment: ' choir ' });
  expect(json).toEqual({
    id: json.id,
    code: json.code,
    url: `https://fieldfare.test/invite/${json.code}`,
    account_id: alice.id,
    username: 'alice',
    max_uses: 3,
    uses: 0,
    expires_at: new Date(server.clock.now().getTime() + 3_600_000).toISOString(),
    usable: true,
    bypasses_approval: false,
    autofollow: false,
    collection_id: null,
    comment: 'choir',
    created_at: server.clock.now().toISOString(),
  });
  expect((await staff.get(`${path}/${json.id}`)).json).toEqual(json);
  expect((await staff.post(path)).json).toMatchObject({ username: 'merle', max_uses: null, expires_at: null });
  // Guests of an owner need no approval, so nobody below may invite in the name of one.
  expect((await staff.post(path, { username: 'oswin' })).status).toBe(403);
  expect((await staff.post(path, { username: 'nobody' })).status).toBe(404);
  const invalid = await staff.post(path, { max_uses: 1_001, expires_in: 0, comment: 'x'.repeat(421) });
  expect(invalid.status).toBe(422);
  expect(Object.keys(invalid.json.details)).toEqual(['max_uses', 'expires_in', 'comment']);
});

test('ADM-06: staff list the invites of all users by state and user, and expire one or all', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const short = await createInvite(server.app, 'system', { username: 'alice', expiresInSeconds: 60 });
  for (const username of ['alice', 'bob', 'bob']) await createInvite(server.app, 'system', { username });
  server.clock.advance(61);
  const list = async (query = '') => namesOf((await staff.get(`${path}${query}`)).json);
  expect(await list()).toEqual(['bob', 'bob', 'alice', 'alice']);
  expect(await list('?state=available')).toEqual(['bob', 'bob', 'alice']);
  expect(await list('?state=expired')).toEqual(['alice']);
  expect(await list(`?account_id=${alice.id}`)).toEqual(['alice', 'alice']);
  expect(await list(`?account_id=${bob.id}&state=expired`)).toEqual([]);
  expect((await staff.get(`${path}?state=used`)).status).toBe(422);

  const [newest] = (await staff.get(path)).json;
  const expired = await staff.post(`${path}/${newest.id}/expire`);
  expect(expired.json).toMatchObject({ id: newest.id, usable: false, expires_at: server.clock.now().toISOString() });
  expect((await staff.post(`${path}/${newest.id}/expire`)).json).toEqual(expired.json);
  expect((await findInvite(server.app, newest.code))?.expiresAt).toEqual(server.clock.now());
  expect((await staff.post(`${path}/1/expire`)).status).toBe(404);
  expect((await staff.get(`${path}/1`)).status).toBe(404);

  expect((await staff.post(`${path}/expire_all`, { account_id: alice.id })).json).toEqual({ count: 1 });
  expect(await list('?state=available')).toEqual(['bob']);
  expect((await staff.post(`${path}/expire_all`)).json).toEqual({ count: 1 });
  expect((await staff.post(`${path}/expire_all`)).json).toEqual({ count: 0 });
  // One that had expired keeps its time.
  expect((await findInvite(server.app, short))?.expiresAt).not.toEqual(server.clock.now());
  const log = await server.db
    .selectFrom('audit_log')
    .select(['action', 'target_label as label', 'before', 'after'])
    .where('staff_id', '=', staff.id)
    .orderBy('id')
    .execute();
  expect(log).toEqual([
    expect.objectContaining({ action: 'invite.expire', label: 'bob' }),
    { action: 'invite.expire_all', label: 'alice', before: { available: 1 }, after: { available: 0 } },
    { action: 'invite.expire_all', label: 'all', before: { available: 1 }, after: { available: 0 } },
  ]);
});
