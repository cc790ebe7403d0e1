import { Type } from 'typebox';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html } from '../../platform/http/html.ts';
import type { Route } from '../../platform/http/routes.ts';
import { siteSettings } from '../../site/index.ts';
import { deleteSession, signIn } from '../../users/sign-in/index.ts';
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
    summary: 'Signs out',
    async handle({ visitor }) {
      if (visitor.session !== undefined) await deleteSession(visitor.app, visitor.session.id);
      visitor.signOut();
      return redirectTo(visitor, '/');
    },
  });

export const signInRoutes: readonly Route[] = [
  pageRoute('GET', '/auth/sign_in', {
    summary: 'Form to sign in',
    input: Type.Object({ ...returnInput, force: Type.Optional(Type.Boolean()) }),
    handle({ visitor, input }) {
      const returnTo = safeReturnPath(visitor.app, input.return_to);
      if (visitor.session !== undefined && input.force !== true) return redirectTo(visitor, returnTo ?? '/');
      return signInPage(visitor, { returnTo });
    },
  }),

  pageRoute('POST', '/auth/sign_in', {
    summary: 'Signs in',
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

  signOutRoute('POST', '/auth/sign_out'),
  signOutRoute('DELETE', '/auth/sign_out'),
];

async function signInPage(
  visitor: Visitor,
  state: { returnTo: string | undefined; email?: string; isWrong?: boolean },
): Promise<HttpResponse> {
  const { returnTo, email, isWrong = false } = state;
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
    status: isWrong ? 422 : 200,
    body: html`<div class="card">
        <h1>${t('auth.signInTo', { site: title })}</h1>
        ${isWrong && notice(t('auth.wrongSignIn'), 'bad')} ${form(visitor, '/auth/sign_in', fields)}
      </div>
      <p>${t('auth.newHere')} <a href="${withReturnPath('/auth/sign_up', returnTo)}">${t('pages.signUp')}</a></p>`,
  });
}
