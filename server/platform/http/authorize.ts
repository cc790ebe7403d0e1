import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import type { RequestBody } from './request-body.ts';
import { addressOf, originOf } from './request-context.ts';
import type { Params } from './parse-params.ts';
import { accountHeader, isOwnRequest } from './cookie-caller.ts';
import { findSessionSecret } from './cookies.ts';
import { conflict, forbidden, insufficientScope, HttpError, unauthorized, unprocessable } from './http-errors.ts';
import { upgradeOf } from './upgrades.ts';
import { usesCookies, type Access, type Caller, type Refusals, type Route } from './routes.ts';

/** A value, or a promise of it where it is not cached. */
type Eventually<Value> = Value | Promise<Value>;

/** Decides what callers may do; the rules come from higher domains. */
export interface AccessRules {
  /**
   * Returns the caller of a bearer token sent from an address, at once if it is cached; undefined if it is unknown. Throws
   * 401 if it was revoked.
   */
  readonly authenticate: (app: App, token: string, ip: string) => Eventually<Caller | undefined>;
  /** Returns the caller of a session cookie's secret; undefined if it is unknown or expired. */
  readonly authenticateSession?: (app: App, secret: string, ip: string) => Eventually<Caller | undefined>;
  /** Returns whether a caller may use the server from a blocked IP address. */
  readonly passesBlocks?: (caller: Caller) => boolean;
  /** Returns whether a role's permission bits contain a permission, by its name. */
  readonly hasPermission?: (permissions: bigint, permission: string) => boolean;
  readonly scopeAllows: (granted: ReadonlySet<string>, needed: string) => boolean;
}

/** The caller of a request; none without a valid token or session. */
export interface Identity {
  readonly caller?: Caller | undefined;
  /** Why the token is not valid. */
  readonly error?: HttpError;
}

/**
 * Finds the caller by the token in the header, the query or a urlencoded body (RFC 6750, section 2), or in the protocol of
 * a WebSocket, because browsers let scripts set no other header of it. Without a token, by the session cookie of our own
 * pages. Throws 409 if the session is of another account than the one that the page acts for.
 */
export function identifyCaller(
  app: App,
  rules: AccessRules,
  request: FastifyRequest,
  body: RequestBody,
): Eventually<Identity> {
  const token = parseBearerToken(request.headers.authorization) ?? findQueryToken(request);
  if (token !== undefined) return identifyByToken(app, rules, request, token);
  return mayHaveToken(request, body)
    ? identifyByBody(app, rules, request, body)
    : identifyByCookie(app, rules, request);
}

function identifyByToken(
  app: App,
  { authenticate }: AccessRules,
  request: FastifyRequest,
  token: unknown,
): Eventually<Identity> {
  try {
    const caller = typeof token === 'string' ? authenticate(app, token, addressOf(request)) : undefined;
    return caller instanceof Promise ? caller.then(toIdentity, toRefusal) : toIdentity(caller);
  } catch (error) {
    return toRefusal(error);
  }
}

const toIdentity = (caller: Caller | undefined): Identity =>
  caller === undefined ? { error: unauthorized() } : { caller };

function toRefusal(error: unknown): Identity {
  if (error instanceof HttpError) return { error };
  throw error;
}

const mayHaveToken = (request: FastifyRequest, body: RequestBody): boolean =>
  request.method !== 'GET' && request.method !== 'HEAD' && body.isForm && upgradeOf(request.raw) === undefined;

async function identifyByBody(
  app: App,
  rules: AccessRules,
  request: FastifyRequest,
  body: RequestBody,
): Promise<Identity> {
  try {
    const token = new URLSearchParams((await body.bytes()).toString('utf8')).get('access_token');
    if (token !== null) return await identifyByToken(app, rules, request, token);
  } catch (error) {
    return toRefusal(error);
  }
  return identifyByCookie(app, rules, request);
}

function identifyByCookie(
  app: App,
  { authenticateSession }: AccessRules,
  request: FastifyRequest,
): Eventually<Identity> {
  const { method, headers } = request;
  const secret = findSessionSecret(app, headers.cookie);
  if (secret === undefined) return {};
  const isUpgrade = upgradeOf(request.raw) !== undefined;
  if (!isOwnRequest(app, { method, headers, isUpgrade, origin: originOf(request) })) return {};
  const caller = authenticateSession?.(app, secret, addressOf(request));
  return caller instanceof Promise
    ? caller.then((found) => ({ caller: assertWanted(request, found) }))
    : { caller: assertWanted(request, caller) };
}

/** Returns the caller, or throws 409 if the page acts for another account. */
function assertWanted(request: FastifyRequest, caller: Caller | undefined): Caller | undefined {
  const wanted = request.headers[accountHeader];
  if (caller === undefined || wanted === undefined || wanted === caller.viewer?.accountId) return caller;
  // The language of the error.
  request.accountLocale = caller.locale;
  throw conflict('web.accountChanged');
}

/** Returns the token of an `Authorization` header; undefined if it has none. */
export const parseBearerToken = (header: string | undefined): string | undefined =>
  /^bearer +(\S+)$/i.exec(header ?? '')?.[1];

/** Returns the token of the query, or of the protocol of a WebSocket. */
function findQueryToken(request: FastifyRequest): unknown {
  const inQuery = (request.query as Params)['access_token'];
  if (inQuery !== undefined || upgradeOf(request.raw) === undefined) return inQuery;
  return request.headers['sec-websocket-protocol']?.split(',', 1)[0]?.trim();
}

/**
 * Returns whether a request from a blocked address is answered because of its caller. Reads neither the body nor the
 * origin of the request: what the caller may do is decided later, as for every address.
 */
export async function mayPassBlocks(app: App, rules: AccessRules, request: FastifyRequest): Promise<boolean> {
  const { passesBlocks, authenticate, authenticateSession } = rules;
  if (passesBlocks === undefined) return false;
  const token = parseBearerToken(request.headers.authorization) ?? findQueryToken(request);
  const secret = findSessionSecret(app, request.headers.cookie);
  try {
    const byToken = typeof token === 'string' ? await authenticate(app, token, addressOf(request)) : undefined;
    const caller = byToken ?? (secret && (await authenticateSession?.(app, secret, addressOf(request))));
    return caller !== undefined && caller !== '' && passesBlocks(caller);
  } catch (error) {
    // A revoked token.
    if (error instanceof HttpError && error.status === 401) return false;
    throw error;
  }
}

/**
 * Returns the caller of a route, or throws 401, 403 or 422. Routes for anyone ignore an invalid token, and a user who may
 * not use the API unless the route requires a scope.
 */
export function authorize(app: App, rules: AccessRules, { options }: Route, identity: Identity): Caller | undefined {
  const { access, scope, refusals } = options;
  const { caller } = identity;
  const isDenied = caller?.deniedReason !== undefined && options.allowUnconfirmed !== true;
  if (usesCookies(access)) return undefined;
  if (access === 'anyone' && (caller === undefined || (isDenied && scope === undefined))) {
    assertOpenToAnonymous(app, options);
    return undefined;
  }
  if (caller === undefined) throw refusalOf(identity, refusals);
  if (scope !== undefined && !rules.scopeAllows(caller.scopes, scope))
    throw refusals?.missingScope ?? insufficientScope();
  if (isDenied) throw forbidden(caller.deniedReason);
  if (caller.viewer === undefined && access === 'user' && refusals !== undefined) throw refusals.invalidToken;
  if (access !== 'anyone' && access !== 'app') assertUser(rules, access, caller);
  return caller;
}

/** The error for a request without a valid token. A failure to look it up is no refusal. */
function refusalOf({ error }: Identity, refusals: Refusals | undefined): HttpError {
  if (error === undefined) return refusals?.missingToken ?? unauthorized();
  return error.status === 401 ? (refusals?.invalidToken ?? error) : error;
}

/** Throws 401 if limited federation closes a route to anonymous callers. */
function assertOpenToAnonymous({ config }: App, { openInLimitedFederation, undocumented }: Route['options']): void {
  if (config.LIMITED_FEDERATION && openInLimitedFederation !== true && undocumented !== true) {
    throw unauthorized('http.requiresUser');
  }
}

function assertUser({ hasPermission }: AccessRules, access: Access, { viewer }: Caller): void {
  if (viewer === undefined) throw unprocessable('http.requiresUser');
  if (access === 'user') return;
  const permissions = access.slice('staff:'.length).split('|');
  if (!permissions.some((permission) => hasPermission?.(viewer.permissions, permission) === true)) throw forbidden();
}
