import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';

const packages = join(import.meta.dirname, '..', '..', 'node_modules');

interface Manifest {
  readonly module?: string;
  readonly main: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as Manifest;

/** Returns the page of a web client, which loads masto.js from `node_modules` without a bundler. */
function page(): string {
  const names = ['masto', ...Object.keys(manifestOf('masto').dependencies ?? {})];
  const entryOf = (name: string): string => join('/', name, manifestOf(name).module ?? manifestOf(name).main);
  const imports = Object.fromEntries(names.map((name) => [name, entryOf(name)]));
  return `<!doctype html><title>Web client</title>
    <script type="importmap">${JSON.stringify({ imports })}</script>
    <script type="module">import * as masto from 'masto'; globalThis.webClient = { masto, events: [] };</script>`;
}

/** Serves a web client on an origin of its own. Returns its URL. Disposing `stack` stops it. */
export async function serveWebClient(stack: AsyncDisposableStack): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/') return response.setHeader('content-type', 'text/html').end(page());
    try {
      const script = readFileSync(join(packages, normalize(pathname)));
      return response.setHeader('content-type', 'text/javascript').end(script);
    } catch {
      return response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  // Another host than the server's 127.0.0.1, so that the browser sees two sites.
  return `http://localhost:${(server.address() as AddressInfo).port}/`;
}
