import { expect, test } from 'vitest';
import type { Network } from '../../network.ts';
import type { TestServer } from '../../server.ts';
import { followingScene, peerScene } from '../peer-scene.ts';

const activityHeaders = { 'content-type': 'application/activity+json' };
const context = 'https://www.w3.org/ns/activitystreams';
const aliceUri = 'https://a.test/users/alice';
const forAlice = { cc: [aliceUri], tag: [{ type: 'Mention', href: aliceUri, name: '@alice@a.test' }] };

const link = (url: string): string => `<a href="${url}">${url}</a>`;

/**
 * A host whose every post has another author, replies to a post, quotes another one and mentions 500 accounts; every
 * author has collections, fields with links and an account that it moved to.
 */
class HostileHost {
  readonly network: Network;
  readonly host: string;
  readonly paths: string[] = [];
  readonly timeouts: (number | undefined)[] = [];
  /** How long each response takes by the clock of the network. */
  delaySeconds = 0;

  constructor(network: Network, host: string) {
    this.network = network;
    this.host = host;
    network.addHost(host, (url, { timeoutMs }) => {
      this.paths.push(url.pathname);
      this.timeouts.push(timeoutMs);
      network.clock.advance(this.delaySeconds);
      const body = this.#document(url);
      return typeof body === 'string'
        ? { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from(body) }
        : {
            status: 200,
            headers: activityHeaders,
            body: Buffer.from(JSON.stringify({ '@context': context, ...body })),
          };
    });
  }

  url(path: string): string {
    return `https://${this.host}/${path}`;
  }

  post(id: number): Record<string, unknown> {
    const people = Array.from({ length: 500 }, (_, at) => this.url(`users/m${id}x${at}`));
    return {
      id: this.url(`posts/${id}`),
      type: 'Note',
      attributedTo: this.url(`users/u${id}`),
      content: `<p>Post ${id} <a href="${this.url(`pages/${id}`)}">link</a></p>`,
      to: ['https://www.w3.org/ns/activitystreams#Public'],
      cc: people,
      tag: people.map((href) => ({ type: 'Mention', href, name: '@x' })),
      inReplyTo: this.url(`posts/${id + 1}`),
      quote: this.url(`posts/${id + 100_000}`),
      quoteAuthorization: this.url(`authorizations/${id}`),
      replies: {
        type: 'Collection',
        items: Array.from({ length: 5 }, (_, at) => this.url(`posts/${id * 10 + at + 1_000_000}`)),
      },
    };
  }

  #document(url: URL): Record<string, unknown> | string {
    const [, kind = '', name = ''] = url.pathname.split('/');
    switch (kind) {
      case 'posts':
        return this.post(Number(name));
      case 'users':
        return this.#actor(name);
      case '.well-known':
        return this.#finger(url.searchParams.get('resource') ?? '');
      case 'pages':
        return `<html><head><title>${name}</title><link type="application/json+oembed" href="/oembed/${name}"></head></html>`;
      default:
        return {
          id: url.href,
          type: 'OrderedCollection',
          orderedItems: Array.from({ length: 10 }, (_, at) => this.url(`posts/${at + 2_000_000}`)),
        };
    }
  }

  #actor(name: string): Record<string, unknown> {
    const id = this.url(`users/${name}`);
    return {
      id,
      type: 'Person',
      preferredUsername: name,
      inbox: `${id}/inbox`,
      outbox: this.url(`outbox/${name}`),
      followers: this.url(`followers/${name}`),
      following: this.url(`following/${name}`),
      featured: this.url(`featured/${name}`),
      featuredTags: this.url(`tags/${name}`),
      movedTo: this.url(`users/moved${name}`),
      attachment: [{ type: 'PropertyValue', name: 'Site', value: link(this.url(`pages/${name}`)) }],
    };
  }

  #finger(resource: string): Record<string, unknown> {
    const name = /^acct:([^@]+)@/.exec(resource)?.[1] ?? '';
    return {
      subject: resource,
      links: [{ rel: 'self', type: 'application/activity+json', href: this.url(`users/${name}`) }],
    };
  }
}

test('FED-03: one activity causes at most 30 requests to a host, including those of its jobs', async () => {
  await using scene = await followingScene();
  const { network, a, eve } = scene;
  await a.drain();
  const host = new HostileHost(network, 'hostile.test');
  const people = Array.from({ length: 500 }, (_, at) => host.url(`users/p${at}`));
  const note = eve.note(1, {
    content: `<p>Look: <a href="${host.url('pages/0')}">link</a></p>`,
    cc: people,
    tag: people.map((href) => ({ type: 'Mention', href, name: '@x' })),
    inReplyTo: host.url('posts/1'),
    quote: host.url('posts/100000'),
  });
  network.requests.length = 0;
  expect(await eve.send(a, eve.create(note))).toBe(202);
  for (let hours = 0; hours < 12; hours += 1) {
    await a.drain();
    network.clock.advance(3600);
  }
  expect(host.paths.length).toBeGreaterThan(10);
  expect(network.requests.filter(({ from }) => from === 'a.test').length).toBeLessThanOrEqual(30);
  expect(await storedUris(a)).toContain(note['id']);
});

test('FED-03: one activity waits at most 30 seconds for slow hosts', async () => {
  await using scene = await followingScene();
  const { network, a, eve } = scene;
  const host = new HostileHost(network, 'slow.test');
  host.delaySeconds = 9;
  const note = eve.note(1, { inReplyTo: host.url('posts/1') });
  expect(await eve.send(a, eve.create(note))).toBe(202);
  await a.drain();
  // Three responses of nine seconds leave three seconds for the fourth and none for a fifth.
  expect(host.timeouts).toHaveLength(4);
  expect(host.timeouts[3]).toBe(3_000);
  network.clock.advance(86_400);
  await a.drain();
  expect(host.timeouts).toHaveLength(4);
  expect(await storedUris(a)).toContain(note['id']);
});

test('FED-03: fetching the key of a signature counts towards the budget of its activity', async () => {
  await using scene = await peerScene();
  const { network, a, eve } = scene;
  const host = new HostileHost(network, 'hostile.test');
  const note = eve.note(1, { ...forAlice, inReplyTo: host.url('posts/1') });
  expect(await eve.send(a, eve.create(note))).toBe(202);
  for (let hours = 0; hours < 12; hours += 1) {
    await a.drain();
    network.clock.advance(3600);
  }
  expect(network.requests.some(({ url }) => url === eve.uri)).toBe(true);
  expect(network.requests.filter(({ from }) => from === 'a.test')).toHaveLength(30);
});

test('FED-03: redirects count as requests', async () => {
  await using scene = await followingScene();
  const { network, a, eve } = scene;
  const requestedUrls: string[] = [];
  network.addHost('hops.test', (url) => {
    requestedUrls.push(url.href);
    return { status: 302, headers: { location: `https://hops.test/${requestedUrls.length}` } };
  });
  const links = Array.from({ length: 10 }, (_, at) => ({
    type: 'PropertyValue',
    name: 'Site',
    value: link(`https://hops.test/start${at}`),
  }));
  const people = Array.from({ length: 40 }, (_, at) => `https://hops.test/users/p${at}`);
  eve.documentOverrides = { attachment: links };
  await eve.send(a, eve.activity('Update', eve.json()));
  await eve.send(a, eve.create(eve.note(1, { tag: people.map((href) => ({ type: 'Mention', href, name: '@x' })) })));
  await a.drain();
  expect(requestedUrls).toHaveLength(30);
  // The links of her profile are fetched for the other activity.
  network.clock.advance(3600);
  await a.drain();
  expect(requestedUrls).toHaveLength(46);
});

test('FED-03: a fetch that exceeded the budget of one activity happens for the next one that needs it', async () => {
  await using scene = await followingScene();
  const { network, a, eve, peer, alice } = scene;
  const host = new HostileHost(network, 'hostile.test');
  const fay = peer.actor('fay');
  peer.serve(fay.note('quoted'));
  peer.documents.set('/page', '<html><head><title>Page</title><meta property="og:title" content="Page"></head></html>');
  const people = Array.from({ length: 40 }, (_, at) => host.url(`users/p${at}`));
  const wasteful = eve.note(1, {
    content: '<p><a href="https://peer.test/page">page</a></p>',
    tag: people.map((href) => ({ type: 'Mention', href, name: '@x' })),
    inReplyTo: host.url('posts/1'),
  });
  await eve.send(a, eve.create(wasteful));
  network.clock.advance(1);
  await a.drain();
  network.clock.advance(90);
  await a.drain();
  expect(peer.requestedPaths).not.toContain('/page');
  await eve.send(a, eve.create(eve.note(2, { content: wasteful['content'], inReplyTo: fay.note('quoted')['id'] })));
  await a.drain();
  network.clock.advance(90);
  await a.drain();
  expect(peer.requestedPaths).toContain('/page');
  expect(await storedUris(a)).toEqual(
    expect.arrayContaining([wasteful['id'], eve.note(2)['id'], fay.note('quoted')['id']]),
  );
  // An account that was skipped is fetched when someone views it.
  const met = await a.app.db
    .selectFrom('accounts')
    .select(['id', 'username'])
    .where('domain', '=', 'hostile.test')
    .where('collections_fetched_at', 'is', null)
    .executeTakeFirstOrThrow();
  host.paths.length = 0;
  await alice.get(`/api/v1/accounts/${met.id}`);
  await a.drain();
  expect(host.paths).toContain(`/outbox/${met.username}`);
});

test('FED-03: budgets expire after two weeks', async () => {
  await using scene = await followingScene();
  const { network, a, eve } = scene;
  const host = new HostileHost(network, 'hostile.test');
  await eve.send(a, eve.create(eve.note(1, { inReplyTo: host.url('posts/1') })));
  await a.drain();
  const count = async () => (await a.app.db.selectFrom('fetch_budgets').select('requests').execute()).length;
  expect(await count()).toBeGreaterThan(0);
  network.clock.advance(15 * 86_400);
  await a.runSchedule('platform.delete_fetch_budgets');
  expect(await count()).toBe(0);
});

async function storedUris(server: TestServer): Promise<string[]> {
  return (await server.app.db.selectFrom('statuses').select('uri').execute()).map(({ uri }) => uri);
}
