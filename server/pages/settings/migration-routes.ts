import { Type } from 'typebox';
import { requireAccount } from '../../accounts/find/index.ts';
import { html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import {
  addAliasByHandle,
  deleteOwnAccount,
  listAliases,
  moveOwnAccount,
  removeAliasByHandle,
  undoMove,
} from '../../profiles/index.ts';
import { findSession, type Session } from '../../users/sign-in/index.ts';
import { signedInPageRoute } from '../page-routes.ts';
import { field, form, hiddenField } from '../render/forms.ts';
import { redirectTo } from '../render/layout.ts';
import { passwordField } from '../security/recovery-codes-page.ts';
import type { Visitor } from '../visitor.ts';
import { signOutOf } from '../web/browser-accounts.ts';
import { saveSettings, settingsPage, type SettingsState } from './settings-page.ts';

const text = Type.Optional(Type.String());
const path = '/settings/migration';
const deletePath = '/settings/delete';

/** Pages to move an account to another server or from one, and to delete it. */
export const migrationPageRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/settings/migration', {
    summary: 'Show the aliases and the move of the account',
    input: Type.Object({ saved: Type.Optional(Type.Boolean()) }),
    handle: ({ visitor, session, input: { saved } }) => migrationPage(visitor, session, { isSaved: saved }),
  }),

  signedInPageRoute('POST', '/settings/migration/aliases/add', {
    summary: 'Allow an account to move to this one',
    rateLimit: 'follows',
    input: Type.Object({ acct: text }),
    handle: ({ visitor, session, input: { acct = '' } }) =>
      saveSettings(visitor, path, {
        change: () => addAliasByHandle(visitor.app, session.accountId, acct.replace(/^@/, '')),
        show: (state) => migrationPage(visitor, session, state),
      }),
  }),

  signedInPageRoute('POST', '/settings/migration/aliases/remove', {
    summary: 'Remove an alias of the account',
    input: Type.Object({ acct: text }),
    handle: ({ visitor, session, input: { acct = '' } }) =>
      saveSettings(visitor, path, {
        change: () => removeAliasByHandle(visitor.app, session.accountId, acct),
        show: (state) => migrationPage(visitor, session, state),
      }),
  }),

  signedInPageRoute('POST', '/settings/migration/move', {
    summary: 'Move the account to another one, with its followers',
    rateLimit: 'password-change',
    input: Type.Object({ acct: text, current_password: text }),
    handle: ({ visitor, session, input: { acct = '', current_password: current = '' } }) =>
      saveSettings(visitor, path, {
        change: () =>
          moveOwnAccount(visitor.app, session, { acct: acct.replace(/^@/, ''), current, origin: visitor.origin() }),
        show: (state) => migrationPage(visitor, session, state),
      }),
  }),

  signedInPageRoute('POST', '/settings/migration/undo', {
    summary: 'Remove the move target of the account',
    handle: ({ visitor, session }) =>
      saveSettings(visitor, path, {
        change: () => undoMove(visitor.app, session.accountId),
        show: (state) => migrationPage(visitor, session, state),
      }),
  }),

  signedInPageRoute('GET', '/settings/delete', {
    summary: 'Show the form to delete the account',
    allowInactive: true,
    handle: ({ visitor }) => deletePage(visitor, {}),
  }),

  signedInPageRoute('POST', '/settings/delete', {
    summary: 'Delete the account permanently',
    allowInactive: true,
    rateLimit: 'password-change',
    input: Type.Object({ current_password: text }),
    async handle({ visitor, session, input: { current_password: current = '' } }) {
      const deleted = await saveSettings(visitor, '/', {
        change: () => deleteOwnAccount(visitor.app, session, { current, origin: visitor.origin() }),
        show: (state) => deletePage(visitor, state),
      });
      // If the form was submitted twice, the first one ended the session.
      const isEnded = (await findSession(visitor.app, visitor.sessionSecret ?? '')) === undefined;
      if (deleted.status !== 303 && !isEnded) return deleted;
      await signOutOf(visitor);
      return redirectTo(visitor, '/');
    },
  }),
];

async function migrationPage(visitor: Visitor, session: Session, state: SettingsState): Promise<HttpResponse> {
  const { app, t } = visitor;
  const [aliases, account] = await Promise.all([
    listAliases(app, session.accountId),
    requireAccount(app, session.accountId),
  ]);
  const handleField = (id: string) => field({ label: t('settings.handle'), name: 'acct', id, autocomplete: 'off' });
  return settingsPage(visitor, {
    title: t('settings.migration'),
    state,
    body: html`<section class="card" aria-labelledby="aliases-title">
        <h2 id="aliases-title">${t('settings.aliases')}</h2>
        <p>${t('settings.aliasesAbout')}</p>
        ${aliases.map(({ uri, acct }) => {
          const name = acct === null ? uri : `@${acct}`;
          return form(
            visitor,
            `${path}/aliases/remove`,
            html`${hiddenField('acct', uri)}${name}
              <button class="link" aria-label="${t('security.removeOf', { name })}">${t('security.remove')}</button>`,
          );
        })}
        ${form(
          visitor,
          `${path}/aliases/add`,
          html`${handleField('alias')}
            <div class="buttons"><button class="quiet">${t('lists.add')}</button></div>`,
        )}
      </section>
      <section class="card" aria-labelledby="move-title">
        <h2 id="move-title">${t('settings.move')}</h2>
        <p>${t('settings.moveAbout')}</p>
        ${
          account.moved_to_account_id !== null &&
          form(visitor, `${path}/undo`, html`<button class="quiet">${t('settings.undoMove')}</button>`)
        }
        ${form(
          visitor,
          `${path}/move`,
          html`${handleField('target')}${passwordField(visitor, 'move-password')}
            <div class="buttons"><button class="danger">${t('settings.move')}</button></div>`,
        )}
      </section>`,
  });
}

function deletePage(visitor: Visitor, state: SettingsState): Promise<HttpResponse> {
  const { t } = visitor;
  return settingsPage(visitor, {
    title: t('settings.delete'),
    state,
    body: html`<section class="card">
      <p>${t('settings.deleteAbout')}</p>
      ${form(
        visitor,
        deletePath,
        html`${passwordField(visitor, 'delete-password')}
          <div class="buttons"><button class="danger">${t('settings.delete')}</button></div>`,
      )}
    </section>`,
  });
}
