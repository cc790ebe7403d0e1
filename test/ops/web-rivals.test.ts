import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { parseClient } from '../../bench/web/parse-client.ts';
import { renderComparison } from '../../bench/web/rivals-report.ts';
import { SecureFront } from '../../bench/web/secure-front.ts';
import { findFreePort } from '../free-port.ts';

/** Returns a folder with a built client, which is deleted after the test. */
function makeClient(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ff-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<title>A client</title>');
  writeFileSync(join(folder, 'assets', 'main-1234.js'), 'start();');
  return folder;
}

function makeFront(): SecureFront {
  const front = new SecureFront();
  onTestFinished(() => front.close());
  return front;
}

/** Sends a request without verifying the certificate. */
async function get(url: string) {
  const dispatcher = new Agent({ allowH2: true, connect: { rejectUnauthorized: false } });
  onTestFinished(() => dispatcher.destroy());
  const { statusCode, headers, body } = await request(url, { dispatcher });
  return { statusCode, headers, body: Buffer.from(await body.arrayBuffer()) };
}

test('a client is a name, perhaps a version, and a folder or an address of this machine', () => {
  const folder = makeClient();
  const { adapter, version, source } = parseClient(`phanpy@03400504=${folder}`);
  expect([adapter.title, version, source]).toEqual(['Phanpy', '03400504', folder]);
  expect(parseClient('elk=http://localhost:5000').source).toBe('http://localhost:5000');
  expect(() => parseClient('unknown=/srv')).toThrow('with one of these names: phanpy, elk');
  expect(() => parseClient('elk=/nowhere')).toThrow('/nowhere has no index.html');
  expect(() => parseClient('elk=https://elk.example')).toThrow('only addresses of this machine');
});

test('a folder is served with Brotli, and paths of pages get its index', async () => {
  const origin = await makeFront().serve(await findFreePort(), makeClient());
  const script = await get(`${origin}/assets/main-1234.js`);
  expect(script.headers).toMatchObject({
    'content-type': 'text/javascript',
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  const page = await get(`${origin}/home?tab=posts`);
  expect([page.statusCode, page.headers['content-type'], page.headers['cache-control']]).toEqual([
    200,
    'text/html',
    'no-cache',
  ]);
});

test('requests are forwarded with the host that the browser names', async () => {
  const server = createServer(({ headers, url }, response) => {
    response.writeHead(201, { 'x-answer': 'kept' });
    response.end(JSON.stringify([url, headers.host, headers['x-forwarded-proto']]));
  });
  const [port, serverPort] = [await findFreePort(), await findFreePort()];
  await new Promise<void>((resolve) => server.listen(serverPort, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = await makeFront().forward(port, serverPort);
  const { statusCode, headers, body } = await get(`${origin}/api?x=1`);
  expect([statusCode, headers['x-answer']]).toEqual([201, 'kept']);
  expect(JSON.parse(body.toString())).toEqual(['/api?x=1', `localhost:${port}`, 'https']);
});

test('the report has a column for each client, with medians and ranges', () => {
  const visitOf = (readableMs: number) => ({ readableMs, layoutShift: 0, files: { count: 2, bytes: 2048 } });
  const visits = { first: [900, 1100, 1000].map(visitOf), second: [300, 200, 250].map(visitOf) };
  const client = parseClient(`phanpy@1.2=${makeClient()}`);
  const scrolling = { maxTaskMs: 0, heapBytes: 5_000_000 };
  const section = renderComparison([{ client, visits, scrolling, favouriteFrames: undefined }], 500);
  expect(section).toContain('| | Phanpy 1.2 |');
  expect(section).toContain('| scripts and styles until posts are readable | 2 KB in 2 files |');
  expect(section).toContain('| first visit: posts are readable | 1,000 ms (900–1,100) |');
  expect(section).toContain('| a favourite is shown after | only in a menu |');
  expect(section).toContain('`npm run bench -- web-rivals --client phanpy@1.2=FOLDER`');
});
