import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import { acceptFollowRequest, followAccount } from '../../../server/relationships/follow/index.ts';
import { blockDomain, unblockDomain } from '../../../server/site/domains/index.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const path = '/api/v1/fieldfare/severed_relationships';

const storeRemote = (server: TestServer, name: string, domain: string): Promise<AccountId> =>
  transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, {
      uri: `https://${domain}/users/${name}`,
      username: name,
      domain,
      inboxUrl: `https://${domain}/users/${name}/inbox`,
    }),
  );

async function followRemote(server: TestServer, user: TestUser, target: AccountId, options = {}): Promise<void> {
  await followAccount(server.app, user.id, target, options);
  await acceptFollowRequest(server.app, target, user.id);
}

/** alice follows bob and is followed by dave; both are on far.test. */
async function scene(server: TestServer): Promise<TestUser> {
  const alice = await server.user('alice');
  const [bob, dave] = [await storeRemote(server, 'bob', 'far.test'), await storeRemote(server, 'dave', 'far.test')];
  await followRemote(server, alice, bob, { reblogs: false, languages: ['en', 'de'] });
  await followAccount(server.app, dave, alice.id);
  return alice;
}

const following = 'Account address,Show boosts,Notify on new posts,Languages\nbob@far.test,false,false,"en, de"\n';
const followers = 'Account address\ndave@far.test\n';

test('NTF-02 UDB-01: follows that an own domain block ended are listed and downloaded, by nobody else', async () => {
  await using server = await startServer();
  const alice = await scene(server);
  const mallory = await server.user('mallory');
  server.expectUndelivered(/\.test$/u);
  await alice.post('/api/v1/domain_blocks', { domain: 'far.test' });
  await server.drain();
  const { json } = await alice.get(path);
  expect(json).toEqual([
    {
      id: expect.any(String),
      type: 'user_domain_block',
      purged: false,
      target_name: 'far.test',
      followers_count: 1,
      following_count: 1,
      created_at: server.clock.now().toISOString(),
    },
  ]);
  const files = ['following', 'followers'].map((name) => `${path}/${json[0].id}/${name}`);
  const [first, second] = [await alice.get(files[0] ?? ''), await alice.get(files[1] ?? '')];
  expect([first.text, second.text]).toEqual([following, followers]);
  expect(first.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="following-${json[0].id}.csv"`,
  });
  expect((await mallory.get(path)).json).toEqual([]);
  const unscoped = await server.withScopes(alice, 'write');
  for (const file of files) {
    expect((await mallory.get(file)).status).toBe(404);
    expect((await server.anonymous.get(file)).status).toBe(401);
    expect((await unscoped.get(file)).status).toBe(403);
    expect((await alice.get(file.replace(json[0].id, '1'))).status).toBe(404);
  }
  expect((await unscoped.get(path)).status).toBe(403);
});

test('NTF-02 ADM-03: follows that the block of a domain by staff ended are downloaded, also after it is lifted', async () => {
  await using server = await startServer();
  const alice = await scene(server);
  await blockDomain(server.app, 'system', { domain: 'far.test', severity: 'suspend' });
  await server.drain();
  const [event] = (await alice.get(path)).json;
  expect(event).toMatchObject({ type: 'domain_block', followers_count: 1, following_count: 1, purged: false });
  const read = async () => [
    (await alice.get(`${path}/${event.id}/following`)).text,
    (await alice.get(`${path}/${event.id}/followers`)).text,
  ];
  expect(await read()).toEqual([following, followers]);
  await unblockDomain(server.app, 'system', 'far.test');
  await server.drain();
  expect(await read()).toEqual([following, followers]);
});

test('a severance from before the follows were stored cannot be downloaded', async () => {
  await using server = await startServer();
  const alice = await scene(server);
  server.expectUndelivered(/\.test$/u);
  await alice.post('/api/v1/domain_blocks', { domain: 'far.test' });
  await server.drain();
  await server.db.updateTable('relationship_severances').set({ purged: true }).execute();
  const [event] = (await alice.get(path)).json;
  expect(event.purged).toBe(true);
  expect((await alice.get(`${path}/${event.id}/following`)).status).toBe(404);
});
