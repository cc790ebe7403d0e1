import { Type } from 'typebox';
import { type AuthorizedApplication, listAuthorizedApplications, revokeApplication } from '../oauth/index.ts';
import type { Answer } from '../platform/http/answers.ts';
import { html, type Html } from '../platform/http/html.ts';
import type { Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/ids.ts';
import type { Session } from '../users/index.ts';
import { scopeItems } from './consent-routes.ts';
import { form } from './forms.ts';
import { goTo, render } from './layout.ts';
import { memberPage } from './page-routes.ts';
import type { Visitor } from './visitor.ts';

const list = '/oauth/authorized_applications';
const params = Type.Object({ id: idSchema<'application'>() });

const revoke = (method: 'POST' | 'DELETE', path: string): Route =>
  memberPage(method, path, {
    summary: 'Takes its tokens from an app',
    evenRefused: true,
    params,
    async handle({ visitor, session, params }) {
      await revokeApplication(visitor.app, session.userId, params.id);
      return goTo(visitor, list);
    },
  });

export const applicationsRoutes: readonly Route[] = [
  memberPage('GET', list, {
    summary: 'The apps that act for the user',
    evenRefused: true,
    handle: ({ visitor, session }) => listPage(visitor, session),
  }),
  // A form can only POST.
  revoke('POST', `${list}/:id/revoke`),
  revoke('DELETE', `${list}/:id`),
];

async function listPage(visitor: Visitor, { userId }: Session): Promise<Answer> {
  const applications = await listAuthorizedApplications(visitor.app, userId);
  return render(visitor, {
    title: 'Apps',
    body: html`<h1>Apps that may use your account</h1>
      ${applications.length === 0 && html`<p>There are none.</p>`}
      ${applications.map((application) => card(visitor, application))}`,
  });
}

function card(
  visitor: Visitor,
  { id, name, website, scopes, firstAuthorizedAt, lastUsedAt }: AuthorizedApplication,
): Html {
  return html`<section class="card" aria-labelledby="app-${id}">
    <h2 id="app-${id}">${name}</h2>
    ${website !== null && html`<p><a href="${website}" rel="noopener noreferrer nofollow">${website}</a></p>`}
    <p class="soft small">
      Allowed on ${day(firstAuthorizedAt)}${lastUsedAt !== null && html`, last used on ${day(lastUsedAt)}`}.
    </p>
    <ul class="scopes">
      ${scopeItems(scopes)}
    </ul>
    ${form(visitor, `${list}/${id}/revoke`, html`<button class="danger" aria-label="Take access from ${name}">Take access away</button>`)}
  </section>`;
}

const day = (date: Date): string => date.toISOString().slice(0, 10);
