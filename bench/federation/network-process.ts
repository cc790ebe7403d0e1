// The remote hosts of the federation benchmarks, in a process of their own: one TLS server that answers for all names.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { actorDocument, keyIndexOf } from './peers.ts';

export interface NetworkPlan {
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
  readonly publicKeys: readonly string[];
  /** Whether the hosts offer HTTP/2 besides HTTP/1.1. */
  readonly http2: boolean;
}

/** What reached the hosts since the last reset. */
export interface NetworkCounts {
  /** Activities. */
  readonly received: number;
  /** Time between the first and the last of them. */
  readonly seconds: number;
  /** Milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly connections: number;
  /** Connections that resumed a TLS session. */
  readonly resumed: number;
  /** Activities that came over HTTP/2. */
  readonly http2: number;
}

/** `disconnect` closes all connections; `forget` also makes their TLS sessions invalid. */
export type NetworkCommand = 'counts' | 'reset' | 'disconnect' | 'forget';

const none = { received: 0, firstAt: 0, lastAt: 0, connections: 0, resumed: 0, http2: 0 };
const keepAliveMs = 75_000;

function serve({ port, certificate, key, publicKeys, http2 }: NetworkPlan): void {
  const counts = { ...none };
  const sockets = new Set<TLSSocket>();
  const server = createSecureServer(
    {
      cert: readFileSync(certificate),
      key: readFileSync(key),
      allowHTTP1: true,
      ...(!http2 && { ALPNProtocols: ['http/1.1'] }),
    },
    respond,
  );
  Object.assign(server, { keepAliveTimeout: keepAliveMs });
  server.on('secureConnection', (socket: TLSSocket) => {
    counts.connections += 1;
    if (socket.isSessionReused()) counts.resumed += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => {});
  });
  server.listen(port, '127.0.0.1', () => process.send?.('ready'));

  process.on('message', (command: NetworkCommand) => {
    if (command === 'reset') Object.assign(counts, none);
    if (command === 'forget') server.setTicketKeys(randomBytes(48));
    if (command === 'forget' || command === 'disconnect') for (const socket of sockets) socket.destroy();
    const { firstAt, lastAt, ...rest } = counts;
    const { timeOrigin } = performance;
    const times = { firstAt: timeOrigin + firstAt, lastAt: timeOrigin + lastAt, seconds: (lastAt - firstAt) / 1_000 };
    process.send?.({ ...rest, ...times } satisfies NetworkCounts);
  });
  process.on('disconnect', () => process.exit(0));

  function respond(request: Http2ServerRequest, response: Http2ServerResponse): void {
    if (request.method === 'POST') {
      request.resume();
      request.once('end', () => {
        counts.received += 1;
        if (request.httpVersionMajor === 2) counts.http2 += 1;
        counts.lastAt = performance.now();
        if (counts.received === 1) counts.firstAt = counts.lastAt;
        response.writeHead(202).end();
      });
      return;
    }
    const body = documentAt(new URL(request.url, `https://${request.headers.host ?? request.authority}`));
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/activity+json' });
    response.end(body === undefined ? '' : JSON.stringify(body));
  }

  function documentAt(url: URL): object | undefined {
    if (url.pathname === '/.well-known/webfinger') {
      const subject = url.searchParams.get('resource') ?? '';
      const href = `${url.origin}/users/${subject.slice('acct:'.length, subject.indexOf('@'))}`;
      return { subject, links: [{ rel: 'self', type: 'application/activity+json', href }] };
    }
    if (/^\/users\/\w+$/.test(url.pathname)) {
      return actorDocument(url.href, publicKeys[keyIndexOf(url.href, publicKeys.length)] ?? '');
    }
    if (!url.pathname.endsWith('/followers')) return undefined;
    return {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: url.href,
      type: 'OrderedCollection',
      totalItems: 7,
    };
  }
}

serve(JSON.parse(process.argv[2] ?? '') as NetworkPlan);
