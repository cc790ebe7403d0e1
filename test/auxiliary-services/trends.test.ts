import { expect, test } from 'vitest';
import { Peer } from '../federation/peer.ts';
import type { Client } from '../server.ts';
import { providerScene, providersPath } from './scene.ts';

const paths = { statuses: 'content', tags: 'hashtags', links: 'links' } as const;
type Kind = keyof typeof paths;
const endpoint = (kind: Kind): string => `GET /trends/v0/${paths[kind]}`;
const schedule = 'service_provider.fetch_all_trends';

const article = `<!doctype html><html lang="en"><head><title>Story</title>
  <meta property="og:title" content="Story"><meta property="og:description" content="They are back">
  <meta property="og:site_name" content="The News"><meta property="og:type" content="article">
  <meta property="og:image" content="/bird.jpg"></head><body></body></html>`;

/** A provider that staff enabled for trends, and eve, who is discoverable and whose posts are unknown. */
async function trendsScene() {
  const scene = await providerScene();
  const { network, server, provider, staff } = scene;
  for (const kind of ['content', 'hashtags', 'links'])
    provider.answers.set(`GET /trends/v0/${kind}`, { json: { [kind]: [] } });
  await provider.connect(staff, 'trends');
  const peer = new Peer(network, 'peer.test');
  const eve = peer.actor('eve');
  eve.documentOverrides = { discoverable: true };
  network.addHost('news.test', () => ({
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: Buffer.from(article),
  }));
  return {
    ...scene,
    peer,
    eve,
    /** Stores a post of eve at her server. Returns its address. */
    serve(id: string, members: Record<string, unknown> = {}): string {
      const note = eve.note(id, members);
      peer.serve(note);
      return String(note['id']);
    },
    async fetchTrends(): Promise<void> {
      network.clock.advance(3600);
      await server.runSchedule(schedule);
      await server.drain();
    },
    async [Symbol.asyncDispose]() {
      await scene[Symbol.asyncDispose]();
    },
  };
}

const list = async (client: Client, kind: Kind, prefix = '/api/v1/trends') =>
  (await client.get(`${prefix}/${kind}`)).json as Record<string, unknown>[];
const names = async (client: Client, kind: Kind, prefix?: string) =>
  (await list(client, kind, prefix)).map(({ uri, url, name }) => uri ?? name ?? url);
const admin = '/api/v1/admin/trends';

test('TRD-01: trends of providers are fetched from their origin, shown to staff, and to others once they approve them', async () => {
  await using scene = await trendsScene();
  const { server, provider, staff } = scene;
  const tag = { type: 'Hashtag', name: '#Cats', href: 'https://peer.test/tags/cats' };
  const content = '<p>Read <a href="https://news.test/story">this</a></p>';
  const [first, second] = [scene.serve('one'), scene.serve('two')];
  const examples = [scene.serve('three', { tag: [tag] }), scene.serve('four', { content })];
  provider.answers.set(endpoint('statuses'), {
    json: {
      content: [
        { uri: first, rank: 74 },
        { uri: second, rank: 100 },
      ],
    },
  });
  provider.answers.set(endpoint('tags'), {
    json: {
      hashtags: [
        { name: '#cats', rank: 90, examples: [examples[0]] },
        { name: '#nothing', rank: 80, examples: [] },
      ],
    },
  });
  provider.answers.set(endpoint('links'), {
    json: { links: [{ url: 'https://news.test/story', rank: 9, examples: [examples[1]] }] },
  });
  await scene.fetchTrends();
  expect(provider.calls.map(({ path }) => path).toSorted()).toEqual(
    ['content', 'hashtags', 'links'].map((kind) => `/trends/v0/${kind}?withinLastHours=24&maxCount=20`),
  );
  // The card of the link was fetched meanwhile.
  await scene.fetchTrends();
  const expected = { statuses: [second, first], tags: ['Cats'], links: ['https://news.test/story'] } as const;
  for (const kind of ['statuses', 'tags', 'links'] as const) {
    expect(await names(server.anonymous, kind), kind).toEqual([]);
    expect(await names(staff, kind, admin), kind).toEqual(expected[kind]);
    const marked = { requires_review: true, trend_provider: 'Example FASP' };
    expect((await list(staff, kind, admin))[0]).toMatchObject(marked);
    for (const { id } of await list(staff, kind, admin)) await staff.post(`${admin}/${kind}/${String(id)}/approve`);
    const shown = await list(server.anonymous, kind);
    // One post of each author.
    expect(shown, kind).toHaveLength(1);
    expect(shown[0]).toMatchObject({ trend_provider: 'Example FASP' });
    expect(await names(server.anonymous, kind)).toEqual(expected[kind].slice(0, 1));
    // So is the page for visitors.
    const page = kind === 'statuses' ? '/explore' : `/explore/${kind}`;
    const { body } = await server.http.inject({ url: page, headers: { accept: 'text/html' } });
    expect(body.match(/Trending on Example FASP/g), page).toHaveLength(1);
  }
  expect(provider.problems).toEqual([]);

  expect((await staff.get('/api/v1/timelines/home')).json).toEqual([]);
  await staff.post(`${providersPath}/${provider.faspId}/capabilities/trends/disable`);
  for (const kind of ['statuses', 'tags', 'links'] as const) expect(await list(server.anonymous, kind)).toEqual([]);
});

test('TRD-01: local trends come first and are not marked, and those that a provider stops naming end', async () => {
  await using scene = await trendsScene();
  const { server, provider, staff, network } = scene;
  const alice = await server.user('alice');
  await alice.patch('/api/v1/accounts/update_credentials', { discoverable: true });
  for (const status of ['#local', '#both', '#far']) await alice.post('/api/v1/statuses', { status });
  for (let number = 0; number < 6; number += 1) {
    const user = await server.user(`crowd_${number}`);
    await user.post('/api/v1/statuses', { status: '#local #both' });
  }
  await server.drain();
  await server.runSchedule('trend.refresh_trends');
  const hashtags = ['#FAR', '#both'].map((name, index) => ({ name, rank: 100 - index, examples: [] }));
  provider.answers.set(endpoint('tags'), { json: { hashtags } });
  await scene.fetchTrends();
  const listed = async () =>
    (await list(staff, 'tags', admin)).map(({ name, trend_provider: by }) => [name, by]).toSorted();
  expect(await listed()).toEqual([
    ['both', undefined],
    ['far', 'Example FASP'],
    ['local', undefined],
  ]);
  expect((await list(staff, 'tags', admin)).at(-1)?.['name']).toBe('far');

  provider.answers.set(endpoint('tags'), { json: { hashtags: [] } });
  await scene.fetchTrends();
  expect((await listed()).map(([name]) => name)).not.toContain('far');
  provider.answers.set(endpoint('tags'), { json: { hashtags } });
  await scene.fetchTrends();
  expect(await names(staff, 'tags', admin)).toContain('far');
  // It is gone: what it said ends some hours later.
  provider.answers.set(endpoint('tags'), { status: 503 });
  await scene.fetchTrends();
  expect(await names(staff, 'tags', admin)).toContain('far');
  network.clock.advance(6 * 3600);
  await server.runSchedule('trend.refresh_trends');
  expect(await names(staff, 'tags', admin)).not.toContain('far');
  expect((await server.pool.query('select count(*)::int from provided_trends')).rows).toEqual([{ count: 0 }]);
});

test('TRD-01: a provider that is slow, lies or is gone changes nothing', async () => {
  await using scene = await trendsScene();
  const { server, provider, staff, network, eve } = scene;
  await staff.post('/api/v1/admin/domain_blocks', { domain: 'blocked.test', severity: 'suspend' });
  const blocked = new Peer(network, 'blocked.test').actor('bad');
  const quiet = new Peer(network, 'quiet.test').actor('quiet');
  const secret = { to: [`${eve.uri}/followers`], cc: [] };
  const good = scene.serve('good');
  const hostile = [
    { uri: scene.serve('private', secret), rank: 100 },
    { uri: scene.serve('reply', { inReplyTo: good }), rank: 99 },
    { uri: scene.serve('sensitive', { sensitive: true }), rank: 98 },
    { uri: `${blocked.uri}/notes/1`, rank: 97 },
    { uri: `${quiet.uri}/notes/1`, rank: 96 },
    { uri: 'http://127.0.0.1/', rank: 95 },
    { uri: 'javascript:alert(1)', rank: 94 },
    { uri: good, rank: 1000 },
    { uri: good, rank: 'high' },
    { uri: good },
    7,
    null,
    { uri: good, rank: 50 },
  ];
  const answers = [
    [{ json: { content: hostile } }, [good]],
    [{ json: { content: hostile.slice(0, 3) }, lie: 'unsigned' }, [good]],
    [{ json: [] }, [good]],
    [{ text: 'x'.repeat(300_000) }, [good]],
    [{ status: 500 }, [good]],
  ] as const;
  for (const [number, [answer, expected]] of answers.entries()) {
    provider.answers.set(endpoint('statuses'), answer);
    await scene.fetchTrends();
    expect([number, await names(staff, 'statuses', admin)]).toEqual([number, expected]);
  }
  expect(network.requests.filter(({ url }) => /blocked\.test|127\.0\.0\.1/.test(url))).toEqual([]);
  const { calls } = provider;
  calls.length = 0;
  // It is left alone, as after other failures.
  await server.runSchedule(schedule);
  await server.drain();
  expect(calls).toEqual([]);
  // An author who no longer consents, or is limited, does not trend.
  await server.db.updateTable('accounts').set({ discoverable: false }).where('username', '=', 'eve').execute();
  network.clock.advance(61);
  await server.runSchedule('trend.refresh_trends');
  expect(await names(staff, 'statuses', admin)).toEqual([]);
});
