import { Type } from 'typebox';
import { html, type Html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { formatDay } from '../../platform/i18n/format-day.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { siteSettings } from '../../site/index.ts';
import {
  addPasskey,
  listPasskeys,
  registrationOptions,
  removePasskey,
  renamePasskey,
  type Passkey,
} from '../../users/passkeys/index.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { removeByForm, signedInPageRoute } from '../page-routes.ts';
import { errorSummary, field, form, formErrors, notice, type FormErrors } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';
import { challengeKey, passkeyForm, passkeyScript } from './passkey-form.ts';
import { passwordField, recoveryCodesPage } from './recovery-codes-page.ts';

const text = Type.Optional(Type.String());
const path = '/settings/passkeys';
const params = Type.Object({ id: idSchema<'passkey'>() });
const allowWithoutSecondFactor = true;

export const passkeyRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/settings/passkeys', {
    summary: 'Show the passkeys of the user',
    allowWithoutSecondFactor,
    handle: ({ visitor, session }) => passkeysPage(visitor, session),
  }),

  signedInPageRoute('POST', '/settings/passkeys', {
    summary: 'Add a passkey',
    allowWithoutSecondFactor,
    input: Type.Object({ name: text, credential: text, current_password: text }),
    async handle({ visitor, session, input: { name = '', credential = '', current_password: current = '' } }) {
      const attempt = { current, origin: visitor.origin(), name, credential, key: challengeKey(visitor, 'add') };
      try {
        const codes = await addPasskey(visitor.app, session.userId, attempt);
        return codes === undefined ? redirectTo(visitor, path) : await recoveryCodesPage(visitor, codes);
      } catch (error) {
        return passkeysPage(visitor, session, formErrors(visitor, error));
      }
    },
  }),

  signedInPageRoute('POST', '/settings/passkeys/:id/rename', {
    summary: 'Rename a passkey',
    params,
    input: Type.Object({ name: text }),
    async handle({ visitor, session, params: { id }, input: { name = '' } }) {
      await renamePasskey(visitor.app, session.userId, id, name);
      return redirectTo(visitor, path);
    },
  }),

  signedInPageRoute('POST', '/settings/passkeys/:id/remove', {
    summary: 'Remove a passkey',
    params,
    input: Type.Object({ current_password: text }),
    async handle({ visitor, session, params: { id }, input: { current_password: current = '' } }) {
      try {
        await removeByForm(removePasskey(visitor.app, session.userId, id, { current, origin: visitor.origin() }));
      } catch (error) {
        return passkeysPage(visitor, session, formErrors(visitor, error));
      }
      return redirectTo(visitor, path);
    },
  }),
];

async function passkeysPage(visitor: Visitor, session: Session, errors?: FormErrors): Promise<HttpResponse> {
  const { app, t } = visitor;
  const [passkeys, { title: site }] = await Promise.all([listPasskeys(app, session.userId), siteSettings(app)]);
  const options = await registrationOptions(app, { ...session, site }, challengeKey(visitor, 'add'));
  return renderPage(visitor, {
    title: t('securitySettings.passkeys'),
    status: errors === undefined ? 200 : 422,
    script: passkeyScript,
    body: html`<h1>${t('securitySettings.passkeys')}</h1>
      <p>${t('security.passkeysAbout')}</p>
      ${errorSummary(visitor, errors)}${errors?.['credential'] !== undefined && notice(t('security.passkeyFailed'), 'bad')}
      ${passkeys.map((passkey) => passkeyCard(visitor, passkey))}
      <section class="card" aria-labelledby="add-title">
        <h2 id="add-title">${t('security.addPasskey')}</h2>
        <noscript><p>${t('security.passkeyNeedsScript')}</p></noscript>
        ${passkeyForm(visitor, {
          action: path,
          ceremony: 'create',
          options,
          body: html`${field({ label: t('security.passkeyName'), name: 'name', autocomplete: 'off', maxLength: 50, optional: true, hint: t('security.passkeyNameHint') })}
            ${passwordField(visitor, 'add-password', errors)}
            <div class="buttons"><button>${t('security.addPasskey')}</button></div>`,
        })}
      </section>`,
  });
}

function passkeyCard(visitor: Visitor, { id, name, createdAt, lastUsedAt }: Passkey): Html {
  const { t } = visitor;
  const date = formatDay(t, createdAt);
  return html`<section class="card" aria-labelledby="passkey-${id}">
    <h2 id="passkey-${id}">${name}</h2>
    <p class="soft small">
      ${lastUsedAt === null ? t('security.passkeyAddedOn', { date }) : t('security.passkeyUsedOn', { date, lastUsed: formatDay(t, lastUsedAt) })}
    </p>
    ${form(
      visitor,
      `${path}/${id}/rename`,
      html`${field({ label: t('security.passkeyName'), name: 'name', id: `name-${id}`, value: name, autocomplete: 'off', maxLength: 50 })}
        <div class="buttons"><button class="quiet">${t('security.rename')}</button></div>`,
    )}
    ${form(
      visitor,
      `${path}/${id}/remove`,
      html`${passwordField(visitor, `password-${id}`)}
        <div class="buttons">
          <button class="danger" aria-label="${t('security.removeOf', { name })}">${t('security.remove')}</button>
        </div>`,
    )}
  </section>`;
}
