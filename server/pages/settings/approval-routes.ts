import { Type, type Static } from 'typebox';
import { listRequests, type InteractionRequestId } from '../../interactions/requests/index.ts';
import type { App } from '../../platform/app.ts';
import { html, rawHtml, type Html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { parsePage } from '../../platform/http/pages.ts';
import type { Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/ids.ts';
import { decideRequest, presentRequests, requireRequest, revokeRequest } from '../../statuses/approval/index.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { signedInPageRoute } from '../page-routes.ts';
import { form } from '../render/forms.ts';
import { renderDate } from '../render/render-date.ts';
import type { Visitor } from '../visitor.ts';
import { saveSettings, settingsPage, type SettingsState } from './settings-page.ts';

const path = '/settings/approvals';
const pageSize = 20;
const kinds = ['favourite', 'reply', 'reblog'] as const;
const states = ['pending', 'accepted'] as const;
type State = (typeof states)[number];
const maxId = Type.Optional(idSchema<'interaction-request'>());
const MaxIds = Type.Object({ pending: maxId, accepted: maxId });
type Request = Awaited<ReturnType<typeof presentRequests>>[number];

/** The interactions that wait for the user, and those that the user approved. */
export const approvalPageRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/settings/approvals', {
    summary: 'Show the interactions with posts of the user that wait for approval, and those that were approved',
    input: Type.Object({ saved: Type.Optional(Type.Boolean()), ...MaxIds.properties }),
    handle: ({ visitor, session, input: { saved, ...maxIds } }) =>
      approvalsPage(visitor, session, { isSaved: saved }, maxIds),
  }),
  decisionRoute('/settings/approvals/:id/authorize', 'Approve an interaction', (app, id) =>
    decideRequest(app, id, { state: 'accepted' }),
  ),
  decisionRoute('/settings/approvals/:id/reject', 'Reject an interaction', (app, id) =>
    decideRequest(app, id, { state: 'rejected' }),
  ),
  decisionRoute('/settings/approvals/:id/revoke', 'Revoke the approval of an interaction', revokeRequest),
];

/** Declares the route of a form that decides about one request to the user. */
function decisionRoute(
  routePath: string,
  summary: string,
  decide: (app: App, id: InteractionRequestId) => Promise<unknown>,
): Route {
  return signedInPageRoute('POST', routePath, {
    summary,
    params: Type.Object({ id: idSchema<'interaction-request'>() }),
    handle: ({ visitor, session, params: { id } }) =>
      saveSettings(visitor, path, {
        change: async () => {
          await requireRequest(visitor.app, session.accountId, id);
          await decide(visitor.app, id);
        },
        show: (state) => approvalsPage(visitor, session, state),
      }),
  });
}

async function approvalsPage(
  visitor: Visitor,
  session: Session,
  state: SettingsState,
  maxIds: Static<typeof MaxIds> = {},
): Promise<HttpResponse> {
  const { t } = visitor;
  const sections = await Promise.all(states.map((each) => section(visitor, session, each, maxIds[each])));
  return settingsPage(visitor, { title: t('settings.approvals'), state, body: html`${sections}` });
}

async function section(
  visitor: Visitor,
  session: Session,
  state: State,
  max: InteractionRequestId | undefined,
): Promise<Html> {
  const { app, t } = visitor;
  const page = parsePage({ ...(max !== undefined && { max_id: max }) }, { defaultLimit: pageSize, maxLimit: pageSize });
  const rows = await listRequests(app, page, { authorId: session.accountId, kinds, statusId: null, state });
  const requests = await presentRequests(app, session, rows);
  const next = rows.length < pageSize ? undefined : rows.at(-1)?.id;
  const title = t(state === 'pending' ? 'settings.approvalsPending' : 'settings.approvalsAccepted');
  return html`<section class="card" aria-labelledby="${state}-title">
    <h2 id="${state}-title">${title}</h2>
    ${state === 'accepted' && html`<p class="soft">${t('settings.approvalsAcceptedAbout')}</p>`}
    ${requests.length === 0 && html`<p class="soft">${t('settings.none')}</p>`}
    ${requests.map((request) => entry(visitor, request, state))}
    ${next !== undefined && html`<p><a href="${path}?${state}=${next}">${t('settings.older')}</a></p>`}
  </section>`;
}

/** Renders a request. The text of a reply is HTML that was sanitized when it was stored. */
function entry(visitor: Visitor, { id, type, account, status, reply }: Request, state: State): Html {
  const { t } = visitor;
  const name = html`<a dir="ltr" href="${account.url}">@${account.acct}</a>`;
  const date = html`<a href="${status.url ?? status.uri}">${renderDate(t, status.created_at)}</a>`;
  return html`<div>
    <p>${t.html(`settings.request_${type}`, { name, date })}</p>
    ${reply !== undefined && html`<blockquote lang="${reply.language ?? ''}" dir="auto">${rawHtml(reply.content)}</blockquote>`}
    ${
      state === 'pending'
        ? html`${button(visitor, 'authorize', id, t('settings.approve'))}
          ${button(visitor, 'reject', id, t('settings.reject'))}`
        : button(visitor, 'revoke', id, t('settings.revoke'))
    }
  </div>`;
}

const button = (visitor: Visitor, action: string, id: string, label: string): Html =>
  form(visitor, `${path}/${id}/${action}`, html`<button class="link">${label}</button>`);
