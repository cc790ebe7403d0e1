import type { Static, TObject, TSchema } from 'typebox';
import type { App } from '../app.ts';
import type { AccountId, ApplicationId, RoleId, TokenId, UserId } from '../ids.ts';
import type { HttpResponse, JsonText } from './http-response.ts';

/** Someone who signed in, in the role that a token or a session gives. */
export interface CurrentUser {
  readonly accountId: AccountId;
  readonly userId: UserId;
  readonly roleId: RoleId;
  /** Bit mask as in Role.permissions (reference/entities.tsv). */
  readonly permissions: bigint;
}

/** Who sent a valid bearer token: an app for itself, or for a user. */
export interface Caller {
  readonly tokenId: TokenId;
  readonly applicationId: ApplicationId | undefined;
  readonly scopes: ReadonlySet<string>;
  /** The user behind the token; none for a token of the client-credentials grant. */
  readonly viewer: CurrentUser | undefined;
  /**
   * Why the user may not use the API (unconfirmed, pending, disabled, suspended): a 403 on every route but those with
   * `evenUnconfirmed`.
   */
  readonly deniedReason: string | undefined;
}

/** What of the HTTP request a handler may need beyond its parameters. */
export interface RequestContext {
  readonly method: string;
  /** Path with query string, as sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The client's address, read through TRUSTED_PROXIES. */
  readonly ip: string;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly id: string;
  /** The body as it came; only on routes with `rawBody`. */
  readonly rawBody: Buffer | undefined;
  /** Aborts when the client closes the connection before it has the whole response. */
  readonly signal: AbortSignal;
}

/**
 * Required caller: `anyone` (a token is optional; an invalid one counts as none, a valid one must have the scope if
 * the route names one), `app` (any token), `user` (a user's token), `staff:<permission>` (a user whose role has it), `page` (a web page: cookies, no bearer tokens).
 */
export type Access = 'anyone' | 'app' | 'user' | 'page' | `staff:${string}`;

/** Named budgets of requests beyond the general ones; their sizes stand in limits.ts. */
export type RateLimitFamily =
  | 'statuses'
  | 'deletes'
  | 'follows'
  | 'reports'
  | 'media'
  | 'media-proxy'
  | 'sign-up'
  | 'apps'
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
  /** Query and body parameters in one, read by the schema (clients put either anywhere). */
  readonly input: Static<Input>;
  readonly request: RequestContext;
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
  /** Any one of these scopes is needed, alternatives separated by `|` as in reference/endpoints.tsv. */
  readonly scope?: string;
  readonly params?: Params;
  readonly input?: Input;
  /** Shape of the answer with status 200; checked in tests and development. */
  readonly response: Response;
  /** Other statuses of a success with the same shape, and what they mean. */
  readonly otherStatuses?: Readonly<Record<number, string>>;
  readonly rateLimit?: RateLimitFamily;
  /** Largest body in bytes that may be sent; the default suits JSON. */
  readonly bodyLimit?: number;
  /** Its bodies are large: they may take as long to come as a slow line needs, while something comes. */
  readonly allowSlowBody?: boolean;
  /** Keeps the body as it came, unparsed. */
  readonly rawBody?: boolean;
  /** Users who are unconfirmed, pending or disabled may call it all the same. */
  readonly allowUnconfirmed?: boolean;
  /** Stays open to the anonymous in limited federation mode (instance data, sign-up, apps). */
  readonly openInLimitedFederation?: boolean;
  /** Date since which it is deprecated: sends a Deprecation header. */
  readonly deprecatedSince?: string;
  /** A PUT that does not answer PATCH too, or the reverse. */
  readonly singleMethod?: boolean;
  /** Left out of the OpenAPI document (pages, ActivityPub). */
  readonly undocumented?: boolean;
  handle(
    request: HandlerRequest<A, Params, Input>,
  ):
    | Promise<Static<Response> | JsonText<Static<Response>> | HttpResponse>
    | Static<Response>
    | JsonText<Static<Response>>
    | HttpResponse;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A route as plain data: the router, the OpenAPI document, the rate limits and the tests all read it. */
export interface Route {
  readonly method: Method;
  /** With `:name` for a path parameter. */
  readonly path: string;
  // The handler's own types are checked where it is declared; the list of all routes forgets them.
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
