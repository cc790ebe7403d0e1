import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { appendFileSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { DeclaredRoute, RecordedResponse, RegisteredRoute, RouteRecords } from './route-coverage.ts';

/** Stores one record. */
type Store = (record: Partial<{ [Kind in keyof RouteRecords]: RouteRecords[Kind][number] }>) => void;

export interface RecordOptions {
  /** The declared routes of the server. */
  readonly declared: readonly DeclaredRoute[];
  readonly store: Store;
  /** A loop calls every route of this server: only refusals are recorded. */
  readonly sweep?: boolean | undefined;
}

/**
 * Creates a server whose routes and responses are recorded. The router announces itself before its first route is
 * registered, so routes of plugins are recorded like all others.
 */
export function recordRoutes(create: () => FastifyInstance, options: RecordOptions): FastifyInstance {
  const observe = (message: unknown): void => record((message as { fastify: FastifyInstance }).fastify, options);
  subscribe('fastify.initialization', observe);
  try {
    return create();
  } finally {
    unsubscribe('fastify.initialization', observe);
  }
}

function record(http: FastifyInstance, { declared, store, sweep = false }: RecordOptions): void {
  for (const route of newOf(declared)) store({ declared: route });
  /** The paths whose handlers ran, by request. */
  const handled = new WeakMap<FastifyRequest, string>();
  const handlersOfGet = new Map<string, RouteOptions['handler']>();
  http.addHook('onRoute', (options) => {
    const { handler, config } = options;
    const methods = [options.method].flat();
    const path = pathOf(options);
    // The router repeats GET as HEAD, which needs no test of its own.
    if (methods.join() === 'HEAD' && handlersOfGet.get(path) === handler) return;
    if (methods.includes('GET')) handlersOfGet.set(path, handler);
    const registered = config?.table === undefined ? methods.map((method) => ({ method, path })) : config.table.routes;
    for (const route of newOf(registered)) store({ registered: { method: route.method, path: route.path } });
    options.handler = function handle(request, reply) {
      handled.set(request, request.routeMatch?.route.path ?? path);
      const result: unknown = handler.call(this, request, reply);
      // A stream is a success once it is open: it may end without a response that is finished.
      if (result instanceof Promise) void result.then(() => recordResponse(request, reply)).catch(() => {});
      return result;
    };
  });
  const recordResponse = (request: FastifyRequest, reply: FastifyReply): void => {
    const response = responseOf(request, reply, handled.get(request));
    if (response !== undefined && !(sweep && response.status < 400)) store({ responses: response });
  };
  http.addHook('onResponse', (request, reply, done) => {
    recordResponse(request, reply);
    done();
  });
}

const stored = new WeakSet<readonly object[]>();

/** Returns these routes, or none if a server before had the same list. */
function newOf<Item extends object>(routes: readonly Item[]): readonly Item[] {
  if (stored.has(routes)) return [];
  stored.add(routes);
  return routes;
}

/** The pattern of a route, with the constraints that tell it apart from others of the same pattern. */
const pathOf = ({ url, constraints = {} }: RouteOptions): string =>
  Object.keys(constraints).length === 0 ? url : `${url} ${JSON.stringify(constraints)}`;

/**
 * Returns undefined if no route was found, or the client hung up before the headers were sent. A hook that answers
 * before the handler covers nothing, unless it refuses.
 */
function responseOf(
  request: FastifyRequest,
  { raw }: FastifyReply,
  handledPath: string | undefined,
): RecordedResponse | undefined {
  const { method, url, config } = request.routeOptions;
  const path = config.table === undefined ? url : request.routeMatch?.route.path;
  if (request.is404 || path === undefined || !raw.headersSent) return undefined;
  if (handledPath === undefined && raw.statusCode < 400) return undefined;
  const { authorization, cookie } = request.headers;
  const isAuthenticated = authorization !== undefined || cookie?.includes('session=') === true;
  const toSignIn = !isAuthenticated && /^\/auth\/sign_in(?:\?|$)/.test(String(raw.getHeader('location') ?? ''));
  return {
    method: [method].flat().includes(request.method) ? request.method : String(method),
    path: handledPath ?? path,
    caller: isAuthenticated ? 'authenticated' : 'anonymous',
    status: raw.statusCode,
    ...(toSignIn && { toSignIn }),
  };
}

/** Stores each record once, in a file of this process in `folder`. */
export function storeIn(folder: string): Store {
  const file = join(folder, `${process.pid}.jsonl`);
  const known = new Set<string>();
  return (item) => {
    const line = JSON.stringify(item);
    if (known.has(line)) return;
    known.add(line);
    appendFileSync(file, `${line}\n`);
  };
}

/** Reads the records of all processes. */
export function readRecords(folder: string): RouteRecords {
  const registered: RegisteredRoute[] = [];
  const declared: DeclaredRoute[] = [];
  const responses: RecordedResponse[] = [];
  for (const file of globSync(join(folder, '*.jsonl'))) {
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      const item = JSON.parse(line) as Parameters<Store>[0];
      if (item.registered !== undefined) registered.push(item.registered);
      if (item.declared !== undefined) declared.push(item.declared);
      if (item.responses !== undefined) responses.push(item.responses);
    }
  }
  return { registered, declared, responses };
}
