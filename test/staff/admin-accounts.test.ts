import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../server/accounts/remote/index.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import type { AccountId } from '../../server/platform/ids.ts';
import { recordUserIp, storeUserIp } from '../../server/users/ips/index.ts';
import { createUser } from '../../server/users/sign-up/index.ts';
import { createInvite } from '../../server/users/invites/index.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';

const path = '/api/v1/admin/accounts';
const daySeconds = 86_400;

const moderator = (server: TestServer): Promise<TestUser> =>
  server.user('merle', { role: 'moderator', scopes: 'read admin:read' });

const storeRemote = (server: TestServer, username: string, domain: string): Promise<AccountId> =>
  transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, {
      uri: `https://${domain}/users/${username}`,
      username,
      domain,
      inboxUrl: `https://${domain}/users/${username}/inbox`,
    }),
  );

test('ADM-01: staff see the user behind an account: address, role, state, app and invite', async () => {
  await using server = await startServer();
  const staff = await moderator(server);
  const alice = await server.user('alice');
  const code = await createInvite(server.app, 'system', { username: 'alice' });
  const { accountId } = await createUser(server.app, {
    username: 'bob',
    email: 'bob@mail.test',
    password: 'correct horse battery',
    approved: false,
    confirmed: true,
    reason: 'Birds',
    locale: 'de',
    ip: '192.0.2.7',
    inviteCode: code,
  });
  const { account, ...details } = (await staff.get(`${path}/${accountId}`)).json;
  expect(details).toEqual({
    id: accountId,
    username: 'bob',
    domain: null,
    created_at: server.clock.now().toISOString(),
    email: 'bob@mail.test',
    ip: '192.0.2.7',
    ips: [{ ip: '192.0.2.7', used_at: server.clock.now().toISOString() }],
    locale: 'de',
    invite_request: 'Birds',
    role: { id: '-99', name: '', color: '', permissions: '65536', highlighted: false, collection_limit: 10 },
    confirmed: true,
    approved: false,
    disabled: false,
    sensitized: false,
    silenced: false,
    suspended: false,
    invited_by_account_id: alice.id,
  });
  expect(account).toMatchObject({ id: accountId, acct: 'bob' });
});

test('ADM-01: a remote account has no user, and an unknown or deleted one is not found', async () => {
  await using server = await startServer();
  const staff = await moderator(server);
  const id = await storeRemote(server, 'far', 'far.test');
  expect((await staff.get(`${path}/${id}`)).json).toMatchObject({
    domain: 'far.test',
    email: null,
    ip: null,
    ips: null,
    locale: null,
    invite_request: null,
    role: null,
    confirmed: null,
    approved: null,
    disabled: null,
    account: { acct: 'far@far.test' },
  });
  await server.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', id).execute();
  server.clock.advance(120);
  for (const unknown of [id, '1', 'x']) expect((await staff.get(`${path}/${unknown}`)).status).toBe(404);
});

test('addresses of users are recorded once a day, bounded, and deleted after a year', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const list = async () =>
    (await server.pool.query('select host(ip) as ip, used_at from user_ips order by used_at desc, ip')).rows;
  await alice.get('/api/v1/accounts/verify_credentials');
  await expect.poll(list).toEqual([{ ip: '127.0.0.1', used_at: server.clock.now() }]);

  const store = (ip: string) =>
    transaction(server.app, (tx) => storeUserIp(tx, server.app, { userId: alice.userId, ip }));
  for (const ip of ['::ffff:192.0.2.1', '2001:db8::1', 'fe80::1%eth0', 'nonsense']) await store(ip);
  expect((await list()).map(({ ip }) => ip).toSorted()).toEqual(['127.0.0.1', '192.0.2.1', '2001:db8::1', 'fe80::1']);
  server.clock.advance(daySeconds / 2);
  await store('192.0.2.1');
  expect(await list()).not.toContainEqual({ ip: '192.0.2.1', used_at: server.clock.now() });
  server.clock.advance(daySeconds / 2);
  recordUserIp(server.app, { userId: alice.userId, ip: '192.0.2.1' });
  await expect.poll(list).toContainEqual({ ip: '192.0.2.1', used_at: server.clock.now() });

  for (let last = 1; last <= 50; last += 1) await store(`198.51.100.${last}`);
  const kept = (await list()).map(({ ip }) => ip);
  expect(kept).toHaveLength(50);
  expect(kept).not.toContain('127.0.0.1');

  server.clock.advance(366 * daySeconds);
  await store('203.0.113.1');
  await server.runSchedule('user.clean_up_ips');
  expect((await list()).map(({ ip }) => ip)).toEqual(['203.0.113.1']);
});
