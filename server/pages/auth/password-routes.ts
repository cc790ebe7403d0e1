import { Type } from 'typebox';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { App } from '../../platform/app.ts';
import { html } from '../../platform/http/html.ts';
import { tooManyRequests } from '../../platform/http/http-errors.ts';
import type { Route } from '../../platform/http/routes.ts';
import { isResetToken, requestPasswordReset, resetPassword } from '../../users/sign-in/index.ts';
import { errorSummary, field, form, type FormErrors, formErrors, hiddenField } from '../render/forms.ts';
import { renderPage } from '../render/layout.ts';
import { pageRoute } from '../page-routes.ts';
import type { Visitor } from '../visitor.ts';

const text = Type.Optional(Type.String());

export const passwordRoutes: readonly Route[] = [
  pageRoute('GET', '/auth/password/new', {
    summary: 'Form to request a password reset',
    handle: ({ visitor }) => resetRequestPage(visitor),
  }),

  pageRoute('POST', '/auth/password', {
    summary: 'Sends the mail with the password reset link',
    rateLimit: 'password-reset',
    input: Type.Object({ email: text }),
    async handle({ visitor, input: { email = '' } }) {
      await limitResetMails(visitor.app, email);
      await requestPasswordReset(visitor.app, email);
      return renderPage(visitor, {
        title: 'Check your mail',
        body: html`<div class="card">
          <h1>Check your mail</h1>
          <p>If an account has this address, we have sent it a message with a link. The link works for six hours.</p>
        </div>`,
      });
    },
  }),

  pageRoute('GET', '/auth/password/edit', {
    summary: 'Form for a new password, opened by the link in the mail',
    input: Type.Object({ reset_password_token: text }),
    async handle({ visitor, input: { reset_password_token: token = '' } }) {
      return (await isResetToken(visitor.app, token)) ? newPasswordPage(visitor, token) : invalidLinkPage(visitor);
    },
  }),

  pageRoute('POST', '/auth/password/edit', {
    summary: 'Sets a new password',
    rateLimit: 'password-reset',
    input: Type.Object({ reset_password_token: text, password: text }),
    async handle({ visitor, input: { reset_password_token: token = '', password = '' } }) {
      try {
        if (!(await resetPassword(visitor.app, token, password))) return await invalidLinkPage(visitor);
      } catch (error) {
        return newPasswordPage(visitor, token, formErrors(error));
      }
      visitor.signOut();
      return renderPage(visitor, {
        title: 'Password changed',
        body: html`<div class="card">
          <h1>Your password was changed</h1>
          <p>All apps and browsers were signed out. Sign in with your new password.</p>
          <div class="buttons"><a class="button" href="/auth/sign_in">Sign in</a></div>
        </div>`,
      });
    },
  }),
];

async function limitResetMails(app: App, email: string): Promise<void> {
  if (!app.config.RATE_LIMITS) return;
  const { remaining } = await app.rateLimiter.take(`reset-mails:${email.trim().toLowerCase().slice(0, 320)}`, 5, 1800);
  if (remaining < 0) throw tooManyRequests();
}

function resetRequestPage(visitor: Visitor): Promise<HttpResponse> {
  const fields = html`${field({ label: 'E-mail address', name: 'email', type: 'email', autocomplete: 'email' })}
    <div class="buttons"><button>Send link</button></div>`;
  return renderPage(visitor, {
    title: 'Reset your password',
    body: html`<div class="card">
      <h1>Reset your password</h1>
      <p>We will send you a link to choose a new password.</p>
      ${form(visitor, '/auth/password', fields)}
    </div>`,
  });
}

function newPasswordPage(visitor: Visitor, token: string, errors?: FormErrors): Promise<HttpResponse> {
  const fields = html`${hiddenField('reset_password_token', token)}
    ${field({ label: 'New password', name: 'password', type: 'password', errors, autocomplete: 'new-password', hint: 'At least 8 characters.' })}
    <div class="buttons"><button>Set password</button></div>`;
  return renderPage(visitor, {
    title: 'New password',
    status: errors === undefined ? 200 : 422,
    body: html`<div class="card">
      <h1>Choose a new password</h1>
      ${errorSummary(errors)} ${form(visitor, '/auth/password/edit', fields)}
    </div>`,
  });
}

function invalidLinkPage(visitor: Visitor): Promise<HttpResponse> {
  return renderPage(visitor, {
    title: 'This link does not work',
    status: 422,
    body: html`<div class="card">
      <h1>This link does not work</h1>
      <p>A link works once, for six hours, and until you request a newer one.</p>
      <div class="buttons"><a class="button" href="/auth/password/new">Request a new link</a></div>
    </div>`,
  });
}
