import { Type } from 'typebox';
import { html, type Html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { formatDay } from '../../platform/i18n/format-day.ts';
import { idSchema } from '../../platform/id-schema.ts';
import {
  describeBrowser,
  listSessions,
  revokeOtherSessions,
  revokeSession,
  type BrowserSession,
} from '../../users/sessions/index.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { removeByForm, signedInPageRoute } from '../page-routes.ts';
import { form } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';

const path = '/settings/sessions';
const allowInactive = true;

/** The browsers in which the user is signed in. */
export const sessionPageRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/settings/sessions', {
    summary: 'Show the browsers in which the user is signed in',
    allowInactive,
    handle: ({ visitor, session }) => sessionsPage(visitor, session),
  }),

  signedInPageRoute('POST', '/settings/sessions/revoke_others', {
    summary: 'Sign the user out of all other browsers',
    allowInactive,
    async handle({ visitor, session }) {
      await revokeOtherSessions(visitor.app, session.userId, session.id);
      return redirectTo(visitor, path);
    },
  }),

  signedInPageRoute('POST', '/settings/sessions/:id/revoke', {
    summary: 'Sign the user out of one browser',
    allowInactive,
    params: Type.Object({ id: idSchema<'session'>() }),
    async handle({ visitor, session, params: { id } }) {
      await removeByForm(revokeSession(visitor.app, session.userId, id));
      return redirectTo(visitor, path);
    },
  }),
];

async function sessionsPage(visitor: Visitor, session: Session): Promise<HttpResponse> {
  const { app, t } = visitor;
  const sessions = await listSessions(app, session.userId);
  return renderPage(visitor, {
    title: t('security.sessionsTitle'),
    body: html`<h1>${t('security.sessionsTitle')}</h1>
      ${sessions.map((each) => sessionCard(visitor, each, each.id === session.id))}
      ${
        sessions.length > 1 &&
        form(
          visitor,
          `${path}/revoke_others`,
          html`<div class="buttons"><button class="danger">${t('security.revokeOthers')}</button></div>`,
        )
      }
      <p><a href="/oauth/authorized_applications">${t('auth.appsWithAccess')}</a></p>`,
  });
}

function sessionCard(
  visitor: Visitor,
  { id, userAgent, ip, createdAt, lastUsedAt }: BrowserSession,
  isCurrent: boolean,
): Html {
  const { t } = visitor;
  const browser = describeBrowser(t, userAgent);
  const dates = { date: formatDay(t, createdAt), lastUsed: formatDay(t, lastUsedAt) };
  return html`<section class="card" aria-labelledby="session-${id}">
    <h2 id="session-${id}">${browser}</h2>
    <p class="soft small">
      ${ip === null ? t('security.sessionDates', dates) : t('security.sessionFrom', { ip, ...dates })}
    </p>
    ${
      isCurrent
        ? html`<p>${t('security.thisBrowser')}</p>`
        : form(
            visitor,
            `${path}/${id}/revoke`,
            html`<button class="danger" aria-label="${t('security.revokeOf', { browser })}">
              ${t('pages.signOut')}
            </button>`,
          )
    }
  </section>`;
}
