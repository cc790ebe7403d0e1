import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import type { RequestBody } from './body.ts';
import type { Params } from './params.ts';
import { forbidden, outsideScopes, Problem, unauthorized, unprocessable } from './problems.ts';
import type { Access, Caller, Route } from './routes.ts';

/** Decides what callers may do; the rules come from higher domains. */
export interface AccessRules {
  /** Returns whether a role's permission bits allow what `staff:<permission>` names. */
  readonly mayAct?: (permissions: bigint, permission: string) => boolean;
  readonly allows: (granted: ReadonlySet<string>, needed: string) => boolean;
}

/** Whose token came with a request. Without a token, or with one that is not valid, there is no caller. */
export interface Identity {
  readonly caller?: Caller | undefined;
  /** Why the token that was sent is not valid. */
  readonly problem?: Problem;
}

/** Finds the caller by the token in the header, the query or a urlencoded body (RFC 6750, section 2). */
export async function identify(app: App, request: FastifyRequest, body: RequestBody): Promise<Identity> {
  try {
    const token = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? (await tokenIn(request, body));
    if (token === undefined) return {};
    const caller = typeof token === 'string' ? await app.authenticate(token) : undefined;
    return caller === undefined ? { problem: unauthorized() } : { caller };
  } catch (error) {
    if (error instanceof Problem) return { problem: error };
    throw error;
  }
}

async function tokenIn(request: FastifyRequest, body: RequestBody): Promise<unknown> {
  const inQuery = (request.query as Params)['access_token'];
  if (inQuery !== undefined || request.method === 'GET' || request.method === 'HEAD' || !body.isForm) return inQuery;
  return new URLSearchParams((await body.bytes()).toString('utf8')).get('access_token') ?? undefined;
}

/**
 * Returns the caller that counts for a route, or throws 401, 403 or 422. On routes for anyone a token that is not valid
 * counts as none; so does a user who may not use the API, unless the route asks for a scope.
 */
export function authorize(app: App, rules: AccessRules, { options }: Route, identity: Identity): Caller | undefined {
  const { access, scope } = options;
  const { caller } = identity;
  const isRefused = caller?.refusal !== undefined && options.evenUnconfirmed !== true;
  if (access === 'page') return undefined;
  if (access === 'anyone' && (caller === undefined || (isRefused && scope === undefined))) {
    requireOpen(app, options);
    return undefined;
  }
  if (caller === undefined) throw identity.problem ?? unauthorized();
  if (scope !== undefined && !rules.allows(caller.scopes, scope)) throw outsideScopes();
  if (isRefused) throw forbidden(caller.refusal);
  if (access !== 'anyone' && access !== 'app') requireUser(rules, access, caller);
  return caller;
}

/** Throws 401 if limited federation keeps a route from anonymous callers. */
function requireOpen({ config }: App, { evenLimited, undocumented }: Route['options']): void {
  if (config.LIMITED_FEDERATION && evenLimited !== true && undocumented !== true) {
    throw unauthorized('This method requires an authenticated user');
  }
}

function requireUser({ mayAct }: AccessRules, access: Access, { viewer }: Caller): void {
  if (viewer === undefined) throw unprocessable('This method requires an authenticated user');
  if (access !== 'user' && mayAct?.(viewer.permissions, access.slice('staff:'.length)) !== true) throw forbidden();
}
