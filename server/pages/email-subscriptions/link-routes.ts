import { Type } from 'typebox';
import { loadCachedAccounts } from '../../accounts/present/index.ts';
import { confirmSubscription, findByToken, unsubscribe } from '../../email-subscriptions/index.ts';
import { html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { pageRoute } from '../page-routes.ts';
import { form, hiddenField } from '../render/forms.ts';
import { renderPage } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';

const input = Type.Object({ token: Type.Optional(Type.String()) });

/**
 * The links in mails. Opening one only shows a button, because programs that check mails for malware open every link.
 */
export const linkRoutes: readonly Route[] = [
  pageRoute('GET', '/email_subscriptions/confirmation', {
    summary: 'Ask whether to confirm a subscription, by the link in a mail',
    input,
    handle: ({ visitor, input: { token = '' } }) => confirmPage(visitor, token),
  }),
  pageRoute('POST', '/email_subscriptions/confirmation', {
    summary: 'Confirm a subscription',
    input,
    async handle({ visitor, input: { token = '' } }) {
      const { t } = visitor;
      if (!(await confirmSubscription(visitor.app, token))) return invalidLinkPage(visitor);
      return messagePage(visitor, t('emailSubscriptions.confirmedTitle'), t('emailSubscriptions.confirmed'));
    },
  }),

  pageRoute('GET', '/unsubscribe', {
    summary: 'Ask whether to end a subscription, by the link in a mail',
    input,
    handle: ({ visitor, input: { token = '' } }) => unsubscribePage(visitor, token),
  }),
  pageRoute('POST', '/unsubscribe', {
    summary: 'End a subscription; mail programs call it with one click (RFC 8058)',
    input,
    needsFormToken: false,
    async handle({ visitor, input: { token = '' } }) {
      const { t } = visitor;
      await unsubscribe(visitor.app, token);
      return messagePage(visitor, t('emailSubscriptions.unsubscribedTitle'), t('emailSubscriptions.unsubscribed'));
    },
  }),
];

async function confirmPage(visitor: Visitor, token: string): Promise<HttpResponse> {
  const { t } = visitor;
  const handle = await findHandle(visitor, 'confirm', token);
  if (handle === undefined) return invalidLinkPage(visitor);
  return buttonPage(visitor, {
    action: '/email_subscriptions/confirmation',
    token,
    title: t('emailSubscriptions.confirmTitle'),
    words: t('emailSubscriptions.confirmQuestion', { handle }),
    label: t('emailSubscriptions.confirmAction'),
  });
}

/** Looks the same for a subscription that ended, so that it reveals nothing. */
async function unsubscribePage(visitor: Visitor, token: string): Promise<HttpResponse> {
  const { t } = visitor;
  const handle = await findHandle(visitor, 'unsubscribe', token);
  return buttonPage(visitor, {
    action: '/unsubscribe',
    token,
    title: t('emailSubscriptions.unsubscribe'),
    words:
      handle === undefined
        ? t('emailSubscriptions.unsubscribeQuestion')
        : t('emailSubscriptions.unsubscribeQuestionFor', { handle }),
    label: t('emailSubscriptions.unsubscribe'),
  });
}

async function findHandle(
  { app }: Visitor,
  purpose: 'confirm' | 'unsubscribe',
  token: string,
): Promise<string | undefined> {
  const subscription = await findByToken(app, purpose, token);
  if (subscription === undefined) return undefined;
  const account = (await loadCachedAccounts(app, [subscription.accountId])).get(subscription.accountId);
  return account && `@${account.acct}@${app.config.domain}`;
}

interface Question {
  readonly action: string;
  readonly token: string;
  readonly title: string;
  readonly words: string;
  readonly label: string;
}

const buttonPage = (visitor: Visitor, { action, token, title, words, label }: Question): Promise<HttpResponse> =>
  renderPage(visitor, {
    title,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p>${words}</p>
      ${form(
        visitor,
        action,
        html`${hiddenField('token', token)}
          <div class="buttons"><button>${label}</button></div>`,
      )}
    </div>`,
  });

function invalidLinkPage(visitor: Visitor): Promise<HttpResponse> {
  const { t } = visitor;
  return messagePage(visitor, t('emailSubscriptions.invalidLinkTitle'), t('emailSubscriptions.invalidLink'), 422);
}

const messagePage = (visitor: Visitor, title: string, words: string, status = 200): Promise<HttpResponse> =>
  renderPage(visitor, {
    title,
    status,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p>${words}</p>
    </div>`,
  });
