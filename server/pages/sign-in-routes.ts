import { Type } from 'typebox';
import type { Answer } from '../platform/http/answers.ts';
import { html } from '../platform/http/html.ts';
import type { Route } from '../platform/http/routes.ts';
import { siteSettings } from '../site/index.ts';
import { endSession, signIn } from '../users/index.ts';
import { field, form, hidden, notice } from './forms.ts';
import { goTo, render } from './layout.ts';
import { page } from './page-routes.ts';
import { safePath, withReturn } from './return-to.ts';
import type { Visitor } from './visitor.ts';

const text = Type.Optional(Type.String());
const returnInput = { return_to: text };

export const signInRoutes: readonly Route[] = [
  page('GET', '/auth/sign_in', {
    summary: 'Form to sign in',
    input: Type.Object({ ...returnInput, force: Type.Optional(Type.Boolean()) }),
    handle({ visitor, input }) {
      const returnTo = safePath(visitor.app, input.return_to);
      if (visitor.session !== undefined && input.force !== true) return goTo(visitor, returnTo ?? '/');
      return signInPage(visitor, { returnTo });
    },
  }),

  page('POST', '/auth/sign_in', {
    summary: 'Signs in',
    rateLimit: 'sign-in',
    input: Type.Object({ ...returnInput, email: text, password: text }),
    async handle({ visitor, input: { email = '', password = '', return_to } }) {
      const { app, request } = visitor;
      const returnTo = safePath(app, return_to);
      const userAgent = String(request.headers['user-agent'] ?? '');
      const signedIn = await signIn(app, { email, password, ip: request.ip, userAgent });
      if (signedIn === undefined) return signInPage(visitor, { returnTo, email, isWrong: true });
      // The browser goes on with a session that nobody knew before, so that one that was foisted on it is worth nothing.
      if (visitor.session !== undefined) await endSession(app, visitor.session.id);
      visitor.signIn(signedIn.secret);
      return goTo(visitor, returnTo ?? '/');
    },
  }),

  ...(['POST', 'DELETE'] as const).map((method) =>
    page(method, '/auth/sign_out', {
      summary: 'Signs out',
      async handle({ visitor }) {
        if (visitor.session !== undefined) await endSession(visitor.app, visitor.session.id);
        visitor.signOut();
        return goTo(visitor, '/');
      },
    }),
  ),
];

async function signInPage(
  visitor: Visitor,
  state: { returnTo: string | undefined; email?: string; isWrong?: boolean },
): Promise<Answer> {
  const { returnTo, email, isWrong = false } = state;
  const { title } = await siteSettings(visitor.app);
  const fields = html`${hidden('return_to', returnTo)}
    ${field({ label: 'E-mail address or username', name: 'email', value: email, autocomplete: 'username' })}
    ${field({ label: 'Password', name: 'password', type: 'password', autocomplete: 'current-password' })}
    <div class="buttons"><button>Sign in</button><a href="/auth/password/new">Forgotten your password?</a></div>`;
  return render(visitor, {
    title: 'Sign in',
    status: isWrong ? 422 : 200,
    body: html`<div class="card">
        <h1>Sign in to ${title}</h1>
        ${isWrong && notice('This address, username or password is not right.', 'bad')}
        ${form(visitor, '/auth/sign_in', fields)}
      </div>
      <p>New here? <a href="${withReturn('/auth/sign_up', returnTo)}">Sign up</a></p>`,
  });
}
