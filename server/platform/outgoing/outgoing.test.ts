import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createSocketServer } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { parseConfig } from '../config.ts';
import { createOutgoing, OutgoingError, type OutgoingPolicy } from './outgoing.ts';

const log = pino({ level: 'silent' });
const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

const outgoingWith = (policy: Partial<OutgoingPolicy> = {}, environment: Record<string, string> = {}) => {
  const outgoing = createOutgoing(parseConfig({ BASE_URL: 'https://ours.test', ...environment }), log, policy);
  closers.push(() => outgoing.close());
  return outgoing;
};
/** As in tests and closed networks. */
const open = outgoingWith({}, { ALLOW_PRIVATE_ADDRESSES: 'on' });
/** Treats 127.0.0.1 as the internet, and every other address as it is. */
const guarded = outgoingWith({ isAddressAllowed: (address) => address === '127.0.0.1', allowAnyPort: true });
/** As in production. */
const strict = outgoingWith();

async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that sends raw bytes. */
async function serveRaw(respond: (socket: Socket) => void): Promise<string> {
  const server = createSocketServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => respond(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function reasonOf(request: Promise<unknown>): Promise<string> {
  try {
    await request;
  } catch (error) {
    expect(error).toBeInstanceOf(OutgoingError);
    return (error as OutgoingError).reason;
  }
  return 'answered';
}

const echo: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
  });
};

test('a response has a status, headers with lower-case names, a body and a URL', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(404, { 'X-Thing': 'yes', 'Set-Cookie': ['a=1', 'b=2'] }).end('nothing here');
  });
  const response = await open.request(`${url}/path?query=1#part`);
  expect(response).toMatchObject({ status: 404, url: `${url}/path?query=1` });
  expect(response.headers).toMatchObject({ 'x-thing': 'yes', 'set-cookie': 'a=1, b=2' });
  expect(response.body.toString()).toBe('nothing here');
});

test('method, headers, body and user agent are sent', async () => {
  const url = await serve(echo);
  const response = await open.request(`${url}/inbox`, { method: 'POST', headers: { Date: 'today' }, body: '{"a":1}' });
  const received = JSON.parse(response.body.toString());
  expect(received).toMatchObject({ method: 'POST', url: '/inbox', body: '{"a":1}' });
  expect(received.headers.date).toBe('today');
  expect(received.headers['user-agent']).toMatch(/^Fieldfare\/\S+ \(\+https:\/\/ours\.test\/\)$/);
});

test('connections are kept alive, with at most four to one host', async () => {
  const sockets = new Set<Socket>();
  const url = await serve((request, response) => {
    sockets.add(request.socket);
    setTimeout(() => response.end('ok'), 5);
  });
  await Promise.all(Array.from({ length: 20 }, () => open.request(url)));
  await open.request(url);
  expect(sockets.size).toBeLessThanOrEqual(4);
});

/** A server that answers the first request of each connection and closes the connection at the second. */
async function serveClosing(close: (socket: Socket) => void) {
  const received: string[] = [];
  const server = createSocketServer((socket) => {
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received.push(String(chunk).split(' ', 1)[0] ?? '');
      if ((requests += 1) > 1) close(socket);
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nkeep-alive: timeout=60\r\n\r\nok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    count: (method: string): number => received.filter((name) => name === method).length,
  };
}

test('a kept connection that the host closed does not fail a GET; a POST is not sent twice', async () => {
  const { url, count } = await serveClosing((socket) => socket.destroy());
  for (let index = 0; index < 10; index += 1) expect((await open.request(url)).status).toBe(200);
  expect(count('GET')).toBeGreaterThan(10);
  const posts = [];
  for (let index = 0; index < 10; index += 1)
    posts.push(await reasonOf(open.request(url, { method: 'POST', body: 'x' })));
  expect(new Set(posts)).toEqual(new Set(['answered', 'unreachable']));
  expect(count('POST')).toBe(10);
});

test.each(['destroy', 'resetAndDestroy'] as const)(
  'FED-06: an idempotent POST is sent again if its kept connection closes (%s)',
  async (close) => {
    const { url, count } = await serveClosing((socket) => socket[close]());
    const post = () => open.request(url, { method: 'POST', body: 'x', ignoreBody: true, isIdempotent: true });
    for (let index = 0; index < 10; index += 1) expect((await post()).status).toBe(200);
    expect(count('POST')).toBeGreaterThan(10);
    expect(count('POST')).toBeLessThanOrEqual(20);
  },
);

test('an idempotent POST is not sent again if a new connection closes', async () => {
  let connections = 0;
  const url = await serveRaw((socket) => {
    connections += 1;
    socket.resetAndDestroy();
  });
  const post = open.request(url, { method: 'POST', body: 'x', ignoreBody: true, isIdempotent: true });
  expect(await reasonOf(post)).toBe('unreachable');
  expect(connections).toBe(1);
});

test('a request that waits for a connection ends at its timeout, although those before it do not', async () => {
  const url = await serve(() => undefined);
  const post = (timeoutMs: number) => open.request(url, { method: 'POST', body: 'x', ignoreBody: true, timeoutMs });
  const ended: number[] = [];
  const hanging = Array.from({ length: 4 }, () => reasonOf(post(2_000)).finally(() => ended.push(2_000)));
  expect(await reasonOf(post(20))).toBe('timeout');
  expect(ended).toEqual([]);
  expect(await Promise.all(hanging)).toEqual(Array(4).fill('timeout'));
});

test('addresses that are not public are refused in every notation, without a connection', async () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '017700000001',
    '127.0.0.1.',
    '0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '169.254.169.254',
    '10.0.0.1',
    '192.168.1.1',
    '[fd00::1]',
    '[fe80::1]',
    '１２７.0.0.1',
    'localhost',
  ];
  for (const host of hosts) {
    expect(await reasonOf(strict.request(`https://${host}/`)), host).toBe('refused');
  }
});

test('other protocols, plain http, other ports, credentials and malformed URLs are refused', async () => {
  const public_ = outgoingWith({ resolve: () => expect.unreachable('nothing must be resolved') });
  const urls = [
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,hi',
    'javascript:1',
    'https://example.com:8443/',
    'https://example.com:22/',
    'https://a:b@example.com/',
    'https://a@example.com/',
    '',
    'example.com',
    '//example.com',
    'https://',
    'https://exa mple.com/',
    'gopher://example.com/',
  ];
  for (const url of urls) expect(await reasonOf(public_.request(url)), url).toBe('refused');
});

test('a name is refused if any of its addresses is private', async () => {
  const resolve: OutgoingPolicy['resolve'] = (_hostname, callback) =>
    callback(null, [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ]);
  expect(await reasonOf(outgoingWith({ resolve }).request('https://two-faced.test/'))).toBe('refused');
});

test('the address of the connection is checked, even if the name resolved to another one before', async () => {
  const url = new URL(await serve((_request, response) => response.setHeader('connection', 'close').end('ok')));
  const addresses = ['127.0.0.1', '127.0.0.2'];
  const hostnames: string[] = [];
  const outgoing = outgoingWith({
    isAddressAllowed: (address) => address === '127.0.0.1',
    allowAnyPort: true,
    resolve: (hostname, callback) => {
      hostnames.push(hostname);
      callback(null, [{ address: addresses.shift() ?? '127.0.0.2', family: 4 }]);
    },
  });
  const address = `http://rebinding.test:${url.port}/`;
  expect((await outgoing.request(address)).status).toBe(200);
  expect(await reasonOf(outgoing.request(address))).toBe('refused');
  expect(hostnames).toEqual(['rebinding.test', 'rebinding.test']);
});

test('a name without an address and a closed port are unreachable', async () => {
  const error = Object.assign(new Error('getaddrinfo ENOTFOUND nowhere.test'), { code: 'ENOTFOUND' });
  const outgoing = outgoingWith({ resolve: (_hostname, callback) => callback(error, []) });
  expect(await reasonOf(outgoing.request('https://nowhere.test/'))).toBe('unreachable');
  const none = outgoingWith({ resolve: (_hostname, callback) => callback(null, []) });
  expect(await reasonOf(none.request('https://nowhere.test/'))).toBe('unreachable');
  expect(await reasonOf(open.request('http://127.0.0.1:1/'))).toBe('unreachable');
});

test('a trusted URL may be private, plain and on any port, but is not redirected', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/' });
    response.end('ok');
  });
  expect((await strict.request(url, { trusted: true })).body.toString()).toBe('ok');
  expect((await strict.request(`${url}/moved`, { trusted: true })).status).toBe(302);
  expect(await reasonOf(strict.request(url))).toBe('refused');
  expect(await reasonOf(strict.request(url.replace('http:', 'https:').replace(/\d+$/, '443')))).toBe('refused');
  expect(await reasonOf(strict.request('file:///etc/passwd', { trusted: true }))).toBe('refused');
});

test('redirects are followed, including relative ones, and the response has the last URL', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/3') response.end('there');
    else response.writeHead(302, { location: `${Number(request.url?.slice(1)) + 1}` }).end('on');
  });
  expect(await open.request(`${url}/0`)).toMatchObject({ status: 200, url: `${url}/3` });
  expect(await reasonOf(open.request(`${url}/-1`))).toBe('refused');
});

test('a loop of redirects ends with an error', async () => {
  let count = 0;
  const url = await serve((_request, response) => {
    count += 1;
    response.writeHead(301, { location: '/again' }).end();
  });
  expect(await reasonOf(open.request(url))).toBe('refused');
  expect(count).toBe(4);
});

test('a redirect is returned for a POST, and if redirects are not followed', async () => {
  const url = await serve((_request, response) => response.writeHead(307, { location: '/else' }).end());
  expect(await open.request(url, { method: 'POST', body: 'x' })).toMatchObject({ status: 307 });
  expect(await open.request(url, { maxRedirects: 0 })).toMatchObject({ status: 307, headers: { location: '/else' } });
});

test('a redirect to a private address, another protocol or port is refused', async () => {
  const targets = [
    'http://127.0.0.2/',
    'http://[::1]/',
    'http://2130706434/',
    'file:///etc/passwd',
    'http://a:b@127.0.0.1/',
  ];
  for (const location of targets) {
    const url = await serve((_request, response) => response.writeHead(302, { location }).end());
    expect(await reasonOf(guarded.request(url)), location).toBe('refused');
  }
});

test('signatures are not sent to the target of a redirect, nor credentials to another host', async () => {
  const other = await serve(echo);
  const url = await serve((request, response) => {
    if (request.url === '/here') echo(request, response);
    else response.writeHead(302, { location: request.url === '/away' ? other : '/here' }).end();
  });
  const headers = {
    Signature: 's',
    'Signature-Input': 'i',
    Authorization: 'a',
    Cookie: 'c',
    Accept: 'application/json',
  };
  const away = JSON.parse((await open.request(`${url}/away`, { headers })).body.toString()).headers;
  expect(away).toMatchObject({ accept: 'application/json', host: new URL(other).host });
  expect(Object.keys(away)).not.toEqual(expect.arrayContaining(['signature']));
  for (const name of ['signature', 'signature-input', 'authorization', 'cookie']) expect(away).not.toHaveProperty(name);
  const near = JSON.parse((await open.request(`${url}/near`, { headers })).body.toString()).headers;
  expect(near).toMatchObject({ authorization: 'a', cookie: 'c' });
  expect(near).not.toHaveProperty('signature');
});

test('an endless body is aborted at the limit, and its connection is closed', async () => {
  let closed = false;
  const url = await serve((_request, response) => {
    const more = (): void => {
      for (let room = !closed; room; room = response.write(Buffer.alloc(16_384)));
    };
    response.on('drain', more).on('close', () => (closed = true));
    more();
  });
  expect(await reasonOf(open.request(url, { maxBytes: 100_000 }))).toBe('too-large');
  await expect.poll(() => closed).toBe(true);
});

test('a body at the limit is read, one byte more is an error', async () => {
  const url = await serve((_request, response) => response.end(Buffer.alloc(1000)));
  expect((await open.request(url, { maxBytes: 1000 })).body.length).toBe(1000);
  expect(await reasonOf(open.request(url, { maxBytes: 999 }))).toBe('too-large');
});

test('slow headers, a slow body and silence end at the timeout of their request', async () => {
  const drip = (first: string) => (socket: Socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write('x'), 10);
    socket.on('close', () => clearInterval(timer));
  };
  const slow = [
    await serveRaw(() => undefined),
    await serveRaw(drip('HTTP/1.1 200 OK\r\nx-slow: ')),
    await serveRaw(drip('HTTP/1.1 200 OK\r\ncontent-length: 10000\r\n\r\n')),
    await serveRaw(drip('HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 10000\r\n\r\n')),
  ];
  for (const url of slow) {
    const controller = new AbortController();
    const ended: string[] = [];
    const longTimeout = reasonOf(open.request(url, { signal: controller.signal })).finally(() => ended.push('long'));
    const shortTimeout = reasonOf(open.request(url, { timeoutMs: 150 })).finally(() => ended.push('short'));
    expect(await shortTimeout).toBe('timeout');
    // The host still hangs: a request with the usual timeout waits for it.
    expect(ended).toEqual(['short']);
    controller.abort();
    await longTimeout;
  }
});

test('the timeout covers all redirects together', async () => {
  const url = await serve((_request, response) => {
    setTimeout(() => response.writeHead(302, { location: '/' }).end(), 80);
  });
  expect(await reasonOf(open.request(url, { timeoutMs: 200 }))).toBe('timeout');
});

test('endless headers and malformed responses do no harm', async () => {
  const many = `HTTP/1.1 200 OK\r\n${'x-header: yes\r\n'.repeat(5000)}\r\n`;
  const long = `HTTP/1.1 200 OK\r\nx-header: ${'y'.repeat(100_000)}\r\n\r\n`;
  for (const text of [many, long]) {
    const url = await serveRaw((socket) => socket.end(text));
    expect(await reasonOf(open.request(url))).toBe('too-large');
  }
  for (const text of [
    '',
    'SSH-2.0-x\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc',
    'HTTP/1.1 abc\r\n\r\n',
  ]) {
    const url = await serveRaw((socket) => socket.end(text));
    expect(await reasonOf(open.request(url)), text).toBe('unreachable');
  }
});

const compressed = (encoding: string, body: Buffer) => (_request: IncomingMessage, response: ServerResponse) => {
  response.setHeader('content-encoding', encoding).end(body);
};

test('compressed responses are decoded', async () => {
  const text = 'hello '.repeat(100);
  const bodies: [string, Buffer][] = [
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['identity', Buffer.from(text)],
  ];
  for (const [encoding, body] of bodies) {
    const url = await serve(compressed(encoding, body));
    expect((await open.request(url)).body.toString(), encoding).toBe(text);
  }
  const head = await serve(compressed('gzip', Buffer.alloc(0)));
  expect((await open.request(head, { method: 'HEAD' })).body.length).toBe(0);
});

test('a body that exceeds the limit when decompressed is aborted', async () => {
  const zeros = Buffer.alloc(64 * 1024 * 1024);
  const bombs: [string, Buffer][] = [
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(zeros)],
    ['deflate', deflateSync(zeros)],
  ];
  for (const [encoding, body] of bombs) {
    const url = await serve(compressed(encoding, body));
    expect(await reasonOf(open.request(url)), encoding).toBe('too-large');
  }
});

test('unknown, layered and broken compression is an error', async () => {
  const bodies: [string, Buffer][] = [
    ['zstd', Buffer.from('x')],
    ['gzip, gzip', gzipSync(gzipSync('x'))],
    ['gzip', Buffer.from('no gzip at all')],
    ['br', gzipSync('x')],
    ['gzip', gzipSync('x'.repeat(1000)).subarray(0, 20)],
  ];
  for (const [encoding, body] of bodies) {
    const url = await serve(compressed(encoding, body));
    expect(await reasonOf(open.request(url)), encoding).toBe('unreachable');
  }
});

test('line breaks in headers are not sent', async () => {
  const url = await serve(echo);
  expect(await reasonOf(open.request(url, { headers: { accept: 'a\r\nx-evil: 1' } }))).toBe('unreachable');
});

test('a name that only the system resolves is refused before it is resolved', async () => {
  const resolved: string[] = [];
  const outgoing = outgoingWith({
    resolve: (hostname, callback) => {
      resolved.push(hostname);
      callback(new Error('ENOTFOUND'), []);
    },
  });
  for (const host of ['database', 'database.', 'a.localhost', 'localhost', 'a.localhost.']) {
    expect(await reasonOf(outgoing.request(`https://${host}/`)), host).toBe('refused');
  }
  expect(resolved).toEqual([]);
  expect(await reasonOf(outgoing.request('https://a.test/'))).toBe('unreachable');
  expect(resolved).toEqual(['a.test']);
});

test('a body can be received in chunks, up to its limit and decompressed', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'));
    else if (request.url === '/none') response.writeHead(404).end('nothing here');
    else response.end(Buffer.alloc(200_000, 'a'));
  });
  const chunks: Buffer[] = [];
  const receive = async (chunk: Buffer): Promise<void> => void chunks.push(chunk);
  const response = await open.request(url, { receive });
  expect(Buffer.concat(chunks).equals(Buffer.alloc(200_000, 'a'))).toBe(true);
  expect(response.body).toHaveLength(0);
  expect(await reasonOf(open.request(url, { receive, maxBytes: 199_999 }))).toBe('too-large');
  expect(await reasonOf(open.request(`${url}/gzip`, { receive }))).toBe('unreachable');
  expect((await open.request(`${url}/none`, { receive })).body.toString()).toBe('nothing here');
  const full = open.request(url, { receive: () => Promise.reject(new Error('no space')) });
  await expect(full).rejects.toMatchObject({ cause: { message: 'no space' } });
});

test('a response whose body is ignored succeeds whatever the body does, and a short one keeps the connection', async () => {
  const sockets = new Set<Socket>();
  const closed: string[] = [];
  const base = await serve((request, response) => {
    sockets.add(request.socket);
    response.on('close', () => closed.push(String(request.url)));
    const bodies: Record<string, () => unknown> = {
      '/short': () => response.end('accepted'),
      '/endless': () => {
        const write = (): unknown => response.destroyed || (response.write('x'.repeat(65_536)), setImmediate(write));
        write();
      },
      '/silent': () => response.write('and then'),
      '/broken': () => response.write('half', () => response.destroy()),
      '/large': () => response.end('x'.repeat(2_000_000)),
    };
    response.writeHead(202, {
      'content-type': 'text/plain',
      ...(request.url === '/gzip' && { 'content-encoding': 'gzip' }),
    });
    (bodies[request.url ?? ''] ?? (() => response.end('no gzip')))();
  });
  const post = (path: string) => open.request(`${base}${path}`, { method: 'POST', body: '{}', ignoreBody: true });
  for (const path of ['/endless', '/silent', '/broken', '/large', '/gzip']) {
    expect(await post(path)).toMatchObject({ status: 202, body: Buffer.alloc(0) });
  }
  await expect.poll(() => closed.toSorted()).toEqual(['/broken', '/endless', '/gzip', '/large', '/silent']);
  sockets.clear();
  for (let round = 0; round < 5; round += 1) {
    await post('/short');
    await expect.poll(() => closed.filter((path) => path === '/short').length).toBe(round + 1);
  }
  expect(sockets.size).toBeLessThanOrEqual(2);
});

test('an aborted request closes its connection, even during the body', async () => {
  const closed: string[] = [];
  const url = await serve((request, response) => {
    response.on('close', () => closed.push(request.url ?? ''));
    if (request.url === '/half') response.write('half');
  });
  for (const path of ['/silent', '/half']) {
    const abort = new AbortController();
    const pending = open.request(url + path, { signal: abort.signal, receive: async () => abort.abort() });
    if (path === '/silent') setImmediate(() => abort.abort(new Error('no longer needed')));
    expect(await reasonOf(pending)).toBe('unreachable');
  }
  await expect.poll(() => closed).toContain('/half');
  expect(await reasonOf(open.request(url, { signal: AbortSignal.abort() }))).toBe('unreachable');
});
