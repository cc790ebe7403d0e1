import { Type } from 'typebox';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html } from '../../platform/http/html.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import type { Route } from '../../platform/http/routes.ts';
import { siteSettings } from '../../site/index.ts';
import { isSignInLink, signInByLink } from '../../users/sign-in-links/index.ts';
import { pageRoute } from '../page-routes.ts';
import { form, hiddenField } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';
import { signInPath } from './return-path.ts';
import { finishSignIn, secondStepPath } from './second-step-routes.ts';

const input = Type.Object({ token: Type.Optional(Type.String()) });
const path = '/auth/sign_in/link';
/** Owners sign in from blocked addresses too. `createSession` refuses others. */
const ignoresBlocks = true;
const state = { returnTo: undefined, isAdded: false };

/** Sign-in by a link that the command line prints. */
export const signInLinkRoutes: readonly Route[] = [
  // Programs that preview links open them, so opening one only shows a button.
  pageRoute('GET', '/auth/sign_in/link', {
    summary: 'Ask whether to sign in, by a link of the command line',
    ignoresBlocks,
    rateLimit: 'sign-in',
    input,
    async handle({ visitor, input: { token = '' } }) {
      if (!(await isSignInLink(visitor.app, token))) throw forbidden('pages.linkUsed');
      return linkPage(visitor, token);
    },
  }),

  pageRoute('POST', '/auth/sign_in/link', {
    summary: 'Sign in by a link of the command line',
    ignoresBlocks,
    rateLimit: 'sign-in',
    input,
    async handle({ visitor, input: { token = '' } }) {
      const signedIn = await signInByLink(visitor.app, token, visitor.origin());
      if (signedIn === undefined) throw forbidden('pages.linkUsed');
      if (!signedIn.needsSecondFactor) return finishSignIn(visitor, signedIn.secret, state);
      visitor.storePendingSignIn(signedIn.secret);
      return redirectTo(visitor, signInPath(secondStepPath, state));
    },
  }),
];

async function linkPage(visitor: Visitor, token: string): Promise<HttpResponse> {
  const { t } = visitor;
  const { title: site } = await siteSettings(visitor.app);
  return renderPage(visitor, {
    title: t('session.signIn'),
    body: html`<div class="card">
      <h1>${t('auth.signInTo', { site })}</h1>
      ${form(
        visitor,
        path,
        html`${hiddenField('token', token)}
          <div class="buttons"><button>${t('session.signIn')}</button></div>`,
      )}
    </div>`,
  });
}
