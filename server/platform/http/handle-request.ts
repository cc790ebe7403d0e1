import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import type { RateLimitResult } from '../rate-limits/rate-limiter.ts';
import { authorize, identifyCaller, type AccessRules } from './authorize.ts';
import { storeDataUris } from './file-parameters.ts';
import { nestParams, parseParams, parsePathParams, type Params } from './parse-params.ts';
import { countRequest } from './rate-limits.ts';
import { runHandler } from './reads-and-writes.ts';
import type { RequestBody } from './request-body.ts';
import { addressOf, FastifyRequestContext } from './request-context.ts';
import type { ResponseDeadline } from './response-deadline.ts';
import { usesCookies, type Caller } from './routes.ts';
import type { ServedRoute } from './route-table.ts';
import type { Uploads } from './uploads.ts';

/** One request and its response. */
export interface Exchange {
  readonly app: App;
  readonly route: ServedRoute;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Path parameters. */
  readonly params: Params;
  readonly uploads: Uploads;
  readonly body: RequestBody;
  readonly deadline: ResponseDeadline;
  /** Set once the caller is known to be allowed to call the route. */
  caller: Caller | undefined;
  /** Set once the request was counted. */
  rateLimit: RateLimitResult | undefined;
}

/**
 * Finds and authorizes the caller, parses the parameters, and returns what the route's handler returns. Nothing is awaited
 * that is known already: the token, blocks and limits of most requests are cached.
 */
export async function handleRequest(parts: AccessRules, exchange: Exchange): Promise<unknown> {
  const { app, route, request, reply, body, uploads, deadline } = exchange;
  const { options } = route;
  const elsewhere = options.redirect?.(app, new FastifyRequestContext(request, reply));
  if (elsewhere !== undefined) return elsewhere;
  if (options.englishErrors === true) request.accountLocale = 'en';
  const found = usesCookies(options.access) ? {} : identifyCaller(app, parts, request, body);
  const identity = found instanceof Promise ? await found : found;
  request.accountLocale ??= identity.caller?.locale;
  if (app.config.RATE_LIMITS && options.rateLimit !== 'none') {
    const counted = { ip: addressOf(request), caller: identity.caller, family: options.rateLimit };
    const budget = countRequest(app, counted);
    exchange.rateLimit = budget instanceof Promise ? await budget : budget;
  }
  const caller = (exchange.caller = authorize(app, parts, route, identity));
  const params = options.params === undefined ? {} : parsePathParams(options.params, exchange.params);
  let rawBody: Buffer | undefined;
  let input: Params = {};
  if (options.rawBody === true) rawBody = await withoutDeadline(deadline, body.bytes());
  if (options.input !== undefined) {
    input = parseQuery(request);
    if (options.rawBody !== true && !body.isEmpty)
      input = { ...input, ...(await withoutDeadline(deadline, body.params(options.input, uploads))) };
    if (route.takesFiles) await storeDataUris(options.input, input, uploads);
    input = parseParams(options.input, input);
  }
  const context = (): FastifyRequestContext => new FastifyRequestContext(request, reply, rawBody, deadline);
  const result = runHandler(exchange, input, (on) =>
    options.handle({ app: on, viewer: caller?.viewer, caller, params, input, request: context() }),
  );
  return result instanceof Promise ? await result : result;
}

/** Waits for a body, which has timeouts of its own. */
async function withoutDeadline<Result>(deadline: ResponseDeadline, received: Promise<Result>): Promise<Result> {
  deadline.stop();
  const result = await received;
  deadline.restart();
  return result;
}

function parseQuery({ raw: { url = '' } }: FastifyRequest): Params {
  const start = url.indexOf('?');
  return start === -1 ? {} : nestParams(new URLSearchParams(url.slice(start + 1)));
}
