import { backgroundShare } from '../batching/loop-share.ts';
import { randomUUID } from 'node:crypto';
import { maxHeaderSize } from 'node:http';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { toError } from '../errors.ts';
import { message } from '../i18n/message.ts';
import { warnThrottled } from '../temporary-failures.ts';
import { hasMetrics, observeRequest } from '../metrics/collector.ts';
import { ConnectionTakeover } from './connection-takeover.ts';
import { mayPassBlocks } from './authorize.ts';
import { addExtraFields } from './extra-fields.ts';
import { handleRequest, type Exchange } from './handle-request.ts';
import { AccessDeniedError, notFound, serviceUnavailable } from './http-errors.ts';
import { HttpResponse } from './http-response.ts';
import { receiveWrites } from './reads-and-writes.ts';
import { RequestBody } from './request-body.ts';
import { addressOf } from './request-context.ts';
import { ResponseDeadlines } from './response-deadline.ts';
import { commonHeaders, corsHeaders } from './response-headers.ts';
import { routeTableOf, type RouteMatch, type RouteTable } from './route-table.ts';
import { sendError } from './send-error.ts';
import { ownHeaders, sendResponse } from './send-response.ts';
import type { ServerOptions } from './server-options.ts';
import { enforceRequestTimeouts, requestTimeouts, type RequestTimeouts } from './slow-requests.ts';
import { isWebSocketUpgrade, routeUpgrades } from './upgrades.ts';
import { traceRequest } from './trace-request.ts';
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

function bodyLimitOf(app: App, { bodyLimit = defaultBodyLimit }: RouteMatch['route']['options']): number {
  return typeof bodyLimit === 'number' ? bodyLimit : bodyLimit(app);
}

/** What all requests of a server share. */
interface Served {
  readonly app: App;
  readonly parts: ServerOptions;
  readonly timeouts: RequestTimeouts;
  readonly deadlines: ResponseDeadlines;
  /** Aborts when the server begins to stop. */
  readonly stopping: AbortSignal;
}

/** Creates the HTTP server of an app. */
export function createServer(
  app: App,
  parts: ServerOptions,
  timeouts: RequestTimeouts = requestTimeouts,
): FastifyInstance {
  const http = Fastify({
    trustProxy: app.config.TRUSTED_PROXIES,
    requestTimeout: timeouts.slowBodyMs,
    // Proxies send requests on open connections until they notice that the server stops: it answers them, and closes those.
    return503OnClosing: false,
    genReqId: requestIds(),
    // A path that cannot be decoded.
    frameworkErrors: (error, request, reply) => void sendError({ app, parts }, request, reply, error),
    forceCloseConnections: 'idle',
    http: { shouldUpgradeCallback: isWebSocketUpgrade },
    routerOptions: { maxParamLength: maxHeaderSize },
    schemaController: { compilersFactory: { buildValidator: rejectCompiler, buildSerializer: rejectCompiler } },
  });
  http.removeAllContentTypeParsers();
  // No body is read before the caller is known to be allowed to send it: see `handleRequest`.
  http.addContentTypeParser('*', (_request, _payload, done) => done(null));
  http.setErrorHandler((error, request, reply) => sendError({ app, parts }, request, reply, error));
  const sendNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    if (request.method === 'OPTIONS') return sendPreflight(app, request, reply);
    return sendError({ app, parts }, request, reply, notFound('http.notFound'));
  };
  // A method that no route has.
  http.setNotFoundHandler(sendNotFound);
  http.decorateRequest('accountLocale');
  http.decorateRequest('routeMatch');
  routeUpgrades(http.server, (request, response) => http.routing(request, response));
  const table = routeTableOf(parts.routes);
  receiveWrites(app);
  const stopping = new AbortController();
  http.addHook('preClose', (done) => {
    stopping.abort();
    done();
  });
  http.addHook('preClose', async () => parts.closeTakenOver?.(app));
  const deadlines = new ResponseDeadlines(timeouts.responseMs);
  const served = { app, parts, timeouts, deadlines, stopping: stopping.signal };
  addAdmission(http, served, table);
  if (hasMetrics(app)) addMetricsHook(http, app);
  http.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/*',
    config: { table },
    handler: (request, reply) => {
      const { routeMatch } = request;
      if (routeMatch === undefined) return sendNotFound(request, reply);
      // The client may have disconnected while it waited.
      if (request.raw.socket.destroyed) return reply.hijack();
      const answer = (): Promise<FastifyReply | undefined> => respond(served, routeMatch, request, reply);
      return app.tracing === undefined ? answer() : traceRequest(app, { match: routeMatch, request, reply }, answer);
    },
  });
  return http;
}

/** Returns a function that creates ids: UUIDs of a random start, which differs from process to process, and a count. */
function requestIds(): () => string {
  const start = randomUUID().slice(0, 24);
  let count = 0;
  return () => `${start}${(count += 1).toString(16).padStart(12, '0')}`;
}

/** Refuses requests of blocked addresses, and ends slow ones. */
function addAdmission(http: FastifyInstance, served: Served, table: RouteTable): void {
  const { app, parts, timeouts } = served;
  const watch = enforceRequestTimeouts(http.server, timeouts);
  http.addHook('onRequest', (request, reply, done) => {
    backgroundShare.recordRequest();
    request.routeMatch = table.find(request.method, request.url);
    const options = request.routeMatch?.route.options;
    watch(request.raw, reply.raw, options?.allowSlowBody === true);
    // Supervisors ask about health even while the database, which has the blocks, is down.
    if (options?.ignoresBlocks === true || parts.isAccessDenied === undefined) return done();
    const denied = parts.isAccessDenied(app, addressOf(request));
    if (denied === false) return done();
    void decideBlocked(served, request, { denied, done });
  });
}

/** Goes on with a request unless its address is blocked and its caller does not pass blocks. */
async function decideBlocked(
  { app, parts, deadlines }: Served,
  request: FastifyRequest,
  { denied, done }: { denied: boolean | Promise<boolean>; done: (error?: Error) => void },
): Promise<void> {
  try {
    const isBlocked = denied instanceof Promise ? await deadlines.settle(denied) : denied;
    if (isBlocked && !(await deadlines.settle(mayPassBlocks(app, parts, request)))) throw new AccessDeniedError();
  } catch (error) {
    return done(toError(error));
  }
  done();
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

/**
 * Runs the handler of a route and sends its response, or the error. Never rejects. Resolves with the reply if Fastify
 * still has to send something, because Fastify takes undefined for an empty response.
 */
async function respond(
  { app, parts, timeouts, deadlines, stopping }: Served,
  { route, params }: RouteMatch,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { options, name } = route;
  const exchange: Exchange = {
    app,
    route,
    request,
    reply,
    params,
    uploads: new Uploads(app),
    body: new RequestBody(request.raw, bodyLimitOf(app, options)),
    deadline: deadlines.start((error) => {
      warnThrottled(app.log, 'a request took too long', { route: name, request: request.id });
      sendFailure(exchange, error);
    }),
    caller: undefined,
    rateLimit: undefined,
  };
  const { deadline, uploads } = exchange;
  try {
    let response: unknown;
    try {
      response = await handleRequest(parts, exchange);
    } finally {
      if (!uploads.isEmpty) await uploads.deleteAll();
    }
    deadline.stop();
    if (deadline.isExpired) {
      closeResponse(response);
      return reply;
    }
    // It would keep the server from stopping.
    if (stopping.aborted && response instanceof ConnectionTakeover)
      throw serviceUnavailable(message('http.serverStopping'));
    if (app.config.validateResponses && !(response instanceof ConnectionTakeover))
      await validateResponse(name, options.response, response);
    const extraFields = exchange.caller?.extraFields;
    const sent = extraFields === undefined ? response : addExtraFields(response, options.response, extraFields);
    const sending = sendResponse(exchange, sent, timeouts.stalledMs);
    if (sending !== undefined) await sending;
  } catch (error) {
    deadline.stop();
    if (!deadline.isExpired) sendFailure(exchange, error);
  }
  return reply.raw.writableEnded ? undefined : reply;
}

/** Closes the file or connection that a response would have streamed. */
function closeResponse(response: unknown): void {
  if (response instanceof HttpResponse && response.text instanceof Readable) response.text.destroy();
}

/** Lets the error handler send an error. */
function sendFailure(exchange: Exchange, error: unknown): void {
  const { route, reply } = exchange;
  void reply.headers({ ...route.headers, ...ownHeaders(exchange) }).send(toError(error));
}

function sendPreflight({ config }: App, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(200)
    .headers({
      ...commonHeaders(config, request.id),
      ...corsHeaders,
      'access-control-allow-methods': 'POST, PUT, DELETE, GET, PATCH, OPTIONS',
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
      'access-control-max-age': '7200',
    })
    .send('');
}
