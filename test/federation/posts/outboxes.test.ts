import { expect, test } from 'vitest';
import type { Client } from '../../client.ts';
import { Network } from '../../network.ts';
import type { TestResponse, TestServer, TestUser } from '../../server.ts';
import { TestSocket } from '../../streams.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { homeTimeline, resolveAccountOn, type StatusJson } from '../two-servers.ts';

const day = 86_400_000;
const hourInSeconds = 3_600;

interface Scene extends AsyncDisposable {
  readonly network: Network;
  readonly server: TestServer;
  readonly alice: TestUser;
  readonly peer: Peer;
  readonly fay: PeerActor;
}

async function scene(settings: Record<string, string> = {}): Promise<Scene> {
  const network = new Network();
  const server = await network.start('a.test', { settings });
  const peer = new Peer(network, 'far.test');
  const [alice, fay] = [await server.user('alice'), peer.actor('fay')];
  return { network, server, alice, peer, fay, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

/** Returns a time some days before that of the server's clock. */
const daysAgo = ({ network }: Scene, days: number): string =>
  new Date(network.clock.now().getTime() - days * day).toISOString();

/** Returns the Create of a post that is some days old. */
function oldPost(scene: Scene, id: number | string, members: Record<string, unknown> = {}, days = Number(id)) {
  const note = scene.fay.note(id, { published: daysAgo(scene, days), ...members });
  return { ...scene.fay.create(note), published: note['published'] };
}

/** Serves items as the outbox of an actor, 20 per page, newest first. */
function serveOutbox(peer: Peer, actor: PeerActor, items: readonly unknown[], total: number = items.length): void {
  const url = `${actor.uri}/outbox`;
  const pages = Array.from({ length: Math.ceil(items.length / 20) }, (_, index) =>
    items.slice(index * 20, index * 20 + 20),
  );
  const pageUrl = (index: number) => `${url}/${index}`;
  peer.serve({ id: url, type: 'OrderedCollection', totalItems: total, first: pageUrl(0) });
  pages.forEach((orderedItems, index) => {
    const next = index + 1 < pages.length ? { next: pageUrl(index + 1) } : {};
    peer.serve({ id: pageUrl(index), type: 'OrderedCollectionPage', partOf: url, orderedItems, ...next });
  });
}

const statusesOf = (user: Client, id: string, query = '') => user.get(`/api/v1/accounts/${id}/statuses${query}`);

const refreshOf = (response: TestResponse): string | undefined =>
  /^id="([^"]+)", retry=\d+, result_count=\d+$/.exec(String(response.headers['mastodon-async-refresh']))?.[1];

/** Views the statuses of an account, waits for what that causes, and views them again. */
async function viewTwice({ server, alice }: Scene, id: string, query = '?limit=40'): Promise<StatusJson[]> {
  await statusesOf(alice, id, query);
  await server.drain();
  return (await statusesOf(alice, id, query)).json as StatusJson[];
}

const numbersOf = (statuses: readonly StatusJson[]): string[] => statuses.map(({ uri }) => uri.split('/').at(-1) ?? '');

const outboxRequests = (peer: Peer): string[] => peer.requestedPaths.filter((path) => path.includes('/outbox'));

test('FED-01: the first view of a remote account fetches its pinned and its newest posts, which clients follow', async () => {
  await using all = await scene();
  const { network, server, alice, peer, fay } = all;
  fay.documentOverrides = { featured: `${fay.uri}/featured` };
  const pinned = fay.note('pinned', { published: daysAgo(all, 900) });
  peer.serve({ id: `${fay.uri}/featured`, type: 'OrderedCollection', orderedItems: [pinned] });
  serveOutbox(
    peer,
    fay,
    Array.from({ length: 100 }, (_, index) => oldPost(all, index + 1)),
    5_000,
  );
  const id = await resolveAccountOn(server, 'fay@far.test');
  await server.drain();
  const anonymous = await statusesOf(server.anonymous, id);
  expect(refreshOf(anonymous)).toBeUndefined();
  await server.drain();
  expect((await statusesOf(server.anonymous, id)).json).toMatchObject([{ uri: pinned['id'] }]);

  const refresh = refreshOf(await statusesOf(alice, id, '?limit=40'));
  const progress = async () => (await alice.get(`/api/v1_alpha/async_refreshes/${refresh}`)).json.async_refresh;
  expect(await progress()).toMatchObject({ status: 'running', result_count: 0 });
  expect(refreshOf(await statusesOf(alice, id))).toBe(refresh);
  await server.drain();
  expect(await progress()).toMatchObject({ status: 'finished', result_count: 40 });
  const page = await statusesOf(alice, id, '?limit=40');
  expect(numbersOf(page.json as StatusJson[])).toEqual(Array.from({ length: 40 }, (_, index) => String(index + 1)));
  expect(page.json[9].created_at).toBe(daysAgo(all, 10));
  expect((await alice.get(`/api/v1/accounts/${id}`)).json.statuses_count).toBe(5_000);
  expect((await statusesOf(alice, id, '?pinned=true')).json).toMatchObject([{ uri: pinned['id'] }]);

  // Again after an hour, and only what is new.
  await server.drain();
  peer.requestedPaths = [];
  await viewTwice(all, id, '?limit=20');
  expect(outboxRequests(peer)).toEqual([]);
  network.clock.advance(hourInSeconds);
  serveOutbox(peer, fay, [
    oldPost(all, 'new', {}, 0.01),
    ...Array.from({ length: 30 }, (_, index) => oldPost(all, index + 1)),
  ]);
  expect(numbersOf(await viewTwice(all, id)).slice(0, 2)).toEqual(['new', '1']);
  expect(outboxRequests(peer).length).toBeLessThanOrEqual(4);
});

test('FED-01: older posts are fetched as a viewer scrolls, to the end of the outbox', async () => {
  await using all = await scene();
  const { server, alice, peer, fay } = all;
  serveOutbox(
    peer,
    fay,
    Array.from({ length: 110 }, (_, index) => oldPost(all, index + 1)),
  );
  const id = await resolveAccountOn(server, 'fay@far.test');
  const seen: string[] = [];
  let query = '?limit=20';
  for (let page = 0; page < 12 && query !== ''; page += 1) {
    const first = await statusesOf(alice, id, query);
    await server.drain();
    const response = refreshOf(first) === undefined ? first : await statusesOf(alice, id, query);
    seen.push(...numbersOf(response.json as StatusJson[]));
    const next = /max_id=(\d+)/.exec(String(response.headers['link']))?.[1];
    query = next === undefined ? '' : `?limit=20&max_id=${next}`;
  }
  expect(seen).toEqual(Array.from({ length: 110 }, (_, index) => String(index + 1)));
  peer.requestedPaths = [];
  expect(refreshOf(await statusesOf(alice, id, '?limit=20&max_id=1'))).toBeUndefined();
  await server.drain();
  expect(outboxRequests(peer)).toEqual([]);
});

test('FED-03: posts from an outbox are in no home, list, notification, stream or trend, until they are delivered', async () => {
  await using all = await scene();
  const { server, alice, peer, fay } = all;
  const mention = { type: 'Mention', href: `${server.app.config.baseUrl}/users/alice`, name: '@alice@a.test' };
  const tag = { type: 'Hashtag', name: '#birds', href: 'https://far.test/tags/birds' };
  const members = { tag: [mention, tag], cc: [`${fay.uri}/followers`, mention.href] };
  const recent = oldPost(all, 'recent', members, 0.01);
  const third = new Peer(all.network, 'third.test');
  const otto = third.actor('otto');
  third.serve(otto.note('song', { published: daysAgo(all, 5), tag: [mention, tag] }));
  const boost = {
    ...fay.activity('Announce', `${otto.uri}/notes/song`, { id: `${fay.uri}/boosts/1` }),
    published: daysAgo(all, 2),
  };
  const announce = { ...boost, to: ['https://www.w3.org/ns/activitystreams#Public'] };
  serveOutbox(peer, fay, [recent, oldPost(all, 1, members), announce, oldPost(all, 3, members)]);
  await alice.post('/api/v1/tags/birds/follow');
  const stream = await TestSocket.open(server, alice, 'stream=user');
  const [id, ottoId] = [
    await resolveAccountOn(server, 'fay@far.test'),
    await resolveAccountOn(server, 'otto@third.test'),
  ];
  const list = (await alice.post('/api/v1/lists', { title: 'Birds' })).json;
  expect(await homeTimeline(alice)).toEqual([]);
  for (const target of [ottoId, id]) {
    await alice.post(`/api/v1/accounts/${target}/follow`);
    await server.drain();
  }
  for (const { received } of [peer, third])
    for (const { activity } of received.filter((each) => each.activity['type'] === 'Follow'))
      await (received === peer.received ? fay : otto).send(
        server,
        (received === peer.received ? fay : otto).activity('Accept', activity),
      );
  await server.drain();
  await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [id, ottoId] });
  expect(numbersOf(await viewTwice(all, id))).toEqual(['recent', '1', '1', '3']);

  const assertNoNews = async () => {
    expect(await homeTimeline(alice)).toEqual([]);
    expect((await alice.get(`/api/v1/timelines/list/${list.id}`)).json).toEqual([]);
  };
  await assertNoNews();
  expect((await stream.take()).filter(({ event }) => event !== 'notification')).toEqual([]);
  expect((await alice.get('/api/v1/notifications?types[]=mention')).json).toEqual([]);
  expect((await server.pool.query('select * from trend_uses')).rows).toEqual([]);
  expect((await alice.get('/api/v1/timelines/tag/birds')).json).toHaveLength(4);
  // Nor after the feeds are built again.
  await server.pool.query('delete from home_feed_states');
  await server.pool.query('delete from list_feed_states');
  await assertNoNews();
  await server.drain();
  await assertNoNews();

  await fay.send(server, recent);
  await fay.send(server, announce);
  await server.drain();
  expect(numbersOf(await homeTimeline(alice))).toEqual(['recent', '1']);
  expect((await stream.take()).map(({ event }) => event)).toEqual(expect.arrayContaining(['update', 'notification']));
  expect((await alice.get('/api/v1/notifications?types[]=mention')).json).toHaveLength(1);
  stream.close();
});

test('FED-01: a follow reads the outbox, and the first one that is accepted refreshes the profile', async () => {
  await using all = await scene();
  const { server, alice, peer, fay } = all;
  serveOutbox(peer, fay, [oldPost(all, 2), oldPost(all, 1)].toReversed());
  const id = await resolveAccountOn(server, 'fay@far.test');
  await server.drain();
  fay.documentOverrides = { name: 'Fay, later' };
  const follow = async (user: TestUser) => {
    peer.requestedPaths = [];
    await user.post(`/api/v1/accounts/${id}/follow`);
    await server.drain();
    const request = peer.received.findLast(({ activity }) => activity['type'] === 'Follow')?.activity;
    const outbox = outboxRequests(peer).length;
    await fay.send(server, fay.activity('Accept', request));
    await server.drain();
    return { outbox, profiles: peer.requestedPaths.filter((path) => path === '/users/fay').length };
  };
  expect(await follow(alice)).toEqual({ outbox: 2, profiles: 1 });
  expect((await alice.get(`/api/v1/accounts/${id}`)).json.display_name).toBe('Fay, later');
  expect(numbersOf((await statusesOf(alice, id)).json)).toEqual(['1', '2']);
  expect(await follow(await server.user('bob'))).toEqual({ outbox: 0, profiles: 0 });
});

test('FED-03: an outbox cannot claim what its owner did not publish', async () => {
  await using all = await scene();
  const { server, alice, peer, fay, network } = all;
  const eve = peer.actor('eve');
  const third = new Peer(network, 'third.test');
  const otto = third.actor('otto');
  const local = (await alice.post('/api/v1/statuses', { status: 'mine' })).json;
  const published = daysAgo(all, 4);
  const publicTo = ['https://www.w3.org/ns/activitystreams#Public'];
  const boost = (object: unknown, id = 'x', members = {}) => ({
    ...fay.activity('Announce', object, { id: `${fay.uri}/boosts/${id}`, to: publicTo, ...members }),
    published,
  });
  third.serve(otto.note('true', { published, content: '<p>true</p>' }));
  third.serve(otto.note('private', { published, to: [`${otto.uri}/followers`] }));
  serveOutbox(peer, fay, [
    null,
    7,
    'https://far.test/missing',
    { type: 'Create' },
    oldPost(all, 'private', { to: [`${fay.uri}/followers`], cc: [] }, 4),
    oldPost(all, 'direct', { to: [`${server.app.config.baseUrl}/users/alice`], cc: [] }, 4),
    oldPost(all, 'future', {}, -3),
    oldPost(all, 'ancient', {}, 21 * 365),
    { ...fay.create(fay.note('undated')) },
    // Posts of others: embedded on the same host and on another one, with the actor of the account or their own.
    { ...fay.create({ ...eve.note('forged'), published }), published },
    { ...fay.create({ ...otto.note('forged'), published }), published },
    { ...otto.create(otto.note('true', { published, content: '<p>forged</p>' })), published },
    { ...eve.create(eve.note('stolen', { published })), published },
    { ...eve.activity('Announce', `${otto.uri}/notes/true`, { id: `${eve.uri}/boosts/1`, to: publicTo }), published },
    boost({ ...otto.note('true', { content: '<p>forged</p>' }), published }, 'true'),
    boost(`${otto.uri}/notes/private`, 'private'),
    boost(`${otto.uri}/notes/true`, 'to-followers', { to: [`${fay.uri}/followers`] }),
    boost(local.uri, 'local'),
    boost('https://blocked.test/notes/1', 'blocked'),
    { ...boost(`${otto.uri}/notes/true`), id: `${otto.uri}/boosts/1` },
    oldPost(all, 'good', {}, 4),
  ]);
  const owner = await server.user('olga', { role: 'owner' });
  await owner.post('/api/v1/admin/domain_blocks', { domain: 'blocked.test', severity: 'suspend' });
  const id = await resolveAccountOn(server, 'fay@far.test');
  const shown = await viewTwice(all, id);
  expect(shown.map(({ uri }) => uri.replace(/^.*\/users/, ''))).toEqual(
    expect.arrayContaining(['/fay/notes/future', '/fay/notes/good', '/fay/boosts/true']),
  );
  expect(shown).toHaveLength(3);
  expect(shown.find(({ reblog }) => reblog !== null)?.reblog?.content).toBe('<p>true</p>');
  const future = shown.find(({ uri }) => uri.endsWith('future')) as StatusJson & { created_at: string };
  expect(new Date(future.created_at).getTime()).toBeLessThanOrEqual(network.clock.now().getTime());
  const { rows } = await server.pool.query(
    `select uri from statuses where not local and reblog_of_id is null order by uri`,
  );
  expect(rows.map(({ uri }) => uri)).toEqual([
    `${fay.uri}/notes/future`,
    `${fay.uri}/notes/good`,
    `${otto.uri}/notes/true`,
  ]);
  expect((await alice.get(`/api/v1/statuses/${local.id}`)).json.reblogs_count).toBe(0);
});

test('FED-03: reading an outbox ends at pages of other servers, repeated pages, and the fetch budget', async () => {
  await using all = await scene();
  const { server, alice, peer, fay, network } = all;
  const url = `${fay.uri}/outbox`;
  const elsewhere = { id: `https://evil.test/page`, type: 'OrderedCollectionPage', orderedItems: [oldPost(all, 50)] };
  network.addHost('evil.test', () => ({
    status: 200,
    headers: { 'content-type': 'application/activity+json' },
    body: Buffer.from(JSON.stringify(elsewhere)),
  }));
  const id = await resolveAccountOn(server, 'fay@far.test');
  const serve = (first: unknown, page: object = {}) => {
    peer.serve({ id: url, type: 'OrderedCollection', totalItems: 3, first });
    peer.serve({ id: `${url}/1`, type: 'OrderedCollectionPage', orderedItems: [oldPost(all, 1)], ...page });
    peer.requestedPaths = [];
    network.clock.advance(hourInSeconds);
  };
  serve(`https://evil.test/page`);
  expect(await viewTwice(all, id)).toEqual([]);
  serve(`${url}/1`, { next: `${url}/1` });
  expect(numbersOf(await viewTwice(all, id))).toEqual(['1']);
  expect(outboxRequests(peer).filter((path) => path.endsWith('/1'))).toHaveLength(1);
  serve(`${url}/1`, { orderedItems: 'nonsense', next: { id: 7 } });
  expect(numbersOf(await viewTwice(all, id))).toEqual(['1']);
  // A first page that is embedded, of many posts by id: each costs a request.
  const uris = Array.from({ length: 60 }, (_, index) => `${fay.uri}/notes/${100 + index}`);
  uris.forEach((uri, index) => peer.serve(fay.note(100 + index, { published: daysAgo(all, index + 2), id: uri })));
  serve({
    type: 'OrderedCollectionPage',
    orderedItems: uris.map((uri) => fay.create({ id: uri })).map((each) => ({ ...each, object: each['object'] })),
  });
  await statusesOf(alice, id);
  await server.drain();
  expect(network.requests.length).toBeGreaterThan(0);
  const fetched = peer.requestedPaths.filter((path) => /\/notes\/1\d\d$/.test(path)).length;
  expect(fetched).toBeGreaterThan(20);
  expect(fetched).toBeLessThanOrEqual(30);
  expect((await statusesOf(alice, id, '?limit=40')).json).toHaveLength(1 + fetched);
});

test('FED-03: the outbox is not read of suspended accounts and blocked domains, nor if the setting is off', async () => {
  await using all = await scene();
  const { server, alice, peer, fay } = all;
  serveOutbox(peer, fay, [oldPost(all, 1)]);
  const id = await resolveAccountOn(server, 'fay@far.test');
  await server.drain();
  peer.requestedPaths = [];
  await server.pool.query(`update accounts set suspended_at = now(), suspension_origin = 'local' where id = $1`, [id]);
  await viewTwice(all, id).catch(() => undefined);
  expect(outboxRequests(peer)).toEqual([]);

  await using off = await scene({ READ_OUTBOXES: 'off' });
  serveOutbox(off.peer, off.fay, [oldPost(off, 1)]);
  const other = await resolveAccountOn(off.server, 'fay@far.test');
  expect(refreshOf(await statusesOf(off.alice, other))).toBeUndefined();
  await off.alice.post(`/api/v1/accounts/${other}/follow`);
  expect(await viewTwice(off, other)).toEqual([]);
  expect(alice.id).not.toBe(off.alice.id);
});
