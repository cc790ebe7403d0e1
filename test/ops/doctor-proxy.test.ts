import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { expect, test } from 'vitest';
import { checkProxy } from '../../server/cli/doctor/check-proxy.ts';
import type { App } from '../../server/platform/app.ts';
import { startServer, type TestServer } from '../server.ts';

async function listen(http: TcpServer): Promise<number> {
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  return (http.address() as AddressInfo).port;
}

/** A server that listens on a port of this machine. */
async function startListening(): Promise<{ server: TestServer; port: number }> {
  const server = await startServer();
  await server.http.listen({ port: 0, host: '127.0.0.1' });
  return { server, port: (server.http.server.address() as AddressInfo).port };
}

/** Returns the App as if its public address were a port of this machine. */
const at = (app: App, port: number, settings: Partial<App['config']> = {}): App => ({
  ...app,
  config: { ...app.config, baseUrl: `http://127.0.0.1:${port}`, ...settings },
});

/** A proxy that passes requests on without `Upgrade`, as nginx does by default. */
const createForgetfulProxy = (port: number): Server =>
  createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const { upgrade: _upgrade, connection: _connection, ...rest } = headers;
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers: rest }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(passed);
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
  });

test('the doctor uses BASE_URL with a token that only this server knows, and a WebSocket through it', async () => {
  const { server, port } = await startListening();
  await using _ = server;
  expect(await checkProxy(at(server.app, port))).toMatchObject([
    { state: 'ok', detail: expect.stringContaining('no user yet') },
  ]);
  await server.user('alice');
  expect(await checkProxy(at(server.app, port))).toEqual([
    { subject: 'proxy', state: 'ok', detail: `http://127.0.0.1:${port} leads to this server` },
    { subject: 'proxy', state: 'ok', detail: 'WebSockets are passed on' },
  ]);
  const tokens = await server.db
    .selectFrom('oauth_tokens')
    .innerJoin('oauth_applications', 'oauth_applications.id', 'oauth_tokens.application_id')
    .select('revoked_at')
    .where('name', '=', 'Fieldfare doctor')
    .execute();
  expect(tokens.map(({ revoked_at }) => revoked_at !== null)).toEqual([true]);
});

test('the doctor finds a proxy that drops the header Upgrade', async () => {
  const { server, port } = await startListening();
  await using _ = server;
  await server.user('alice');
  const proxy = createForgetfulProxy(port);
  const findings = await checkProxy(at(server.app, await listen(proxy)));
  expect(findings).toMatchObject([
    { state: 'ok' },
    { state: 'fail', detail: expect.stringMatching(/apps get no events: a WebSocket to ws:\S+ is answered with \d+/u) },
  ]);
  proxy.closeAllConnections();
  proxy.close();
});

test('the doctor finds a WebSocket that is closed at once', async () => {
  const { server, port } = await startListening();
  await using _ = server;
  await server.user('alice');
  // It answers the handshake, and passes nothing on.
  const proxy = createTcpServer((socket) => {
    const upstream = connect(port, '127.0.0.1');
    socket.pipe(upstream);
    upstream.once('data', (chunk) => socket.end(chunk));
    for (const each of [socket, upstream]) each.on('error', () => {});
    socket.once('close', () => upstream.destroy());
  });
  const streaming = `http://127.0.0.1:${await listen(proxy)}`;
  const findings = await checkProxy(at(server.app, port, { STREAMING_BASE_URL: streaming }));
  expect(findings[1]).toMatchObject({ state: 'fail', detail: expect.stringMatching(/is closed with 1006/u) });
  proxy.close();
});

test('the doctor finds another server at BASE_URL, and none', async () => {
  const { server } = await startListening();
  await using _ = server;
  const { server: other, port } = await startListening();
  await server.user('alice');
  await other.user('bob');
  expect(await checkProxy(at(server.app, port))).toMatchObject([
    { state: 'fail', detail: expect.stringContaining('with 401, as another server would') },
  ]);
  await other[Symbol.asyncDispose]();
  const closed = createTcpServer();
  const free = await listen(closed);
  closed.close();
  await once(closed, 'close');
  expect(await checkProxy(at(server.app, free))).toMatchObject([
    { state: 'warn', detail: expect.stringContaining('does not answer: connect ECONNREFUSED') },
  ]);
});
