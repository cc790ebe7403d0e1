import { type Static, type TObject, Type } from 'typebox';
import type { Answer } from '../platform/http/answers.ts';
import { Problem, unprocessable } from '../platform/http/problems.ts';
import { del, get, post, type RateLimitFamily, type Route } from '../platform/http/routes.ts';
import type { Session } from '../users/index.ts';
import { renderError } from './error-page.ts';
import { goTo } from './layout.ts';
import { withReturn } from './return-to.ts';
import { type Visitor, visitorOf } from './visitor.ts';

type PageMethod = 'GET' | 'POST' | 'DELETE';
const define = { GET: get, POST: post, DELETE: del };

interface PageOptions<Params extends TObject, Input extends TObject> {
  readonly summary: string;
  readonly params?: Params;
  readonly input?: Input;
  readonly rateLimit?: RateLimitFamily;
  /** Part of the client interface: listed in the OpenAPI document. */
  readonly documented?: boolean;
  handle(request: { visitor: Visitor; params: Static<Params>; input: Static<Input> }): Promise<Answer> | Answer;
}

/**
 * A page as a route. Whatever is not a GET must carry the proof that one of our forms in this browser sent it (422
 * otherwise); problems are shown as pages.
 */
export function page<Params extends TObject = TObject<{}>, Input extends TObject = TObject<{}>>(
  method: PageMethod,
  path: string,
  options: PageOptions<Params, Input>,
): Route {
  const { summary, params, input, rateLimit, documented, handle } = options;
  return define[method](path, {
    summary,
    access: 'page',
    undocumented: documented !== true,
    response: Type.Any(),
    input: Type.Object({ ...input?.properties, authenticity_token: Type.Optional(Type.String()) }),
    ...(params !== undefined && { params }),
    ...(rateLimit !== undefined && { rateLimit }),
    async handle(received): Promise<Answer> {
      const visitor = await visitorOf(received.app, received.request);
      try {
        if (method !== 'GET') requireOwnForm(visitor, received.input.authenticity_token);
        return await handle({
          visitor,
          params: received.params as Static<Params>,
          input: received.input as Static<Input>,
        });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return renderError(visitor, error.status, error.message);
      }
    },
  });
}

interface MemberOptions<Params extends TObject, Input extends TObject> extends Omit<
  PageOptions<Params, Input>,
  'handle'
> {
  /** Those who are not confirmed, approved or allowed (any more) see it too. */
  readonly evenRefused?: boolean;
  handle(request: {
    visitor: Visitor;
    session: Session;
    params: Static<Params>;
    input: Static<Input>;
  }): Promise<Answer> | Answer;
}

/** A page for those who are signed in; others sign in first and come back with everything they brought. */
export function memberPage<Params extends TObject = TObject<{}>, Input extends TObject = TObject<{}>>(
  method: PageMethod,
  path: string,
  options: MemberOptions<Params, Input>,
): Route {
  return page(method, path, {
    ...options,
    handle(received) {
      const { visitor } = received;
      const { session } = visitor;
      const back = method === 'GET' ? visitor.request.url : undefined;
      if (session === undefined) return goTo(visitor, withReturn('/auth/sign_in', back));
      if (session.refusal !== undefined && options.evenRefused !== true) {
        return goTo(visitor, withReturn('/auth/setup', back));
      }
      return options.handle({ ...received, session });
    },
  });
}

function requireOwnForm(visitor: Visitor, proof: string | undefined): void {
  const isForeign = visitor.request.headers['sec-fetch-site'] === 'cross-site';
  if (isForeign || !visitor.holds(proof)) throw unprocessable('Unprocessable Content');
}
