import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createHttp } from '../../server/app.ts';
import { requestTimeouts } from '../../server/platform/http/slow-requests.ts';
import { multipart, startServer, type ServerOptions } from '../server.ts';

/** A server on a real port, with the resources that its requests hold. */
async function listen(options: ServerOptions = {}, timeouts = requestTimeouts) {
  const stack = new AsyncDisposableStack();
  const server = stack.use(await startServer(options));
  const http = createHttp(server.app, timeouts);
  stack.defer(() => http.close());
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { dataDir } = server.app.config;
  const { port } = http.server.address() as AddressInfo;
  const sockets: Socket[] = [];
  stack.defer(() => sockets.forEach((socket) => socket.destroy()));
  return {
    server,
    port,
    begin: async (upload: PartialUpload) => {
      const socket = await beginUpload(port, upload);
      sockets.push(socket);
      return socket;
    },
    temporary: join(dataDir, 'tmp'),
    /** Temporary files, and open descriptors of files in the data directory. */
    held: () => ({ files: listNames(join(dataDir, 'tmp')), descriptors: openFilesBelow(dataDir) }),
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const openFilesBelow = (folder: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${descriptor}`);
      return target.startsWith(folder) ? [target] : [];
    } catch {
      return [];
    }
  });

const noOpenFiles = { files: [], descriptors: [] };

interface PartialUpload {
  readonly path: string;
  readonly token?: string | undefined;
  /** Name of the part with the file. */
  readonly name?: string;
  /** The declared length of the body in bytes; less is sent. */
  readonly length?: number;
}

/** Begins a multipart request and sends the first half of a file. */
async function beginUpload(
  port: number,
  { path, token, name = 'file', length = 900_000 }: PartialUpload,
): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\n${authorization}content-type: multipart/form-data; boundary=x\r\ncontent-length: ${length}\r\n\r\n` +
      `--x\r\ncontent-disposition: form-data; name="grant_type"\r\n\r\nnone\r\n` +
      `--x\r\ncontent-disposition: form-data; name="${name}"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n` +
      'y'.repeat(200_000),
  );
  return socket;
}

/** Returns the status and JSON of a response that arrives while the request is incomplete. */
async function readResponse(socket: Socket): Promise<{ status: number; json: unknown }> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    text += String(chunk);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    if (body !== '' && Buffer.byteLength(body) >= Number(/content-length: (\d+)/i.exec(head)?.[1])) {
      return { status: Number(text.split(' ')[1]), json: JSON.parse(body) as unknown };
    }
  }
  throw new Error(`the connection was closed after: ${text}`);
}

test('aborted uploads leave neither a temporary file nor an open descriptor', async () => {
  await using site = await listen();
  const { token } = await site.server.user('alice');
  for (let round = 0; round < 5; round += 1) {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => site.begin({ path: '/api/v2/media', token })));
    await expect.poll(() => site.held().files.length).toBe(20);
    for (const socket of sockets) socket.resetAndDestroy();
    await expect.poll(site.held).toEqual(noOpenFiles);
  }
});

test('an upload that is aborted at its start leaves no files', async () => {
  await using site = await listen();
  const { token } = await site.server.user('alice');
  for (let round = 0; round < 100; round += 1) {
    const socket = await site.begin({ path: '/api/v2/media', token });
    for (let turn = 0; turn < round % 12; turn += 1) await new Promise(setImmediate);
    socket.resetAndDestroy();
  }
  await expect.poll(site.held).toEqual(noOpenFiles);
});

test('a route without files parses a form without using the disk', async () => {
  await using site = await listen();
  const alice = await site.server.user('alice');
  // With a file in place of the folder, nothing can be stored.
  writeFileSync(site.temporary, '');
  const data = new FormData();
  data.append('file', new Blob(['x'.repeat(100_000)]), 'a.png');
  data.append('status', 'Hello');
  data.append('media_ids[]', new Blob(['1']), 'ids.txt');
  const send = (path: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${site.port}${path}`, {
      method: 'POST',
      body: data,
      headers: { authorization: `Bearer ${alice.token}` },
    });
  const posted = await send('/api/v1/statuses');
  expect([posted.status, ((await posted.json()) as { content: string }).content]).toEqual([200, '<p>Hello</p>']);
  expect((await send('/oauth/token')).status).toBe(401);
  expect((await send('/api/v2/media')).status).toBe(500);
});

test('an unauthorized upload is refused before any byte is stored, while the client is still sending', async () => {
  await using site = await listen({ settings: { RATE_LIMITS: 'on' } });
  const { server } = site;
  const alice = await server.user('alice');
  const reader = await server.withScopes(alice, 'read');
  writeFileSync(site.temporary, '');
  const path = '/api/v2/media';
  expect(await readResponse(await site.begin({ path }))).toMatchObject({ status: 401 });
  expect(await readResponse(await site.begin({ path, token: reader.token }))).toMatchObject({ status: 403 });
  const bob = await server.user('bob');
  for (let count = 0; count < 30; count += 1) await bob.post(path, {});
  expect(await readResponse(await site.begin({ path, token: bob.token }))).toMatchObject({ status: 429 });
  expect(await readResponse(await site.begin({ path: '/oauth/token', length: 2_000_000_000 }))).toMatchObject({
    status: 413,
  });
});

test('a full disk results in a JSON error immediately, while the client is still sending', async () => {
  await using site = await listen();
  const { token } = await site.server.user('alice');
  mkdirSync(site.temporary);
  using _full = fillDisk(site.temporary);
  const responses = await Promise.all([
    readResponse(await site.begin({ path: '/api/v2/media', token })),
    readResponse(await site.begin({ path: '/api/v1/media', token, name: 'thumbnail' })),
  ]);
  for (const { status, json } of responses) {
    expect(status).toBe(503);
    expect(json).toEqual({ error: expect.any(String) });
  }
  const bob = await site.server.user('bob');
  const asJson = await bob.post(
    '/api/v2/media',
    { file: 'data:image/png;base64,aGVsbG8=' },
    { allowServerError: true },
  );
  expect([asJson.status, Object.keys(asJson.json as object)]).toEqual([503, ['error']]);
  expect(site.held()).toEqual(noOpenFiles);
});

/** Makes every new file in a folder fail as on a full disk. */
function fillDisk(folder: string): Disposable {
  const { open } = fs;
  fs.open = (path, ...rest) => open(String(path).startsWith(folder) ? '/dev/full' : path, ...rest);
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]: () => {
      fs.open = open;
      syncBuiltinESMExports();
    },
  };
}

test('a malformed body, and one that is too slow, leave no files', async () => {
  await using site = await listen();
  const { token } = await site.server.user('alice');
  const broken = await site.begin({ path: '/api/v2/media', token, length: 200_300 });
  broken.write('z'.repeat(1_000));
  expect(await readResponse(broken)).toMatchObject({ status: 400 });
  await expect.poll(site.held).toEqual(noOpenFiles);

  await using impatient = await listen({}, { ...requestTimeouts, idleMs: 200 });
  const { token: other } = await impatient.server.user('alice');
  const slow = await impatient.begin({ path: '/api/v2/media', token: other });
  slow.resume();
  await once(slow, 'close');
  await expect.poll(impatient.held).toEqual(noOpenFiles);
});

test('a connection whose body continues after the response is closed', async () => {
  await using site = await listen({}, { ...requestTimeouts, unreadBodyMs: 3_000 });
  const socket = await site.begin({ path: '/api/v2/media' });
  expect(await readResponse(socket)).toMatchObject({ status: 401 });
  socket.resume();
  await once(socket, 'close');
});

test('downloads that the client aborts leave no open file', async () => {
  await using site = await listen();
  const alice = await site.server.user('alice');
  const { width, height } = { width: 1_200, height: 1_200 };
  const png = await sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  const uploaded = await alice.post('/api/v2/media', await multipart({ file: new File([png], 'a.png') }));
  const { pathname } = new URL(uploaded.json.url as string);
  for (let round = 0; round < 20; round += 1) {
    const socket = connect(site.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET ${pathname} HTTP/1.1\r\nhost: a\r\n\r\n`);
    // Some disconnect before the response, some during it.
    if (round % 2 === 0) await once(socket, 'data');
    socket.resetAndDestroy();
  }
  await expect.poll(site.held).toEqual(noOpenFiles);
});
