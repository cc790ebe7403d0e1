import { Type } from 'typebox';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { App } from '../../platform/app.ts';
import { html } from '../../platform/http/html.ts';
import { tooManyRequests } from '../../platform/http/http-errors.ts';
import type { Route } from '../../platform/http/routes.ts';
import { confirmEmail, findConfirmation, resendConfirmation, type Confirmation } from '../../users/sign-up/index.ts';
import { loadUser } from '../../users/index.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { errorSummary, field, form, type FormErrors, formErrors, hiddenField, notice } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { signedInPageRoute, pageRoute } from '../page-routes.ts';
import { safeReturnPath, withReturnPath } from './return-path.ts';
import type { Visitor } from '../visitor.ts';

const text = Type.Optional(Type.String());

export const confirmationRoutes: readonly Route[] = [
  // Programs that check mails for malware open every link, so opening one only shows a button.
  pageRoute('GET', '/auth/confirmation', {
    summary: 'Ask whether to confirm an e-mail address, by the link in a mail',
    input: Type.Object({ confirmation_token: text }),
    async handle({ visitor, input: { confirmation_token: token = '' } }) {
      const found = await findConfirmation(visitor.app, token);
      return 'email' in found ? confirmPage(visitor, token, found.email) : outcomePage(visitor, found);
    },
  }),

  // The token of the mail authorizes the request, also in a browser that keeps no cookies.
  pageRoute('POST', '/auth/confirmation', {
    summary: 'Confirm an e-mail address',
    needsFormToken: false,
    input: Type.Object({ confirmation_token: text }),
    handle: async ({ visitor, input: { confirmation_token: token = '' } }) =>
      outcomePage(visitor, await confirmEmail(visitor.app, token)),
  }),

  // The address in Mastodon: apps link to it.
  pageRoute('GET', '/auth/confirmation/new', {
    summary: 'Show the form to resend the confirmation mail',
    handle: ({ visitor }) => redirectTo(visitor, '/auth/setup'),
  }),

  signedInPageRoute('GET', '/auth/setup', {
    summary: 'Show what the account is waiting for',
    allowInactive: true,
    input: Type.Object({ return_to: text, sent: Type.Optional(Type.Boolean()) }),
    handle({ visitor, session, input }) {
      const returnTo = safeReturnPath(visitor.app, input.return_to);
      if (session.refusal === undefined) return redirectTo(visitor, returnTo ?? '/');
      if (returnTo !== undefined) visitor.storeReturnPath(returnTo);
      return setupPage(visitor, { session, returnTo, isSent: input.sent === true });
    },
  }),

  signedInPageRoute('POST', '/auth/setup', {
    summary: 'Resend the confirmation mail',
    allowInactive: true,
    rateLimit: 'confirmations',
    input: Type.Object({ return_to: text, email: text }),
    async handle({ visitor, session, input }) {
      const returnTo = safeReturnPath(visitor.app, input.return_to);
      await limitConfirmationMails(visitor.app, session);
      try {
        await resendConfirmation(visitor.app, session.userId, input.email);
      } catch (error) {
        return setupPage(visitor, { session, returnTo, email: input.email, errors: formErrors(visitor, error) });
      }
      return redirectTo(visitor, withReturnPath('/auth/setup?sent=1', returnTo));
    },
  }),
];

async function limitConfirmationMails(app: App, { userId }: Session): Promise<void> {
  if (!app.config.RATE_LIMITS) return;
  const { remaining } = await app.rateLimiter.take(`confirmation-mails:${userId}`, 5, 1800);
  if (remaining < 0) throw tooManyRequests();
}

async function outcomePage(visitor: Visitor, { outcome, userId }: Confirmation): Promise<HttpResponse> {
  if (outcome !== 'confirmed') return invalidLinkPage(visitor, outcome);
  const isApproved = userId === undefined || (await loadUser(visitor.app, userId)).isApproved;
  return confirmedPage(visitor, isApproved);
}

function confirmPage(visitor: Visitor, token: string, email: string): Promise<HttpResponse> {
  const { t } = visitor;
  return renderPage(visitor, {
    title: t('mail.confirmAction'),
    body: html`<div class="card">
      <h1>${t('mail.confirmAction')}</h1>
      <p>${t.html('auth.confirmQuestion', { email: html`<strong>${email}</strong>` })}</p>
      ${form(
        visitor,
        '/auth/confirmation',
        html`${hiddenField('confirmation_token', token)}
          <div class="buttons"><button>${t('mail.confirmAction')}</button></div>`,
      )}
    </div>`,
  });
}

function confirmedPage(visitor: Visitor, isApproved: boolean): Promise<HttpResponse> {
  const { t } = visitor;
  const returnTo = safeReturnPath(visitor.app, visitor.storedReturnPath());
  if (returnTo !== undefined) visitor.deleteReturnPath();
  const next = withReturnPath('/auth/setup', returnTo);
  return renderPage(visitor, {
    title: t('auth.confirmedTitle'),
    body: html`<div class="card">
      <h1>${t('auth.confirmedHeading')}</h1>
      <p>${t(isApproved ? 'auth.confirmedApproved' : 'auth.awaitingApproval')}</p>
      <div class="buttons">
        <a class="button" href="${visitor.session === undefined ? withReturnPath('/auth/sign_in', returnTo) : next}"
          >${t('auth.continue')}</a
        >
      </div>
    </div>`,
  });
}

function invalidLinkPage(visitor: Visitor, outcome: 'invalid' | 'expired'): Promise<HttpResponse> {
  const { t } = visitor;
  const words = t(outcome === 'expired' ? 'auth.linkExpired' : 'auth.linkReplaced');
  return renderPage(visitor, {
    title: t('auth.badLinkTitle'),
    status: 422,
    body: html`<div class="card">
      <h1>${t('auth.badLinkTitle')}</h1>
      <p>${words}</p>
      <div class="buttons"><a class="button" href="/auth/setup">${t('auth.sendNewLink')}</a></div>
    </div>`,
  });
}

interface SetupState {
  readonly session: Session;
  readonly returnTo: string | undefined;
  readonly isSent?: boolean;
  readonly email?: string | undefined;
  readonly errors?: FormErrors;
}

function setupPage(visitor: Visitor, { session, returnTo, isSent, email, errors }: SetupState): Promise<HttpResponse> {
  if (session.isConfirmed) return inactiveAccountPage(visitor, session);
  const { t } = visitor;
  const fields = html`${hiddenField('return_to', returnTo)}
    ${field({ label: t('auth.emailAddress'), name: 'email', type: 'email', value: email ?? session.email, errors, autocomplete: 'email', hint: t('auth.canCorrectEmail') })}
    <div class="buttons">
      <button class="quiet">${t('auth.sendAgain')}</button>
      ${returnTo !== undefined && html`<a class="button" href="${returnTo}">${t('auth.haveConfirmed')}</a>`}
    </div>`;
  return renderPage(visitor, {
    title: t('auth.checkMail'),
    status: errors === undefined ? 200 : 422,
    body: html`<div class="card">
      <h1>${t('auth.checkMail')}</h1>
      ${isSent === true && notice(t('auth.sentAgain'), 'good')}${errorSummary(visitor, errors)}
      <p>${t.html('auth.confirmationSent', { email: html`<strong>${session.email}</strong>` })}</p>
      ${form(visitor, '/auth/setup', fields)}
    </div>`,
  });
}

function inactiveAccountPage(visitor: Visitor, { refusal }: Session): Promise<HttpResponse> {
  const { t } = visitor;
  const isPending = refusal === 'pending';
  const title = t(isPending ? 'auth.waitingTitle' : 'auth.disabledTitle');
  return renderPage(visitor, {
    title,
    status: isPending ? 200 : 403,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p>${t(isPending ? 'auth.awaitingApproval' : 'auth.disabled')}</p>
      <p><a href="/about">${t('auth.contactStaff')}</a></p>
    </div>`,
  });
}
