import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { multipart } from '../client.ts';
import { createVideo } from '../media/videos.ts';
import { requireProgram } from '../programs.ts';
import { findFreePort } from '../free-port.ts';
import type { Installation } from './cli-process.ts';
import { createMigratedDatabase, type EmptyDatabase } from './database.ts';
import { DatabaseInstallation } from './database-installation.ts';
import { Proxy, proxiedDomain, proxyPrograms, type ProxyProgram } from './proxy.ts';

/** A server that trusts one address of this machine, at which the proxy connects, and not the others. */
const settings = {
  BASE_URL: `https://${proxiedDomain}`,
  TRUSTED_PROXIES: '127.0.0.1',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
};
const uploadBytes = 90_000_000;

async function createToken(installation: Installation, name: string): Promise<string> {
  const options = ['--email', `${name}@mail.test`, '--confirmed', '--scopes', 'read write', '--json'];
  const { stdout, stderr } = await installation.runToEnd('account', 'create', name, ...options);
  if (stdout === '') throw new Error(stderr);
  return (JSON.parse(stdout) as { access_token: string }).access_token;
}

const authorize = (token: string) => ({ authorization: `Bearer ${token}` });

async function post(proxy: Proxy, token: string, status: string): Promise<string> {
  const body = Buffer.from(JSON.stringify({ status }));
  const headers = { ...authorize(token), 'content-type': 'application/json' };
  const answer = await proxy.send({ method: 'POST', path: '/api/v1/statuses', headers, body });
  expect(answer.status, answer.text).toBe(200);
  return (JSON.parse(answer.text) as { id: string }).id;
}

/** Returns the data of an `update` event of an open stream. */
async function nextUpdate(stream: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += (chunk as Buffer).toString();
    const [, data] = /^event: update\ndata: (.*)\n/m.exec(text) ?? [];
    if (data !== undefined) return data;
  }
  throw new Error(`the stream ended: ${text}`);
}

/** Opens both kinds of streams and expects a new post on each. */
async function expectStreams(proxy: Proxy, token: string): Promise<void> {
  const stream = await proxy.open({ path: '/api/v1/streaming/user', headers: authorize(token) });
  expect([stream.statusCode, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);
  const socket = proxy.openSocket('/api/v1/streaming?stream=user', authorize(token));
  await once(socket, 'open');
  const message = once(socket, 'message') as Promise<[Buffer]>;
  const event = nextUpdate(stream);
  const id = await post(proxy, token, 'Through a proxy');
  expect((JSON.parse(await event) as { id: string }).id).toBe(id);
  const { event: name, payload } = JSON.parse((await message)[0].toString()) as { event: string; payload: string };
  expect([name, (JSON.parse(payload) as { id: string }).id]).toEqual(['update', id]);
  socket.close();
}

/** Returns the body of an upload. An MP4 file is a row of boxes; `free` is one that players skip. */
async function createLargeUpload(): ReturnType<typeof multipart> {
  const video = await createVideo({ extension: 'mp4', video: 'libx264', size: '64x64' });
  const padding = Buffer.alloc(uploadBytes - video.length);
  padding.writeUInt32BE(padding.length);
  padding.write('free', 4);
  return multipart({ file: new File([video, padding], 'large.mp4') });
}

const useProxy = (
  context: TestContext,
  program: ProxyProgram,
  ...ports: [number | readonly number[], number?]
): Promise<Proxy> => {
  requireProgram(context, program.name, 'openssl');
  return Proxy.start(program, ...ports);
};

describe('one server behind each proxy', () => {
  let database: EmptyDatabase;
  let installation: Installation;
  let port: number;
  let token: string;
  let largeUpload: ReturnType<typeof createLargeUpload> | undefined;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    installation = new DatabaseInstallation(database, settings);
    port = await findFreePort();
    await installation.run(['serve'], { PORT: String(port) }).waitForOutput('Fieldfare is ready');
    token = await createToken(installation, 'alice');
    const blocked = await installation.runToEnd('ip-block', 'add', '127.0.0.2', '--severity', 'no_access');
    expect(blocked.code, blocked.stderr).toBe(0);
  });
  afterAll(async () => {
    await installation[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  test.for(proxyPrograms)('$name serves pages, and redirects to TLS', async (program, context) => {
    await using proxy = await useProxy(context, program, port);
    const page = await proxy.send({ path: '/@alice', headers: { accept: 'text/html' } });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain(`@alice@${proxiedDomain}`);
    const { status, headers } = await fetch(`${proxy.plainUrl}/about?a=1`, { redirect: 'manual' });
    expect([301, 308]).toContain(status);
    expect(headers.get('location')).toMatch(/^https:\/\/127\.0\.0\.1(?::\d+)?\/about\?a=1$/);
  });

  test.for(proxyPrograms)(
    '$name streams events at once, by WebSocket and as server-sent events',
    async (program, context) => {
      await using proxy = await useProxy(context, program, port);
      await expectStreams(proxy, token);
    },
  );

  test.for(proxyPrograms)('$name passes on an upload of 90 MB', async (program, context) => {
    await using proxy = await useProxy(context, program, port);
    largeUpload ??= createLargeUpload();
    const { payload, contentType } = await largeUpload;
    const headers = { ...authorize(token), 'content-type': contentType };
    const uploaded = await proxy.send({ method: 'POST', path: '/api/v2/media', headers, body: payload });
    expect(uploaded.status, uploaded.text).toBe(202);
    const path = `/api/v1/media/${(JSON.parse(uploaded.text) as { id: string }).id}`;
    await expect.poll(async () => (await proxy.send({ path, headers: authorize(token) })).status).toBe(200);
  });

  test.for(proxyPrograms)(
    '$name names the address of the client, whatever the client claims',
    async (program, context) => {
      await using proxy = await useProxy(context, program, port);
      const statusFrom = async (from: string, claimed?: string): Promise<number> => {
        const headers = claimed === undefined ? undefined : { 'x-forwarded-for': claimed, 'x-real-ip': claimed };
        return (await proxy.send({ path: '/api/v1/instance', from, ...(headers && { headers }) })).status;
      };
      expect([await statusFrom('127.0.0.2'), await statusFrom('127.0.0.3')]).toEqual([403, 200]);
      expect([await statusFrom('127.0.0.2', '127.0.0.3'), await statusFrom('127.0.0.3', '127.0.0.2')]).toEqual([
        403, 200,
      ]);
    },
  );
});

test.for(proxyPrograms.filter(({ name }) => name !== 'caddy'))(
  '$name finds a file of the web client in the process that has it, and asks for nothing else twice',
  async (program, context) => {
    const requested: string[] = [];
    /** Has one file, and no others, as a process of one version. */
    const startProcess = async (file: string) => {
      const server = createServer(({ url = '' }, response) => {
        if (url !== '/health') requested.push(url);
        response.writeHead(url === '/health' || url === file ? 200 : 404).end();
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    };
    const servers = [await startProcess('/web/assets/older.js'), await startProcess('/web/assets/newer.js')];
    try {
      await using proxy = await useProxy(
        context,
        program,
        servers.map((server) => (server.address() as AddressInfo).port),
      );
      const statusesOf = (path: string) =>
        Promise.all([1, 2, 3, 4, 5, 6].map(async () => (await proxy.send({ path })).status));
      for (const file of ['older', 'newer'])
        expect(new Set(await statusesOf(`/web/assets/${file}.js`)), file).toEqual(new Set([200]));
      expect(new Set(await statusesOf('/web/assets/gone.js'))).toEqual(new Set([404]));
      requested.length = 0;
      expect(new Set(await statusesOf('/api/v1/statuses/1'))).toEqual(new Set([404]));
      expect(requested).toHaveLength(6);
    } finally {
      for (const server of servers) server.close();
    }
  },
);

test.for(proxyPrograms.filter(({ hasStreamingUpstream }) => hasStreamingUpstream))(
  '$name sends streams to a process of their own',
  async (program, context) => {
    await using database = await createMigratedDatabase();
    await using installation = new DatabaseInstallation(database, settings);
    const [web, streaming] = [await findFreePort(), await findFreePort()];
    for (const [roles, port] of [
      ['web,worker', web],
      ['streaming', streaming],
    ] as const) {
      const server = installation.run(['serve', '--roles', roles], { PORT: String(port) });
      await server.waitForOutput('Fieldfare is ready');
    }
    await using proxy = await useProxy(context, program, web, streaming);
    await expectStreams(proxy, await createToken(installation, 'bob'));
    expect((await proxy.send({ path: '/@bob', headers: { accept: 'text/html' } })).status).toBe(200);
  },
);
