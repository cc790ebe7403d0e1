import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { message } from '../i18n/message.ts';
import { hasMetrics, observeRequest } from '../metrics/collector.ts';
import { authorize, identifyCaller } from './authorize.ts';
import { ConnectionTakeover } from './connection-takeover.ts';
import { storeDataUris } from './file-parameters.ts';
import { AccessDeniedError, notFound, serviceUnavailable } from './http-errors.ts';
import { addMethodAliases } from './method-aliases.ts';
import { nestParams, parseParams, parsePathParams, type Params } from './parse-params.ts';
import { countRequest, rateLimitHeaders } from './rate-limits.ts';
import { RequestBody } from './request-body.ts';
import { createRequestContext } from './request-context.ts';
import { apiHeaders, corsHeaders } from './response-headers.ts';
import { usesCookies, type Caller, type Route } from './routes.ts';
import { sendError } from './send-error.ts';
import { sendResponse } from './send-response.ts';
import type { ServerOptions } from './server-options.ts';
import { enforceRequestTimeouts, requestTimeouts, type RequestTimeouts } from './slow-requests.ts';
import { isWebSocketUpgrade, routeUpgrades } from './upgrades.ts';
import { Uploads } from './uploads.ts';
import { createResponseValidator } from './validate-response.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Language of errors: that of the account behind the token, or of the route. */
    accountLocale: string | undefined;
  }
}

/** What the hooks know about a route. */
interface RouteConfig {
  readonly slowBody?: boolean;
  readonly ignoresBlocks?: boolean;
}

const defaultBodyLimit = 1_048_576;

/** Creates the HTTP server of an app. */
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
  // No body is read before the caller is known to be allowed to send it: see `parseInput`.
  http.addContentTypeParser('*', (_request, _payload, done) => done(null));
  http.setErrorHandler((error, request, reply) => sendError({ app, parts }, request, reply, error));
  http.setNotFoundHandler((request, reply) => {
    if (request.method === 'OPTIONS') return sendPreflight(request, reply);
    return sendError({ app, parts }, request, reply, notFound('http.notFound'));
  });
  http.decorateRequest('accountLocale');
  routeUpgrades(http.server, (request, response) => http.routing(request, response));
  addStopHooks(http, app, parts, timeouts);
  addBlockHook(http, app, parts);
  if (hasMetrics(app)) addMetricsHook(http, app);
  for (const route of addMethodAliases(parts.routes)) addRoute(http, app, parts, route);
  return http;
}

/** Refuses requests while the server stops, and ends slow ones. */
function addStopHooks(http: FastifyInstance, app: App, parts: ServerOptions, timeouts: RequestTimeouts): void {
  const watch = enforceRequestTimeouts(http.server, timeouts);
  let isStopping = false;
  http.addHook('preClose', (done) => {
    isStopping = true;
    done();
  });
  http.addHook('preClose', async () => parts.closeTakenOver?.(app));
  http.addHook('onRequest', (request, reply, done) => {
    watch(request.raw, reply.raw, configOf(request).slowBody === true);
    void reply.header('x-request-id', request.id);
    done(isStopping ? serviceUnavailable(message('http.serverStopping'), { connection: 'close' }) : undefined);
  });
}

/** Refuses requests of blocked addresses. */
function addBlockHook(http: FastifyInstance, app: App, parts: ServerOptions): void {
  http.addHook('onRequest', async (request) => {
    // Supervisors ask about health even while the database, which has the blocks, is down.
    if (configOf(request).ignoresBlocks !== true && (await parts.isAccessDenied?.(app, request.ip)) === true)
      throw new AccessDeniedError();
  });
}

function addMetricsHook(http: FastifyInstance, app: App): void {
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
