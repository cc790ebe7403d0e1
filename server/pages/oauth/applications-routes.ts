import { Type } from 'typebox';
import {
  type AuthorizedApplication,
  listAuthorizedApplications,
  revokeApplication,
} from '../../oauth/authorize/index.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html, type Html } from '../../platform/http/html.ts';
import type { Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/ids.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { scopeItems } from './consent-routes.ts';
import { form } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { signedInPageRoute } from '../page-routes.ts';
import type { Visitor } from '../visitor.ts';

const listPath = '/oauth/authorized_applications';
const params = Type.Object({ id: idSchema<'application'>() });

const revokeRoute = (method: 'POST' | 'DELETE', path: string): Route =>
  signedInPageRoute(method, path, {
    summary: 'Revokes the access of an app',
    allowInactive: true,
    params,
    async handle({ visitor, session, params }) {
      await revokeApplication(visitor.app, session.userId, params.id);
      return redirectTo(visitor, listPath);
    },
  });

export const applicationsRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/oauth/authorized_applications', {
    summary: 'Lists the apps with access to the account',
    allowInactive: true,
    handle: ({ visitor, session }) => listPage(visitor, session),
  }),
  // A form can only POST.
  revokeRoute('POST', '/oauth/authorized_applications/:id/revoke'),
  revokeRoute('DELETE', '/oauth/authorized_applications/:id'),
];

async function listPage(visitor: Visitor, { userId }: Session): Promise<HttpResponse> {
  const applications = await listAuthorizedApplications(visitor.app, userId);
  return renderPage(visitor, {
    title: 'Apps',
    body: html`<h1>Apps with access to your account</h1>
      ${applications.length === 0 && html`<p>No app has access to your account.</p>`}
      ${applications.map((application) => applicationCard(visitor, application))}
      <p><a href="/device">Connect a device that shows a code</a></p>`,
  });
}

function applicationCard(
  visitor: Visitor,
  { id, name, website, scopes, firstAuthorizedAt, lastUsedAt }: AuthorizedApplication,
): Html {
  return html`<section class="card" aria-labelledby="app-${id}">
    <h2 id="app-${id}">${name}</h2>
    ${website !== null && html`<p><a href="${website}" rel="noopener noreferrer nofollow">${website}</a></p>`}
    <p class="soft small">
      Allowed on ${formatDay(firstAuthorizedAt)}${lastUsedAt !== null && html`, last used on ${formatDay(lastUsedAt)}`}.
    </p>
    <ul class="scopes">
      ${scopeItems(scopes)}
    </ul>
    ${form(visitor, `${listPath}/${id}/revoke`, html`<button class="danger" aria-label="Revoke access of ${name}">Revoke access</button>`)}
  </section>`;
}

const formatDay = (date: Date): string => date.toISOString().slice(0, 10);
