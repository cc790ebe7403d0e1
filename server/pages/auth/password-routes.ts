import { Type } from 'typebox';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { App } from '../../platform/app.ts';
import { html } from '../../platform/http/html.ts';
import { tooManyRequests } from '../../platform/http/http-errors.ts';
import type { Route } from '../../platform/http/routes.ts';
import { normalizeEmail } from '../../users/sign-up/index.ts';
import {
  assertPasswordsAllowed,
  isResetToken,
  requestPasswordReset,
  resetPassword,
} from '../../users/sign-in/index.ts';
import { errorSummary, field, form, type FormErrors, formErrors, hiddenField } from '../render/forms.ts';
import { renderPage } from '../render/layout.ts';
import { pageRoute } from '../page-routes.ts';
import type { Visitor } from '../visitor.ts';

const text = Type.Optional(Type.String());

export const passwordRoutes: readonly Route[] = [
  pageRoute('GET', '/auth/password/new', {
    summary: 'Show the form to request a password reset',
    handle({ visitor }) {
      assertPasswordsAllowed(visitor.app);
      return resetRequestPage(visitor);
    },
  }),

  pageRoute('POST', '/auth/password', {
    summary: 'Send the mail with the password reset link',
    rateLimit: 'password-reset',
    input: Type.Object({ email: text }),
    async handle({ visitor, input: { email = '' } }) {
      await limitResetMails(visitor.app, email);
      await requestPasswordReset(visitor.app, email);
      const { t } = visitor;
      return renderPage(visitor, {
        title: t('auth.checkMail'),
        body: html`<div class="card">
          <h1>${t('auth.checkMail')}</h1>
          <p>${t('auth.resetSent')}</p>
        </div>`,
      });
    },
  }),

  pageRoute('GET', '/auth/password/edit', {
    summary: 'Show the form for a new password, opened by the link in the mail',
    input: Type.Object({ reset_password_token: text }),
    async handle({ visitor, input: { reset_password_token: token = '' } }) {
      assertPasswordsAllowed(visitor.app);
      return (await isResetToken(visitor.app, token)) ? newPasswordPage(visitor, token) : invalidLinkPage(visitor);
    },
  }),

  pageRoute('POST', '/auth/password/edit', {
    summary: 'Set a new password',
    rateLimit: 'password-reset',
    input: Type.Object({ reset_password_token: text, password: text }),
    async handle({ visitor, input: { reset_password_token: token = '', password = '' } }) {
      try {
        const attempt = { password, origin: visitor.origin() };
        if (!(await resetPassword(visitor.app, token, attempt))) return await invalidLinkPage(visitor);
      } catch (error) {
        return newPasswordPage(visitor, token, formErrors(visitor, error));
      }
      visitor.signOut();
      const { t } = visitor;
      return renderPage(visitor, {
        title: t('auth.passwordChangedTitle'),
        body: html`<div class="card">
          <h1>${t('auth.passwordChangedHeading')}</h1>
          <p>${t('auth.signedOutEverywhere')}</p>
          <div class="buttons"><a class="button" href="/auth/sign_in">${t('session.signIn')}</a></div>
        </div>`,
      });
    },
  }),
];

async function limitResetMails(app: App, email: string): Promise<void> {
  if (!app.config.RATE_LIMITS) return;
  const { remaining } = await app.rateLimiter.take(
    `reset-mails:${normalizeEmail(email).toLowerCase().slice(0, 320)}`,
    5,
    1800,
  );
  if (remaining < 0) throw tooManyRequests();
}

function resetRequestPage(visitor: Visitor): Promise<HttpResponse> {
  const { t } = visitor;
  const fields = html`${field({ label: t('auth.emailAddress'), name: 'email', type: 'email', autocomplete: 'email' })}
    <div class="buttons"><button>${t('auth.sendLink')}</button></div>`;
  return renderPage(visitor, {
    title: t('auth.resetPassword'),
    body: html`<div class="card">
      <h1>${t('auth.resetPassword')}</h1>
      <p>${t('auth.resetHint')}</p>
      ${form(visitor, '/auth/password', fields)}
    </div>`,
  });
}

function newPasswordPage(visitor: Visitor, token: string, errors?: FormErrors): Promise<HttpResponse> {
  const { t } = visitor;
  const fields = html`${hiddenField('reset_password_token', token)}
    ${field({ label: t('auth.newPassword'), name: 'password', type: 'password', errors, autocomplete: 'new-password', hint: t('auth.passwordHint') })}
    <div class="buttons"><button>${t('auth.setPassword')}</button></div>`;
  return renderPage(visitor, {
    title: t('auth.newPassword'),
    status: errors === undefined ? 200 : 422,
    body: html`<div class="card">
      <h1>${t('auth.choosePassword')}</h1>
      ${errorSummary(visitor, errors)} ${form(visitor, '/auth/password/edit', fields)}
    </div>`,
  });
}

function invalidLinkPage(visitor: Visitor): Promise<HttpResponse> {
  const { t } = visitor;
  return renderPage(visitor, {
    title: t('auth.badLinkTitle'),
    status: 422,
    body: html`<div class="card">
      <h1>${t('auth.badLinkTitle')}</h1>
      <p>${t('auth.resetLinkRules')}</p>
      <div class="buttons"><a class="button" href="/auth/password/new">${t('auth.requestNewLink')}</a></div>
    </div>`,
  });
}
