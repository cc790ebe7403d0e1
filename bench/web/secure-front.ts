import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

type Handler = (incoming: Http2ServerRequest, response: Http2ServerResponse) => void;

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};
const compressed = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest']);
/** Headers of one connection, which HTTP/2 does not have. */
const hopHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);
/** Files whose names have a hash of their contents. */
const hashed = /\/(?:assets|_nuxt)\//;

/** TLS and HTTP/2 in front of the server and of folders with clients: clients accept only servers with TLS. */
export class SecureFront {
  readonly #folder = mkdtempSync(join(tmpdir(), 'fieldfare-front-'));
  readonly #servers: Http2SecureServer[] = [];

  constructor() {
    const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    const files = ['-keyout', join(this.#folder, 'key.pem'), '-out', join(this.#folder, 'certificate.pem')];
    execFileSync('openssl', ['req', '-x509', ...kind, ...name, ...files], { stdio: 'ignore' });
  }

  /** Forwards what arrives at a port to a server at another one. Returns the origin. */
  async forward(port: number, serverPort: number): Promise<string> {
    const server = await this.#listen(port, (incoming, response) => forwardRequest(incoming, response, serverPort));
    server.on('upgrade', (incoming: IncomingMessage, socket: Socket) => forwardUpgrade(incoming, socket, serverPort));
    return `https://localhost:${port}`;
  }

  /** Serves a folder at a port, with Brotli. Paths without a file get its index. Returns the origin. */
  async serve(port: number, folder: string): Promise<string> {
    const answers = new Map<string, { headers: OutgoingHttpHeaders; body: Buffer }>();
    await this.#listen(port, (incoming, response) => {
      const file = findFile(folder, new URL(incoming.url, 'https://localhost').pathname);
      const answer = answers.get(file) ?? readAnswer(file);
      answers.set(file, answer);
      response.writeHead(200, answer.headers);
      response.end(answer.body);
    });
    return `https://localhost:${port}`;
  }

  close(): void {
    for (const server of this.#servers) server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #listen(port: number, handle: Handler): Promise<Http2SecureServer> {
    const [key, cert] = ['key.pem', 'certificate.pem'].map((name) => readFileSync(join(this.#folder, name)));
    const server = createSecureServer({ key, cert, allowHTTP1: true }, handle);
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return server;
  }
}

/** Returns the file of a path; the page that a client has for all paths if there is none. */
function findFile(folder: string, path: string): string {
  const file = join(folder, decodeURIComponent(path));
  const candidates = [file, join(file, 'index.html'), join(folder, '200.html'), join(folder, 'index.html')];
  const found = candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile());
  if (found === undefined) throw new Error(`${folder} has no index.html: name the folder with the built client`);
  return found;
}

function readAnswer(file: string): { headers: OutgoingHttpHeaders; body: Buffer } {
  const extension = extname(file);
  const isCompressed = compressed.has(extension);
  const body = isCompressed ? brotliCompressSync(readFileSync(file)) : readFileSync(file);
  const headers = {
    'content-type': contentTypes[extension] ?? 'application/octet-stream',
    'content-length': body.length,
    'cache-control': hashed.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(isCompressed && { 'content-encoding': 'br' }),
  };
  return { headers, body };
}

function forwardRequest(incoming: Http2ServerRequest, response: Http2ServerResponse, port: number): void {
  const options = { port, path: incoming.url, method: incoming.method, headers: forwardedHeaders(incoming) };
  const outgoing = request(options, (answer) => {
    const headers = Object.entries(answer.headers).filter(([name]) => !hopHeaders.has(name));
    response.writeHead(answer.statusCode ?? 502, Object.fromEntries(headers));
    answer.pipe(response);
  });
  outgoing.on('error', () => response.stream?.destroy());
  incoming.pipe(outgoing);
}

function forwardedHeaders({ headers }: Http2ServerRequest): OutgoingHttpHeaders {
  const plain = Object.entries(headers).filter(([name]) => !name.startsWith(':') && !hopHeaders.has(name));
  return { ...Object.fromEntries(plain), host: headers[':authority'] ?? headers.host, 'x-forwarded-proto': 'https' };
}

/** Streams use WebSockets, each on a connection of its own with HTTP/1.1. */
function forwardUpgrade(incoming: IncomingMessage, socket: Socket, port: number): void {
  const outgoing = request({ port, path: incoming.url, method: 'GET', headers: incoming.headers });
  outgoing.on('upgrade', ({ rawHeaders }, upgraded) => {
    const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []));
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
    upgraded.pipe(socket).pipe(upgraded);
    upgraded.on('error', () => socket.destroy());
    socket.on('error', () => upgraded.destroy());
  });
  outgoing.on('error', () => socket.destroy());
  outgoing.end();
}
