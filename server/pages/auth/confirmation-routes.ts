import { Type } from 'typebox';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { App } from '../../platform/app.ts';
import { html } from '../../platform/http/html.ts';
import { tooManyRequests } from '../../platform/http/http-errors.ts';
import type { Route } from '../../platform/http/routes.ts';
import { confirmEmail, resendConfirmation } from '../../users/sign-up/index.ts';
import { loadUser } from '../../users/index.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { errorSummary, field, form, type FormErrors, formErrors, hiddenField, notice } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { signedInPageRoute, pageRoute } from '../page-routes.ts';
import { safeReturnPath, withReturnPath } from './return-path.ts';
import type { Visitor } from '../visitor.ts';

const text = Type.Optional(Type.String());

export const confirmationRoutes: readonly Route[] = [
  pageRoute('GET', '/auth/confirmation', {
    summary: 'Confirms an e-mail address by the link in a mail',
    input: Type.Object({ confirmation_token: text }),
    async handle({ visitor, input }) {
      const { outcome, userId } = await confirmEmail(visitor.app, input.confirmation_token ?? '');
      if (outcome !== 'confirmed') return invalidLinkPage(visitor, outcome);
      const isApproved = userId === undefined || (await loadUser(visitor.app, userId)).isApproved;
      return confirmedPage(visitor, isApproved);
    },
  }),

  // The address in Mastodon: apps link to it.
  pageRoute('GET', '/auth/confirmation/new', {
    summary: 'Form to resend the confirmation mail',
    handle: ({ visitor }) => redirectTo(visitor, '/auth/setup'),
  }),

  signedInPageRoute('GET', '/auth/setup', {
    summary: 'What the account is waiting for',
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
    summary: 'Resends the confirmation mail',
    allowInactive: true,
    rateLimit: 'confirmations',
    input: Type.Object({ return_to: text, email: text }),
    async handle({ visitor, session, input }) {
      const returnTo = safeReturnPath(visitor.app, input.return_to);
      await limitConfirmationMails(visitor.app, session);
      try {
        await resendConfirmation(visitor.app, session.userId, input.email);
      } catch (error) {
        return setupPage(visitor, { session, returnTo, email: input.email, errors: formErrors(error) });
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

function confirmedPage(visitor: Visitor, isApproved: boolean): Promise<HttpResponse> {
  const returnTo = safeReturnPath(visitor.app, visitor.storedReturnPath());
  if (returnTo !== undefined) visitor.deleteReturnPath();
  const next = withReturnPath('/auth/setup', returnTo);
  return renderPage(visitor, {
    title: 'Address confirmed',
    body: html`<div class="card">
      <h1>Thank you, your address is confirmed</h1>
      <p>
        ${
          isApproved
            ? 'You can use your account now, here and in any app.'
            : 'The staff of this server will review your sign-up. We will send you an e-mail when your account is approved.'
        }
      </p>
      <div class="buttons">
        <a class="button" href="${visitor.session === undefined ? withReturnPath('/auth/sign_in', returnTo) : next}"
          >Continue</a
        >
      </div>
    </div>`,
  });
}

function invalidLinkPage(visitor: Visitor, outcome: 'invalid' | 'expired'): Promise<HttpResponse> {
  const words =
    outcome === 'expired'
      ? 'The link has expired: it works for two days.'
      : 'We may have sent you a newer link, or the address was changed.';
  return renderPage(visitor, {
    title: 'This link does not work',
    status: 422,
    body: html`<div class="card">
      <h1>This link does not work</h1>
      <p>${words}</p>
      <div class="buttons"><a class="button" href="/auth/setup">Send a new link</a></div>
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
  const fields = html`${hiddenField('return_to', returnTo)}
    ${field({ label: 'E-mail address', name: 'email', type: 'email', value: email ?? session.email, errors, autocomplete: 'email', hint: 'You can correct it here.' })}
    <div class="buttons">
      <button class="quiet">Send the message again</button>
      ${returnTo !== undefined && html`<a class="button" href="${returnTo}">I have confirmed my address</a>`}
    </div>`;
  return renderPage(visitor, {
    title: 'Check your mail',
    status: errors === undefined ? 200 : 422,
    body: html`<div class="card">
      <h1>Check your mail</h1>
      ${isSent === true && notice('We have sent the message again.', 'good')}${errorSummary(errors)}
      <p>
        We have sent a message to <strong>${session.email}</strong>. Open the link in it to start using your account.
      </p>
      ${form(visitor, '/auth/setup', fields)}
    </div>`,
  });
}

function inactiveAccountPage(visitor: Visitor, { refusal }: Session): Promise<HttpResponse> {
  const isPending = refusal === 'pending';
  const [title, words] = isPending
    ? [
        'Waiting for approval',
        'The staff of this server will review your sign-up. We will send you an e-mail when your account is approved.',
      ]
    : ['Your account is disabled', 'The staff of this server have disabled your account. Contact them to ask why.'];
  return renderPage(visitor, {
    title,
    status: isPending ? 200 : 403,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p>${words}</p>
      <p><a href="/about">How to contact the staff</a></p>
    </div>`,
  });
}
