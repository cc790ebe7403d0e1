import { expect, test } from 'vitest';
import type { TestServer } from '../../server.ts';
import { startServer } from '../../server.ts';
import { Network } from '../../network.ts';

const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id);
const names = (list: { acct: string }[]): string[] => list.map(({ acct }) => acct);

/** Makes the public posts of these users searchable for everyone. */
const makeDiscoverable = async (server: TestServer, ...usernames: string[]): Promise<void> => {
  await server.pool.query('update accounts set indexable = true where username = any($1)', [usernames]);
};

test('SRC-01: q is required, limit and offset must be positive, and results are grouped by type', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const query of ['', '?q=', '?q=%20']) {
    const response = await alice.get(`/api/v2/search${query}`);
    expect([response.status, response.json], query).toEqual([
      400,
      { error: 'param is missing or the value is empty: q' },
    ]);
  }
  for (const query of ['limit=-1', 'offset=-1&type=accounts']) {
    const response = await alice.get(`/api/v2/search?q=alice&${query}`);
    expect([response.status, response.json.error]).toEqual([
      400,
      'Pagination values for `offset` and `limit` must be positive',
    ]);
  }
  await alice.post('/api/v1/statuses', { status: 'alice likes #alice' });
  await server.drain();
  const all = await alice.get('/api/v2/search?q=alice');
  expect(all.json).toMatchObject({
    accounts: [{ acct: 'alice' }],
    statuses: [{ account: { acct: 'alice' } }],
    hashtags: [{ name: 'alice', history: expect.any(Array), following: false }],
    collections: [],
  });
  expect(all.headers['link']).toBeUndefined();
  for (const type of ['accounts', 'statuses', 'hashtags']) {
    const { json } = await alice.get(`/api/v2/search?q=alice&type=${type}`);
    const filled = Object.entries(json as Record<string, unknown[]>).filter(([, list]) => list.length > 0);
    expect(filled.map(([key]) => key)).toEqual([type]);
  }
  const none = await alice.get('/api/v2/search?q=alice&type=cats');
  expect(none.json).toEqual({ accounts: [], statuses: [], hashtags: [], collections: [] });
  expect((await alice.get('/api/v2/search?q=alice&limit=0')).json.accounts).toEqual([]);
});

test('SRC-01: results are paginated only with a type: accounts and hashtags by offset, statuses by id', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const name of ['bird1', 'bird2', 'bird3']) await server.user(name);
  const statuses: string[] = [];
  for (let number = 1; number <= 3; number += 1) {
    const { json } = await alice.post('/api/v1/statuses', { status: `word #birds${number}` });
    statuses.unshift(json.id);
    server.clock.advance(1);
  }
  await server.drain();

  const first = await alice.get('/api/v2/search?q=bird&type=accounts&limit=2');
  expect(first.json.accounts).toHaveLength(2);
  expect(first.links.next?.searchParams.get('offset')).toBe('2');
  const second = await alice.get('/api/v2/search?q=bird&type=accounts&limit=2&offset=2');
  expect(new Set([...names(first.json.accounts), ...names(second.json.accounts)])).toEqual(
    new Set(['bird1', 'bird2', 'bird3']),
  );
  const untyped = await alice.get('/api/v2/search?q=bird&limit=2&offset=2');
  expect(untyped.json.accounts).toHaveLength(2);

  const tags = await alice.get('/api/v2/search?q=%23birds&type=hashtags&limit=2&offset=1');
  expect(tags.json.hashtags.map(({ name }: { name: string }) => name)).toEqual(['birds2', 'birds3']);

  const page = await alice.get('/api/v2/search?q=word&type=statuses&limit=2');
  expect(ids(page.json.statuses)).toEqual(statuses.slice(0, 2));
  const older = await alice.get(
    `/api/v2/search?q=word&type=statuses&limit=2&max_id=${page.links.next?.searchParams.get('max_id')}`,
  );
  expect(ids(older.json.statuses)).toEqual(statuses.slice(2));
  const newer = await alice.get(`/api/v2/search?q=word&type=statuses&limit=1&min_id=${statuses[2]}`);
  expect(ids(newer.json.statuses)).toEqual([statuses[1]]);
});

test('SRC-01: account_id, following and exclude_unreviewed narrow the search', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bobby'), await server.user('bobette')];
  await makeDiscoverable(server, 'bobby', 'bobette');
  await alice.post(`/api/v1/accounts/${carol.id}/follow`);
  const post = await bob.post('/api/v1/statuses', { status: 'a heron #heron' });
  await carol.post('/api/v1/statuses', { status: 'another heron' });
  await server.drain();
  const ofBob = await alice.get(`/api/v2/search?q=heron&account_id=${bob.id}`);
  expect(ids(ofBob.json.statuses)).toEqual([post.json.id]);
  const followed = await alice.get('/api/v2/search?q=bob&following=true');
  expect(names(followed.json.accounts)).toEqual(['bobette']);
  expect((await alice.get('/api/v2/search?q=heron')).json.hashtags).toHaveLength(1);
  expect((await alice.get('/api/v2/search?q=heron&exclude_unreviewed=true')).json.hashtags).toEqual([]);
  await server.pool.query("update tags set reviewed_at = now() where name = 'heron'");
  expect((await alice.get('/api/v2/search?q=heron&exclude_unreviewed=true')).json.hashtags).toHaveLength(1);
});

test('SRC-02: accounts are found by handle, name and parts of them, followed ones first', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const finch = await server.user('goldfinch');
  await server.user('finchlover');
  const heron = await server.user('heron');
  await heron.patch('/api/v1/accounts/update_credentials', { display_name: 'Grey 50%_ Fisher 田中' });
  await alice.post(`/api/v1/accounts/${finch.id}/follow`);
  const find = async (q: string): Promise<string[]> =>
    names((await alice.get(`/api/v2/search?type=accounts&q=${encodeURIComponent(q)}`)).json.accounts);
  expect(await find('finch')).toEqual(['goldfinch', 'finchlover']);
  expect(await find('@finchlover')).toEqual(['finchlover']);
  expect(await find('HERON@fieldfare.test')).toEqual(['heron']);
  expect(await find('fisher grey')).toEqual(['heron']);
  expect(await find('50%_')).toEqual(['heron']);
  expect(await find('田中')).toEqual(['heron']);
  expect(await find('he')).toEqual(['heron']);
  expect(await find('%')).toEqual([]);
  expect(await find('nobody')).toEqual([]);
  expect(await find('fieldfare.test')).toEqual([]);
});

test('SRC-02: accounts that are suspended, unconfirmed or deleted are not found', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.user('heron1', { confirmed: false });
  await server.user('heron2');
  await server.user('heron3');
  await server.pool.query(
    "update accounts set suspended_at = now(), suspension_origin = 'local' where username = 'heron2'",
  );
  const { json } = await alice.get('/api/v1/accounts/search?q=heron');
  expect(names(json)).toEqual(['heron3']);
  // The name that differs by one letter.
  expect(names((await alice.get('/api/v1/accounts/search?q=heron2')).json)).toEqual(['heron3']);
  expect(names((await alice.get('/api/v1/accounts/search?q=heron1')).json)).toEqual(['heron3']);
});

test('SRC-02: posts are found by author, mentioned and interacting viewers, or by all if indexable', async () => {
  await using server = await startServer();
  const [author, reader, stranger] = [
    await server.user('author'),
    await server.user('reader'),
    await server.user('stranger'),
  ];
  const post = async (status: string, visibility = 'public'): Promise<string> =>
    (await author.post('/api/v1/statuses', { status, visibility })).json.id;
  const open = await post('egret open');
  const liked = await post('egret liked');
  const named = await post('egret @reader', 'direct');
  const secret = await post('egret secret', 'private');
  await reader.post(`/api/v1/statuses/${liked}/favourite`);
  await server.drain();
  const find = async (user: typeof author): Promise<string[]> =>
    ids((await user.get('/api/v2/search?q=egret&type=statuses')).json.statuses);
  expect(await find(author)).toEqual([secret, named, liked, open]);
  expect(await find(reader)).toEqual([named, liked]);
  expect(await find(stranger)).toEqual([]);
  await makeDiscoverable(server, 'author');
  expect(await find(reader)).toEqual([named, liked, open]);
  expect(await find(stranger)).toEqual([liked, open]);
  const anonymous = await server.anonymous.get('/api/v2/search?q=egret');
  expect(anonymous.json.statuses).toEqual([]);
  await author.post(`/api/v1/accounts/${stranger.id}/block`);
  expect(await find(stranger)).toEqual([]);
  await reader.post(`/api/v1/accounts/${author.id}/mute`);
  expect(await find(reader)).toEqual([]);
  await author.delete(`/api/v1/statuses/${open}`);
  await server.drain();
  expect(await find(author)).toEqual([secret, named, liked]);
});

test('SRC-02: full-text search supports phrases, exclusion, warnings, accents and languages without spaces', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const post = async (body: object): Promise<string> => (await alice.post('/api/v1/statuses', body)).json.id;
  const heron = await post({ status: 'The grey heron, in the reeds. https://birds.test/heron', language: 'en' });
  const kite = await post({ status: 'A heron is not grey here', spoiler_text: 'Über kites', sensitive: true });
  const tokyo = await post({ status: '今日は東京でいい天気ですね' });
  const reply = await post({ status: 'and a reply', in_reply_to_id: heron });
  await server.drain();
  const find = async (q: string): Promise<string[]> =>
    ids((await alice.get(`/api/v2/search?type=statuses&q=${encodeURIComponent(q)}`)).json.statuses);
  expect(await find('heron GREY')).toEqual([kite, heron]);
  expect(await find('"grey heron"')).toEqual([heron]);
  expect(await find('heron -reeds')).toEqual([kite]);
  expect(await find('uber')).toEqual([kite]);
  expect(await find('東京')).toEqual([tokyo]);
  expect(await find('天気 東京')).toEqual([tokyo]);
  expect(await find('is:reply reply')).toEqual([reply]);
  expect(await find('heron is:sensitive')).toEqual([kite]);
  expect(await find('heron language:en in:library')).toContain(heron);
  expect(await find('heron has:media')).toEqual([]);
  expect(await find('heron in:public')).toEqual([]);
  expect(await find(`heron during:${server.clock.now().toISOString().slice(0, 10)}`)).toEqual([kite, heron]);
  expect(await find('heron before:2001-01-01')).toEqual([]);
  expect(await find("it's ' \\ & | ! <-> :*")).toEqual([]);
  const invalid = await alice.get('/api/v2/search?q=heron+before:soon');
  expect([invalid.status, invalid.json]).toEqual([422, { error: 'Invalid date supplied' }]);
});

test('SRC-03: from: filters by author; an unknown account is 404, an invalid handle 422', async () => {
  await using network = new Network();
  const here = await network.start('here.test');
  const there = await network.start('there.test');
  const [alice, bob] = [await here.user('alice'), await here.user('bob')];
  const carol = await there.user('carol');
  await makeDiscoverable(here, 'bob');
  const own = await alice.post('/api/v1/statuses', { status: 'my plover' });
  const other = await bob.post('/api/v1/statuses', { status: 'his plover' });
  const account = (await alice.get('/api/v2/search?q=carol@there.test&resolve=true')).json.accounts[0];
  await alice.post(`/api/v1/accounts/${account.id}/follow`);
  await network.drain();
  await carol.post('/api/v1/statuses', { status: '@alice@here.test far plover' });
  await network.drain();
  const find = (q: string) => alice.get(`/api/v2/search?q=${encodeURIComponent(q)}`);
  expect(ids((await find('from:me plover')).json.statuses)).toEqual([own.json.id]);
  for (const handle of ['bob', '@bob', '@BOB@here.test', 'bob@here.test']) {
    expect(ids((await find(`plover from:${handle}`)).json.statuses), handle).toEqual([other.json.id]);
  }
  for (const handle of ['carol@there.test', '@carol@there.test']) {
    expect((await find(`from:${handle}`)).json.statuses, handle).toMatchObject([
      { account: { acct: 'carol@there.test' } },
    ]);
  }
  expect((await find('from:nobody plover')).status).toBe(404);
  expect((await find('from:bob@nowhere.test')).status).toBe(404);
  for (const query of ['from:a:b plover', 'from:', 'from:https://there.test/@carol']) {
    const response = await find(query);
    expect([response.status, response.json], query).toEqual([422, { error: 'Unprocessable Content' }]);
  }
  expect((await here.anonymous.get('/api/v2/search?q=from:nobody')).status).toBe(404);
});

test('SRC-04: anonymous searches match short queries exactly, and cannot paginate or resolve', async () => {
  await using server = await startServer();
  await server.user('finchlover');
  const bird = await server.user('bird');
  await server.user('birdie');
  await bird.post('/api/v1/statuses', { status: '#bird and #birdhouse' });
  const find = async (q: string) => (await server.anonymous.get(`/api/v2/search?q=${encodeURIComponent(q)}`)).json;
  expect(names((await find('finch')).accounts)).toEqual(['finchlover']);
  expect((await find('finc')).accounts).toEqual([]);
  const short = await find('bird');
  expect(names(short.accounts)).toEqual(['bird']);
  expect(short.hashtags.map(({ name }: { name: string }) => name)).toEqual(['bird']);
  expect(short.hashtags[0]).not.toHaveProperty('following');
  expect((await find('birdh')).hashtags).toHaveLength(1);
  const refused = async (query: string): Promise<[number, string]> => {
    const { status, json } = await server.anonymous.get(`/api/v2/search?q=finch&${query}`);
    return [status, json.error];
  };
  for (const truthy of ['true', '1', 'yes']) {
    expect(await refused(`resolve=${truthy}`)).toEqual([
      401,
      'Search queries that resolve remote resources are not supported without authentication',
    ]);
  }
  expect(await refused('type=accounts&offset=1')).toEqual([
    401,
    'Search queries pagination is not supported without authentication',
  ]);
  expect((await server.anonymous.get('/api/v2/search?q=finch&resolve=false')).status).toBe(200);
  const app = await server.appToken('read');
  expect((await app.get('/api/v2/search?q=finch&resolve=true')).status).toBe(401);
});

test('SRC-05: the default number of results is a setting, and the maximum is 40', async () => {
  await using server = await startServer({ settings: { SEARCH_RESULTS_DEFAULT: '3' } });
  const alice = await server.user('alice');
  for (let number = 0; number < 5; number += 1) await server.user(`finch${number}`);
  expect((await alice.get('/api/v2/search?q=finch')).json.accounts).toHaveLength(3);
  expect((await alice.get('/api/v2/search?q=finch&limit=4')).json.accounts).toHaveLength(4);
  expect((await alice.get('/api/v2/search?q=finch&limit=500')).json.accounts).toHaveLength(5);
});

test('SRC-02: a remote handle or URI resolves to exactly one result', async () => {
  await using network = new Network();
  const here = await network.start('here.test');
  const there = await network.start('there.test');
  const alice = await here.user('alice');
  await here.user('carolina');
  const carol = await there.user('carol');
  const post = await carol.post('/api/v1/statuses', { status: 'a far away post' });
  const find = (q: string, query = '&resolve=true') => alice.get(`/api/v2/search?q=${encodeURIComponent(q)}${query}`);

  expect((await find('@carol@there.test', '')).json.accounts).toEqual([]);
  const byHandle = await find('@carol@there.test');
  expect(names(byHandle.json.accounts)).toEqual(['carol@there.test']);
  expect(names((await find('carol@there.test', '')).json.accounts)).toEqual(['carol@there.test']);
  const byUri = await find('https://there.test/users/carol');
  expect(byUri.json).toMatchObject({ accounts: [{ acct: 'carol@there.test' }], statuses: [], hashtags: [] });
  const status = await find(post.json.uri);
  expect(status.json).toMatchObject({
    accounts: [],
    statuses: [{ uri: post.json.uri, account: { acct: 'carol@there.test' } }],
  });
  expect((await find(post.json.uri, '&resolve=true&type=accounts')).json.statuses).toEqual([]);
  expect((await find('https://there.test/nothing')).json).toMatchObject({ accounts: [], statuses: [] });
  expect((await find(`https://here.test/@alice`)).json.accounts).toMatchObject([{ acct: 'alice' }]);
});

test('SRC-02: if a server does not answer, what is stored here is found, and the response names its host', async () => {
  await using network = new Network();
  const here = await network.start('here.test');
  const there = await network.start('there.test');
  const alice = await here.user('alice');
  await there.user('dora');
  const address = 'https://there.test/@carol';
  await alice.post('/api/v1/statuses', { status: `ask carol@there.test, see ${address}` });
  await here.drain();
  const doraUri = 'https://there.test/users/dora';
  const find = (q: string, query = '') => alice.get(`/api/v2/search?resolve=true${query}&q=${encodeURIComponent(q)}`);
  await find(doraUri);
  network.takeDown('there.test');
  for (const q of ['carol@there.test', '@carol@THERE.test', address]) {
    const { status, json } = await find(q);
    expect([status, json.unreachable_host], q).toEqual([200, 'there.test']);
    expect(json.statuses, q).toHaveLength(1);
    expect((await find(q, '&type=hashtags')).json, q).not.toHaveProperty('statuses.0');
  }
  expect((await find('carol@there.test', '&type=statuses')).json).not.toHaveProperty('unreachable_host');
  expect((await find('nobody@there.test')).json).toEqual({
    accounts: [],
    statuses: [],
    hashtags: [],
    collections: [],
    unreachable_host: 'there.test',
  });
  for (const q of ['dora@there.test', doraUri]) {
    expect(names((await find(q)).json.accounts), q).toEqual(['dora@there.test']);
    expect((await find(q)).json, q).not.toHaveProperty('unreachable_host');
  }
  expect((await alice.get('/api/v2/search?resolve=true&q=alice@here.test')).json.accounts).toHaveLength(1);
});

test('SRC-02: accounts/search, whose list cannot name a host that does not answer, is 503 if it finds nothing', async () => {
  await using network = new Network();
  const here = await network.start('here.test');
  const there = await network.start('there.test');
  const alice = await here.user('alice');
  await there.user('caroline');
  await alice.get('/api/v2/search?resolve=true&q=caroline@there.test');
  network.takeDown('there.test');
  const find = (q: string) => alice.get(`/api/v1/accounts/search?resolve=true&q=${q}`);
  expect(names((await find('carol@there.test')).json)).toEqual(['caroline@there.test']);
  const nothing = await find('dora@there.test');
  expect([nothing.status, nothing.json]).toEqual([503, { error: 'Remote data could not be fetched' }]);
});

test('SRC-02: a post that the viewer may not see is not found by its URI', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const post = await bob.post('/api/v1/statuses', { status: 'secret', visibility: 'private' });
  const find = async (user: typeof alice) =>
    (await user.get(`/api/v2/search?resolve=true&q=${encodeURIComponent(post.json.uri)}`)).json.statuses;
  expect(await find(alice)).toEqual([]);
  expect(await find(bob)).toHaveLength(1);
});

test('SRC-02: accounts/search needs a user and a scope, and is paginated by offset', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (const name of ['finch1', 'finch2', 'finch3']) await server.user(name);
  expect((await server.anonymous.get('/api/v1/accounts/search?q=finch')).status).toBe(401);
  expect((await alice.get('/api/v1/accounts/search')).status).toBe(400);
  const first = await alice.get('/api/v1/accounts/search?q=finch&limit=2');
  const rest = await alice.get('/api/v1/accounts/search?q=finch&limit=2&offset=2');
  expect(names([...first.json, ...rest.json]).toSorted()).toEqual(['finch1', 'finch2', 'finch3']);
  const reader = await server.withScopes(alice, 'read:accounts');
  expect((await reader.get('/api/v1/accounts/search?q=finch')).status).toBe(200);
  expect((await reader.get('/api/v2/search?q=finch')).status).toBe(403);
  const searcher = await server.withScopes(alice, 'read:search');
  expect((await searcher.get('/api/v2/search?q=finch')).status).toBe(200);
  expect((await searcher.get('/api/v1/accounts/search?q=finch')).status).toBe(403);
});

test('SRC-02: search v1 is 404', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const response = await alice.get('/api/v1/search?q=alice');
  expect([response.status, typeof response.json.error]).toEqual([404, 'string']);
});

test('SRC-02: the number of queries does not depend on the length of the page', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (let number = 0; number < 8; number += 1) {
    const finch = await server.user(`finch${number}`);
    await finch.post('/api/v1/statuses', { status: `finch #finch${number}` });
  }
  await makeDiscoverable(server, ...Array.from({ length: 8 }, (_, number) => `finch${number}`));
  await server.drain();
  const countQueries = (limit: number) =>
    server.countWarmQueries(async () => {
      const { json } = await alice.get(`/api/v2/search?q=finch&limit=${limit}`);
      expect(json.accounts).toHaveLength(limit);
      expect(json.statuses).toHaveLength(limit);
      expect(json.hashtags).toHaveLength(limit);
    });
  expect(await countQueries(8)).toBe(await countQueries(2));
});

test('FOL-05: local and remote accounts can be followed by handle, repeatedly', async () => {
  await using network = new Network();
  const here = await network.start('here.test');
  const there = await network.start('there.test');
  const [alice, bob] = [await here.user('alice'), await here.user('bob')];
  await there.user('carol');
  const local = await alice.post('/api/v1/follows', { uri: 'bob@here.test', reblogs: false });
  expect([local.status, local.json]).toMatchObject([200, { id: bob.id, following: true, showing_reblogs: false }]);
  const again = await alice.post('/api/v1/follows', { uri: '@bob', reblogs: true });
  expect(again.json).toMatchObject({ following: true, showing_reblogs: true });
  const remote = await alice.post('/api/v1/follows', { uri: 'carol@there.test' });
  expect(remote.status).toBe(200);
  await network.drain();
  const relation = await alice.get(`/api/v1/accounts/relationships?id[]=${remote.json.id}`);
  expect(relation.json).toMatchObject([{ following: true, requested: false }]);
  expect((await alice.post('/api/v1/follows', { uri: 'carol@there.test' })).status).toBe(200);
  expect((await alice.post('/api/v1/follows', { uri: 'nobody@there.test' })).status).toBe(404);
  expect((await alice.post('/api/v1/follows', { uri: 'nobody' })).status).toBe(404);
  expect((await alice.post('/api/v1/follows', {})).status).toBe(400);
  expect((await alice.post('/api/v1/follows', { uri: 'alice' })).status).toBe(403);
  expect((await here.anonymous.post('/api/v1/follows', { uri: 'bob' })).status).toBe(401);
  const reader = await here.withScopes(alice, 'read');
  expect((await reader.post('/api/v1/follows', { uri: 'bob' })).status).toBe(403);
  network.takeDown('there.test');
  expect((await alice.post('/api/v1/follows', { uri: 'dora@there.test' })).status).toBe(503);
});

test('SRC-02: the URL of a page resolves like the URI of its object', async () => {
  await using network = new Network();
  const here = await network.start('here.test');
  const there = await network.start('there.test');
  const alice = await here.user('alice');
  const carol = await there.user('carol');
  const post = await carol.post('/api/v1/statuses', { status: 'a far away post' });
  const find = (q: string) => alice.get(`/api/v2/search?q=${encodeURIComponent(q)}&resolve=true`);
  const account = await find('https://there.test/@carol');
  expect(account.json).toMatchObject({ accounts: [{ acct: 'carol@there.test' }], statuses: [], hashtags: [] });
  const status = await find(post.json.url);
  expect(status.json).toMatchObject({ accounts: [], statuses: [{ uri: post.json.uri }] });
});

const german = { status: 'Die Häuser sind schön', language: 'de' };
const russian = { status: 'Это большая книга', language: 'ru' };

test('SRC-02: posts are found by other forms of a word, in the language of the post and of the viewer', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const post = async (body: object): Promise<string> => (await alice.post('/api/v1/statuses', body)).json.id;
  const birds = await post({ status: 'The birds are singing', language: 'en' });
  const bird = await post({ status: 'A bird sang', language: 'en' });
  const unknown = await post({ status: 'vogels', language: 'tlh' });
  const houses = await post(german);
  const book = await post(russian);
  const japanese = await post({ status: '今日はいい天気ですね', language: 'ja' });
  await server.drain();
  const find = async (q: string): Promise<string[]> =>
    ids((await alice.get(`/api/v2/search?type=statuses&q=${encodeURIComponent(q)}`)).json.statuses);

  expect(await find('bird')).toEqual([bird, birds]);
  expect(await find('birds')).toEqual([bird, birds]);
  expect(await find('BIRD sing')).toEqual([birds]);
  expect(await find('bird -singing')).toEqual([bird]);
  expect(await find('"birds"')).toEqual([birds]);
  expect(await find('"bird"')).toEqual([bird]);
  expect(await find('vogel')).toEqual([]);
  expect(await find('vogels')).toEqual([unknown]);
  expect(await find('天気')).toEqual([japanese]);
  expect(await find('天')).toEqual([japanese]);

  expect(await find('haus language:de')).toEqual([houses]);
  await alice.patch('/api/v1/accounts/update_credentials', { source: { language: 'ru' } });
  expect(await find('большой')).toEqual([book]);
  expect(await find('bird')).toEqual([bird, birds]);
});
