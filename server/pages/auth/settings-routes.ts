import { Type } from 'typebox';
import { transaction } from '../../platform/write/transaction.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html, type Html } from '../../platform/http/html.ts';
import { unprocessable } from '../../platform/http/http-errors.ts';
import { locales } from '../../platform/i18n/locales.ts';
import type { Route } from '../../platform/http/routes.ts';
import { siteSettings } from '../../site/index.ts';
import { mayInvite } from '../../users/invites/index.ts';
import { loadOwnStaffMails } from '../../users/mails/index.ts';
import { changeEmail } from '../../users/sign-up/index.ts';
import { changeLocale } from '../../users/settings/index.ts';
import { changePassword, mayUsePasswords, type Session } from '../../users/sign-in/index.ts';
import { errorSummary, field, form, type FormErrors, formErrors, notice } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { signedInPageRoute } from '../page-routes.ts';
import { passwordField } from '../security/recovery-codes-page.ts';
import { startBrowserSession } from './sign-up-routes.ts';
import type { Visitor } from '../visitor.ts';
import { isNameOf } from '../../platform/known-names.ts';

const text = Type.Optional(Type.String());

export const settingsRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/auth/edit', {
    summary: 'Show the form to change the e-mail address or password',
    input: Type.Object({ done: text }),
    handle: ({ visitor, session, input }) => settingsPage(visitor, session, { done: input.done }),
  }),

  signedInPageRoute('POST', '/auth/edit/email', {
    summary: 'Change the e-mail address, once it is confirmed',
    input: Type.Object({ email: text, current_password: text }),
    async handle({ visitor, session, input: { email = '', current_password: current = '' } }) {
      try {
        await changeEmail(visitor.app, session.userId, { current, email, origin: visitor.origin() });
      } catch (error) {
        return settingsPage(visitor, session, { emailErrors: formErrors(visitor, error), email });
      }
      return redirectTo(visitor, '/auth/edit?done=email');
    },
  }),

  signedInPageRoute('POST', '/auth/edit/language', {
    summary: 'Change the language of pages, mails, push messages and errors',
    input: Type.Object({ locale: Type.Optional(Type.Enum([...locales])) }),
    async handle({ visitor, session, input: { locale } }) {
      if (locale === undefined) throw unprocessable('http.unprocessable');
      await transaction(visitor.app, (tx) => changeLocale(tx, visitor.app, { accountId: session.accountId, locale }));
      return redirectTo(visitor, '/auth/edit?done=language');
    },
  }),

  signedInPageRoute('POST', '/auth/edit/password', {
    summary: 'Change the password and end all other sessions',
    input: Type.Object({ password: text, current_password: text }),
    async handle({ visitor, session, input: { password = '', current_password: current = '' } }) {
      try {
        await changePassword(visitor.app, session.userId, { current, password, origin: visitor.origin() });
      } catch (error) {
        return settingsPage(visitor, session, { passwordErrors: formErrors(visitor, error) });
      }
      visitor.signIn(await startBrowserSession(visitor, session.userId));
      return redirectTo(visitor, '/auth/edit?done=password');
    },
  }),
];

interface SettingsState {
  readonly done?: string | undefined;
  readonly email?: string;
  readonly emailErrors?: FormErrors;
  readonly passwordErrors?: FormErrors;
}

const messageKeys = {
  email: 'auth.emailRequested',
  password: 'auth.passwordChanged',
  language: 'auth.languageChanged',
} as const;

async function settingsPage(visitor: Visitor, session: Session, state: SettingsState): Promise<HttpResponse> {
  const { t } = visitor;
  const [site, isInviter, staffMails] = await Promise.all([
    siteSettings(visitor.app),
    mayInvite(visitor.app, session.roleId),
    loadOwnStaffMails(visitor.app, session.accountId),
  ]);
  const { done = '', emailErrors, passwordErrors, email } = state;
  return renderPage(visitor, {
    title: t('preferences.accountGroup'),
    status: emailErrors === undefined && passwordErrors === undefined ? 200 : 422,
    body: html`<p><a href="/settings">${t('settings.title')}</a></p>
      <h1>${t('auth.accountOf', { handle: `@${session.username}` })}</h1>
      ${isNameOf(messageKeys, done) && notice(t(messageKeys[done]), 'good')}${errorSummary(visitor, emailErrors ?? passwordErrors)}
      <section class="card" aria-labelledby="email-title">
        <h2 id="email-title">${t('auth.emailAddress')}</h2>
        <p>
          ${t.html('auth.yourAddress', { email: html`<strong>${session.email}</strong>` })}
          ${session.unconfirmedEmail !== null && html`<span class="soft">${t('auth.notConfirmedYet', { email: session.unconfirmedEmail })}</span>`}
        </p>
        ${form(
          visitor,
          '/auth/edit/email',
          html`${field({ label: t('auth.newAddress'), name: 'email', type: 'email', value: email, errors: emailErrors, autocomplete: 'email' })}
            ${passwordField(visitor, 'email-password', emailErrors)}
            <div class="buttons"><button>${t('auth.changeAddress')}</button></div>`,
        )}
      </section>
      ${
        mayUsePasswords(visitor.app) &&
        html`<section class="card" aria-labelledby="password-title">
          <h2 id="password-title">${t('securitySettings.password')}</h2>
          ${form(
            visitor,
            '/auth/edit/password',
            html`${passwordField(visitor, 'password-password', passwordErrors)}
              ${field({ label: t('auth.newPassword'), name: 'password', type: 'password', errors: passwordErrors, autocomplete: 'new-password', hint: t('auth.passwordHint') })}
              <div class="buttons"><button>${t('auth.changePassword')}</button></div>`,
          )}
        </section>`
      }
      ${languageSection(visitor)}
      <p><a href="/oauth/authorized_applications">${t('auth.appsWithAccess')}</a></p>
      ${isInviter && html`<p><a href="/settings/invites">${t('securitySettings.invites')}</a></p>`}
      <p><a href="/settings/strikes">${t('moderation.strikesTitle')}</a></p>
      ${staffMails.length > 0 && html`<p><a href="/settings/staff_mails">${t('mail.staffMailsTitle')}</a></p>`}
      ${site.emailSubscriptions && html`<p><a href="/settings/email_subscriptions">${t('emailSubscriptions.settingsTitle')}</a></p>`}`,
  });
}

function languageSection(visitor: Visitor): Html {
  const { t } = visitor;
  const options = locales.map((locale) => {
    const name = new Intl.DisplayNames(locale, { type: 'language' }).of(locale);
    return html`<option value="${locale}" lang="${locale}" ${locale === t.locale && html`selected`}>${name}</option>`;
  });
  return html`<section class="card" aria-labelledby="language-title">
    <h2 id="language-title">${t('preferences.language')}</h2>
    ${form(
      visitor,
      '/auth/edit/language',
      html`<div class="field">
          <label for="locale">${t('preferences.language')}</label>
          <select id="locale" name="locale" aria-describedby="locale-hint">
            ${options}
          </select>
          <p class="hint" id="locale-hint">${t('auth.languageHint')}</p>
        </div>
        <div class="buttons"><button>${t('auth.changeLanguage')}</button></div>`,
    )}
  </section>`;
}
