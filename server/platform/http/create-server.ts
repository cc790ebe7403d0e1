import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip as gzipCallback, gzipSync } from 'node:zlib';
import { parseCookie } from 'cookie';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { App } from '../app.ts';
import { hasMetrics, observeRequest } from '../metrics/collector.ts';
import { redactSecrets } from '../redact.ts';
import { reportTemporaryFailure } from '../temporary-failures.ts';
import { HttpResponse, JsonText } from './http-response.ts';
import { authorize, identifyCaller, type AccessRules } from './authorize.ts';
import { RequestBody } from './request-body.ts';
import { ConnectionTakeover } from './connection-takeover.ts';
import { createResponseValidator } from './validate-response.ts';
import { storeDataUris } from './file-parameters.ts';
import { rateLimitHeaders, countRequest } from './rate-limits.ts';
import { addMethodAliases } from './method-aliases.ts';
import { nestParams, parseParams, parsePathParams, type Params } from './parse-params.ts';
import { chooseLocale, type Locale } from '../i18n/locales.ts';
import { type Message, message, stringifyLocalized, verbatim } from '../i18n/message.ts';
import { AccessDeniedError, serviceUnavailable, notFound, HttpError } from './http-errors.ts';
import { usesCookies, type Caller, type RequestContext, type Route } from './routes.ts';
import { requestTimeouts, enforceRequestTimeouts, type RequestTimeouts } from './slow-requests.ts';
import { isWebSocketUpgrade, routeUpgrades, upgradeOf } from './upgrades.ts';
import { Uploads } from './uploads.ts';

const gzip = promisify(gzipCallback);

declare module 'fastify' {
  interface FastifyRequest {
    /** Language of errors: that of the account behind the token, or of the route. */
    accountLocale: string | undefined;
  }
}

/** The parts that higher domains provide: routes, error page and access rules. */
export interface ServerOptions extends AccessRules {
  readonly routes: readonly Route[];
  /** Returns the error page for browsers, with its headers; for paths outside the API. */
  readonly errorPage?: (
    app: App,
    request: RequestContext,
    problem: { status: number; text: Message },
  ) => Promise<HttpResponse>;
  /** Whether every request from an IP address is refused. Called for each request, except those about health. */
  readonly isAccessDenied?: (app: App, ip: string) => boolean | Promise<boolean>;
  /** Closes the connections that routes took over. Called once, when the server starts to stop. */
  readonly closeTakenOver?: (app: App) => Promise<void>;
}

/** What the hooks know about a route. */
interface RouteConfig {
  readonly slowBody?: boolean;
  readonly ignoresBlocks?: boolean;
}

const defaultBodyLimit = 1_048_576;
const minCompressedLength = 1_400;
/** Up to this length, compressing takes less time than handing the text to another thread, which may be busy. */
const maxSyncCompressedLength = 4_096;

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

/** Creates the HTTP server. The only file that uses the framework. */
export function createServer(
  app: App,
  parts: ServerOptions,
  timeouts: RequestTimeouts = requestTimeouts,
): FastifyInstance {
  const http = Fastify({
    trustProxy: app.config.TRUSTED_PROXIES,
    requestTimeout: timeouts.slowBodyMs,
    // The onRequest hook refuses requests while the server stops, in the usual error format.
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    // A path that cannot be decoded.
    frameworkErrors: (error, request, reply) => void sendError({ app, parts }, request, reply, error),
    forceCloseConnections: 'idle',
    http: { shouldUpgradeCallback: isWebSocketUpgrade },
    routerOptions: { maxParamLength: 2_048, ignoreTrailingSlash: true },
    schemaController: { compilersFactory: { buildValidator: rejectCompiler, buildSerializer: rejectCompiler } },
  });
  http.removeAllContentTypeParsers();
  // No body is read before the caller is known to be allowed to send it: see `readInput`.
  http.addContentTypeParser('*', (_request, _payload, done) => done(null));
  http.setErrorHandler((error, request, reply) => sendError({ app, parts }, request, reply, error));
  http.setNotFoundHandler((request, reply) => {
    if (request.method === 'OPTIONS') return sendPreflight(request, reply);
    return sendError({ app, parts }, request, reply, notFound('http.notFound'));
  });
  http.decorateRequest('accountLocale');
  const watch = enforceRequestTimeouts(http.server, timeouts);
  let isStopping = false;
  http.addHook('preClose', (done) => {
    isStopping = true;
    done();
  });
  http.addHook('preClose', async () => parts.closeTakenOver?.(app));
  routeUpgrades(http.server, (request, response) => http.routing(request, response));
  http.addHook('onRequest', (request, reply, done) => {
    const { slowBody } = configOf(request);
    watch(request.raw, reply.raw, slowBody === true);
    void reply.header('x-request-id', request.id);
    done(isStopping ? serviceUnavailable(message('http.serverStopping'), { connection: 'close' }) : undefined);
  });
  http.addHook('onRequest', async (request) => {
    // Supervisors ask about health even while the database, which has the blocks, is down.
    if (configOf(request).ignoresBlocks !== true && (await parts.isAccessDenied?.(app, request.ip)) === true)
      throw new AccessDeniedError();
  });
  if (hasMetrics(app)) {
    http.addHook('onResponse', (request, reply, done) => {
      const { method, routeOptions } = request;
      observeRequest(app, {
        method,
        route: routeOptions.url,
        status: reply.statusCode,
        seconds: reply.elapsedTime / 1_000,
      });
      done();
    });
  }
  for (const route of addMethodAliases(parts.routes)) addRoute(http, app, parts, route);
  return http;
}

const configOf = ({ routeOptions }: FastifyRequest): RouteConfig => routeOptions.config as RouteConfig;

/** No route uses Fastify's schemas, so their compilers (15 MB of code) are not loaded. */
function rejectCompiler(): never {
  throw new Error('routes are described by server/platform/http/routes.ts');
}

function addRoute(http: FastifyInstance, app: App, parts: ServerOptions, { method, path, options }: Route): void {
  const validate = app.config.validateResponses
    ? createResponseValidator(`${method} ${path}`, options.response)
    : undefined;
  const fixedHeaders: Record<string, string> = {
    ...(options.access !== 'page' && apiHeaders),
    ...(!usesCookies(options.access) && corsHeaders),
    ...(options.deprecatedSince !== undefined && {
      deprecation: `@${Math.floor(Date.parse(options.deprecatedSince) / 1000)}`,
    }),
  };
  http.route({
    method,
    url: path,
    config: { slowBody: options.allowSlowBody === true, ignoresBlocks: options.ignoresBlocks === true },
    // The client may have disconnected while it waited.
    handler: async (request, reply) => {
      if (request.raw.socket.destroyed) return reply.hijack();
      for (const name in fixedHeaders) void reply.header(name, fixedHeaders[name]);
      const uploads = new Uploads(app);
      const body = new RequestBody(request.raw, options.bodyLimit ?? defaultBodyLimit);
      const exchange: Exchange = { request, reply, uploads, body, caller: undefined };
      let response: unknown;
      try {
        response = await handleRequest(app, parts, { method, path, options }, exchange);
        if (validate !== undefined && !(response instanceof ConnectionTakeover)) await validate(response);
      } finally {
        await uploads.deleteAll();
      }
      return sendResponse(reply, response);
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

async function handleRequest(app: App, parts: ServerOptions, route: Route, exchange: Exchange): Promise<unknown> {
  const { options } = route;
  const { request, reply, body } = exchange;
  const elsewhere = options.redirect?.(app, createRequestContext(request, reply, undefined));
  if (elsewhere !== undefined) return elsewhere;
  if (options.englishErrors === true) request.accountLocale = 'en';
  const identity = usesCookies(options.access) ? {} : await identifyCaller(app, parts, request, body);
  request.accountLocale ??= identity.caller?.locale;
  if (app.config.RATE_LIMITS && options.rateLimit !== 'none') {
    const rateLimit = await countRequest(app, { ip: request.ip, caller: identity.caller, family: options.rateLimit });
    for (const [name, value] of Object.entries(rateLimitHeaders(rateLimit))) void reply.header(name, value);
  }
  const caller = (exchange.caller = authorize(app, parts, route, identity));
  const params = options.params === undefined ? {} : parsePathParams(options.params, request.params as Params);
  const rawBody = options.rawBody === true ? await body.bytes() : undefined;
  const input = await parseInput(route, exchange);
  return options.handle({
    app,
    viewer: caller?.viewer,
    caller,
    params,
    input,
    request: createRequestContext(request, reply, rawBody),
  });
}

async function parseInput({ options }: Route, { request, uploads, body }: Exchange): Promise<Params> {
  if (options.input === undefined) return {};
  const query = request.raw.url?.split('?', 2)[1];
  const fromQuery = query === undefined ? {} : nestParams(new URLSearchParams(query));
  const fromBody = options.rawBody === true ? {} : await body.params(options.input, uploads);
  const params: Params = { ...fromQuery, ...fromBody };
  await storeDataUris(options.input, params, uploads);
  return parseParams(options.input, params);
}

function createRequestContext(
  request: FastifyRequest,
  reply: FastifyReply,
  rawBody: Buffer | undefined,
): RequestContext {
  let signal: AbortSignal | undefined;
  return {
    method: request.method,
    url: request.url,
    headers: request.headers,
    ip: request.ip,
    id: request.id,
    isUpgrade: upgradeOf(request.raw) !== undefined,
    get cookies() {
      return parseCookie(request.headers.cookie ?? '');
    },
    rawBody,
    setLocale: (languageTag) => {
      request.accountLocale = languageTag;
    },
    get signal() {
      return (signal ??= disconnectSignal(reply));
    },
  };
}

/** Nobody receives it. As an HttpError it is not logged as a failure. */
const clientClosedRequest = (): HttpError => new HttpError(499, verbatim('the client closed the connection'));

function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const onClose = (): void => {
    if (!raw.writableFinished) controller.abort(clientClosedRequest());
  };
  if (raw.destroyed) onClose();
  else raw.once('close', onClose);
  return controller.signal;
}

async function sendResponse(reply: FastifyReply, value: unknown): Promise<FastifyReply> {
  if (value instanceof ConnectionTakeover) return handOver(reply, value);
  const response = value instanceof HttpResponse ? value : undefined;
  if (response !== undefined) {
    void reply.code(response.status);
    setHeaders(reply, response);
  }
  if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'private, no-store');
  const json = response === undefined ? value : response.json;
  let body = response?.text;
  if (json !== undefined) {
    if (!reply.hasHeader('content-type')) void reply.header('content-type', 'application/json; charset=utf-8');
    body = json instanceof JsonText ? json.body() : JSON.stringify(json);
  }
  setDefaultPolicy(reply);
  if (body === undefined) return reply.send('');
  if (body instanceof Readable) return reply.send(body);
  const ready = await compress(reply, body);
  return isAsciiText(ready) && reply.statusCode === 200 ? sendAscii(reply, ready) : reply.send(ready);
}

function handOver(reply: FastifyReply, { take }: ConnectionTakeover): FastifyReply {
  void reply.hijack();
  const { raw: request } = reply.request;
  const headers = reply.getHeaders() as OutgoingHttpHeaders;
  take({ request, response: reply.raw, headers, upgrade: upgradeOf(request) });
  return reply;
}

function setHeaders(reply: FastifyReply, { headers }: HttpResponse): void {
  for (const [name, item] of Object.entries(headers)) void reply.header(name, item);
}

/** Without a policy of its own, HTML may not load, run or be framed by anything; nor may JSON that a browser shows. */
function setDefaultPolicy(reply: FastifyReply): FastifyReply {
  if (reply.hasHeader('content-security-policy')) return reply;
  const type = String(reply.getHeader('content-type') ?? '');
  return /^(?:text\/html|application\/(?:[\w.-]+\+)?json)\b/.test(type) ? reply.headers(apiHeaders) : reply;
}

const isAsciiText = (body: string | Buffer): body is string =>
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

async function sendError(
  { app, parts }: { app: App; parts: ServerOptions },
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<FastifyReply> {
  const httpError = toHttpError(app, error);
  if (httpError === undefined)
    app.log.error({ err: error, request: request.id, url: redactSecrets(request.url) }, 'a request failed');
  const status = httpError?.status ?? 500;
  const text = httpError?.text ?? message('http.internalError');
  void reply.code(status).headers({ ...httpError?.headers, 'cache-control': 'private, no-store' });
  if (upgradeOf(request.raw) !== undefined) return sendUpgradeError(reply, String(text));
  if (parts.errorPage !== undefined && !(error instanceof AccessDeniedError) && acceptsHtml(request)) {
    const page = await parts.errorPage(app, createRequestContext(request, reply, undefined), { status, text });
    setHeaders(reply, page);
    return setDefaultPolicy(reply).send(page.text);
  }
  const details =
    httpError === undefined && app.config.validateResponses ? { bug: String((error as Error)?.stack ?? error) } : {};
  return reply
    .headers({ ...apiHeaders, ...corsHeaders, 'content-type': 'application/json; charset=utf-8' })
    .send(stringifyLocalized({ error: text, ...httpError?.details, ...details }, readerLocale(request)));
}

/** The language of an error: that of the account behind the token, else the one that the client prefers. */
const readerLocale = (request: FastifyRequest): Locale =>
  chooseLocale(request.accountLocale, request.headers['accept-language']);

/** WebSocket clients cannot read a body. The reason is in a header, as on Mastodon: in English, because it is ASCII. */
function sendUpgradeError(reply: FastifyReply, message: string): FastifyReply {
  return reply
    .headers({ ...corsHeaders, 'content-type': 'text/plain; charset=utf-8', 'x-error-message': message })
    .send('');
}

function toHttpError(app: App, error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (reportTemporaryFailure(app, error)) return serviceUnavailable(message('http.serverUnavailable'));
  const status = (error as { statusCode?: number }).statusCode;
  if (status !== undefined && status >= 400 && status < 500)
    return new HttpError(status, verbatim((error as Error).message));
  return undefined;
}

/** Browsers get pages, but never below /api, where apps expect JSON whatever they accept (clients.md, row 36). */
function acceptsHtml(request: FastifyRequest): boolean {
  const path = request.url.split('?', 1)[0] ?? '';
  if (
    /^\/(?:api|oauth\/(?:token|revoke|userinfo|device_authorization)|nodeinfo|\.well-known|health)(?:\/|$)/.test(path)
  )
    return false;
  return new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html';
}
