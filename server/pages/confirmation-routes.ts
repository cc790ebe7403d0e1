import { Type } from 'typebox';
import type { Answer } from '../platform/http/answers.ts';
import type { App } from '../platform/app.ts';
import { html } from '../platform/http/html.ts';
import { tooManyRequests } from '../platform/http/problems.ts';
import type { Route } from '../platform/http/routes.ts';
import { confirmEmail, findUser, resendConfirmation, type Session } from '../users/index.ts';
import { errorSummary, field, form, type FormErrors, formErrors, hidden, notice } from './forms.ts';
import { goTo, render } from './layout.ts';
import { memberPage, page } from './page-routes.ts';
import { safePath, withReturn } from './return-to.ts';
import type { Visitor } from './visitor.ts';

const text = Type.Optional(Type.String());

export const confirmationRoutes: readonly Route[] = [
  page('GET', '/auth/confirmation', {
    summary: 'Confirms an e-mail address by the link from a mail',
    input: Type.Object({ confirmation_token: text }),
    async handle({ visitor, input }) {
      const { outcome, userId } = await confirmEmail(visitor.app, input.confirmation_token ?? '');
      if (outcome !== 'confirmed') return badLinkPage(visitor, outcome);
      const isApproved = userId === undefined || (await findUser(visitor.app, userId)).isApproved;
      return confirmedPage(visitor, isApproved);
    },
  }),

  // Where mails and apps of other servers have this address.
  page('GET', '/auth/confirmation/new', {
    summary: 'Form to have the confirmation sent again',
    handle: ({ visitor }) => goTo(visitor, '/auth/setup'),
  }),

  memberPage('GET', '/auth/setup', {
    summary: 'What is missing before the account can be used',
    evenRefused: true,
    input: Type.Object({ return_to: text, sent: Type.Optional(Type.Boolean()) }),
    handle({ visitor, session, input }) {
      const returnTo = safePath(visitor.app, input.return_to);
      if (session.refusal === undefined) return goTo(visitor, returnTo ?? '/');
      if (returnTo !== undefined) visitor.remember(returnTo);
      return setupPage(visitor, { session, returnTo, isSent: input.sent === true });
    },
  }),

  memberPage('POST', '/auth/setup', {
    summary: 'Sends the confirmation again',
    evenRefused: true,
    rateLimit: 'confirmations',
    input: Type.Object({ return_to: text, email: text }),
    async handle({ visitor, session, input }) {
      const returnTo = safePath(visitor.app, input.return_to);
      await countMails(visitor.app, session);
      try {
        await resendConfirmation(visitor.app, session.userId, input.email);
      } catch (error) {
        return setupPage(visitor, { session, returnTo, email: input.email, errors: formErrors(error) });
      }
      return goTo(visitor, withReturn('/auth/setup?sent=1', returnTo));
    },
  }),
];

async function countMails(app: App, { userId }: Session): Promise<void> {
  if (!app.config.RATE_LIMITS) return;
  const { remaining } = await app.rateLimiter.take(`confirmation-mails:${userId}`, 5, 1800);
  if (remaining < 0) throw tooManyRequests();
}

function confirmedPage(visitor: Visitor, isApproved: boolean): Promise<Answer> {
  const returnTo = safePath(visitor.app, visitor.remembered());
  if (returnTo !== undefined) visitor.forget();
  const next = withReturn('/auth/setup', returnTo);
  return render(visitor, {
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
        <a class="button" href="${visitor.session === undefined ? withReturn('/auth/sign_in', returnTo) : next}"
          >Continue</a
        >
      </div>
    </div>`,
  });
}

function badLinkPage(visitor: Visitor, outcome: 'invalid' | 'expired'): Promise<Answer> {
  const words =
    outcome === 'expired'
      ? 'It was good for two days.'
      : 'A newer one may have been sent, or the address may have been changed since.';
  return render(visitor, {
    title: 'This link does not work',
    status: 422,
    body: html`<div class="card">
      <h1>This link does not work any more</h1>
      <p>${words}</p>
      <div class="buttons"><a class="button" href="/auth/setup">Send a new one</a></div>
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

function setupPage(visitor: Visitor, { session, returnTo, isSent, email, errors }: SetupState): Promise<Answer> {
  if (session.isConfirmed) return waitingPage(visitor, session);
  const fields = html`${hidden('return_to', returnTo)}
    ${field({ label: 'E-mail address', name: 'email', type: 'email', value: email ?? session.email, errors, autocomplete: 'email', hint: 'If it is wrong, correct it.' })}
    <div class="buttons">
      <button class="quiet">Send it again</button>
      ${returnTo !== undefined && html`<a class="button" href="${returnTo}">I have confirmed it: continue</a>`}
    </div>`;
  return render(visitor, {
    title: 'Check your mail',
    status: errors === undefined ? 200 : 422,
    body: html`<div class="card">
      <h1>Check your mail</h1>
      ${isSent === true && notice('It is on its way.', 'good')}${errorSummary(errors)}
      <p>
        We have sent a message to <strong>${session.email}</strong>. Open the link in it to start using your account.
      </p>
      ${form(visitor, '/auth/setup', fields)}
    </div>`,
  });
}

function waitingPage(visitor: Visitor, { refusal }: Session): Promise<Answer> {
  const isPending = refusal?.includes('pending') === true;
  const [title, words] = isPending
    ? [
        'Nearly there',
        'The staff of this server will review your sign-up. We will send you an e-mail when your account is approved.',
      ]
    : ['Your account is disabled', 'The staff of this server have disabled your account. They can tell you why.'];
  return render(visitor, {
    title,
    status: isPending ? 200 : 403,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p>${words}</p>
      <p><a href="/about">How to contact the staff</a></p>
    </div>`,
  });
}
