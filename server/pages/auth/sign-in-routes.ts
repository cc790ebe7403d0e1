import { Type } from 'typebox';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html } from '../../platform/http/html.ts';
import type { Route } from '../../platform/http/routes.ts';
import { siteSettings } from '../../site/index.ts';
import { deleteSession, signIn } from '../../users/sign-in/index.ts';
import { signInOptions, signInWithPasskey } from '../../users/passkeys/index.ts';
import { challengeKey, passkeyForm, passkeyScript } from '../security/passkey-form.ts';
import { field, form, hiddenField, notice } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { pageRoute } from '../page-routes.ts';
import { safeReturnPath, withReturnPath } from './return-path.ts';
import { finishSignIn, secondStepPath } from './second-step-routes.ts';
import type { Visitor } from '../visitor.ts';

const text = Type.Optional(Type.String());
const returnInput = { return_to: text };

const signOutRoute = (method: 'POST' | 'DELETE', path: string): Route =>
  pageRoute(method, path, {
    summary: 'Sign out',
    async handle({ visitor }) {
      if (visitor.session !== undefined) await deleteSession(visitor.app, visitor.session.id);
      visitor.signOut();
      return redirectTo(visitor, '/');
    },
  });

export const signInRoutes: readonly Route[] = [
  pageRoute('GET', '/auth/sign_in', {
    summary: 'Show the form to sign in',
    input: Type.Object({ ...returnInput, force: Type.Optional(Type.Boolean()) }),
    handle({ visitor, input }) {
      const returnTo = safeReturnPath(visitor.app, input.return_to);
      if (visitor.session !== undefined && input.force !== true) return redirectTo(visitor, returnTo ?? '/');
      return signInPage(visitor, { returnTo });
    },
  }),

  pageRoute('POST', '/auth/sign_in', {
    summary: 'Sign in',
    rateLimit: 'sign-in',
    input: Type.Object({ ...returnInput, email: text, password: text }),
    async handle({ visitor, input: { email = '', password = '', return_to } }) {
      const { app } = visitor;
      const returnTo = safeReturnPath(app, return_to);
      const signedIn = await signIn(app, { email, password, ...visitor.origin() });
      if (signedIn === undefined) return signInPage(visitor, { returnTo, email, isWrong: true });
      if (!signedIn.needsSecondFactor) return finishSignIn(visitor, signedIn.secret, returnTo);
      visitor.storePendingSignIn(signedIn.secret);
      return redirectTo(visitor, withReturnPath(secondStepPath, returnTo));
    },
  }),

  pageRoute('POST', '/auth/sign_in/passkey', {
    summary: 'Sign in with a passkey alone',
    rateLimit: 'sign-in',
    input: Type.Object({ ...returnInput, credential: text }),
    async handle({ visitor, input: { credential = '', return_to } }) {
      const returnTo = safeReturnPath(visitor.app, return_to);
      const attempt = { credential, key: challengeKey(visitor, 'sign-in'), origin: visitor.origin() };
      const secret = await signInWithPasskey(visitor.app, attempt);
      if (secret === undefined) return signInPage(visitor, { returnTo, isPasskeyWrong: true });
      return finishSignIn(visitor, secret, returnTo);
    },
  }),

  signOutRoute('POST', '/auth/sign_out'),
  signOutRoute('DELETE', '/auth/sign_out'),
];

async function signInPage(
  visitor: Visitor,
  state: { returnTo: string | undefined; email?: string; isWrong?: boolean; isPasskeyWrong?: boolean },
): Promise<HttpResponse> {
  const { returnTo, email, isWrong = false, isPasskeyWrong = false } = state;
  const { t } = visitor;
  const { title } = await siteSettings(visitor.app);
  const fields = html`${hiddenField('return_to', returnTo)}
    ${field({ label: t('auth.emailOrUsername'), name: 'email', value: email, autocomplete: 'username' })}
    ${field({ label: t('auth.password'), name: 'password', type: 'password', autocomplete: 'current-password' })}
    <div class="buttons">
      <button>${t('pages.signIn')}</button><a href="/auth/password/new">${t('auth.forgotPassword')}</a>
    </div>`;
  return renderPage(visitor, {
    title: t('pages.signIn'),
    status: isWrong || isPasskeyWrong ? 422 : 200,
    script: passkeyScript,
    body: html`<div class="card">
        <h1>${t('auth.signInTo', { site: title })}</h1>
        ${isWrong && notice(t('auth.wrongSignIn'), 'bad')}
        ${isPasskeyWrong && notice(t('security.passkeyFailed'), 'bad')} ${form(visitor, '/auth/sign_in', fields)}
        ${passkeyForm(visitor, {
          action: '/auth/sign_in/passkey',
          ceremony: 'get',
          options: signInOptions(visitor.app, challengeKey(visitor, 'sign-in')),
          body: html`${hiddenField('return_to', returnTo)}
            <div class="buttons"><button class="quiet">${t('security.signInWithPasskey')}</button></div>`,
        })}
      </div>
      <p>${t('auth.newHere')} <a href="${withReturnPath('/auth/sign_up', returnTo)}">${t('pages.signUp')}</a></p>`,
  });
}
