import { Type } from 'typebox';
import { html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { presentProfile } from '../../profiles/index.ts';
import { updateCredentials } from '../../relationships/credentials/index.ts';
import { languages } from '../../text/languages/index.ts';
import { loadUserSettings } from '../../users/settings/index.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { signedInPageRoute } from '../page-routes.ts';
import { form } from '../render/forms.ts';
import type { Visitor } from '../visitor.ts';
import { checkbox, select } from '../render/form-controls.ts';
import { saveSettings, settingsPage, type SettingsState } from './settings-page.ts';

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());
const privacyPath = '/settings/privacy';
const postingPath = '/settings/posting';

/** Who finds and follows the user, and the defaults of new posts. */
export const privacyRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/settings/privacy', {
    summary: 'Show the form to choose who finds and follows the user',
    input: Type.Object({ saved: flag }),
    handle: ({ visitor, session, input: { saved } }) => privacyPage(visitor, session, { isSaved: saved }),
  }),

  signedInPageRoute('POST', '/settings/privacy', {
    summary: 'Change who finds and follows the user',
    input: Type.Object({ locked: flag, discoverable: flag, indexable: flag, hide_collections: flag }),
    handle: ({ visitor, session, input }) =>
      saveSettings(visitor, privacyPath, {
        change: () =>
          updateCredentials(visitor.app, session.accountId, {
            profile: {
              locked: input.locked === true,
              discoverable: input.discoverable === true,
              indexable: input.indexable === true,
              hideCollections: input.hide_collections === true,
            },
          }),
        show: (state) => privacyPage(visitor, session, state),
      }),
  }),

  signedInPageRoute('GET', '/settings/posting', {
    summary: 'Show the form to choose the defaults of new posts',
    input: Type.Object({ saved: flag }),
    handle: ({ visitor, session, input: { saved } }) => postingPage(visitor, session, { isSaved: saved }),
  }),

  signedInPageRoute('POST', '/settings/posting', {
    summary: 'Change the defaults of new posts',
    input: Type.Object({
      privacy: text,
      quote_policy: text,
      language: text,
      status_content_type: text,
      sensitive: flag,
    }),
    handle: ({ visitor, session, input }) =>
      saveSettings(visitor, postingPath, {
        change: () =>
          updateCredentials(visitor.app, session.accountId, {
            profile: {},
            source: { ...input, language: input.language ?? '', sensitive: input.sensitive === true },
          }),
        show: (state) => postingPage(visitor, session, state),
      }),
  }),
];

async function privacyPage(visitor: Visitor, session: Session, state: SettingsState): Promise<HttpResponse> {
  const { app, t } = visitor;
  const profile = await presentProfile(app, session.accountId);
  return settingsPage(visitor, {
    title: t('settings.privacy'),
    state,
    body: html`<section class="card">
      ${form(
        visitor,
        privacyPath,
        html`${checkbox({ label: t('settings.locked'), name: 'locked', checked: profile.locked })}
          ${checkbox({ label: t('settings.discoverable'), name: 'discoverable', checked: profile.discoverable === true })}
          ${checkbox({ label: t('settings.indexable'), name: 'indexable', checked: profile.indexable })}
          ${checkbox({ label: t('settings.hideCollections'), name: 'hide_collections', checked: profile.hide_collections === true })}
          <div class="buttons"><button>${t('settings.save')}</button></div>`,
      )}
    </section>`,
  });
}

async function postingPage(visitor: Visitor, session: Session, state: SettingsState): Promise<HttpResponse> {
  const { app, t } = visitor;
  const settings = await loadUserSettings(app, session.accountId);
  const fields = html`${select({
      label: t('settings.visibility'),
      name: 'privacy',
      selected: settings.default_privacy,
      options: [
        ['public', t('settings.public')],
        ['unlisted', t('settings.unlisted')],
        ['private', t('settings.followersOnly')],
      ],
    })}
    ${select({
      label: t('settings.quotePolicy'),
      name: 'quote_policy',
      selected: settings.default_quote_policy,
      options: [
        ['public', t('settings.everyone')],
        ['followers', t('settings.followers')],
        ['nobody', t('settings.nobody')],
      ],
    })}
    ${select({
      label: t('settings.postLanguage'),
      name: 'language',
      selected: settings.default_language ?? '',
      options: [['', t('settings.interfaceLanguage')], ...languages.map(({ code, name }) => [code, name] as const)],
    })}
    ${select({
      label: t('settings.format'),
      name: 'status_content_type',
      selected: settings.default_content_type,
      options: [
        ['text/plain', t('settings.plainText')],
        ['text/markdown', t('settings.markdown')],
      ],
    })}
    ${checkbox({ label: t('settings.sensitive'), name: 'sensitive', checked: settings.default_sensitive })}
    <div class="buttons"><button>${t('settings.save')}</button></div>`;
  return settingsPage(visitor, {
    title: t('settings.posting'),
    state,
    body: html`<section class="card">${form(visitor, postingPath, fields)}</section>`,
  });
}
