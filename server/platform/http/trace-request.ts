import { finished } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import type { Config } from '../config.ts';
import { runInSpan } from '../tracing/span.ts';
import type { RouteMatch } from './route-table.ts';
import { upgradeOf } from './upgrades.ts';

/** A request and where its response goes. */
interface TracedExchange {
  readonly match: RouteMatch;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Answers a request in a span, which ends when the response is sent or the connection is taken over. */
export async function traceRequest<Result>(
  { config, tracing }: App,
  { match: { route }, request, reply }: TracedExchange,
  respond: () => Promise<Result>,
): Promise<Result> {
  if (tracing === undefined) return respond();
  const { method, raw } = request;
  const attributes = { 'http.request.method': method, 'http.route': route.path, 'url.scheme': request.protocol };
  const start = { name: `${method} ${route.path}`, kind: 'server', attributes } as const;
  const span = tracing.start(start, trustedTraceParent(config, request));
  const end = (): void => {
    const status = upgradeOf(raw) === undefined ? reply.raw.statusCode : 101;
    span.setAttributes({ 'http.response.status_code': status });
    span.end(status >= 500 ? String(status) : undefined);
  };
  const result = await runInSpan(span, respond);
  // An error, or a stream, which Fastify still sends.
  if (reply.sent) end();
  else finished(reply.raw, end);
  return result;
}

/** Returns the `traceparent` of a trusted proxy. Anyone else could choose the trace, and that it is recorded. */
function trustedTraceParent(config: Config, { headers, ips }: FastifyRequest): string | undefined {
  // Fastify lists more addresses than that of the peer only if the peer is one of TRUSTED_PROXIES.
  const isFromProxy = config.TRACEPARENT_FROM_PROXIES && ips !== undefined && ips.length > 1;
  return isFromProxy ? headers['traceparent']?.toString() : undefined;
}
