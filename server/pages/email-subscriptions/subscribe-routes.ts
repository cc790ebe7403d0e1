import { Type } from 'typebox';
import { findLocalAccount } from '../../accounts/find/index.ts';
import { isSubscribable, requestSubscription } from '../../email-subscriptions/index.ts';
import { html } from '../../platform/http/html.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import type { AccountId } from '../../platform/ids.ts';
import { pageRoute } from '../page-routes.ts';
import { field, form, formErrors, hiddenField, type FormErrors } from '../render/forms.ts';
import { renderPage } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';

const acct = Type.String({ description: 'Username of a local account' });

/** The form with which visitors subscribe to an account by e-mail. */
export const subscribeRoutes: readonly Route[] = [
  pageRoute('GET', '/email_subscriptions/new', {
    summary: 'Show the form to subscribe to an account by e-mail',
    input: Type.Object({ acct }),
    async handle({ visitor, input }) {
      await requireSubscribable(visitor, input.acct);
      return formPage(visitor, { acct: input.acct });
    },
  }),

  pageRoute('POST', '/email_subscriptions', {
    summary: 'Send the mail that confirms a subscription',
    rateLimit: 'email-subscriptions',
    input: Type.Object({ acct: Type.Optional(acct), email: Type.Optional(Type.String()) }),
    async handle({ visitor, input: { acct: name = '', email = '' } }) {
      const accountId = await requireSubscribable(visitor, name);
      try {
        await requestSubscription(visitor.app, { accountId, email, locale: visitor.t.locale });
      } catch (error) {
        return formPage(visitor, { acct: name, email, errors: formErrors(visitor, error) });
      }
      return checkMailPage(visitor, email);
    },
  }),
];

/** Throws 404 unless the account exists and takes subscribers. */
async function requireSubscribable({ app }: Visitor, name: string): Promise<AccountId> {
  const account = await findLocalAccount(app, name);
  if (account === undefined || !(await isSubscribable(app, account.id))) throw notFound();
  return account.id;
}

interface FormState {
  readonly acct: string;
  readonly email?: string;
  readonly errors?: FormErrors;
}

function formPage(visitor: Visitor, { acct: name, email, errors }: FormState): Promise<HttpResponse> {
  const { t } = visitor;
  const title = t('emailSubscriptions.subscribeTitle', { handle: `@${name}` });
  const fields = html`${hiddenField('acct', name)}
    ${field({ label: t('emailSubscriptions.addressLabel'), name: 'email', type: 'email', value: email, errors, autocomplete: 'email' })}
    <div class="buttons"><button>${t('emailSubscriptions.subscribe')}</button></div>`;
  return renderPage(visitor, {
    title,
    status: errors === undefined ? 200 : 422,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p>${t('emailSubscriptions.subscribeHint')}</p>
      ${form(visitor, '/email_subscriptions', fields)}
    </div>`,
  });
}

function checkMailPage(visitor: Visitor, email: string): Promise<HttpResponse> {
  const { t } = visitor;
  const title = t('emailSubscriptions.checkMailTitle');
  return renderPage(visitor, {
    title,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p>${t('emailSubscriptions.checkMail', { email })}</p>
    </div>`,
  });
}
