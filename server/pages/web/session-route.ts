import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { accountHeader, isOwnRequest } from '../../platform/http/cookie-caller.ts';
import { conflict, forbidden, HttpError, unprocessable } from '../../platform/http/http-errors.ts';
import type { HttpResponse, JsonText } from '../../platform/http/http-response.ts';
import { message } from '../../platform/i18n/message.ts';
import { get, post, put, type RequestContext, type Route } from '../../platform/http/routes.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { isOwnForm, loadVisitor, type Visitor } from '../visitor.ts';

type SessionMethod = 'GET' | 'POST' | 'PUT';
const routeByMethod = { GET: get, POST: post, PUT: put };

interface SessionOptions<Params extends TObject, Input extends TObject, Response extends TSchema> {
  readonly summary: string;
  readonly params?: Params;
  readonly input?: Input;
  readonly response: Response;
  /** Whether users may call it who are unconfirmed, not approved yet, or disabled. */
  readonly allowInactive?: boolean;
  handle(request: {
    readonly app: App;
    readonly session: Session;
    readonly visitor: Visitor;
    readonly params: Static<Params>;
    readonly input: Static<Input>;
    readonly request: RequestContext;
  }): Promise<Static<Response> | JsonText<Static<Response>> | HttpResponse>;
}

/**
 * Declares a route of the API for a signed-in browser. Without a session it answers 401. Other methods than GET need the
 * header Fieldfare-Account with the id of the account, or the CSRF token of a page (`<meta name="csrf-token">`) in the
 * header X-CSRF-Token or as `authenticity_token`, else 422. With the id of another account it answers 409.
 */
export function sessionRoute<
  Response extends TSchema,
  Params extends TObject = TObject<{}>,
  Input extends TObject = TObject<{}>,
>(method: SessionMethod, path: string, options: SessionOptions<Params, Input, Response>): Route {
  const { summary, params, input, response, allowInactive = false, handle } = options;
  return routeByMethod[method](path, {
    summary,
    access: 'session',
    response,
    input: Type.Object({ ...input?.properties, authenticity_token: Type.Optional(Type.String()) }),
    ...(params !== undefined && { params }),
    async handle({ app, request, params, input }) {
      const visitor = await loadVisitor(app, request);
      const session = requireSession(visitor, allowInactive);
      const isOfClient = request.headers[accountHeader] !== undefined;
      if (isOfClient) assertOwnAccount(app, session, request);
      const token = input.authenticity_token ?? request.headers['x-csrf-token'];
      if (method !== 'GET' && !isOfClient && !isOwnForm(visitor, typeof token === 'string' ? token : undefined))
        throw unprocessable('web.csrfTokenInvalid');
      return handle({
        app,
        session,
        visitor,
        request,
        params,
        input: input as Static<Input>,
      });
    },
  });
}

/** Throws 422 for a request of another site, 409 if the client acts for another account than that of the session. */
function assertOwnAccount(app: App, { accountId }: Session, request: RequestContext): void {
  if (!isOwnRequest(app, request)) throw unprocessable('web.csrfTokenInvalid');
  if (request.headers[accountHeader] !== accountId) throw conflict('web.accountChanged');
}

function requireSession({ session }: Visitor, allowInactive: boolean): Session {
  if (session === undefined) throw new HttpError(401, message('http.requiresUser'));
  if (session.refusal !== undefined && !allowInactive) throw forbidden(`users.${session.refusal}`);
  return session;
}
