import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../server/accounts/remote/index.ts';
import { disableUser, sensitizeAccount, silenceAccount, suspendAccount } from '../../server/moderation/index.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import type { AccountId } from '../../server/platform/ids.ts';
import { createInvite } from '../../server/users/invites/index.ts';
import { createUser } from '../../server/users/sign-up/index.ts';
import { startServer, type TestServer } from '../server.ts';
import { giveRole } from './staff-roles.ts';

const storeRemote = (server: TestServer, username: string, domain: string): Promise<AccountId> =>
  transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, {
      uri: `https://${domain}/users/${username}`,
      username,
      domain,
      displayName: `The ${username}`,
      inboxUrl: `https://${domain}/users/${username}/inbox`,
    }),
  );

/** A server with an account in each state, and a function that lists names. */
async function populate(server: TestServer) {
  const staff = await server.user('merle', { role: 'moderator', scopes: 'admin:read' });
  const [disabled, silenced, suspended, sensitized] = [
    await server.user('disabled'),
    await server.user('silenced'),
    await server.user('suspended'),
    await server.user('sensitized'),
  ];
  await server.user('pending', { approved: false });
  await disableUser(server.app, 'system', { accountId: disabled.id });
  await silenceAccount(server.app, 'system', { accountId: silenced.id });
  await suspendAccount(server.app, 'system', { accountId: suspended.id });
  await sensitizeAccount(server.app, 'system', { accountId: sensitized.id });
  await storeRemote(server, 'near', 'far.test');
  const remote = await storeRemote(server, 'Far', 'xn--mnchen-3ya.test');
  await silenceAccount(server.app, 'system', { accountId: remote });
  const list = async (path: string): Promise<string[]> => {
    const { status, json, text } = await staff.get(path);
    expect(status, text).toBe(200);
    return json.map((account: { username: string }) => account.username).toSorted();
  };
  return {
    staff,
    v1: (query: string) => list(`/api/v1/admin/accounts?${query}`),
    v2: (query: string) => list(`/api/v2/admin/accounts?${query}`),
  };
}

const activeNames = ['disabled', 'merle', 'pending', 'sensitized', 'silenced'];

test('ADM-01: the first version lists local active accounts, unless its flags say otherwise', async () => {
  await using server = await startServer();
  const { v1 } = await populate(server);
  for (const query of ['', 'local=true', 'active=1', 'status=suspended', 'pending=&suspended=%20']) {
    expect(await v1(query), query).toEqual(activeNames);
  }
  expect(await v1('pending=true')).toEqual(['pending']);
  expect(await v1('disabled=true')).toEqual(['disabled']);
  expect(await v1('silenced=true')).toEqual(['silenced']);
  expect(await v1('suspended=true&active=true')).toEqual(['suspended']);
  expect(await v1('sensitized=false')).toEqual(['sensitized']);
  expect(await v1('staff=true')).toEqual(['merle']);
  expect(await v1('remote=true')).toEqual(['Far', 'near']);
  expect(await v1('remote=true&silenced=true')).toEqual(['Far']);
  expect(await v1('by_domain=far.test')).toEqual(['near']);
  expect(await v1('local=true&by_domain=far.test')).toEqual([]);
});

test('ADM-01: the second version lists all accounts, by origin, status, role and texts', async () => {
  await using server = await startServer();
  const { v2, staff } = await populate(server);
  expect(await v2('')).toEqual([...activeNames, 'Far', 'near', 'suspended'].toSorted());
  expect(await v2('origin=remote')).toEqual(['Far', 'near']);
  expect(await v2('origin=local&status=active')).toEqual(activeNames);
  expect(await v2('status=silenced')).toEqual(['Far', 'silenced']);
  expect(await v2('status=silenced&origin=local')).toEqual(['silenced']);
  expect(await v2('permissions=staff')).toEqual(['merle']);
  const users = ['disabled', 'pending', 'sensitized', 'silenced', 'suspended'];
  expect(await v2('role_ids[]=1')).toEqual(['merle']);
  expect(await v2('role_ids[]=1&role_ids[]=-99')).toEqual([...users, 'merle'].toSorted());
  expect(await v2('username=@S')).toEqual(['sensitized', 'silenced', 'suspended']);
  expect(await v2('username=%25')).toEqual([]);
  expect(await v2('display_name=the%20f')).toEqual(['Far']);
  expect(await v2('by_domain=M%C3%BCnchen.test')).toEqual(['Far']);
  expect(await v2('by_domain=test')).toEqual([]);
  expect(await v2('email=SIL')).toEqual(['silenced']);
  expect(await v2('email=*enced@mail.test')).toEqual(['silenced']);
  expect(await v2('email=_ilenced')).toEqual([]);
  for (const query of ['origin=mars', 'status=asleep', 'permissions=all']) {
    expect((await staff.get(`/api/v2/admin/accounts?${query}`)).status, query).toBe(422);
  }
  await giveRole(server, staff.id, { position: 5, permissions: ['manage_users'] });
  expect(await v2('permissions=staff')).toEqual([]);
});

test('ADM-01: accounts are listed by address, network and inviter', async () => {
  await using server = await startServer();
  const { v2 } = await populate(server);
  const alice = await server.user('alice');
  const inviteCode = await createInvite(server.app, 'system', { username: 'alice' });
  const create = (username: string, ip: string) =>
    createUser(server.app, { username, email: `${username}@mail.test`, password: 'correct horse', ip, inviteCode });
  await create('one', '192.0.2.1');
  await create('two', '192.0.2.2');
  await create('six', '2001:db8::6');
  await server.drain();
  expect(await v2('ip=192.0.2.1')).toEqual(['one']);
  expect(await v2('ip=192.0.2.0/24')).toEqual(['one', 'two']);
  expect(await v2('ip=192.0.2.7/30')).toEqual([]);
  expect(await v2('ip=2001:db8::/32')).toEqual(['six']);
  for (const invalid of ['nonsense', '192.0.2.1/33', '192.0.2.1/8/8', '1'])
    expect(await v2(`ip=${invalid}`)).toEqual([]);
  expect(await v2(`invited_by=${alice.id}`)).toEqual(['one', 'six', 'two']);
  expect(await v2(`invited_by=${alice.id}&username=t`)).toEqual(['two']);
});

test('ADM-02: lists with thousands of matches have the same order and pages as short ones', async () => {
  await using server = await startServer();
  const staff = await server.user('merle', { role: 'admin', scopes: 'admin:read' });
  await server.pool.query(
    `insert into accounts (id, username, domain, uri, created_at, updated_at)
     select n, 'far' || n, 'far.test', 'https://far.test/' || n, now(), now() from generate_series(1, 2500) n`,
  );
  const list = async (query: string): Promise<string[]> =>
    (await staff.get(`/api/v2/admin/accounts?${query}`)).json.map(({ username }: { username: string }) => username);
  const names = (from: number, count: number) => Array.from({ length: count }, (_, index) => `far${from - index}`);
  expect(await list('by_domain=far.test&limit=3')).toEqual(names(2_500, 3));
  expect(await list('by_domain=far.test&limit=3&max_id=2400')).toEqual(names(2_399, 3));
  expect(await list('by_domain=far.test&limit=3&max_id=1000')).toEqual(names(999, 3));
  expect(await list('by_domain=far.test&limit=3&min_id=100')).toEqual(names(103, 3));
  expect(await list('by_domain=far.test&limit=3&min_id=1000')).toEqual(names(1_003, 3));
  expect(await list('by_domain=far.test&limit=3&since_id=2499')).toEqual(names(2_500, 1));
  expect(await list('username=far249&limit=3')).toEqual(names(2_499, 3));
});
