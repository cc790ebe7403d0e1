import { Readable } from 'node:stream';
import type { OutgoingHttpHeader } from 'node:http';
import { promisify } from 'node:util';
import { gzip as gzipCallback, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { ConnectionTakeover } from './connection-takeover.ts';
import type { Exchange } from './handle-request.ts';
import { HttpResponse, JsonText } from './http-response.ts';
import { matchesEtag, weakEtag } from './etag.ts';
import { rateLimitHeaders } from './rate-limits.ts';
import { apiHeaders, commonHeaders, jsonType } from './response-headers.ts';
import { closeIfStalled } from './slow-requests.ts';
import { upgradeOf } from './upgrades.ts';

const gzip = promisify(gzipCallback);

const minCompressedLength = 1_400;
/** Up to this length, compressing takes less time than handing the text to another thread, which may be busy. */
const maxSyncCompressedLength = 4_096;

type Headers = Record<string, string | readonly string[]>;

/**
 * Sends what a handler returned: an HttpResponse, or a value as JSON. The connection is closed if sending makes no progress
 * for `stalledMs`. Everything but streams is written below Fastify, whose headers, hooks and serializers cost as much as
 * the rest of a small request.
 */
export function sendResponse(exchange: Exchange, value: unknown, stalledMs: number): Promise<void> | undefined {
  if (value instanceof ConnectionTakeover) return handOver(exchange, value);
  const response = value instanceof HttpResponse ? value : undefined;
  const json = response === undefined ? value : response.json;
  const body = bodyOf(response, json);
  return body instanceof Readable
    ? sendStream(exchange, { response, body, stalledMs })
    : sendBody(exchange, { response, json, body, stalledMs });
}

interface Answer {
  readonly response: HttpResponse | undefined;
  readonly json: unknown;
  readonly body: string | Buffer;
  readonly stalledMs: number;
}

function sendBody(exchange: Exchange, { response, json, body, stalledMs }: Answer): Promise<void> | undefined {
  const { request } = exchange;
  const status = response?.status ?? 200;
  const hasEtag = exchange.route.options.hasEtag === true && status === 200;
  const etag = hasEtag ? (json instanceof JsonText ? json.etag : weakEtag(body)) : undefined;
  const isKnown = etag !== undefined && matchesEtag(request.headers, etag);
  const mayCompress = !isKnown && body.length >= minCompressedLength && acceptsGzip(request);
  if (response === undefined && json !== undefined && !isKnown && !mayCompress) {
    const list: OutgoingHttpHeader[] = [...exchange.route.jsonHeaders];
    if (etag !== undefined) list.push('etag', etag);
    addOwnHeaders(list, exchange);
    return write(exchange, { status, list, body, stalledMs });
  }
  const headers = headersOf(exchange, response, json);
  if (etag !== undefined) headers['etag'] = etag;
  if (isKnown) return sendUnchanged(exchange, headers, stalledMs);
  if (mayCompress && isCompressible(headers)) return sendCompressed(exchange, { status, headers, body, stalledMs });
  return write(exchange, { status, list: toList(headers), body, stalledMs });
}

function bodyOf(response: HttpResponse | undefined, json: unknown): string | Buffer | Readable {
  if (json === undefined) return response?.text ?? '';
  return json instanceof JsonText ? json.body() : JSON.stringify(json);
}

function headersOf(exchange: Exchange, response: HttpResponse | undefined, json: unknown): Headers {
  const { route } = exchange;
  const headers: Headers = {
    ...route.headers,
    ...ownHeaders(exchange),
    'cache-control': route.caching,
    ...(json !== undefined && { 'content-type': jsonType }),
    ...response?.headers,
  };
  if (response?.status === 204) delete headers['content-type'];
  return needsPolicy(headers['content-security-policy'], headers['content-type'])
    ? Object.assign(headers, apiHeaders)
    : headers;
}

interface Ready {
  readonly status: number;
  readonly body: string | Buffer;
  readonly stalledMs: number;
}

/** Writes the head and the body at once. */
function write(
  exchange: Exchange,
  { status, list, body, stalledMs }: Ready & { list: OutgoingHttpHeader[] },
): undefined {
  const { raw } = exchange.reply;
  const length = Buffer.byteLength(body);
  if (status !== 204 && status !== 304) list.push('content-length', length);
  raw.writeHead(status, list);
  // ASCII, which most JSON is, is the same in Latin-1, for which Node allocates a third of the memory.
  raw.end(body, length === body.length ? 'latin1' : 'utf8');
  closeIfStalled(raw, stalledMs);
}

/** Sends 304: the client has the response already. */
function sendUnchanged(exchange: Exchange, headers: Headers, stalledMs: number): undefined {
  delete headers['content-type'];
  write(exchange, { status: 304, list: toList(headers), body: '', stalledMs });
}

function toList(headers: Headers): OutgoingHttpHeader[] {
  const list: OutgoingHttpHeader[] = [];
  for (const name in headers) {
    const item = headers[name];
    if (item !== undefined) list.push(name, typeof item === 'string' ? item : [...item]);
  }
  return list;
}

/** Streams are sent by Fastify, which ends the source when the client is gone, and the other way round. */
function sendStream(
  exchange: Exchange,
  { response, body, stalledMs }: { response: HttpResponse | undefined; body: Readable; stalledMs: number },
): undefined {
  const { reply } = exchange;
  const headers = headersOf(exchange, response, undefined);
  for (const [name, item] of Object.entries(headers)) void reply.header(name, item);
  void reply.code(response?.status ?? 200).send(body);
  closeIfStalled(reply.raw, stalledMs);
}

function handOver(exchange: Exchange, { take }: ConnectionTakeover): undefined {
  const { reply } = exchange;
  void reply.hijack();
  const { raw: request } = reply.request;
  const headers = { ...exchange.route.headers, ...ownHeaders(exchange) };
  take({ request, response: reply.raw, headers, upgrade: upgradeOf(request) });
}

function addOwnHeaders(list: OutgoingHttpHeader[], exchange: Exchange): void {
  const own = ownHeaders(exchange);
  for (const name in own) list.push(name, own[name] ?? '');
}

/** Returns the headers of a response that neither its route nor its handler decides. */
export const ownHeaders = ({ app, request, rateLimit }: Exchange): Record<string, string> => ({
  ...commonHeaders(app.config, request.id),
  ...(rateLimit !== undefined && rateLimitHeaders(rateLimit)),
});

export function setHeaders(reply: FastifyReply, { headers }: HttpResponse): void {
  for (const [name, item] of Object.entries(headers)) void reply.header(name, item);
}

export const setDefaultPolicy = (reply: FastifyReply): FastifyReply =>
  needsPolicy(reply.getHeader('content-security-policy'), reply.getHeader('content-type'))
    ? reply.headers(apiHeaders)
    : reply;

/** Without a policy of its own, HTML may not load, run or be framed by anything; nor may JSON that a browser shows. */
const needsPolicy = (policy: unknown, type: unknown): boolean =>
  policy === undefined &&
  /^(?:text\/html|application\/(?:[\w.-]+\+)?json)\b/.test(typeof type === 'string' ? type : '');

const compressible =
  /^(?:text\/|application\/(?:json|activity\+json|ld\+json|jrd\+json|rss\+xml|javascript|manifest\+json)|image\/svg)/;

const acceptsGzip = (request: FastifyRequest): boolean =>
  request.headers['accept-encoding'] !== undefined && new Negotiator(request).encodings(['gzip']).length > 0;

const isCompressible = (headers: Headers): boolean =>
  compressible.test(String(headers['content-type'] ?? '')) && headers['content-encoding'] === undefined;

async function sendCompressed(exchange: Exchange, { status, headers, body, stalledMs }: Ready & { headers: Headers }) {
  const { vary } = headers;
  headers['content-encoding'] = 'gzip';
  headers['vary'] = vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`;
  const compressed =
    body.length <= maxSyncCompressedLength ? gzipSync(body, { level: 2 }) : await gzip(body, { level: 2 });
  write(exchange, { status, list: toList(headers), body: compressed, stalledMs });
}
