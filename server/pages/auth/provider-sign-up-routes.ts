import { Type } from 'typebox';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html } from '../../platform/http/html.ts';
import type { Route } from '../../platform/http/routes.ts';
import { siteSettings } from '../../site/index.ts';
import {
  findPendingSignUp,
  maySignUpByProvider,
  providerRegistrations,
  signUpByProvider,
  type BrowserSignIn,
  type PendingSignUp,
} from '../../users/identity-providers/index.ts';
import { pageRoute } from '../page-routes.ts';
import { errorSummary, field, form, type FormErrors, formErrors, hiddenField } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { renderRules } from '../render/rules.ts';
import { startActiveSession } from '../web/browser-accounts.ts';
import type { Visitor } from '../visitor.ts';
import { continuePage, failedPage, requireSignIn } from './provider-routes.ts';
import { safeReturnPath, withReturnPath } from './return-path.ts';
import { agreementField, reasonField } from './sign-up-fields.ts';

const text = Type.Optional(Type.String());
const params = Type.Object({ provider: Type.String() });

/** Sign-up of people who have signed in at a provider. */
export const providerSignUpRoutes: readonly Route[] = [
  pageRoute('GET', '/auth/providers/:provider/sign_up', {
    summary: 'Show the form to sign up, after a sign-in at a provider',
    params,
    input: Type.Object({ attempt: text }),
    async handle({ visitor, params: { provider }, input: { attempt: secret = '' } }) {
      const signIn = requireSignIn(visitor, provider);
      const pending = await findPendingSignUp(visitor.app, signIn, secret);
      if (pending === undefined) return failedPage(visitor, signIn, { failure: 'expired' });
      const { username, email } = pending.claims;
      return signUpPage(visitor, { signIn, pending, given: { attempt: secret, username, email } });
    },
  }),

  pageRoute('POST', '/auth/providers/:provider/sign_up', {
    summary: 'Sign up, after a sign-in at a provider',
    rateLimit: 'sign-in',
    params,
    input: Type.Object({
      attempt: text,
      username: text,
      email: text,
      reason: text,
      agreement: Type.Optional(Type.Boolean()),
    }),
    async handle({ visitor, params: { provider }, input }) {
      const { app } = visitor;
      const signIn = requireSignIn(visitor, provider);
      const { attempt: secret = '', username = '', email = '', reason, agreement = false } = input;
      const pending = await findPendingSignUp(app, signIn, secret);
      if (pending === undefined) return signInAgainPage(visitor, signIn);
      if (!(await maySignUpByProvider(app, signIn.provider, pending.inviteCode)))
        return failedPage(visitor, signIn, { failure: 'closed' });
      const signUp = { secret, username: username.trim(), email, reason, agreement, locale: visitor.t.locale };
      let session: string | undefined;
      try {
        session = await signUpByProvider(app, signIn, { ...signUp, origin: visitor.origin() });
      } catch (error) {
        return signUpPage(visitor, { signIn, pending, given: input, errors: formErrors(visitor, error) });
      }
      if (session === undefined) return signInAgainPage(visitor, signIn);
      await startActiveSession(visitor, session, { keepsPrevious: pending.isAdded });
      return redirectTo(visitor, withReturnPath('/auth/setup', safeReturnPath(app, pending.returnTo)));
    },
  }),
];

/**
 * Leads to the provider again. Whoever submitted the form twice has an account after the first time, so they are signed in;
 * anyone else gets a new form.
 */
const signInAgainPage = (visitor: Visitor, { provider }: BrowserSignIn): Promise<HttpResponse> =>
  continuePage(visitor, provider, `/auth/providers/${provider.name}`);

interface SignUpState {
  readonly signIn: BrowserSignIn;
  readonly pending: PendingSignUp;
  readonly given: {
    readonly attempt?: string | undefined;
    readonly username?: string | undefined;
    readonly email?: string | undefined;
    readonly reason?: string | undefined;
    readonly agreement?: boolean | undefined;
  };
  readonly errors?: FormErrors;
}

async function signUpPage(visitor: Visitor, state: SignUpState): Promise<HttpResponse> {
  const { signIn, pending, given, errors } = state;
  const { app, t } = visitor;
  const { claims, inviteCode } = pending;
  const { provider } = signIn;
  if (!(await maySignUpByProvider(app, provider, inviteCode)))
    return failedPage(visitor, signIn, { failure: 'closed' });
  const { title } = await siteSettings(app);
  const { domain } = app.config;
  const needsReason = (await providerRegistrations(app, provider)) === 'approval' && inviteCode === undefined;
  const emailHint = claims.isEmailVerified
    ? t('auth.providerEmailHint', { provider: provider.label })
    : t('auth.emailHint');
  const fields = html`${hiddenField('attempt', given.attempt)}
    ${field({ label: t('auth.username'), name: 'username', value: given.username, errors, autocomplete: 'username', maxLength: 30, hint: t('auth.usernameHint', { domain }) })}
    ${field({ label: t('auth.emailAddress'), name: 'email', type: 'email', value: given.email, errors, autocomplete: 'email', hint: emailHint })}
    ${needsReason && reasonField(visitor, given.reason, errors)}
    ${await agreementField(visitor, given.agreement === true, errors)}
    <div class="buttons"><button>${t('pages.signUp')}</button></div>`;
  return renderPage(visitor, {
    title: t('pages.signUp'),
    status: errors === undefined ? 200 : 422,
    body: html`<div class="card">
        <h1>${t('auth.join', { site: title })}</h1>
        <p>${t('auth.providerNoAccount', { provider: provider.label })}</p>
        ${errorSummary(visitor, errors)} ${await renderRules(visitor)}
        ${form(visitor, `/auth/providers/${provider.name}/sign_up`, fields)}
      </div>
      <p>${t('auth.haveAccount')} <a href="/auth/sign_in?force=1">${t('session.signIn')}</a></p>`,
  });
}
