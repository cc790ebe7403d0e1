import { parseCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseLocale, readerTag, type Locale } from '../i18n/locales.ts';
import { verbatim } from '../i18n/message.ts';
import { HttpError } from './http-errors.ts';
import type { ResponseDeadline } from './response-deadline.ts';
import type { RequestContext } from './routes.ts';
import { upgradeOf } from './upgrades.ts';

/** What handlers may know about a request. */
export function createRequestContext(
  request: FastifyRequest,
  reply: FastifyReply,
  rawBody: Buffer | undefined,
  deadline?: ResponseDeadline,
): RequestContext {
  let signal: AbortSignal | undefined;
  return {
    method: request.method,
    url: request.url,
    headers: request.headers,
    origin: originOf(request),
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
    get locale() {
      return readerLocale(request);
    },
    get signal() {
      return (signal ??= abortSignal(reply, deadline));
    },
  };
}

/**
 * Returns the language of a response: that of the parameter `lang`, else of the account behind the token, else the one
 * that the client prefers.
 */
export const readerLocale = (request: FastifyRequest): Locale =>
  chooseLocale(readerTag(request.url, request.accountLocale), request.headers['accept-language']);

/** Returns the origin at which the client reaches the server. */
export const originOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`;

/** Nobody receives it. As an HttpError it is not logged as a failure. */
const clientClosedRequest = (): HttpError => new HttpError(499, verbatim('the client closed the connection'));

function abortSignal({ raw }: FastifyReply, deadline: ResponseDeadline | undefined): AbortSignal {
  const controller = new AbortController();
  const onClose = (): void => {
    if (!raw.writableFinished) controller.abort(clientClosedRequest());
  };
  if (raw.destroyed) onClose();
  else raw.once('close', onClose);
  deadline?.onExpired((error) => controller.abort(error));
  return controller.signal;
}
