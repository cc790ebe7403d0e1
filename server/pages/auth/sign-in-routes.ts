import { Type } from 'typebox';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html } from '../../platform/http/html.ts';
import type { Route } from '../../platform/http/routes.ts';
import { siteSettings } from '../../site/index.ts';
import { mayUsePasswords, signIn } from '../../users/sign-in/index.ts';
import { signInOptions, signInWithPasskey } from '../../users/passkeys/index.ts';
import { challengeKey, passkeyForm, passkeyScript } from '../security/passkey-form.ts';
import { field, form, notice } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { pageRoute } from '../page-routes.ts';
import { providerSignInLinks } from './provider-links.ts';
import { signInPath, withReturnPath, type SignInState } from './return-path.ts';
import { finishSignIn, parseSignInState, secondStepPath, signInFields } from './second-step-routes.ts';
import type { Visitor } from '../visitor.ts';
import { signedOutPath, signOutOf } from '../web/browser-accounts.ts';

const text = Type.Optional(Type.String());
/** Owners sign in from blocked addresses too. `createSession` refuses others. */
const ignoresBlocks = true;
const stateInput = { return_to: text, add: Type.Optional(Type.Boolean()) };

const signOutRoute = (method: 'POST' | 'DELETE', path: string): Route =>
  pageRoute(method, path, {
    summary: 'Sign out',
    async handle({ visitor }) {
      const active = await signOutOf(visitor);
      return redirectTo(visitor, active === null ? signedOutPath(visitor) : '/');
    },
  });

export const signInRoutes: readonly Route[] = [
  pageRoute('GET', '/auth/sign_in', {
    summary: 'Show the form to sign in',
    ignoresBlocks,
    input: Type.Object({ ...stateInput, force: Type.Optional(Type.Boolean()) }),
    handle({ visitor, input }) {
      const state = parseSignInState(visitor, input);
      const isShown = visitor.session === undefined || input.force === true || state.isAdded;
      return isShown
        ? signInPage(visitor, { ...state, isForced: input.force === true })
        : redirectTo(visitor, state.returnTo ?? '/');
    },
  }),

  pageRoute('POST', '/auth/sign_in', {
    summary: 'Sign in',
    ignoresBlocks,
    rateLimit: 'sign-in',
    input: Type.Object({ ...stateInput, email: text, password: text }),
    async handle({ visitor, input: { email = '', password = '', ...input } }) {
      const state = parseSignInState(visitor, input);
      const signedIn = await signIn(visitor.app, { email, password, ...visitor.origin() });
      if (signedIn === undefined) return signInPage(visitor, { ...state, email, isWrong: true });
      if (!signedIn.needsSecondFactor) return finishSignIn(visitor, signedIn.secret, state);
      visitor.storePendingSignIn(signedIn.secret);
      return redirectTo(visitor, signInPath(secondStepPath, state));
    },
  }),

  pageRoute('POST', '/auth/sign_in/passkey', {
    summary: 'Sign in with a passkey alone',
    ignoresBlocks,
    rateLimit: 'sign-in',
    input: Type.Object({ ...stateInput, credential: text }),
    async handle({ visitor, input: { credential = '', ...input } }) {
      const state = parseSignInState(visitor, input);
      const attempt = { credential, key: challengeKey(visitor, 'sign-in'), origin: visitor.origin() };
      const secret = await signInWithPasskey(visitor.app, attempt);
      if (secret === undefined) return signInPage(visitor, { ...state, isPasskeyWrong: true });
      return finishSignIn(visitor, secret, state);
    },
  }),

  signOutRoute('POST', '/auth/sign_out'),
  signOutRoute('DELETE', '/auth/sign_out'),
];

async function signInPage(
  visitor: Visitor,
  state: SignInState & { email?: string; isWrong?: boolean; isPasskeyWrong?: boolean; isForced?: boolean },
): Promise<HttpResponse> {
  const { returnTo, email, isWrong = false, isPasskeyWrong = false, isForced = false } = state;
  const { t } = visitor;
  const { title } = await siteSettings(visitor.app);
  const hasPasswords = mayUsePasswords(visitor.app);
  const fields = html`${signInFields(state)}
    ${field({ label: t('auth.emailOrUsername'), name: 'email', value: email, autocomplete: 'username' })}
    ${field({ label: t('securitySettings.password'), name: 'password', type: 'password', autocomplete: 'current-password' })}
    <div class="buttons">
      <button>${t('session.signIn')}</button><a href="/auth/password/new">${t('auth.forgotPassword')}</a>
    </div>`;
  return renderPage(visitor, {
    title: t('session.signIn'),
    status: isWrong || isPasskeyWrong ? 422 : 200,
    script: passkeyScript,
    body: html`<div class="card">
        <h1>${t('auth.signInTo', { site: title })}</h1>
        ${isWrong && notice(t('auth.wrongSignIn'), 'bad')}
        ${isPasskeyWrong && notice(t('security.passkeyFailed'), 'bad')} ${providerSignInLinks(visitor, state, isForced)}
        ${hasPasswords && form(visitor, '/auth/sign_in', fields)}
        ${
          hasPasswords &&
          passkeyForm(visitor, {
            action: '/auth/sign_in/passkey',
            ceremony: 'get',
            options: signInOptions(visitor.app, challengeKey(visitor, 'sign-in')),
            body: html`${signInFields(state)}
              <div class="buttons"><button class="quiet">${t('security.signInWithPasskey')}</button></div>`,
          })
        }
      </div>
      <p>${t('auth.newHere')} <a href="${withReturnPath('/auth/sign_up', returnTo)}">${t('pages.signUp')}</a></p>`,
  });
}
