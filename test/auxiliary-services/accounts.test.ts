import { expect, test } from 'vitest';
import { Peer } from '../federation/peer.ts';
import type { TestUser } from '../server.ts';
import { providerScene, providersPath, type ProviderScene } from './scene.ts';

const searchPath = '/account_search/v0/search?term=teapot&limit=10';
const recommendPath = '/follow_recommendation/v0/accounts?accountUri=https%3A%2F%2Fa.test%2Fusers%2Falice';

/** A scene with a connected provider, alice, and a peer whose actors are discoverable. */
async function discoveryScene(...capabilities: string[]) {
  const scene = await providerScene();
  await scene.provider.connect(scene.staff, ...capabilities);
  const alice = await scene.server.user('alice');
  const peer = new Peer(scene.network, 'peer.test');
  const actors = ['eve', 'mallory'].map((name) => {
    const actor = peer.actor(name);
    actor.documentOverrides = { discoverable: true, summary: 'I collect pots' };
    return actor;
  });
  return { ...scene, alice, peer, actors, [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose]() };
}

async function search(user: TestUser, query = 'q=Teapot&resolve=true') {
  const { json, headers } = await user.get(`/api/v2/search?${query}`);
  return {
    names: json.accounts.map(({ acct }: { acct: string }) => acct),
    refresh: headers['mastodon-async-refresh'] as string | undefined,
  };
}

async function stateOf(user: TestUser, refresh: string | undefined) {
  const id = /id="([^"]+)"/.exec(refresh ?? '')?.[1] ?? '';
  const { status, result_count: count } = (await user.get(`/api/v1_alpha/async_refreshes/${id}`)).json.async_refresh;
  return [status, count];
}

test('SRC-02: a search asks the providers in the background, and finds what they found when it is repeated', async () => {
  await using scene = await discoveryScene('account_search');
  const { server, provider, alice, actors, peer } = scene;
  provider.answers.set(`GET ${searchPath.split('?')[0]}`, { json: [...actors.map(({ uri }) => uri), actors[0]?.uri] });
  const first = await search(alice);
  expect([first.names, provider.calls]).toEqual([[], []]);
  expect(await stateOf(alice, first.refresh)).toEqual(['running', 0]);
  // The same text in another spelling follows the same search.
  expect((await search(alice, 'q=%20TEAPOT&resolve=true&type=accounts')).refresh).toBe(first.refresh);
  await server.drain();
  expect(provider.calls).toEqual([{ method: 'GET', path: searchPath, body: undefined }]);
  expect(await stateOf(alice, first.refresh)).toEqual(['finished', 2]);
  expect(await search(alice)).toEqual({ names: ['eve@peer.test', 'mallory@peer.test'], refresh: undefined });
  expect(peer.requestedPaths.filter((path) => path === '/users/eve')).toHaveLength(1);
  expect((await search(alice, 'q=Teapot&resolve=true&limit=1')).names).toEqual(['eve@peer.test']);

  // Only for searches that may contact others, and without those that the viewer blocks.
  for (const query of ['q=Teapot', 'q=Teapot&resolve=true&following=true', 'q=Teapot&resolve=true&type=statuses'])
    expect([query, (await search(alice, query)).names]).toEqual([query, []]);
  const [eve] = (await alice.get('/api/v2/search?q=eve@peer.test')).json.accounts;
  await alice.post(`/api/v1/accounts/${eve.id}/block`);
  expect((await search(alice)).names).toEqual(['mallory@peer.test']);
  await server.db.updateTable('accounts').set({ discoverable: false }).where('username', '=', 'mallory').execute();
  expect((await search(alice)).names).toEqual([]);

  scene.network.clock.advance(15 * 60);
  expect((await search(alice)).refresh).toBeDefined();
  await server.drain();
  expect(provider.calls).toHaveLength(2);
  expect(provider.problems).toEqual([]);
});

test('SRC-02: nothing is sent to providers for addresses, handles, hashtags, other kinds and anonymous visitors', async () => {
  await using scene = await discoveryScene('account_search');
  const { server, provider, alice, staff } = scene;
  const queries = [
    'q=teapot',
    'q=teapot&resolve=true&type=hashtags',
    'q=teapot&resolve=true&following=true',
    'q=teapot&resolve=true&type=accounts&offset=20',
    'q=teapot&resolve=true&limit=0',
    'q=%23teapot&resolve=true',
    'q=@eve@peer.test&resolve=true',
    'q=https://peer.test/users/eve&resolve=true',
    'q=x&resolve=true',
    `q=${'x'.repeat(201)}&resolve=true`,
  ];
  for (const query of queries) expect([query, (await search(alice, query)).refresh]).toEqual([query, undefined]);
  expect((await server.anonymous.get('/api/v2/search?q=teapot')).headers).not.toHaveProperty('mastodon-async-refresh');
  await alice.get('/api/v1/accounts/search?q=teapot&resolve=true');
  await staff.post(`${providersPath}/${provider.faspId}/capabilities/account_search/disable`);
  expect((await search(alice)).refresh).toBeUndefined();
  await server.drain();
  expect(provider.calls.map(({ path }) => path)).toEqual(['/capabilities/account_search/0/activation']);
});

test('SRC-02: a provider that is slow, lies or is gone changes nothing for those who search', async () => {
  await using scene = await discoveryScene('account_search');
  const { server, provider, alice, actors, staff, network, peer } = scene;
  await staff.post('/api/v1/admin/domain_blocks', { domain: 'blocked.test', severity: 'suspend' });
  new Peer(network, 'blocked.test').actor('bad');
  const [eve, mallory] = actors;
  if (mallory !== undefined) mallory.documentOverrides = { id: 'https://other.test/users/mallory', discoverable: true };
  const endpoint = 'GET /account_search/v0/search';
  const hostile = [
    7,
    null,
    {},
    'javascript:alert(1)',
    'http://127.0.0.1/',
    'https://blocked.test/users/bad',
    'https://down.test/users/x',
    `https://peer.test/${'x'.repeat(3000)}`,
    mallory?.uri,
    `${eve?.uri}/notes/1`,
    eve?.uri,
  ];
  const answers = [
    [{ json: hostile }, ['eve@peer.test']],
    [{ json: { accounts: [] } }, []],
    [{ json: [], lie: 'unsigned' }, []],
    [{ status: 500 }, []],
  ] as const;
  for (const [number, [answer, names]] of answers.entries()) {
    provider.answers.set(endpoint, answer);
    const q = `q=word${number}&resolve=true`;
    const { refresh } = await search(alice, q);
    await server.drain();
    expect([number, (await stateOf(alice, refresh))[0], (await search(alice, q)).names]).toEqual([
      number,
      'finished',
      names,
    ]);
    network.clock.advance(60);
  }
  expect(network.requests.filter(({ url }) => /blocked\.test|127\.0\.0\.1/.test(url))).toEqual([]);
  // It is left alone after failures, so that nobody waits for a refresh that finds nothing.
  provider.answers.set(endpoint, { status: 503, headers: { 'retry-after': '600' } });
  await search(alice, 'q=another&resolve=true');
  await server.drain();
  expect((await search(alice, 'q=once+more&resolve=true')).refresh).toBeUndefined();
  // Many unknown addresses cost no more than one fetch budget.
  network.clock.advance(700);
  provider.answers.set(endpoint, { json: Array.from({ length: 50 }, (_, at) => `https://peer.test/users/u${at}`) });
  peer.requestedPaths = [];
  await search(alice, 'q=many&resolve=true');
  await server.drain();
  expect(peer.requestedPaths).toHaveLength(10);
});

const suggestions = async ({ alice }: { alice: TestUser }) => {
  const { json, headers } = await alice.get('/api/v2/suggestions');
  return {
    found: json.map(({ sources, account }: { sources: string[]; account: { acct: string } }) => [
      account.acct,
      sources,
    ]),
    refresh: headers['mastodon-async-refresh'] as string | undefined,
  };
};

const makeDiscoverable = (user: TestUser, discoverable: boolean) =>
  user.patch('/api/v1/accounts/update_credentials', { discoverable });

test('SUG-01: providers recommend accounts to those who are discoverable, once a day', async () => {
  await using scene = await discoveryScene('follow_recommendation');
  const { server, provider, alice, actors, network, staff } = scene;
  provider.answers.set('GET /follow_recommendation/v0/accounts', {
    json: [...actors.map(({ uri }) => uri), 'https://a.test/users/alice'],
  });
  await makeDiscoverable(alice, false);
  expect((await suggestions(scene)).refresh).toBeUndefined();
  await makeDiscoverable(alice, true);
  const { found, refresh } = await suggestions(scene);
  expect([found, await stateOf(alice, refresh)]).toEqual([[], ['running', 0]]);
  await server.drain();
  expect(provider.calls).toEqual([{ method: 'GET', path: recommendPath, body: undefined }]);
  const expected = [
    ['eve@peer.test', ['similar_to_recently_followed']],
    ['mallory@peer.test', ['similar_to_recently_followed']],
  ];
  expect(await suggestions(scene)).toEqual({ found: expected, refresh: undefined });
  expect(await stateOf(alice, refresh)).toEqual(['finished', 2]);

  // The viewer decides, as about other suggestions.
  const [eve, mallory] = (await alice.get('/api/v2/suggestions')).json.map(
    ({ account }: { account: { id: string } }) => account.id,
  );
  await alice.delete(`/api/v1/suggestions/${eve}`);
  await alice.post(`/api/v1/accounts/${mallory}/block`);
  expect((await suggestions(scene)).found).toEqual([]);
  await alice.post(`/api/v1/accounts/${mallory}/unblock`);
  network.clock.advance(86_400);
  provider.answers.set('GET /follow_recommendation/v0/accounts', { status: 500 });
  const again = await suggestions(scene);
  expect(again.found).toEqual(expected.slice(1));
  await server.drain();
  expect((await stateOf(alice, again.refresh))[0]).toBe('finished');
  expect((await suggestions(scene)).found).toEqual(expected.slice(1));
  await staff.post(`${providersPath}/${provider.faspId}/capabilities/follow_recommendation/disable`);
  expect(await suggestions(scene)).toEqual({ found: [], refresh: undefined });
});

test('ACC-13: recommendations and results of providers are deleted with the account', async () => {
  await using scene = await discoveryScene('follow_recommendation', 'account_search');
  const { server, provider, alice, actors } = scene;
  const json = [actors[0]?.uri];
  provider.answers.set('GET /follow_recommendation/v0/accounts', { json });
  provider.answers.set('GET /account_search/v0/search', { json: ['https://a.test/users/alice'] });
  await makeDiscoverable(alice, true);
  await suggestions(scene);
  await search(alice);
  await server.drain();
  const count = async () =>
    (await rows(scene, 'service_provider_recommendations')) +
    (await rows(scene, 'service_provider_results')) +
    (await rows(scene, 'service_provider_requests'));
  expect(await count()).toBe(3);
  expect((await alice.post('/api/v1/profile/delete', { password: 'correct horse battery' })).status).toBe(200);
  await server.drain();
  expect(await count()).toBe(0);
});

const rows = async (
  { server }: ProviderScene,
  table: 'service_provider_recommendations' | 'service_provider_results' | 'service_provider_requests',
): Promise<number> => (await server.db.selectFrom(table).select('account_id').execute()).length;
