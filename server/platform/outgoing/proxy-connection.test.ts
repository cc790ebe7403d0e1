import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { parseConfig } from '../config.ts';
import { createOutgoing, type Outgoing } from './outgoing.ts';

const log = pino({ level: 'silent' });

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A proxy that connects every name to `port` of this machine, and records what it is asked. */
async function startProxy(port: number, answer: (request: IncomingMessage) => number = () => 200) {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    sockets.add(client);
    const status = answer(request);
    if (status !== 200) return void client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
    for (const socket of [client, upstream]) socket.on('error', () => {});
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return {
    asked,
    url,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Any port is allowed, as private addresses are, where `open` is set. */
const outgoingBy = (proxy: string, { open }: { readonly open: boolean }): Outgoing =>
  createOutgoing(
    parseConfig({
      BASE_URL: 'https://ours.test',
      OUTGOING_PROXY: proxy,
      ...(open && { ALLOW_PRIVATE_ADDRESSES: 'on' }),
    }),
    log,
    { resolve: (_name, callback) => callback(null, [{ address: '10.0.0.7', family: 4 }]) },
  );

test('requests go through the proxy, which resolves the names; services with private addresses do not', async () => {
  const host = createServer((request, response) => response.end(`${request.headers.host}${request.url}`));
  const port = await listen(host);
  const proxy = await startProxy(port);
  const outgoing = outgoingBy(proxy.url.replace('//', '//user:p%40ss@'), { open: true });
  const responses = [
    await outgoing.request('http://far.test/one'),
    await outgoing.request('http://far.test/two'),
    await outgoing.request(`http://127.0.0.1:${port}/service`, { trusted: true }),
  ];
  expect(responses.map(({ body }) => body.toString())).toEqual([
    'far.test/one',
    'far.test/two',
    `127.0.0.1:${port}/service`,
  ]);
  expect([...new Set(proxy.asked)]).toEqual([`far.test:80 Basic ${Buffer.from('user:p@ss').toString('base64')}`]);
  await outgoing.close();
  proxy.close();
  host.close();
});

test('private addresses, other ports and names without a dot are refused before the proxy is asked', async () => {
  const proxy = await startProxy(1);
  const outgoing = outgoingBy(proxy.url, { open: false });
  const refused = [
    'https://10.0.0.7/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/',
    'https://localhost/',
    'https://intranet/',
    'https://far.test:8443/',
    'http://far.test/',
  ];
  for (const url of refused) await expect(outgoing.request(url), url).rejects.toMatchObject({ reason: 'refused' });
  expect(proxy.asked).toEqual([]);
  await outgoing.close();
  proxy.close();
});

test('a host that the proxy does not reach is unreachable; a proxy that does not answer is a fault of no host', async () => {
  const proxy = await startProxy(1, ({ url }) => (url?.startsWith('locked') === true ? 407 : 502));
  const outgoing = outgoingBy(proxy.url, { open: false });
  await expect(outgoing.request('https://far.test/')).rejects.toMatchObject({
    reason: 'unreachable',
    message: 'far.test: the proxy answered 502 for far.test:443',
  });
  const causeOf = async (by: Outgoing, url: string): Promise<unknown> =>
    ((await by.request(url).catch((error: unknown) => error)) as Error).cause;
  expect(await causeOf(outgoing, 'https://locked.test/')).toMatchObject({ name: 'ProxyUnavailable' });
  proxy.close();
  const withoutProxy = outgoingBy(proxy.url, { open: false });
  expect(await causeOf(withoutProxy, 'https://far.test/')).toMatchObject({ name: 'ProxyUnavailable' });
  await Promise.all([outgoing.close(), withoutProxy.close()]);
});

test('a wrong address of the proxy is refused at the start', () => {
  for (const value of ['proxy:3128', 'socks5://proxy', 'http://proxy:3128/path'])
    expect(() => parseConfig({ OUTGOING_PROXY: value })).toThrow(/^OUTGOING_PROXY must be an address/);
});
