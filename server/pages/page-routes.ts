import { type Static, type TObject, Type } from 'typebox';
import { HttpResponse } from '../platform/http/http-response.ts';
import { HttpError, unprocessable } from '../platform/http/http-errors.ts';
import { countAccountRequest } from '../platform/http/rate-limits.ts';
import { del, get, post, type RateLimitFamily, type Route } from '../platform/http/routes.ts';
import type { Session } from '../users/sign-in/index.ts';
import { renderErrorPage } from './render/error-page.ts';
import { redirectTo } from './render/layout.ts';
import { safeReturnPath, withReturnPath } from './auth/return-path.ts';
import { isOwnForm, type Visitor, loadVisitor } from './visitor.ts';

type PageMethod = 'GET' | 'POST' | 'DELETE';
const routeByMethod = { GET: get, POST: post, DELETE: del };

interface PageOptions<Params extends TObject, Input extends TObject> {
  readonly summary: string;
  readonly params?: Params;
  readonly input?: Input;
  readonly rateLimit?: RateLimitFamily;
  /** For forms with files: they may also arrive slowly. By default that of every form. */
  readonly bodyLimit?: number;
  /** Part of the client API: listed in the OpenAPI document. */
  readonly documented?: boolean;
  /** Also answers blocked IP addresses. */
  readonly ignoresBlocks?: boolean;
  /** False if a token in the URL authorizes the request, as for one-click requests of mail programs. Default true. */
  readonly needsFormToken?: boolean;
  /** A replica may answer visitors. */
  readonly readsReplica?: 'always';
  handle(request: {
    visitor: Visitor;
    params: Static<Params>;
    input: Static<Input>;
  }): Promise<HttpResponse> | HttpResponse;
}

/**
 * Declares the route of a page. Other methods than GET need the CSRF token of a form in this browser, else 422. Errors are
 * rendered as pages.
 */
export function pageRoute<Params extends TObject = TObject<{}>, Input extends TObject = TObject<{}>>(
  method: PageMethod,
  path: string,
  options: PageOptions<Params, Input>,
): Route {
  const { summary, params, input, rateLimit, bodyLimit, documented, needsFormToken = true, handle } = options;
  const { ignoresBlocks = false, readsReplica } = options;
  return routeByMethod[method](path, {
    summary,
    access: 'page',
    undocumented: documented !== true,
    ignoresBlocks,
    response: Type.Any(),
    ...(readsReplica !== undefined && { readsReplica }),
    input: Type.Object({ ...input?.properties, authenticity_token: Type.Optional(Type.String()) }),
    ...(params !== undefined && { params }),
    ...(rateLimit !== undefined && { rateLimit }),
    ...(bodyLimit !== undefined && { bodyLimit, allowSlowBody: true }),
    async handle(received): Promise<HttpResponse> {
      const visitor = await loadVisitor(received.app, received.request);
      try {
        if (method !== 'GET' && needsFormToken) {
          const place = checkForm(visitor, received.input.authenticity_token, received.input);
          if (place !== undefined) return redirectTo(visitor, place);
        }
        return await handle({
          visitor,
          params: received.params,
          input: received.input as Static<Input>,
        });
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        const { status, text, json, headers } = await renderErrorPage(visitor, error.status, error.text);
        return new HttpResponse({
          status,
          json,
          headers: { ...headers, ...error.headers },
          ...(text !== undefined && { text }),
        });
      }
    },
  });
}

/**
 * Throws 422 unless one of our pages in this browser sent the form (CSRF). Returns a path instead, where the visitor continues,
 * if a session began or ended after the form was shown: it may have been submitted twice.
 */
function checkForm(
  visitor: Visitor,
  token: string | undefined,
  { return_to: returnTo }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (isOwnForm(visitor, token)) return undefined;
  if (visitor.isFormTokenOfVisit(token)) {
    const path = safeReturnPath(visitor.app, typeof returnTo === 'string' ? returnTo : undefined);
    return withReturnPath('/auth/setup', path);
  }
  if (visitor.hasEndedSession) return '/auth/sign_in';
  throw unprocessable('http.unprocessable');
}

interface SignedInPageOptions<Params extends TObject, Input extends TObject> extends Omit<
  PageOptions<Params, Input>,
  'handle'
> {
  /** Whether users may see it who are unconfirmed, not approved yet, or disabled. */
  readonly allowInactive?: boolean;
  /** Whether users may see it who must set up a second factor first. */
  readonly allowWithoutSecondFactor?: boolean;
  handle(request: {
    visitor: Visitor;
    session: Session;
    params: Static<Params>;
    input: Static<Input>;
  }): Promise<HttpResponse> | HttpResponse;
}

/** Declares the route of a page for signed-in users. Others sign in first and return to the same URL. */
export function signedInPageRoute<Params extends TObject = TObject<{}>, Input extends TObject = TObject<{}>>(
  method: PageMethod,
  path: string,
  options: SignedInPageOptions<Params, Input>,
): Route {
  return pageRoute(method, path, {
    ...options,
    async handle(received) {
      const { visitor } = received;
      const { app } = visitor;
      const session = findPermittedSession(visitor, options);
      if (session instanceof HttpResponse) return session;
      const { rateLimit } = options;
      if (rateLimit !== undefined && rateLimit !== 'none') {
        await countAccountRequest(app, rateLimit, session.accountId);
      }
      return options.handle({ ...received, session });
    },
  });
}

type PermittedStates = Pick<SignedInPageOptions<TObject, TObject>, 'allowInactive' | 'allowWithoutSecondFactor'>;

/**
 * Returns the session of a visitor who may open a page. For others it returns a redirect: to sign in, or to finish setting
 * up their account. After a GET request they return to the same URL.
 */
export function findPermittedSession(visitor: Visitor, permitted: PermittedStates = {}): Session | HttpResponse {
  const { session, request } = visitor;
  const back = request.method === 'GET' ? request.url : undefined;
  if (session === undefined) return redirectTo(visitor, withReturnPath('/auth/sign_in', back));
  if (mayOpen(session, permitted)) return session;
  const isWithout = session.refusal === 'lacksSecondFactor';
  return redirectTo(visitor, isWithout ? '/settings/two_factor' : withReturnPath('/auth/setup', back));
}

/** Awaits a removal by a form. One that finds nothing was submitted twice, and is done. */
export async function removeByForm(removal: Promise<unknown>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 404) throw error;
  }
}

function mayOpen({ refusal }: Session, { allowInactive, allowWithoutSecondFactor }: PermittedStates): boolean {
  if (refusal === undefined || allowInactive === true) return true;
  return refusal === 'lacksSecondFactor' && allowWithoutSecondFactor === true;
}
