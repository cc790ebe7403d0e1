import { Type } from 'typebox';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html } from '../../platform/http/html.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import type { Route } from '../../platform/http/routes.ts';
import { createOwner, isOwnerSetupSecret } from '../../users/sign-up/index.ts';
import { errorSummary, field, form, type FormErrors, formErrors, hiddenField } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { pageRoute } from '../page-routes.ts';
import { signInNewUser } from './sign-up-routes.ts';
import type { Visitor } from '../visitor.ts';

const text = Type.Optional(Type.String());
interface SetupInput {
  readonly token?: string;
  readonly username?: string;
  readonly email?: string;
}

export const setupRoutes: readonly Route[] = [
  pageRoute('GET', '/setup', {
    summary: 'Show the form to create the owner account of a new server, opened by a one-time link',
    rateLimit: 'sign-in',
    input: Type.Object({ token: text }),
    async handle({ visitor, input }) {
      if (!(await isOwnerSetupSecret(visitor.app, input.token ?? ''))) throw forbidden('pages.linkUsed');
      return setupPage(visitor, input);
    },
  }),

  pageRoute('POST', '/setup', {
    summary: 'Create the owner account of a new server',
    rateLimit: 'sign-in',
    input: Type.Object({ token: text, username: text, email: text, password: text }),
    async handle({ visitor, input }) {
      const { token = '', username = '', email = '', password = '' } = input;
      const entered = { username: username.trim(), email, password };
      const owner = { ...entered, locale: visitor.t.locale, ip: visitor.request.ip };
      try {
        await signInNewUser(visitor, entered, async () => (await createOwner(visitor.app, token, owner)).userId);
      } catch (error) {
        return setupPage(visitor, input, formErrors(visitor, error));
      }
      return redirectTo(visitor, '/');
    },
  }),
];

function setupPage(
  visitor: Visitor,
  { token, username, email }: SetupInput,
  errors?: FormErrors,
): Promise<HttpResponse> {
  const { t } = visitor;
  const fields = html`${hiddenField('token', token)}
    ${field({ label: t('auth.username'), name: 'username', value: username, errors, autocomplete: 'username', maxLength: 30, hint: t('auth.ownerUsernameHint', { domain: visitor.app.config.domain }) })}
    ${field({ label: t('auth.emailAddress'), name: 'email', type: 'email', value: email, errors, autocomplete: 'email' })}
    ${field({ label: t('securitySettings.password'), name: 'password', type: 'password', errors, autocomplete: 'new-password', hint: t('auth.passwordHint') })}
    <div class="buttons"><button>${t('auth.createAccount')}</button></div>`;
  return renderPage(visitor, {
    title: t('auth.welcomeOwner'),
    status: errors === undefined ? 200 : 422,
    body: html`<div class="card">
      <h1>${t('auth.welcomeOwner')}</h1>
      <p>${t('auth.ownerHint')}</p>
      ${errorSummary(visitor, errors)}${form(visitor, '/setup', fields)}
    </div>`,
  });
}
