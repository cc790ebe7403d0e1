import type { Static, TObject, TSchema } from 'typebox';
import type { App } from '../app.ts';
import type { AccountId, ApplicationId, RoleId, SessionId, TokenId, UserId } from '../ids.ts';
import type { Locale } from '../i18n/locales.ts';
import type { Message } from '../i18n/message.ts';
import type { ConnectionTakeover } from './connection-takeover.ts';
import type { ExtraFields } from './extra-fields.ts';
import type { HttpError } from './http-errors.ts';
import type { HttpResponse, JsonText } from './http-response.ts';

/** A signed-in user, with the permissions of its role. */
export interface CurrentUser {
  readonly accountId: AccountId;
  readonly userId: UserId;
  readonly roleId: RoleId;
  /** Bit mask as in Role.permissions (reference/entities.tsv). */
  readonly permissions: bigint;
}

/** The caller behind a valid bearer token or session cookie: an app, or a user through an app or a browser. */
export interface Caller {
  readonly tokenId: TokenId;
  readonly applicationId: ApplicationId | undefined;
  /** The browser session that the cookie of the request belongs to; undefined with a token of an app. */
  readonly sessionId?: SessionId | undefined;
  readonly scopes: ReadonlySet<string>;
  /** The user of the token; undefined for a client-credentials token. */
  readonly viewer: CurrentUser | undefined;
  /**
   * Why the user may not use the API (unconfirmed, pending, disabled, suspended): a 403 on every route without
   * `allowUnconfirmed`.
   */
  readonly deniedReason: Message | undefined;
  /** Language tag of the user; undefined for a client-credentials token. */
  readonly locale: string | undefined;
  /** Constant fields that the app requires, by entity; undefined for nearly every app. */
  readonly extraFields?: ExtraFields | undefined;
}

/** The HTTP request, for handlers that need more than its parameters. */
export interface RequestContext {
  readonly method: string;
  /** Path with query string, as sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The origin at which the client reaches the server, resolved through TRUSTED_PROXIES. It may differ from BASE_URL. */
  readonly origin: string;
  /** The client's IP address, resolved through TRUSTED_PROXIES. */
  readonly ip: string;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly id: string;
  /** The client wants the connection to become a WebSocket. */
  readonly isUpgrade: boolean;
  /** The unparsed body; only on routes with `rawBody`. */
  readonly rawBody: Buffer | undefined;
  /** Sets the language of errors to that of an account that no token names: of a signed-in browser. */
  readonly setLocale: (languageTag: string) => void;
  /** The language of texts in the response: that of the account, else the one that the client prefers. */
  readonly locale: Locale;
  /** Aborts, with an HttpError, when the client disconnects before it has the whole response, or after the deadline. */
  readonly signal: AbortSignal;
}

/**
 * Required caller: `anyone` (a token is optional; an invalid one counts as none, a valid one must have the scope if
 * the route names one), `app` (any token), `user` (a user's token), `staff:<permission>` (a user whose role has it, or one
 * of several permissions that `|` separates), `page` (a web page: cookies, no bearer tokens), `session` (JSON for a
 * signed-in browser: cookies and a CSRF token, which the handler checks).
 */
export type Access = 'anyone' | 'app' | 'user' | 'page' | 'session' | `staff:${string}`;

/** Returns whether a route knows its caller by cookies, so that bearer tokens and other origins do not count. */
export const usesCookies = (access: Access): boolean => access === 'page' || access === 'session';

/** Rate limits beyond the general ones (rate-limits.ts). */
export type RateLimitFamily =
  | 'statuses'
  | 'deletes'
  | 'follows'
  | 'reports'
  | 'media'
  | 'media-proxy'
  | 'imports'
  | 'sign-up'
  | 'email-subscriptions'
  | 'apps'
  | 'device-authorization'
  | 'device-code'
  | 'webhooks'
  | 'providers'
  | 'confirmations'
  | 'sign-in'
  | 'password-reset'
  | 'password-change'
  | 'none';

export interface HandlerRequest<A extends Access, Params extends TObject, Input extends TObject> {
  readonly app: App;
  readonly viewer: A extends 'user' | `staff:${string}` ? CurrentUser : CurrentUser | undefined;
  readonly caller: A extends 'app' | 'user' | `staff:${string}` ? Caller : Caller | undefined;
  /** Path parameters. */
  readonly params: Static<Params>;
  /** Query and body parameters together, parsed by the schema: clients send either in both places. */
  readonly input: Static<Input>;
  readonly request: RequestContext;
}

/** The errors of a route that refuses callers in words of its own. */
export interface Refusals {
  readonly missingToken: HttpError;
  readonly invalidToken: HttpError;
  readonly missingScope: HttpError;
}

export interface RouteOptions<
  A extends Access,
  Params extends TObject,
  Input extends TObject,
  Response extends TSchema,
> {
  /** One line for the OpenAPI document. */
  readonly summary: string;
  readonly access: A;
  /** Required scope; alternatives are separated by `|` as in reference/endpoints.tsv. */
  readonly scope?: string;
  readonly params?: Params;
  readonly input?: Input;
  /** Schema of the response with status 200; validated in tests and development. */
  readonly response: Response;
  /** Other success statuses with the same schema, with their meaning. */
  readonly otherStatuses?: Readonly<Record<number, string>>;
  readonly refusals?: Refusals;
  /** Returns a redirect for requests that belong to another host. They need no caller. */
  readonly redirect?: (app: App, request: RequestContext) => HttpResponse | undefined;
  readonly rateLimit?: RateLimitFamily;
  /** Maximum size of the body, or of each of its files, in bytes; the default suits JSON. */
  readonly bodyLimit?: number | ((app: App) => number);
  /** Bodies are large, so they may arrive slowly as long as they make progress. */
  readonly allowSlowBody?: boolean;
  /** Also answers blocked IP addresses, whoever calls: about health, and so that owners can sign in. */
  readonly ignoresBlocks?: boolean;
  /** Leaves the body unparsed. */
  readonly rawBody?: boolean;
  /** Errors are in English whatever Accept-Language is: they appear in the logs of other servers. */
  readonly englishErrors?: boolean;
  /** Users who are unconfirmed, pending or disabled may call it. */
  readonly allowUnconfirmed?: boolean;
  /** Open to anonymous callers in limited federation mode (instance data, sign-up, apps). */
  readonly openInLimitedFederation?: boolean;
  /** Date of its deprecation, sent as the Deprecation header. */
  readonly deprecatedSince?: string;
  /** A PUT that does not also answer PATCH, or the reverse. */
  readonly singleMethod?: boolean;
  /** Sends the header Mastodon-Async-Refresh while work in the background may change the response. */
  readonly hasRefresh?: boolean;
  /** Sends an ETag, and 304 to a client that has the response. For small responses that clients poll. */
  readonly hasEtag?: boolean;
  /**
   * Whether a replica may answer: `always`; `older pages`, those that `max_id` begins a minute ago or earlier; or `unless
   * resolving`, if nothing is fetched and stored by `resolve`. The handler may run twice (docs/decisions/0176).
   */
  readonly readsReplica?: 'always' | 'older pages' | 'unless resolving';
  /** A write that hides and deletes nothing, so that only its caller waits until a replica has it. */
  readonly onlyAdds?: boolean;
  /** Left out of the OpenAPI document (pages, ActivityPub). */
  readonly undocumented?: boolean;
  handle(
    request: HandlerRequest<A, Params, Input>,
  ):
    | Promise<Static<Response> | JsonText<Static<Response>> | HttpResponse | ConnectionTakeover>
    | Static<Response>
    | JsonText<Static<Response>>
    | HttpResponse
    | ConnectionTakeover;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A route as plain data, for the router, the OpenAPI document, rate limits and tests. */
export interface Route {
  readonly method: Method;
  /** With `:name` for a path parameter. */
  readonly path: string;
  /** The declared method, if this is the other one of PUT and PATCH. */
  readonly aliasOf?: Method;
  // A handler's types are checked where it is declared; the list of all routes cannot express them.
  readonly options: RouteOptions<Access, TObject, TObject, TSchema>;
}

type DefineRoute = <
  A extends Access,
  Response extends TSchema,
  Params extends TObject = TObject<{}>,
  Input extends TObject = TObject<{}>,
>(
  path: string,
  options: RouteOptions<A, Params, Input, Response>,
) => Route;

/** Returns options of a route that is declared elsewhere, with their types. */
export const routeOptions = <
  A extends Access,
  Response extends TSchema,
  Params extends TObject = TObject<{}>,
  Input extends TObject = TObject<{}>,
>(
  options: RouteOptions<A, Params, Input, Response>,
): RouteOptions<A, Params, Input, Response> => options;

const defineRoute =
  (method: Method): DefineRoute =>
  (path, options) => ({ method, path, options });

export const get = defineRoute('GET');
export const post = defineRoute('POST');
export const put = defineRoute('PUT');
export const patch = defineRoute('PATCH');
export const del = defineRoute('DELETE');
