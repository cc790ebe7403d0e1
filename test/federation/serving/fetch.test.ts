import { expect, test } from 'vitest';
import { resolveAccount, resolveCollection, resolveStatus, resolveUrl } from '../../../server/federation/index.ts';
import { fetchDocument } from '../../../server/federation/fetch/fetch-document.ts';
import { Network } from '../../network.ts';
import { Peer, PeerActor } from '../peer.ts';

async function start() {
  const network = new Network();
  const a = await network.start('a.test');
  const peer = new Peer(network, 'peer.test');
  return { network, a, peer, eve: peer.actor('eve'), [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

const activityJson = { 'content-type': 'application/activity+json' };
const body = (value: unknown) => Buffer.from(JSON.stringify(value));

test('FED-01: an object is accepted only from the host in its id', async () => {
  await using server = await start();
  const { network, a, peer, eve } = server;
  peer.serve(eve.note(1));
  network.addHost('evil.test', (url) => {
    const forged = {
      '@context': 'https://www.w3.org/ns/activitystreams',
      ...eve.note(url.pathname.slice(1)),
      content: 'Forged',
    };
    return { status: 200, headers: activityJson, body: body(forged) };
  });
  expect(await resolveStatus(a.app, 'https://evil.test/2')).toBeUndefined();
  expect(await resolveStatus(a.app, 'https://evil.test/1')).toBeUndefined();
  const id = await resolveStatus(a.app, String(eve.note(1)['id']));
  expect(id).toBeDefined();
});

test('FED-01: a redirect to another host does not let it serve an object of the first', async () => {
  await using server = await start();
  const { network, a, eve } = server;
  const forged = { '@context': 'https://www.w3.org/ns/activitystreams', ...eve.note(1), content: 'Forged' };
  network.addHost('evil.test', () => ({ status: 200, headers: activityJson, body: body(forged) }));
  network.addHost('peer.test', () => ({ status: 302, headers: { location: 'https://evil.test/x' } }));
  expect(await resolveStatus(a.app, String(eve.note(1)['id']))).toBeUndefined();
  network.addHost('loop.test', () => ({ status: 302, headers: { location: 'https://loop.test/again' } }));
  expect(await resolveStatus(a.app, 'https://loop.test/1')).toBeUndefined();
  network.addHost('back.test', () => ({ status: 302, headers: { location: 'https://a.test/users/alice' } }));
  expect(await resolveUrl(a.app, 'https://back.test/1')).toBeUndefined();
});

test('FED-01: only ActivityStreams content types are accepted, neither uploads nor plain JSON', async () => {
  await using server = await start();
  const { network, a, eve } = server;
  const types = ['application/json', 'application/ld+json', 'text/html', 'image/png', 'application/octet-stream'];
  for (const type of types) {
    network.addHost('peer.test', () => ({
      status: 200,
      headers: { 'content-type': type },
      body: body({ '@context': 'https://www.w3.org/ns/activitystreams', ...eve.note(type) }),
    }));
    expect(await resolveStatus(a.app, `${eve.uri}/notes/${type}`)).toBeUndefined();
  }
});

test('FED-01: a host that answers with JSON-LD without a profile is asked once more, and only for that type from then on', async () => {
  await using server = await start();
  const { network, a, peer, eve } = server;
  const accepts: string[] = [];
  const serve = (host: string, typeOf: (accept: string) => string) =>
    network.addHost(host, (url, { headers = {} }) => {
      if (url.pathname === '/users/eve') return { status: 200, headers: activityJson, body: body(eve.json()) };
      if (!url.pathname.startsWith('/users/eve/notes/')) {
        const links = [{ rel: 'self', type: activityJson['content-type'], href: eve.uri }];
        return { status: 200, headers: {}, body: body({ subject: 'acct:eve@peer.test', links }) };
      }
      accepts.push(headers['accept'] ?? '');
      const note = {
        '@context': 'https://www.w3.org/ns/activitystreams',
        ...eve.note(url.pathname.split('/').at(-1) ?? ''),
      };
      return { status: 200, headers: { 'content-type': typeOf(headers['accept'] ?? '') }, body: body(note) };
    });
  serve(peer.host, (accept) => (accept.includes('ld+json') ? 'application/ld+json' : 'application/activity+json'));
  for (const id of [1, 2]) expect(await resolveStatus(a.app, String(eve.note(id)['id']))).toBeDefined();
  const plain = 'application/activity+json';
  expect(accepts).toEqual([expect.stringContaining('ld+json'), plain, plain]);
  // The bare type is never enough, and another profile is not ours.
  for (const type of ['application/ld+json; charset=utf-8', 'application/ld+json; profile="https://other.test/"']) {
    accepts.length = 0;
    serve(peer.host, () => type);
    expect(await resolveStatus(a.app, `${eve.uri}/notes/${encodeURIComponent(type)}`)).toBeUndefined();
    expect(accepts).toEqual([plain]);
  }
});

test('FED-01: a host that refuses a signature by draft-cavage is asked by RFC 9421, first from then on', async () => {
  await using server = await start();
  const { network, a } = server;
  const host = new PeerActor('new.test', 'nora');
  let dialects: string[] = [];
  let accepted = 'rfc9421';
  network.addHost('new.test', (url, { headers = {} }) => {
    const dialect = headers['signature-input'] === undefined ? 'cavage' : 'rfc9421';
    dialects.push(dialect);
    if (dialect !== accepted) return { status: 401 };
    return { status: 200, headers: activityJson, body: body({ ...host.note(url.pathname.slice(1)), id: url.href }) };
  });
  const dialectsOf = async (path: string) => {
    dialects = [];
    const { url } = await fetchDocument(a.app, `https://new.test/${path}`);
    expect(url).toBe(`https://new.test/${path}`);
    return dialects;
  };
  expect(await dialectsOf('1')).toEqual(['cavage', 'rfc9421']);
  expect(await dialectsOf('2')).toEqual(['rfc9421']);
  accepted = 'cavage';
  expect(await dialectsOf('3')).toEqual(['rfc9421', 'cavage']);
  expect(await dialectsOf('4')).toEqual(['cavage']);
  accepted = 'neither';
  await expect(fetchDocument(a.app, 'https://new.test/5')).rejects.toThrow('https://new.test/5 answered 401');
});

test('FED-01: a handle is accepted only if its domain and the actor agree', async () => {
  await using server = await start();
  const { network, a, eve } = server;
  const finger = (subject: string, href: string) => ({
    status: 200,
    headers: { 'content-type': 'application/jrd+json' },
    body: body({ subject, links: [{ rel: 'self', type: 'application/activity+json', href }] }),
  });
  network.addHost('evil.test', () => finger('acct:eve@evil.test', eve.uri));
  const viaEvil = await resolveAccount(a.app, 'eve@evil.test');
  const eveAccount = await a.app.db
    .selectFrom('accounts')
    .select(['id', 'domain'])
    .where('uri', '=', eve.uri)
    .executeTakeFirst();
  expect([viaEvil, eveAccount?.domain]).toEqual([eveAccount?.id, 'peer.test']);
  const other = new Peer(network, 'other.test');
  const mallory = other.actor('mallory');
  mallory.documentOverrides = { webfinger: 'eve@peer.test' };
  expect(await resolveAccount(a.app, mallory.uri)).toBeUndefined();
  const ours = other.actor('ours');
  ours.documentOverrides = { webfinger: 'alice@a.test' };
  await a.user('alice');
  expect(await resolveAccount(a.app, ours.uri)).toBeUndefined();
});

test('FED-01: a server may use another domain in its handles if that domain confirms it', async () => {
  await using server = await start();
  const { network, a } = server;
  const peer = new Peer(network, 'social.corp.test');
  const ann = peer.actor('ann');
  const response = {
    subject: 'acct:ann@corp.test',
    links: [{ rel: 'self', type: 'application/activity+json', href: ann.uri }],
  };
  peer.documents.set('/.well-known/webfinger', response);
  expect(await resolveAccount(a.app, 'ann@social.corp.test')).toBeUndefined();
  network.addHost('corp.test', () => ({
    status: 200,
    headers: { 'content-type': 'application/jrd+json' },
    body: body(response),
  }));
  const second = await network.start('c.test');
  const id = await resolveAccount(second.app, 'ann@social.corp.test');
  expect(id).toBeDefined();
  expect(await resolveAccount(second.app, 'ann@corp.test')).toBe(id);
});

test.each([
  ['host-meta', 'application/xrd+xml', (url: string) => `<XRD><Link rel="lrdd" template="${url}"/></XRD>`],
  ['host-meta', 'application/json', (url: string) => JSON.stringify({ links: [{ rel: 'lrdd', template: url }] })],
  ['host-meta.json', 'application/json', (url: string) => JSON.stringify({ links: [{ rel: 'lrdd', template: url }] })],
] as const)(
  'FED-01: a domain without WebFinger may delegate it to another server in %s (%s)',
  async (name, type, write) => {
    await using server = await start();
    const { network, a } = server;
    const peer = new Peer(network, 'social.corp.test');
    const ann = peer.actor('ann');
    ann.documentOverrides = { webfinger: 'ann@corp.test' };
    const response = {
      subject: 'acct:ann@corp.test',
      links: [{ rel: 'self', type: 'application/activity+json', href: ann.uri }],
    };
    peer.documents.set('/finger', response);
    network.addHost('corp.test', (url) =>
      url.pathname === `/.well-known/${name}`
        ? {
            headers: { 'content-type': type },
            body: Buffer.from(write('https://social.corp.test/finger?resource={uri}')),
          }
        : { status: 404 },
    );
    const id = await resolveAccount(a.app, 'ann@corp.test');
    expect(id).toBeDefined();
    expect(await resolveAccount(a.app, ann.uri)).toBe(id);
    expect(network.requests.map(({ url }) => url)).toContain(
      'https://social.corp.test/finger?resource=acct%3Aann%40corp.test',
    );
  },
);

test('FED-05: a WebFinger template cannot lead to a forbidden server, and host-meta is not fetched from a failing one', async () => {
  await using server = await start();
  const { network, a } = server;
  await a.db
    .insertInto('domain_blocks')
    .values({ id: '1' as never, domain: 'blocked.test', severity: 'suspend', created_at: a.clock.now() })
    .execute();
  const targets = [
    'http://plain.test/{uri}',
    'https://blocked.test/{uri}',
    'https://a.test/{uri}',
    'ftp://x.test/{uri}',
  ];
  for (const [at, template] of targets.entries()) {
    network.addHost(`corp${at}.test`, (url) =>
      url.pathname.startsWith('/.well-known/host-meta')
        ? { body: body({ links: [{ rel: 'lrdd', template }] }) }
        : { status: 404 },
    );
    expect(await resolveAccount(a.app, `ann@corp${at}.test`)).toBeUndefined();
  }
  expect(network.requests.filter(({ url }) => !/^https:\/\/corp\d/.test(url))).toEqual([]);
  network.requests.length = 0;
  network.addHost('down.test', () => ({ status: 503 }));
  expect(await resolveAccount(a.app, 'ann@down.test')).toBeUndefined();
  expect(network.requests).toHaveLength(1);
});

test('FED-01: the URL of a page resolves to its object by a link element or Link header', async () => {
  await using server = await start();
  const { network, a, peer, eve } = server;
  peer.serve(eve.note(1));
  const uri = String(eve.note(1)['id']);
  peer.documents.set(
    '/@eve/1',
    `<html><head><link rel="alternate" type="application/activity+json" href="${uri}"></head></html>`,
  );
  const statusId = await resolveStatus(a.app, uri);
  expect(await resolveUrl(a.app, 'https://peer.test/@eve/1')).toEqual({ statusId });
  network.addHost('pages.test', () => ({
    status: 200,
    headers: { 'content-type': 'text/html', link: `<${uri}>; rel="alternate"; type="application/activity+json"` },
    body: Buffer.from('<html>'),
  }));
  expect(await resolveUrl(a.app, 'https://pages.test/1')).toEqual({ statusId });
  expect(await resolveUrl(a.app, eve.uri)).toEqual({ accountId: await resolveAccount(a.app, 'eve@peer.test') });
});

test('FED-01: a failed fetch is not repeated immediately, and concurrent fetches share one request', async () => {
  await using server = await start();
  const { a, peer, eve } = server;
  await Promise.all([1, 2, 3].map(() => resolveAccount(a.app, eve.uri)));
  expect(peer.requestedPaths.filter((path) => path === '/users/eve')).toHaveLength(1);
  for (let round = 0; round < 3; round += 1) await resolveStatus(a.app, 'https://peer.test/missing');
  expect(peer.requestedPaths.filter((path) => path === '/missing')).toHaveLength(1);
});

test.each([
  ['an outage', { status: 503 }, 45],
  ['a missing document', { status: 404 }, 45],
  ['a deleted document', { status: 410 }, 600],
])('FED-03: %s is remembered for a limited time', async (_, response, seconds) => {
  await using server = await start();
  const { network, a } = server;
  let requestCount = 0;
  network.addHost('far.test', () => {
    requestCount += 1;
    return response;
  });
  const resolveAll = async () => {
    requestCount = 0;
    expect(await resolveStatus(a.app, 'https://far.test/notes/1')).toBeUndefined();
    expect(await resolveAccount(a.app, 'https://far.test/users/1')).toBeUndefined();
    expect(await resolveCollection(a.app, 'https://far.test/collections/1')).toBeUndefined();
    return requestCount;
  };
  expect(await resolveAll()).toBe(3);
  a.clock.advance(seconds - 1);
  expect(await resolveAll()).toBe(0);
  a.clock.advance(2);
  expect(await resolveAll()).toBe(3);
});

test('FED-01: a profile fetched over a day ago is refreshed when its owner sends an activity', async () => {
  await using server = await start();
  const { network, a, eve } = server;
  const id = await resolveAccount(a.app, eve.uri);
  eve.documentOverrides = { name: 'Eve' };
  a.clock.advance(90_000);
  await eve.send(a, eve.activity('Like', 'https://a.test/users/alice/statuses/1'));
  await network.drain();
  const row = await a.app.db
    .selectFrom('accounts')
    .select('display_name')
    .where('id', '=', id ?? ('0' as never))
    .executeTakeFirst();
  expect(row?.display_name).toBe('Eve');
});

test('FED-05: in limited federation mode only allowed servers can federate', async () => {
  await using network = new Network();
  const a = await network.start('a.test', { settings: { LIMITED_FEDERATION: 'on' } });
  const good = new Peer(network, 'good.test').actor('ann');
  const other = new Peer(network, 'other.test').actor('bea');
  await a.db
    .insertInto('domain_allows')
    .values({ id: '1' as never, domain: 'good.test', created_at: a.clock.now() })
    .execute();
  expect(await resolveAccount(a.app, good.uri)).toBeDefined();
  expect(await resolveAccount(a.app, other.uri)).toBeUndefined();
  expect([await good.send(a, good.activity('Like', 'x')), await other.send(a, other.activity('Like', 'x'))]).toEqual([
    202, 403,
  ]);
});

test.each(['.', '..', '...', '-', '.-.', '', 'a/b', 'a b', '../a', '%2e%2e', 'ä'])(
  'FED-01: a remote account cannot have the name "%s"',
  async (name) => {
    await using server = await start();
    const { network, a, peer, eve } = server;
    const odd = peer.actor('odd');
    odd.documentOverrides = { preferredUsername: name };
    peer.documents.set('/.well-known/webfinger', {
      subject: `acct:${name}@peer.test`,
      links: [{ rel: 'self', type: 'application/activity+json', href: eve.uri }],
    });
    expect(await resolveAccount(a.app, odd.uri)).toBeUndefined();
    // Nor can the domain of a usual name say that it is the odd one.
    expect(await resolveAccount(a.app, eve.uri)).toBeUndefined();
    network.requests.length = 0;
    expect(await resolveAccount(a.app, `${name}@peer.test`)).toBeUndefined();
    expect(network.requests).toEqual([]);
    expect(await a.app.db.selectFrom('accounts').select('username').where('domain', 'is not', null).execute()).toEqual(
      [],
    );
  },
);

test('FED-01: a remote account may have dots and hyphens in its name', async () => {
  await using server = await start();
  const { a, peer } = server;
  const names = ['a.b', '.a', 'b-', '_'];
  for (const name of names) {
    peer.actor(name);
    expect([name, await resolveAccount(a.app, `${name}@peer.test`)]).toEqual([name, expect.any(String)]);
  }
});
