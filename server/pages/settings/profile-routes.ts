import { Type, type Static } from 'typebox';
import { profileLimits } from '../../accounts/profile/index.ts';
import type { App } from '../../platform/app.ts';
import { html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { fileSchema, type UploadedFile } from '../../platform/http/parse-params.ts';
import type { Route } from '../../platform/http/routes.ts';
import type { AccountId } from '../../platform/ids.ts';
import { presentProfile } from '../../profiles/index.ts';
import { maxProfileBodyBytes, updateCredentials } from '../../relationships/credentials/index.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { signedInPageRoute } from '../page-routes.ts';
import { field, form } from '../render/forms.ts';
import type { Visitor } from '../visitor.ts';
import { checkbox, fileField } from '../render/form-controls.ts';
import { saveSettings, settingsPage, type SettingsState } from './settings-page.ts';

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());
const path = '/settings/profile';

const profileInput = Type.Object({
  display_name: text,
  note: text,
  bot: flag,
  avatar: Type.Optional(fileSchema()),
  avatar_description: text,
  header: Type.Optional(fileSchema()),
  header_description: text,
  fields_attributes: Type.Optional(Type.Array(Type.Object({ name: text, value: text }))),
});

/** What was typed into the form. Browsers do not send files again. */
type TypedProfile = Omit<Static<typeof profileInput>, 'avatar' | 'header'>;

export const profileSettingsRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/settings/profile', {
    summary: 'Show the form to change the profile of the user',
    input: Type.Object({ saved: flag }),
    handle: ({ visitor, session, input: { saved } }) => profilePage(visitor, session, { isSaved: saved }),
  }),

  signedInPageRoute('POST', '/settings/profile', {
    summary: 'Change the profile of the user',
    bodyLimit: maxProfileBodyBytes,
    input: profileInput,
    handle: ({ visitor, session, input }) =>
      saveSettings(visitor, path, {
        change: () =>
          updateCredentials(visitor.app, session.accountId, {
            profile: {
              displayName: input.display_name,
              note: input.note,
              bot: input.bot === true,
              fields: input.fields_attributes,
              avatarDescription: input.avatar_description,
              headerDescription: input.header_description,
            },
            avatar: chosenFile(input.avatar),
            header: chosenFile(input.header),
          }),
        show: (state) => profilePage(visitor, session, state, input),
      }),
  }),
];

/** Browsers send an empty file if none was chosen. */
const chosenFile = (file: UploadedFile | undefined): UploadedFile | undefined =>
  file === undefined || file.size === 0 ? undefined : file;

/** `refused`: what was typed into a form that was refused. */
async function profilePage(
  visitor: Visitor,
  session: Session,
  state: SettingsState,
  refused?: TypedProfile,
): Promise<HttpResponse> {
  const { app, t } = visitor;
  const shown = refused ?? (await loadTypedProfile(app, session.accountId));
  const plain = { autocomplete: 'off', optional: true } as const;
  const rows = Array.from({ length: profileLimits.fields }, (_, index) => shown.fields_attributes?.[index]);
  const fields = html`${field({ label: t('settings.displayName'), name: 'display_name', value: shown.display_name, ...plain })}
    ${field({ label: t('settings.note'), name: 'note', value: shown.note, multiline: true, ...plain })}
    ${rows.map((row, index) => {
      const name = `fields_attributes[${index}]`;
      const number = index + 1;
      return html`${field({ label: t('settings.fieldName', { number }), name: `${name}[name]`, value: row?.name, ...plain })}
      ${field({ label: t('settings.fieldValue', { number }), name: `${name}[value]`, value: row?.value, ...plain })}`;
    })}
    ${fileField({ label: t('settings.avatar'), name: 'avatar' })}
    ${field({ label: t('settings.avatarDescription'), name: 'avatar_description', value: shown.avatar_description, ...plain })}
    ${fileField({ label: t('settings.header'), name: 'header' })}
    ${field({ label: t('settings.headerDescription'), name: 'header_description', value: shown.header_description, ...plain })}
    ${checkbox({ label: t('settings.bot'), name: 'bot', checked: shown.bot === true })}
    <div class="buttons"><button>${t('settings.save')}</button></div>`;
  return settingsPage(visitor, {
    title: t('settings.profile'),
    state,
    body: html`<section class="card">${form(visitor, path, fields, { hasFiles: true })}</section>`,
  });
}

async function loadTypedProfile(app: App, accountId: AccountId): Promise<TypedProfile> {
  const { display_name, note, bot, fields, avatar_description, header_description } = await presentProfile(
    app,
    accountId,
  );
  return { display_name, note, bot, fields_attributes: fields, avatar_description, header_description };
}
