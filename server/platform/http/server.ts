import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { redactSecrets } from '../redact.ts';
import { reportTemporaryFailure } from '../temporary-failures.ts';
import { Answer, JsonText } from './answers.ts';
import { authorize, identify, type AccessRules } from './authorize.ts';
import { RequestBody } from './body.ts';
import { answerCheck } from './check-answer.ts';
import { storeDataUris } from './file-parameters.ts';
import { budgetHeaders, countRequest } from './limits.ts';
import { nest, readParams, readPathParams, type Params } from './params.ts';
import { comeBack, notFound, Problem } from './problems.ts';
import type { Caller, RequestFacts, Route } from './routes.ts';
import { requestTimes, watchRequests, type RequestTimes } from './slow-requests.ts';
import { Uploads } from './uploads.ts';

const gzip = promisify(gzipCallback);

/** What a higher domain brings to the server: how an error looks to a browser, and when a role may do what. */
export interface ServerParts extends AccessRules {
  readonly routes: readonly Route[];
  /** The error page for a browser, with its headers; for paths that are no API. */
  readonly errorPage?: (
    app: App,
    request: RequestFacts,
    problem: { status: number; message: string },
  ) => Promise<Answer>;
  /** What is made of the text of every answer, JSON or page, to somebody who is not signed in. */
  readonly forAnonymous?: (app: App, text: string) => string;
}

const standardBodyLimit = 1_048_576;
const compressFrom = 1_400;

const apiHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
} as const;

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Link, Mastodon-Async-Refresh, X-RateLimit-Reset, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id',
} as const;

/** The only file that knows which HTTP framework serves the routes. */
export function createServer(app: App, parts: ServerParts, times: RequestTimes = requestTimes): FastifyInstance {
  const http = Fastify({
    trustProxy: app.config.TRUSTED_PROXIES,
    requestTimeout: times.slowBody,
    // Requests that arrive while the server stops are refused below, in the usual error shape.
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    // A path that cannot be decoded.
    frameworkErrors: (error, request, reply) => void sendProblem({ app, parts }, request, reply, error),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 2_048, ignoreTrailingSlash: true },
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
  });
  http.removeAllContentTypeParsers();
  // No body is read before the caller is known to be allowed to send it: see `readInput`.
  http.addContentTypeParser('*', (_request, _payload, done) => done(null));
  http.setErrorHandler((error, request, reply) => sendProblem({ app, parts }, request, reply, error));
  http.setNotFoundHandler((request, reply) => {
    if (request.method === 'OPTIONS') return sendPreflight(request, reply);
    return sendProblem({ app, parts }, request, reply, notFound('Not Found'));
  });
  const watch = watchRequests(http.server, times);
  let stopping = false;
  http.addHook('preClose', (done) => {
    stopping = true;
    done();
  });
  http.addHook('onRequest', (request, reply, done) => {
    const { config } = request.routeOptions;
    watch(request.raw, reply.raw, (config as { slowBody?: boolean }).slowBody === true);
    void reply.header('x-request-id', request.id);
    done(stopping ? comeBack('The server is stopping', { connection: 'close' }) : undefined);
  });
  for (const route of withTwins(parts.routes)) addRoute(http, app, parts, route);
  return http;
}

/** No route has a schema of Fastify's: what would compile them, 15 MB of code, is not even loaded. */
function noCompiler(): never {
  throw new Error('routes are described by server/platform/http/routes.ts');
}

/** Every PUT answers PATCH too, and the reverse (reference/README.md). */
function withTwins(routes: readonly Route[]): Route[] {
  const known = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  return routes.flatMap((route) => {
    const twin = route.method === 'PUT' ? 'PATCH' : route.method === 'PATCH' ? 'PUT' : undefined;
    if (twin === undefined || route.options.exactMethod === true || known.has(`${twin} ${route.path}`)) return [route];
    return [route, { ...route, method: twin }];
  });
}

function addRoute(http: FastifyInstance, app: App, parts: ServerParts, { method, path, options }: Route): void {
  const check = app.config.checkAnswers ? answerCheck(`${method} ${path}`, options.response) : undefined;
  const fixedHeaders: Record<string, string> = {
    ...(options.access !== 'page' && { ...apiHeaders, ...corsHeaders }),
    ...(options.deprecatedSince !== undefined && {
      deprecation: `@${Math.floor(Date.parse(options.deprecatedSince) / 1000)}`,
    }),
  };
  http.route({
    method,
    url: path,
    config: { slowBody: options.slowBody === true },
    // The client may have hung up while it waited: then nothing is done for it.
    handler: async (request, reply) => {
      if (request.raw.socket.destroyed) return reply.hijack();
      for (const name in fixedHeaders) void reply.header(name, fixedHeaders[name]);
      const uploads = new Uploads(app);
      const body = new RequestBody(request.raw, options.bodyLimit ?? standardBodyLimit);
      const exchange: Exchange = { request, reply, uploads, body, caller: undefined };
      let answer: unknown;
      try {
        answer = await answerTo(app, parts, { method, path, options }, exchange);
        if (check !== undefined) await check(answer);
      } finally {
        await uploads.discard();
      }
      const edit = exchange.caller?.viewer === undefined ? parts.forAnonymous : undefined;
      return send(reply, answer, edit && ((text) => edit(app, text)));
    },
  });
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly uploads: Uploads;
  readonly body: RequestBody;
  /** Set once the caller is known to be allowed to call the route. */
  caller: Caller | undefined;
}

async function answerTo(app: App, parts: ServerParts, route: Route, exchange: Exchange): Promise<unknown> {
  const { options } = route;
  const { request, reply, body } = exchange;
  const identity = options.access === 'page' ? {} : await identify(app, request, body);
  if (app.config.RATE_LIMITS && options.rateLimit !== 'none') {
    const budget = await countRequest(app, { ip: request.ip, caller: identity.caller, family: options.rateLimit });
    for (const [name, value] of Object.entries(budgetHeaders(budget))) void reply.header(name, value);
  }
  const caller = (exchange.caller = authorize(app, parts, route, identity));
  const params = options.params === undefined ? {} : readPathParams(options.params, request.params as Params);
  const rawBody = options.rawBody === true ? await body.bytes() : undefined;
  const input = await readInput(route, exchange);
  return options.handle({
    app,
    viewer: caller?.viewer,
    caller,
    params,
    input,
    request: factsOf(request, reply, rawBody),
  });
}

async function readInput({ options }: Route, { request, uploads, body }: Exchange): Promise<Params> {
  if (options.input === undefined) return {};
  const query = request.raw.url?.split('?', 2)[1];
  const fromQuery = query === undefined ? {} : nest(new URLSearchParams(query));
  const fromBody = options.rawBody === true ? {} : await body.params(options.input, uploads);
  const given: Params = { ...fromQuery, ...fromBody };
  await storeDataUris(options.input, given, uploads);
  return readParams(options.input, given);
}

function factsOf(request: FastifyRequest, reply: FastifyReply, rawBody: Buffer | undefined): RequestFacts {
  let signal: AbortSignal | undefined;
  return {
    method: request.method,
    url: request.url,
    headers: request.headers,
    ip: request.ip,
    id: request.id,
    get cookies() {
      return readCookies(request.headers.cookie);
    },
    rawBody,
    get signal() {
      return (signal ??= hangUpSignal(reply));
    },
  };
}

function hangUpSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const onClose = (): void => {
    if (!raw.writableFinished) controller.abort();
  };
  if (raw.destroyed) onClose();
  else raw.once('close', onClose);
  return controller.signal;
}

function readCookies(header: string | undefined): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null);
  for (const part of header?.split(';') ?? []) {
    const [name = '', ...value] = part.split('=');
    if (name.trim() !== '') cookies[name.trim()] ??= value.join('=').trim();
  }
  return cookies;
}

/** `edit`: what is done to a text before it is sent; bytes and streams are sent as they are. */
async function send(
  reply: FastifyReply,
  value: unknown,
  edit: ((text: string) => string) | undefined,
): Promise<FastifyReply> {
  const answer = value instanceof Answer ? value : undefined;
  if (answer !== undefined) {
    void reply.code(answer.status);
    setHeaders(reply, answer);
  }
  if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'private, no-store');
  const json = answer === undefined ? value : answer.json;
  let body = answer?.text;
  if (json !== undefined) {
    if (!reply.hasHeader('content-type')) void reply.header('content-type', 'application/json; charset=utf-8');
    body = bodyOf(json, edit !== undefined);
  }
  protectHtml(reply);
  if (body === undefined) return reply.send('');
  if (edit !== undefined && typeof body === 'string') body = edit(body);
  if (body instanceof Readable) return reply.send(body);
  const ready = await compressed(reply, body);
  return isAscii(ready) && reply.statusCode === 200 ? sendAscii(reply, ready) : reply.send(ready);
}

function setHeaders(reply: FastifyReply, { headers }: Answer): void {
  for (const [name, item] of Object.entries(headers)) void reply.header(name, item);
}

/** HTML that states no policy may load, run and be framed by nothing. */
function protectHtml(reply: FastifyReply): FastifyReply {
  const isHtml = String(reply.getHeader('content-type') ?? '').startsWith('text/html');
  return isHtml && !reply.hasHeader('content-security-policy') ? reply.headers(apiHeaders) : reply;
}

function bodyOf(json: unknown, asText: boolean): string | Buffer {
  if (!(json instanceof JsonText)) return JSON.stringify(json);
  return asText ? json.text : json.body();
}

const isAscii = (body: string | Buffer): body is string =>
  typeof body === 'string' && Buffer.byteLength(body) === body.length;

/**
 * Sends ASCII, which most JSON here is, as Latin-1: the same bytes, but for UTF-8 Node sets aside three times the memory
 * first, which made it a third dearer to send a page. Fastify has no way to say this.
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
  /^(?:text\/|application\/(?:json|activity\+json|ld\+json|jrd\+json|javascript|manifest\+json)|image\/svg)/;

async function compressed(reply: FastifyReply, body: string | Buffer): Promise<string | Buffer> {
  if (body.length < compressFrom || !/\bgzip\b/.test(String(reply.request.headers['accept-encoding'] ?? '')))
    return body;
  if (!compressible.test(String(reply.getHeader('content-type') ?? '')) || reply.hasHeader('content-encoding'))
    return body;
  const vary = reply.getHeader('vary');
  void reply
    .header('content-encoding', 'gzip')
    .header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
  return gzip(body, { level: 2 });
}

function sendPreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(200)
    .headers({
      ...corsHeaders,
      'access-control-allow-methods': 'POST, PUT, DELETE, GET, PATCH, OPTIONS',
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
      'access-control-max-age': '7200',
    })
    .send('');
}

async function sendProblem(
  { app, parts }: { app: App; parts: ServerParts },
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<FastifyReply> {
  const problem = problemOf(app, error);
  if (problem === undefined)
    app.log.error({ err: error, request: request.id, url: redactSecrets(request.url) }, 'a request failed');
  const status = problem?.status ?? 500;
  const message = problem?.message ?? 'Something went wrong on our side';
  void reply.code(status).headers({ ...problem?.headers, 'cache-control': 'private, no-store' });
  if (parts.errorPage !== undefined && wantsPage(request)) {
    const page = await parts.errorPage(app, factsOf(request, reply, undefined), { status, message });
    setHeaders(reply, page);
    return protectHtml(reply).send(page.text);
  }
  const details =
    problem === undefined && app.config.checkAnswers ? { bug: String((error as Error)?.stack ?? error) } : {};
  return reply
    .headers({ ...apiHeaders, ...corsHeaders, 'content-type': 'application/json; charset=utf-8' })
    .send(JSON.stringify({ error: message, ...problem?.details, ...details }));
}

function problemOf(app: App, error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (reportTemporaryFailure(app, error)) return comeBack('The server is temporarily unavailable');
  const status = (error as { statusCode?: number }).statusCode;
  if (status !== undefined && status >= 400 && status < 500) return new Problem(status, (error as Error).message);
  return undefined;
}

/** Browsers get pages, but never below /api, where apps expect JSON whatever they accept (clients.md, row 36). */
function wantsPage(request: FastifyRequest): boolean {
  const path = request.url.split('?', 1)[0] ?? '';
  if (/^\/(?:api|oauth\/(?:token|revoke|userinfo)|nodeinfo|\.well-known|health)(?:\/|$)/.test(path)) return false;
  return String(request.headers.accept ?? '').includes('text/html');
}
