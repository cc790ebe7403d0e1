import { Type } from 'typebox';
import { html, type Html } from '../../platform/http/html.ts';
import { notFound, ValidationError } from '../../platform/http/http-errors.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { formatDuration } from '../../platform/i18n/format-duration.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { listCollections, presentCollections } from '../../collections/read/index.ts';
import type { Collection } from '../../collections/index.ts';
import { createUserInvite } from '../../invites/index.ts';
import {
  expiryChoices,
  guestsNeedApproval,
  inviteUrl,
  listOwnInvites,
  maxUsesChoices,
  mayInvite,
  revokeOwnInvite,
  type Invite,
} from '../../users/invites/index.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { removeByForm, signedInPageRoute } from '../page-routes.ts';
import { form, notice, select } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { renderDate } from '../render/render-date.ts';
import type { Visitor } from '../visitor.ts';

const path = '/settings/invites';

/** The invites of a user with the permission to invite. For other users the page does not exist. */
export const ownInviteRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/settings/invites', {
    summary: 'List the invites of the user, with a form to create one',
    async handle({ visitor, session }) {
      await requirePermission(visitor, session);
      return invitesPage(visitor, session);
    },
  }),

  signedInPageRoute('POST', '/settings/invites', {
    summary: 'Create an invite in the name of the user',
    input: Type.Object({
      max_uses: Type.Optional(Type.Integer()),
      expires_in: Type.Optional(Type.Integer()),
      autofollow: Type.Optional(Type.Boolean()),
      collection_id: Type.Optional(idSchema<'collection'>()),
    }),
    async handle({ visitor, session, input }) {
      await requirePermission(visitor, session);
      try {
        await createUserInvite(visitor.app, session, {
          maxUses: input.max_uses,
          expiresInSeconds: input.expires_in,
          autofollow: input.autofollow,
          collectionId: input.collection_id,
          isForm: true,
        });
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        return invitesPage(visitor, session, error.problem.render(visitor.t.locale));
      }
      return redirectTo(visitor, path);
    },
  }),

  signedInPageRoute('POST', '/settings/invites/:id/revoke', {
    summary: 'Revoke an invite of the user',
    params: Type.Object({ id: idSchema<'invite'>() }),
    async handle({ visitor, session, params: { id } }) {
      await requirePermission(visitor, session);
      await removeByForm(revokeOwnInvite(visitor.app, session.userId, id));
      return redirectTo(visitor, path);
    },
  }),
];

async function requirePermission({ app }: Visitor, { roleId }: Session): Promise<void> {
  if (!(await mayInvite(app, roleId))) throw notFound();
}

/** `problem`: why the form was not accepted. */
async function invitesPage(visitor: Visitor, session: Session, problem?: string): Promise<HttpResponse> {
  const { app, t } = visitor;
  const [invites, needsApproval, collections] = await Promise.all([
    listOwnInvites(app, session.userId),
    guestsNeedApproval(app, session.roleId),
    listOwnCollections(visitor, session),
  ]);
  const title = t('securitySettings.invites');
  return renderPage(visitor, {
    title,
    status: problem === undefined ? 200 : 422,
    body: html`<h1>${title}</h1>
      ${problem !== undefined && notice(problem, 'bad')}
      <section class="card" aria-labelledby="new-title">
        <h2 id="new-title">${t('invites.newTitle')}</h2>
        <p>${t(needsApproval ? 'invites.hintApproval' : 'invites.hint')}</p>
        ${form(visitor, path, newInviteFields(visitor, collections))}
      </section>
      ${invites.length === 0 ? html`<p>${t('invites.none')}</p>` : invites.map((invite) => inviteCard(visitor, invite, collections))}`,
  });
}

/** An account has at most so many collections. */
const allCollections = { limit: 100, offset: 0, maxId: undefined };

async function listOwnCollections({ app }: Visitor, { accountId }: Session): Promise<Collection[]> {
  const viewer = { accountId };
  return presentCollections(app, viewer, await listCollections(app, accountId, accountId, allCollections));
}

function newInviteFields({ t }: Visitor, collections: readonly Collection[]): Html {
  const uses = maxUsesChoices.map((count) => [String(count), t('invites.uses', { count })] as const);
  const expiries = expiryChoices.map((seconds) => [String(seconds), formatDuration(t.locale, seconds)] as const);
  return html`${select({ label: t('invites.maxUses'), name: 'max_uses', selected: '', options: [['', t('invites.unlimited')], ...uses] })}
    ${select({ label: t('invites.expiresIn'), name: 'expires_in', selected: '', options: [['', t('filterSettings.never')], ...expiries] })}
    ${collections.length > 0 && select({ label: t('invites.collection'), name: 'collection_id', selected: '', options: [['', t('invites.noCollection')], ...collections.map(({ id, name }) => [id, name] as const)] })}
    <div class="check">
      <input type="checkbox" id="autofollow" name="autofollow" value="1" checked />
      <label for="autofollow">${t('invites.autofollow')}</label>
    </div>
    <div class="buttons"><button>${t('invites.create')}</button></div>`;
}

function inviteCard(visitor: Visitor, invite: Invite, collections: readonly Collection[]): Html {
  const { id, code, uses, maxUses, expiresAt, autofollow, collectionId } = invite;
  const collection = collections.find((one) => one.id === collectionId);
  const { app, t } = visitor;
  const url = inviteUrl(app, code);
  const used = maxUses === null ? t('invites.usedCount', { count: uses }) : t('invites.usedOf', { uses, max: maxUses });
  return html`<section class="card" aria-labelledby="invite-${id}">
    <h2 id="invite-${id}" class="code"><a href="${url}">${url}</a></h2>
    <p class="soft small">
      ${used} ${expiresAt !== null && t.html('invites.expiresAt', { date: renderDate(t, expiresAt.toISOString()) })}
      ${autofollow && t('invites.followsYou')}
      ${collection !== undefined && t('invites.recommends', { name: collection.name })}
    </p>
    ${form(
      visitor,
      `${path}/${id}/revoke`,
      html`<button class="danger" aria-label="${t('invites.revokeOf', { code })}">${t('invites.revoke')}</button>`,
    )}
  </section>`;
}
