import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { App } from '../app.ts';
import { message, stringifyLocalized, verbatim } from '../i18n/message.ts';
import { isMissingReference } from '../database/missing-reference.ts';
import { isStatementCancelled } from '../database/query-with-timeout.ts';
import { redactSecrets } from '../redact.ts';
import { reportTemporaryFailure, warnThrottled } from '../temporary-failures.ts';
import { AccessDeniedError, HttpError, notFound, serviceUnavailable } from './http-errors.ts';
import { FastifyRequestContext, readerLocale } from './request-context.ts';
import { apiHeaders, commonHeaders, corsHeaders } from './response-headers.ts';
import { setDefaultPolicy, setHeaders } from './send-response.ts';
import type { ServerOptions } from './server-options.ts';
import { upgradeOf } from './upgrades.ts';
import { toError } from '../errors.ts';

/** Sends an error as JSON, or as a page to browsers outside the API. Logs it if it is a failure of the server. */
export async function sendError(
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
  void reply
    .code(status)
    .headers(commonHeaders(app.config, request.id))
    .headers({ ...httpError?.headers, 'cache-control': 'private, no-store' });
  if (upgradeOf(request.raw) !== undefined) return sendUpgradeError(reply, String(text));
  if (parts.errorPage !== undefined && !(error instanceof AccessDeniedError) && acceptsHtml(request)) {
    const page = await parts.errorPage(app, new FastifyRequestContext(request, reply), { status, text });
    setHeaders(reply, page);
    return setDefaultPolicy(reply).send(page.text);
  }
  const details =
    httpError === undefined && app.config.validateResponses ? { bug: String(toError(error).stack ?? error) } : {};
  return reply
    .headers({ ...apiHeaders, ...corsHeaders, 'content-type': 'application/json; charset=utf-8' })
    .send(stringifyLocalized({ error: text, ...httpError?.details, ...details }, readerLocale(request)));
}

/** WebSocket clients cannot read a body. The reason is in a header, as on Mastodon: in English, because it is ASCII. */
function sendUpgradeError(reply: FastifyReply, message: string): FastifyReply {
  return reply
    .headers({ ...corsHeaders, 'content-type': 'text/plain; charset=utf-8', 'x-error-message': message })
    .send('');
}

function toHttpError(app: App, error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (isStatementCancelled(error))
    warnThrottled(app.log, 'a statement took too long', { reason: toError(error).message });
  if (isStatementCancelled(error) || reportTemporaryFailure(app, error))
    return serviceUnavailable(message('http.serverUnavailable'));
  if (isMissingReference(error)) {
    warnThrottled(app.log, 'a request referred to a row that is gone', { constraint: toError(error).constraint });
    return notFound();
  }
  const status = toError(error).statusCode;
  if (status !== undefined && status >= 400 && status < 500)
    return new HttpError(status, verbatim(toError(error).message));
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
