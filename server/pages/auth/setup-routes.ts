import { Type } from 'typebox';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html } from '../../platform/http/html.ts';
import { forbidden } from '../../platform/http/http-errors.ts';
import type { Route } from '../../platform/http/routes.ts';
import { createOwner, isOwnerSetupSecret } from '../../users/sign-up/index.ts';
import { errorSummary, field, form, type FormErrors, formErrors, hiddenField } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { pageRoute } from '../page-routes.ts';
import { startBrowserSession } from './sign-up-routes.ts';
import type { Visitor } from '../visitor.ts';

const text = Type.Optional(Type.String());
interface SetupInput {
  readonly token?: string;
  readonly username?: string;
  readonly email?: string;
}

export const setupRoutes: readonly Route[] = [
  pageRoute('GET', '/setup', {
    summary: 'Form to create the owner account of a new server, opened by a one-time link',
    rateLimit: 'sign-in',
    input: Type.Object({ token: text }),
    async handle({ visitor, input }) {
      if (!(await isOwnerSetupSecret(visitor.app, input.token ?? '')))
        throw forbidden('This link was already used or has expired');
      return setupPage(visitor, input);
    },
  }),

  pageRoute('POST', '/setup', {
    summary: 'Creates the owner account of a new server',
    rateLimit: 'sign-in',
    input: Type.Object({ token: text, username: text, email: text, password: text }),
    async handle({ visitor, input }) {
      const { token = '', username = '', email = '', password = '' } = input;
      try {
        const owner = { username: username.trim(), email, password, ip: visitor.request.ip };
        const { userId } = await createOwner(visitor.app, token, owner);
        visitor.signIn(await startBrowserSession(visitor, userId));
      } catch (error) {
        return setupPage(visitor, input, formErrors(error));
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
  const fields = html`${hiddenField('token', token)}
    ${field({ label: 'Username', name: 'username', value: username, errors, autocomplete: 'username', maxLength: 30, hint: `Letters, digits and underscores. You will be @username@${visitor.app.config.domain}.` })}
    ${field({ label: 'E-mail address', name: 'email', type: 'email', value: email, errors, autocomplete: 'email' })}
    ${field({ label: 'Password', name: 'password', type: 'password', errors, autocomplete: 'new-password', hint: 'At least 8 characters.' })}
    <div class="buttons"><button>Create account</button></div>`;
  return renderPage(visitor, {
    title: 'Welcome to your server',
    status: errors === undefined ? 200 : 422,
    body: html`<div class="card">
      <h1>Welcome to your server</h1>
      <p>Create the account of the owner, who has all permissions. This link works only once.</p>
      ${errorSummary(errors)}${form(visitor, '/setup', fields)}
    </div>`,
  });
}
