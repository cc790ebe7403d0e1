import { parseCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseLocale, readerTag, type Locale } from '../i18n/locales.ts';
import { verbatim } from '../i18n/message.ts';
import { HttpError } from './http-errors.ts';
import type { ResponseDeadline } from './response-deadline.ts';
import type { RequestContext } from './routes.ts';
import { upgradeOf } from './upgrades.ts';

/**
 * What handlers may know about a request. V8 gives each object literal with getters a hidden class of its own, which keeps
 * the request and its response in memory until the next full garbage collection. A class has only one.
 */
export class FastifyRequestContext implements RequestContext {
  readonly rawBody: Buffer | undefined;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #deadline: ResponseDeadline | undefined;
  #signal: AbortSignal | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, rawBody?: Buffer, deadline?: ResponseDeadline) {
    this.rawBody = rawBody;
    this.#request = request;
    this.#reply = reply;
    this.#deadline = deadline;
  }

  get method(): string {
    return this.#request.method;
  }

  get url(): string {
    return this.#request.url;
  }

  get headers(): RequestContext['headers'] {
    return this.#request.headers;
  }

  get origin(): string {
    return originOf(this.#request);
  }

  get ip(): string {
    return addressOf(this.#request);
  }

  get id(): string {
    return this.#request.id;
  }

  get isUpgrade(): boolean {
    return upgradeOf(this.#request.raw) !== undefined;
  }

  get cookies(): RequestContext['cookies'] {
    return parseCookie(this.#request.headers.cookie ?? '');
  }

  get locale(): Locale {
    return readerLocale(this.#request);
  }

  get signal(): AbortSignal {
    return (this.#signal ??= abortSignal(this.#reply, this.#deadline));
  }

  setLocale(languageTag: string): void {
    this.#request.accountLocale = languageTag;
  }
}

/**
 * Returns the language of a response: that of the parameter `lang`, else of the account behind the token, else the one
 * that the client prefers.
 */
export const readerLocale = (request: FastifyRequest): Locale =>
  chooseLocale(readerTag(request.url, request.accountLocale), request.headers['accept-language']);

/**
 * Returns the IP address of the client. `request.ip` compares the address of the connection to the trusted proxies each
 * time; without a forwarded address the result is the same.
 */
export const addressOf = (request: FastifyRequest): string =>
  request.headers['x-forwarded-for'] === undefined ? (request.socket.remoteAddress ?? '') : request.ip;

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
