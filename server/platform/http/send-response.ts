import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip as gzipCallback, gzipSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import Negotiator from 'negotiator';
import { ConnectionTakeover } from './connection-takeover.ts';
import { HttpResponse, JsonText } from './http-response.ts';
import { matchesEtag, weakEtag } from './etag.ts';
import { apiHeaders } from './response-headers.ts';
import { closeIfStalled } from './slow-requests.ts';
import { upgradeOf } from './upgrades.ts';

const gzip = promisify(gzipCallback);

/** Cache-Control of responses that a client may keep, but must ask about. */
const revalidated = 'private, no-cache';
const minCompressedLength = 1_400;
/** Up to this length, compressing takes less time than handing the text to another thread, which may be busy. */
const maxSyncCompressedLength = 4_096;

interface SendOptions {
  /** The connection is closed if sending makes no progress for so long. */
  readonly stalledMs: number;
  /** Sends an ETag, and 304 to a client that has the response. */
  readonly hasEtag: boolean;
}

/** Sends what a handler returned: an HttpResponse, or a value as JSON. */
export async function sendResponse(
  reply: FastifyReply,
  value: unknown,
  { stalledMs, hasEtag }: SendOptions,
): Promise<FastifyReply> {
  if (value instanceof ConnectionTakeover) return handOver(reply, value);
  const response = value instanceof HttpResponse ? value : undefined;
  if (response !== undefined) {
    void reply.code(response.status);
    setHeaders(reply, response);
  }
  if (!reply.hasHeader('cache-control'))
    void reply.header('cache-control', hasEtag ? revalidated : 'private, no-store');
  const json = response === undefined ? value : response.json;
  let body = response?.text;
  if (json !== undefined) {
    if (!reply.hasHeader('content-type')) void reply.header('content-type', 'application/json; charset=utf-8');
    body = json instanceof JsonText ? json.body() : JSON.stringify(json);
  }
  setDefaultPolicy(reply);
  if (body === undefined) return reply.send('');
  if (hasEtag && !(body instanceof Readable) && isKnown(reply, body)) return reply.send('');
  const ready = body instanceof Readable ? body : await compress(reply, body);
  void (isAsciiText(ready) && reply.statusCode === 200 ? sendAscii(reply, ready) : reply.send(ready));
  closeIfStalled(reply.raw, stalledMs);
  return reply;
}

/** Sets the ETag of a response. Turns it into 304 if the client has it, and returns whether that is so. */
function isKnown(reply: FastifyReply, body: string | Buffer): boolean {
  if (reply.statusCode !== 200) return false;
  const etag = weakEtag(body);
  void reply.header('etag', etag);
  if (!matchesEtag(reply.request.headers, etag)) return false;
  void reply.code(304).removeHeader('content-type');
  return true;
}

function handOver(reply: FastifyReply, { take }: ConnectionTakeover): FastifyReply {
  void reply.hijack();
  const { raw: request } = reply.request;
  const headers = reply.getHeaders() as OutgoingHttpHeaders;
  take({ request, response: reply.raw, headers, upgrade: upgradeOf(request) });
  return reply;
}

export function setHeaders(reply: FastifyReply, { headers }: HttpResponse): void {
  for (const [name, item] of Object.entries(headers)) void reply.header(name, item);
}

/** Without a policy of its own, HTML may not load, run or be framed by anything; nor may JSON that a browser shows. */
export function setDefaultPolicy(reply: FastifyReply): FastifyReply {
  if (reply.hasHeader('content-security-policy')) return reply;
  const type = String(reply.getHeader('content-type') ?? '');
  return /^(?:text\/html|application\/(?:[\w.-]+\+)?json)\b/.test(type) ? reply.headers(apiHeaders) : reply;
}

const isAsciiText = (body: string | Buffer | Readable): body is string =>
  typeof body === 'string' && Buffer.byteLength(body) === body.length;

/**
 * Sends ASCII, which most JSON is, as Latin-1: the same bytes, but Node allocates three times the memory for UTF-8, which
 * costs a third more per page. Fastify has no option for it.
 */
function sendAscii(reply: FastifyReply, body: string): FastifyReply {
  void reply.hijack();
  reply.raw.writeHead(reply.statusCode, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-length': body.length,
  });
  reply.raw.end(body, 'latin1');
  return reply;
}

const compressible =
  /^(?:text\/|application\/(?:json|activity\+json|ld\+json|jrd\+json|rss\+xml|javascript|manifest\+json)|image\/svg)/;

async function compress(reply: FastifyReply, body: string | Buffer): Promise<string | Buffer> {
  if (body.length < minCompressedLength || new Negotiator(reply.request).encodings(['gzip']).length === 0) return body;
  if (!compressible.test(String(reply.getHeader('content-type') ?? '')) || reply.hasHeader('content-encoding'))
    return body;
  const vary = reply.getHeader('vary');
  void reply
    .header('content-encoding', 'gzip')
    .header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
  return body.length <= maxSyncCompressedLength ? gzipSync(body, { level: 2 }) : gzip(body, { level: 2 });
}
