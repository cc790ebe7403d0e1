import { Type } from 'typebox';
import type { Answer } from '../platform/http/answers.ts';
import { html } from '../platform/http/html.ts';
import { forbidden } from '../platform/http/problems.ts';
import type { Route } from '../platform/http/routes.ts';
import { createOwner, isOwnerSetupSecret } from '../users/index.ts';
import { errorSummary, field, form, type FormErrors, formErrors, hidden } from './forms.ts';
import { goTo, render } from './layout.ts';
import { page } from './page-routes.ts';
import { beginSession } from './sign-up-routes.ts';
import type { Visitor } from './visitor.ts';

const text = Type.Optional(Type.String());
interface Given {
  readonly token?: string;
  readonly username?: string;
  readonly email?: string;
}

export const setupRoutes: readonly Route[] = [
  page('GET', '/setup', {
    summary: 'Form that makes the owner of a new server, by a one-time link',
    rateLimit: 'sign-in',
    input: Type.Object({ token: text }),
    async handle({ visitor, input }) {
      if (!(await isOwnerSetupSecret(visitor.app, input.token ?? '')))
        throw forbidden('This link was used or is too old');
      return setupPage(visitor, input);
    },
  }),

  page('POST', '/setup', {
    summary: 'Makes the owner of a new server',
    rateLimit: 'sign-in',
    input: Type.Object({ token: text, username: text, email: text, password: text }),
    async handle({ visitor, input }) {
      const { token = '', username = '', email = '', password = '' } = input;
      try {
        const owner = { username: username.trim(), email, password, ip: visitor.request.ip };
        const { userId } = await createOwner(visitor.app, token, owner);
        visitor.signIn(await beginSession(visitor, userId));
      } catch (error) {
        return setupPage(visitor, input, formErrors(error));
      }
      return goTo(visitor, '/');
    },
  }),
];

function setupPage(visitor: Visitor, { token, username, email }: Given, errors?: FormErrors): Promise<Answer> {
  const fields = html`${hidden('token', token)}
    ${field({ label: 'Username', name: 'username', value: username, errors, autocomplete: 'username', maxLength: 30, hint: `You will be @username@${visitor.app.config.domain}.` })}
    ${field({ label: 'E-mail address', name: 'email', type: 'email', value: email, errors, autocomplete: 'email' })}
    ${field({ label: 'Password', name: 'password', type: 'password', errors, autocomplete: 'new-password', hint: 'At least 8 characters.' })}
    <div class="buttons"><button>Become the owner</button></div>`;
  return render(visitor, {
    title: 'Welcome to your server',
    status: errors === undefined ? 200 : 422,
    body: html`<div class="card">
      <h1>Welcome to your server</h1>
      <p>Make the account that owns it. The owner may do everything here, and this link works only once.</p>
      ${errorSummary(errors)}${form(visitor, '/setup', fields)}
    </div>`,
  });
}
