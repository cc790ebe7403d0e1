import { Type } from 'typebox';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html } from '../../platform/http/html.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Route } from '../../platform/http/routes.ts';
import type { SignInProvider } from '../../platform/sign-in-providers.ts';
import {
  beginProviderSignIn,
  completeProviderSignIn,
  findProvider,
  ProviderError,
  type BrowserSignIn,
  type ProviderOutcome,
} from '../../users/identity-providers/index.ts';
import { pageRoute } from '../page-routes.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';
import { withParameters } from '../../oauth/authorize/index.ts';
import { safeReturnPath, signInPath, type SignInState } from './return-path.ts';
import { finishSignIn, parseSignInState, secondStepPath } from './second-step-routes.ts';

const text = Type.Optional(Type.String());
const params = Type.Object({ provider: Type.String() });
/** Owners sign in from blocked addresses too. `createSession` refuses others. */
const ignoresBlocks = true;

/** The browser's way to a provider and back. */
export const providerRoutes: readonly Route[] = [
  pageRoute('GET', '/auth/providers/:provider', {
    summary: 'Redirect to a provider to sign in there',
    ignoresBlocks,
    rateLimit: 'sign-in',
    params,
    input: Type.Object({
      return_to: text,
      add: Type.Optional(Type.Boolean()),
      force: Type.Optional(Type.Boolean()),
      invite_code: text,
    }),
    async handle({ visitor, params: { provider }, input: { invite_code: inviteCode, force, ...input } }) {
      const signIn = requireSignIn(visitor, provider);
      const state = parseSignInState(visitor, input);
      const purpose = { ...state, inviteCode, isForced: force === true || state.isAdded };
      try {
        return redirectTo(visitor, await beginProviderSignIn(visitor.app, signIn, purpose));
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        return failedPage(visitor, signIn, { failure: error.failure, state });
      }
    },
  }),

  pageRoute('GET', '/auth/providers/:provider/callback', {
    summary: 'Complete a sign-in at a provider, which redirects here',
    ignoresBlocks,
    params,
    input: Type.Object({ state: text }),
    async handle({ visitor, params: { provider }, input: { state = '' } }) {
      const signIn = requireSignIn(visitor, provider);
      const { app, request, session } = visitor;
      const { search: query } = new URL(request.url, app.config.baseUrl);
      const callback = { state, query, origin: visitor.origin(), userId: session?.userId };
      return showOutcome(visitor, signIn, await completeProviderSignIn(app, signIn, callback));
    },
  }),
];

/** Returns a sign-in of this browser with a provider. Throws 404 if there is no such provider. */
export function requireSignIn(visitor: Visitor, name: string): BrowserSignIn {
  const provider = findProvider(visitor.app, name);
  if (provider === undefined) throw notFound();
  return { provider, browserKey: visitor.browserKey('provider-sign-in') };
}

function showOutcome(visitor: Visitor, signIn: BrowserSignIn, result: ProviderOutcome): Promise<HttpResponse> {
  switch (result.outcome) {
    case 'signed-in': {
      const state = stateOf(visitor, result.purpose);
      const { secret, needsSecondFactor } = result.signedIn;
      if (!needsSecondFactor) return finishSignIn(visitor, secret, state);
      visitor.storePendingSignIn(secret);
      return Promise.resolve(redirectTo(visitor, signInPath(secondStepPath, state)));
    }
    case 'unknown': {
      const path = `/auth/providers/${signIn.provider.name}/sign_up`;
      return Promise.resolve(redirectTo(visitor, withParameters(path, { attempt: result.secret })));
    }
    case 'linked':
      return Promise.resolve(redirectTo(visitor, '/settings/linked_sign_ins'));
    case 'expired':
      return failedPage(visitor, signIn, { failure: 'expired' });
    default:
      return failedPage(visitor, signIn, { failure: result.outcome, state: stateOf(visitor, result.purpose) });
  }
}

const stateOf = ({ app }: Visitor, { returnTo, isAdded }: SignInState): SignInState => ({
  returnTo: safeReturnPath(app, returnTo),
  isAdded,
});

/** Leads to a provider. A redirect would need the address of the provider in the policy for the forms of the page before. */
export function continuePage(visitor: Visitor, { label }: SignInProvider, url: string): Promise<HttpResponse> {
  const title = visitor.t('auth.signInWith', { provider: label });
  return renderPage(visitor, {
    title,
    head: html`<meta http-equiv="refresh" content="0;url=${url}" />`,
    body: html`<div class="card">
      <h1>${title}</h1>
      <div class="buttons"><a class="button" href="${url}">${visitor.t('auth.continue')}</a></div>
    </div>`,
  });
}

const failures = {
  denied: { status: 403, text: 'auth.providerDenied' },
  unavailable: { status: 503, text: 'auth.providerUnavailable' },
  invalid: { status: 502, text: 'auth.providerInvalid' },
  expired: { status: 422, text: 'auth.providerExpired' },
  conflict: { status: 422, text: 'auth.providerConflict' },
  closed: { status: 403, text: 'auth.providerClosed' },
} as const;

/** Renders why someone cannot sign in or sign up with a provider, and how to go on. */
export function failedPage(
  visitor: Visitor,
  { provider }: BrowserSignIn,
  { failure, state }: { readonly failure: keyof typeof failures; readonly state?: SignInState },
): Promise<HttpResponse> {
  const { t } = visitor;
  const start = '/auth/sign_in?force=1';
  const { status, text: reason } = failures[failure];
  const title = t('auth.providerFailedTitle', { provider: provider.label });
  return renderPage(visitor, {
    title,
    status,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p>${t(reason, { provider: provider.label })}</p>
      <div class="buttons">
        <a class="button" href="${state === undefined ? start : signInPath(start, state)}"
          >${t('security.startAgain')}</a
        >
      </div>
    </div>`,
  });
}
