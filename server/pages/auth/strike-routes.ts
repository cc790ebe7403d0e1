import { Type } from 'typebox';
import { appealDeadline, createAppeal, maxAppealLength } from '../../moderation/appeals/index.ts';
import { listStrikes, type AccountWarning } from '../../moderation/warnings/index.ts';
import { html, type Html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { signedInPageRoute } from '../page-routes.ts';
import { field, form } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { renderDate } from '../render/render-date.ts';
import type { Visitor } from '../visitor.ts';

const path = '/settings/strikes';
const maxShown = 80;

const titles = {
  none: 'moderation.warned',
  disable: 'moderation.disabled',
  mark_statuses_as_sensitive: 'moderation.statusesSensitized',
  delete_statuses: 'moderation.statusesDeleted',
  sensitive: 'moderation.sensitized',
  silence: 'moderation.silenced',
  suspend: 'moderation.suspended',
} as const;

const appealTexts = {
  pending: 'moderation.appealPending',
  approved: 'moderation.appealApproved',
  rejected: 'moderation.appealRejected',
} as const;

/** Decisions of staff about an account, with a form to appeal. Users who are disabled or suspended see it too. */
export const strikePageRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/settings/strikes', {
    summary: 'Show the decisions of staff about the account',
    allowInactive: true,
    handle: ({ visitor, session }) => strikesPage(visitor, session),
  }),

  signedInPageRoute('POST', '/settings/strikes/:id/appeal', {
    summary: 'Appeal a decision of staff',
    allowInactive: true,
    rateLimit: 'reports',
    params: Type.Object({ id: idSchema<'warning'>() }),
    input: Type.Object({ text: Type.Optional(Type.String()) }),
    async handle({ visitor, session, params: { id }, input: { text = '' } }) {
      await createAppeal(visitor.app, session.accountId, { warningId: id, text });
      return redirectTo(visitor, path);
    },
  }),
];

async function strikesPage(visitor: Visitor, session: Session): Promise<HttpResponse> {
  const { app, t } = visitor;
  const page = { limit: maxShown, maxId: undefined, sinceId: undefined, minId: undefined };
  const { strikes } = await listStrikes(app, session, { accountId: session.accountId, page });
  const title = t('moderation.strikesTitle');
  return renderPage(visitor, {
    title,
    body: html`<h1>${title}</h1>
      ${strikes.length === 0 && html`<p>${t('moderation.noStrikes')}</p>`}
      ${strikes.map((strike) => strikeCard(visitor, strike))}`,
  });
}

/** Deleted posts are gone, also after an approval. */
const appealTextOf = (action: AccountWarning['action'], state: keyof typeof appealTexts) =>
  action === 'delete_statuses' && state === 'approved' ? 'moderation.appealApprovedDeleted' : appealTexts[state];

function strikeCard(visitor: Visitor, strike: AccountWarning): Html {
  const { t } = visitor;
  return html`<section class="card" aria-labelledby="strike-${strike.id}">
    <h2 id="strike-${strike.id}">${t(titles[strike.action])}</h2>
    <p class="soft">${renderDate(t, strike.created_at)}</p>
    ${strike.text !== '' && html`<p>${t('mail.staffWrote', { text: strike.text })}</p>`} ${appealPart(visitor, strike)}
  </section>`;
}

function appealPart(visitor: Visitor, { id, action, appeal, created_at: decidedAt }: AccountWarning): Html | undefined {
  const { app, t } = visitor;
  if (appeal !== null)
    return html`<p>${t(appealTextOf(action, appeal.state))}</p>
      <p class="soft">${appeal.text}</p>`;
  if (app.clock.now() > appealDeadline(new Date(decidedAt))) return undefined;
  return form(
    visitor,
    `${path}/${id}/appeal`,
    html`${field({ label: t('moderation.appealText'), name: 'text', id: `text-${id}`, autocomplete: 'off', multiline: true, maxLength: maxAppealLength })}
      <div class="buttons"><button>${t('moderation.appeal')}</button></div>`,
  );
}
