import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { authorize, identifyCaller, type AccessRules } from './authorize.ts';
import { storeDataUris } from './file-parameters.ts';
import { nestParams, parseParams, parsePathParams, type Params } from './parse-params.ts';
import { countRequest, rateLimitHeaders } from './rate-limits.ts';
import type { RequestBody } from './request-body.ts';
import { FastifyRequestContext } from './request-context.ts';
import type { ResponseDeadline } from './response-deadline.ts';
import { usesCookies, type Caller, type Route } from './routes.ts';
import type { Uploads } from './uploads.ts';

/** One request and its response. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Path parameters. */
  readonly params: Params;
  readonly uploads: Uploads;
  readonly body: RequestBody;
  readonly deadline: ResponseDeadline;
  /** Set once the caller is known to be allowed to call the route. */
  caller: Caller | undefined;
}

/** Finds and authorizes the caller, parses the parameters, and returns what the route's handler returns. */
export async function handleRequest(app: App, parts: AccessRules, route: Route, exchange: Exchange): Promise<unknown> {
  try {
    return await callHandler(app, parts, route, exchange);
  } finally {
    await exchange.uploads.deleteAll();
  }
}

async function callHandler(app: App, parts: AccessRules, route: Route, exchange: Exchange): Promise<unknown> {
  const { options } = route;
  const { request, reply, body, deadline } = exchange;
  const elsewhere = options.redirect?.(app, new FastifyRequestContext(request, reply));
  if (elsewhere !== undefined) return elsewhere;
  if (options.englishErrors === true) request.accountLocale = 'en';
  const identity = usesCookies(options.access) ? {} : await identifyCaller(app, parts, request, body);
  request.accountLocale ??= identity.caller?.locale;
  if (app.config.RATE_LIMITS && options.rateLimit !== 'none') {
    const rateLimit = await countRequest(app, { ip: request.ip, caller: identity.caller, family: options.rateLimit });
    for (const [name, value] of Object.entries(rateLimitHeaders(rateLimit))) void reply.header(name, value);
  }
  const caller = (exchange.caller = authorize(app, parts, route, identity));
  const params = options.params === undefined ? {} : parsePathParams(options.params, exchange.params);
  deadline.stop();
  const rawBody = options.rawBody === true ? await body.bytes() : undefined;
  const input = await parseInput(route, exchange);
  deadline.restart();
  return options.handle({
    app,
    viewer: caller?.viewer,
    caller,
    params,
    input,
    request: new FastifyRequestContext(request, reply, rawBody, deadline),
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
