import { randomUUID } from 'node:crypto';
import { maxHeaderSize } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { message } from '../i18n/message.ts';
import { warnThrottled } from '../temporary-failures.ts';
import { hasMetrics, observeRequest } from '../metrics/collector.ts';
import { ConnectionTakeover } from './connection-takeover.ts';
import { mayPassBlocks } from './authorize.ts';
import { addExtraFields } from './extra-fields.ts';
import { handleRequest, type Exchange } from './handle-request.ts';
import { AccessDeniedError, notFound, serviceUnavailable } from './http-errors.ts';
import { RequestBody } from './request-body.ts';
import { ResponseDeadline } from './response-deadline.ts';
import { corsHeaders, httpsHeaders } from './response-headers.ts';
import { routeTableOf, type RouteMatch, type RouteTable } from './route-table.ts';
import { sendError } from './send-error.ts';
import { sendResponse } from './send-response.ts';
import type { ServerOptions } from './server-options.ts';
import { enforceRequestTimeouts, requestTimeouts, type RequestTimeouts } from './slow-requests.ts';
import { isWebSocketUpgrade, routeUpgrades } from './upgrades.ts';
import { Uploads } from './uploads.ts';
import { validateResponse } from './validate-response.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Language of errors: that of the account behind the token, or of the route. */
    accountLocale: string | undefined;
    /** The route of the request; undefined if there is none. */
    routeMatch: RouteMatch | undefined;
  }

  interface FastifyContextConfig {
    /** The routes behind the one that the framework knows. */
    readonly table?: RouteTable;
  }
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
    frameworkErrors: (error, request, reply) =>
      void sendError({ app, parts }, request, reply.headers(alwaysHeaders(app)), error),
    forceCloseConnections: 'idle',
    http: { shouldUpgradeCallback: isWebSocketUpgrade },
    routerOptions: { maxParamLength: maxHeaderSize },
    schemaController: { compilersFactory: { buildValidator: rejectCompiler, buildSerializer: rejectCompiler } },
  });
  http.removeAllContentTypeParsers();
  // No body is read before the caller is known to be allowed to send it: see `parseInput`.
  http.addContentTypeParser('*', (_request, _payload, done) => done(null));
  http.setErrorHandler((error, request, reply) => sendError({ app, parts }, request, reply, error));
  const sendNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    if (request.method === 'OPTIONS') return sendPreflight(request, reply);
    return sendError({ app, parts }, request, reply, notFound('http.notFound'));
  };
  // A method that no route has.
  http.setNotFoundHandler(sendNotFound);
  http.decorateRequest('accountLocale');
  http.decorateRequest('routeMatch');
  routeUpgrades(http.server, (request, response) => http.routing(request, response));
  const table = routeTableOf(parts.routes);
  http.addHook('onRequest', (request, _reply, done) => {
    request.routeMatch = table.find(request.method, request.url);
    done();
  });
  addStopHooks(http, app, parts, timeouts);
  addBlockHook(http, app, parts, timeouts);
  if (hasMetrics(app)) addMetricsHook(http, app);
  http.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/*',
    config: { table },
    handler: async (request, reply) => {
      const { routeMatch } = request;
      if (routeMatch === undefined) return sendNotFound(request, reply);
      return callRoute({ app, parts, timeouts }, routeMatch, request, reply);
    },
  });
  return http;
}

const alwaysHeaders = ({ config }: App): Record<string, string> =>
  config.baseUrl.startsWith('https:') ? httpsHeaders : {};

/** Refuses requests while the server stops, and ends slow ones. */
function addStopHooks(http: FastifyInstance, app: App, parts: ServerOptions, timeouts: RequestTimeouts): void {
  const watch = enforceRequestTimeouts(http.server, timeouts);
  const headers = alwaysHeaders(app);
  let isStopping = false;
  http.addHook('preClose', (done) => {
    isStopping = true;
    done();
  });
  http.addHook('preClose', async () => parts.closeTakenOver?.(app));
  http.addHook('onRequest', (request, reply, done) => {
    watch(request.raw, reply.raw, request.routeMatch?.route.options.allowSlowBody === true);
    void reply.header('x-request-id', request.id);
    void reply.headers(headers);
    done(isStopping ? serviceUnavailable(message('http.serverStopping'), { connection: 'close' }) : undefined);
  });
}

/** Refuses requests of blocked addresses, except those of callers who pass blocks. */
function addBlockHook(http: FastifyInstance, app: App, parts: ServerOptions, { responseMs }: RequestTimeouts): void {
  http.addHook('onRequest', async (request) => {
    // Supervisors ask about health even while the database, which has the blocks, is down.
    if (request.routeMatch?.route.options.ignoresBlocks === true) return;
    const denied = parts.isAccessDenied?.(app, request.ip);
    if ((denied instanceof Promise ? await new ResponseDeadline(responseMs).settle(denied) : denied) !== true) return;
    const passes = await new ResponseDeadline(responseMs).settle(mayPassBlocks(app, parts, request));
    if (!passes) throw new AccessDeniedError();
  });
}

function addMetricsHook(http: FastifyInstance, app: App): void {
  http.addHook('onResponse', (request, reply, done) => {
    observeRequest(app, {
      method: request.method,
      route: request.routeMatch?.route.path,
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
    });
    done();
  });
}

/** No route uses Fastify's schemas, so their compilers (15 MB of code) are not loaded. */
function rejectCompiler(): never {
  throw new Error('routes are described by server/platform/http/routes.ts');
}

interface Served {
  readonly app: App;
  readonly parts: ServerOptions;
  readonly timeouts: RequestTimeouts;
}

async function callRoute(
  { app, parts, timeouts }: Served,
  { route, params }: RouteMatch,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // The client may have disconnected while it waited.
  if (request.raw.socket.destroyed) return reply.hijack();
  const { options, name, headers } = route;
  for (const header in headers) void reply.header(header, headers[header]);
  const uploads = new Uploads(app);
  const body = new RequestBody(request.raw, options.bodyLimit ?? defaultBodyLimit);
  const deadline = new ResponseDeadline(timeouts.responseMs);
  const exchange: Exchange = { request, reply, params, uploads, body, deadline, caller: undefined };
  const response = await deadline.settle(handleRequest(app, parts, route, exchange), () =>
    warnThrottled(app.log, 'a request took too long', { route: name, request: request.id }),
  );
  if (app.config.validateResponses && !(response instanceof ConnectionTakeover))
    await validateResponse(name, options.response, response);
  const extraFields = exchange.caller?.extraFields;
  const sent = extraFields === undefined ? response : addExtraFields(response, options.response, extraFields);
  return sendResponse(reply, sent, { stalledMs: timeouts.stalledMs, hasEtag: options.hasEtag === true });
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
