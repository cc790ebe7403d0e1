import { expect, test } from 'vitest';
import { crawlDomains, type CrawledServer } from '../../../server/federation/hosts/index.ts';
import { blockDomain } from '../../../server/site/domains/index.ts';
import { Network } from '../../network.ts';

const json = (value: unknown) => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
});

/** Adds a host with nodeinfo and a list of peers. */
function addServer(network: Network, domain: string, peers: unknown, users = 3): void {
  network.addHost(domain, ({ pathname }) => {
    if (pathname === '/.well-known/nodeinfo')
      return json({ links: [{ rel: 'x', href: `https://${domain}/nodeinfo/2.1` }] });
    if (pathname === '/nodeinfo/2.1')
      return json({ software: { name: 'gull', version: '1.2' }, usage: { users: { total: users }, localPosts: 40 } });
    return peers === undefined ? { status: 404, headers: {}, body: Buffer.alloc(0) } : json(peers);
  });
}

async function crawl(network: Network, options: { limit?: number; excludeSuspended?: boolean; start?: string[] } = {}) {
  const a = await network.start('a.test');
  await blockDomain(a.app, 'system', { domain: 'bad.test', severity: 'suspend' });
  const servers: CrawledServer[] = [];
  await crawlDomains(a.app, {
    start: options.start ?? ['one.test'],
    limit: options.limit ?? 100,
    excludeSuspended: options.excludeSuspended ?? false,
    onServer: (server) => servers.push(server),
  });
  return servers.toSorted((x, y) => (x.domain < y.domain ? -1 : 1));
}

test('servers and those that they know are asked for their software and size; broken ones are reported', async () => {
  await using network = new Network();
  addServer(network, 'one.test', ['two.test', 'Two.test', 'bad.test', 'dead.test', 'a.test', 7, 'no domain']);
  addServer(network, 'two.test', ['one.test', 'three.test']);
  addServer(network, 'three.test', undefined, -1);
  addServer(network, 'bad.test', ['worse.test']);
  network.addHost('worse.test', () => json('<html>'));
  const servers = await crawl(network);
  expect(servers.map(({ domain, error }) => [domain, error === null])).toEqual([
    ['bad.test', true],
    ['dead.test', false],
    ['one.test', true],
    ['three.test', true],
    ['two.test', true],
    ['worse.test', false],
  ]);
  expect(servers.find(({ domain }) => domain === 'two.test')).toEqual({
    domain: 'two.test',
    error: null,
    software: 'gull',
    version: '1.2',
    users: 3,
    posts: 40,
    peers: 2,
  });
  expect(servers.find(({ domain }) => domain === 'three.test')).toMatchObject({ users: null, peers: null });
});

test('a crawl asks no more servers than its limit, however many peers a hostile one lists, and no suspended ones', async () => {
  await using network = new Network();
  const endless = Array.from({ length: 5_000 }, (_, index) => `x${index}.one.test`);
  addServer(network, 'one.test', ['bad.test', ...endless]);
  const servers = await crawl(network, { limit: 5, excludeSuspended: true, start: ['one.test', 'bad.test'] });
  expect(servers.map(({ domain }) => domain)).toEqual([
    'one.test',
    'x0.one.test',
    'x1.one.test',
    'x2.one.test',
    'x3.one.test',
  ]);
  expect(network.requests.some(({ url }) => url.includes('bad.test'))).toBe(false);
});

test('nodeinfo on another host is not fetched', async () => {
  await using network = new Network();
  network.addHost('one.test', ({ pathname }) =>
    pathname === '/.well-known/nodeinfo'
      ? json({ links: [{ rel: 'x', href: 'https://victim.test/nodeinfo' }] })
      : json([]),
  );
  expect(await crawl(network)).toMatchObject([{ domain: 'one.test', error: null, software: null, peers: 0 }]);
  expect(network.requests.filter(({ url }) => url.includes('victim.test'))).toEqual([]);
});
