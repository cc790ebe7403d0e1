import { Type } from 'typebox';
import {
  type AuthorizedApplication,
  listAuthorizedApplications,
  revokeApplication,
} from '../../oauth/authorize/index.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html, type Html } from '../../platform/http/html.ts';
import { formatDay } from '../../platform/i18n/format-day.ts';
import type { Translator } from '../../platform/i18n/translator.ts';
import type { Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { listAccountWebhooks, type AccountWebhook } from '../../webhooks/index.ts';
import { scopeItems } from './consent-routes.ts';
import { form } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { removeByForm, signedInPageRoute } from '../page-routes.ts';
import type { Visitor } from '../visitor.ts';

const listPath = '/oauth/authorized_applications';
const params = Type.Object({ id: idSchema<'application'>() });

const revokeRoute = (method: 'POST' | 'DELETE', path: string): Route =>
  signedInPageRoute(method, path, {
    summary: 'Revoke the access of an app',
    allowInactive: true,
    params,
    async handle({ visitor, session, params }) {
      await removeByForm(revokeApplication(visitor.app, session.userId, params.id));
      return redirectTo(visitor, listPath);
    },
  });

export const applicationsRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/oauth/authorized_applications', {
    summary: 'List the apps with access to the account',
    allowInactive: true,
    handle: ({ visitor, session }) => listPage(visitor, session),
  }),
  // A form can only POST.
  revokeRoute('POST', '/oauth/authorized_applications/:id/revoke'),
  revokeRoute('DELETE', '/oauth/authorized_applications/:id'),
];

async function listPage(visitor: Visitor, { userId, accountId }: Session): Promise<HttpResponse> {
  const { app, t } = visitor;
  const [applications, webhooks] = await Promise.all([
    listAuthorizedApplications(app, userId),
    listAccountWebhooks(app, accountId),
  ]);
  const webhooksOf = Map.groupBy(webhooks, ({ applicationId }) => applicationId);
  return renderPage(visitor, {
    title: t('pages.apps'),
    body: html`<h1>${t('consent.appsTitle')}</h1>
      ${applications.length === 0 && html`<p>${t('consent.noApps')}</p>`}
      ${applications.map((application) => applicationCard(visitor, application, webhooksOf.get(application.id)))}
      ${otherWebhooksCard(t, webhooksOf.get(null))}
      <p><a href="/device">${t('consent.connectDevice')}</a></p>`,
  });
}

function applicationCard(
  visitor: Visitor,
  { id, name, website, scopes, firstAuthorizedAt, lastUsedAt }: AuthorizedApplication,
  webhooks: readonly AccountWebhook[] = [],
): Html {
  const { t } = visitor;
  const date = formatDay(t, firstAuthorizedAt);
  return html`<section class="card" aria-labelledby="app-${id}">
    <h2 id="app-${id}">${name}</h2>
    ${website !== null && html`<p><a href="${website}" rel="noopener noreferrer nofollow">${website}</a></p>`}
    <p class="soft small">
      ${lastUsedAt === null ? t('consent.allowedOn', { date }) : t('consent.allowedAndUsed', { date, lastUsed: formatDay(t, lastUsedAt) })}
    </p>
    <ul class="scopes">
      ${scopeItems(t, scopes)}
    </ul>
    ${webhooks.length > 0 && webhookList(t, webhooks)}
    ${form(visitor, `${listPath}/${id}/revoke`, html`<button class="danger" aria-label="${t('consent.revokeOf', { app: name })}">${t('consent.revoke')}</button>`)}
  </section>`;
}

/** Shows the webhooks of access tokens that belong to no app, such as those that staff issued on the command line. */
const otherWebhooksCard = (t: Translator, webhooks: readonly AccountWebhook[] = []): Html | false =>
  webhooks.length > 0 &&
  html`<section class="card" aria-labelledby="other-tokens">
    <h2 id="other-tokens">${t('consent.otherTokens')}</h2>
    <p>${t('consent.otherTokensHint')}</p>
    ${webhookList(t, webhooks)}
  </section>`;

/** Lists the addresses to which an app has events of the account sent, until its access is revoked. */
const webhookList = (t: Translator, webhooks: readonly AccountWebhook[]): Html =>
  html`<h3>${t('consent.webhooks')}</h3>
    <ul>
      ${webhooks.map(({ webhook: { url, events, state } }) => html`<li>${url} <span class="soft small">(${events.join(', ')}${state !== 'active' && html`; ${t(state === 'failing' ? 'consent.webhookFailing' : 'consent.webhookDisabled')}`})</span></li>`)}
    </ul>`;
