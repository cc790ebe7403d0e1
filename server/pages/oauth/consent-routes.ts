import { Type } from 'typebox';
import {
  type AuthorizationParameters,
  type AuthorizationRequest,
  checkAuthorization,
  codeRedirect,
  errorRedirect,
  createAuthorizationCode,
  oauthError,
  type OauthError,
  outOfBand,
} from '../../oauth/authorize/index.ts';
import { describeScope } from '../../oauth/index.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html, type Html } from '../../platform/http/html.ts';
import { verbatim } from '../../platform/i18n/message.ts';
import type { Translator } from '../../platform/i18n/translator.ts';
import type { Route } from '../../platform/http/routes.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { form, hiddenField } from '../render/forms.ts';
import { formActionSourceOf, redirectTo, renderPage } from '../render/layout.ts';
import { signedInPageRoute, pageRoute } from '../page-routes.ts';
import { withReturnPath } from '../auth/return-path.ts';
import type { Visitor } from '../visitor.ts';
import { namesOf } from '../../platform/known-names.ts';

const text = Type.Optional(Type.String());
const parameters = {
  response_type: text,
  client_id: text,
  redirect_uri: text,
  scope: text,
  state: text,
  code_challenge: text,
  code_challenge_method: text,
};
const parameterNames = namesOf(parameters);

export const consentRoutes: readonly Route[] = [
  pageRoute('GET', '/oauth/authorize', {
    summary: 'Show the form to authorize an app',
    documented: true,
    input: Type.Object({
      ...parameters,
      force_login: Type.Optional(Type.Boolean()),
      lang: Type.Optional(Type.String({ description: 'The language of the page; any request may name one' })),
    }),
    async handle({ visitor, input }) {
      const checked = await checkAuthorization(visitor.app, input);
      // Errors that cannot be sent to the app are shown before sign-in.
      if ('error' in checked && checked.redirect === undefined) return authorizationErrorPage(visitor, checked.error);
      const signInFirst = signInRedirect(visitor, input.force_login === true);
      if (signInFirst !== undefined) return redirectTo(visitor, signInFirst);
      if ('error' in checked) return redirectTo(visitor, checked.redirect ?? '/');
      return consentPage(visitor, checked.request, input);
    },
  }),

  signedInPageRoute('POST', '/oauth/authorize', {
    summary: 'Authorize an app, or deny it with decision=deny',
    documented: true,
    input: Type.Object({ ...parameters, decision: text }),
    handle: ({ visitor, session, input }) =>
      answerConsent(visitor, session, { input, isAllowed: input.decision !== 'deny' }),
  }),

  signedInPageRoute('DELETE', '/oauth/authorize', {
    summary: 'Deny access to an app',
    documented: true,
    input: Type.Object(parameters),
    handle: ({ visitor, session, input }) => answerConsent(visitor, session, { input, isAllowed: false }),
  }),

  pageRoute('GET', '/oauth/authorize/native', {
    summary: 'Show an authorization code to copy into an app',
    documented: true,
    input: Type.Object({ code: text }),
    handle: ({ visitor, visitor: { t }, input: { code = '' } }) =>
      renderPage(visitor, {
        title: t('consent.codeTitle'),
        body: html`<div class="card">
          <h1>${t('consent.copyCode')}</h1>
          <p id="code-hint">${t('consent.codeHint')}</p>
          <code class="code" aria-describedby="code-hint" tabindex="0">${code}</code>
        </div>`,
      }),
  }),
];

/** Returns the page to visit before consent: to sign in, to sign in again, or to finish setting up the account. */
function signInRedirect({ session, request }: Visitor, isForced: boolean): string | undefined {
  // Signing in once is enough: the return path repeats everything but `force_login`.
  const here = isForced ? withoutParameter(request.url, 'force_login') : request.url;
  if (isForced) return `${withReturnPath('/auth/sign_in', here)}&force=1`;
  if (session === undefined) return withReturnPath('/auth/sign_in', here);
  return session.refusal === undefined ? undefined : withReturnPath('/auth/setup', here);
}

function withoutParameter(url: string, name: string): string {
  const [path = '', query = ''] = url.split('?', 2);
  const others = query.split('&').filter((part) => part.split('=', 1)[0] !== name);
  return `${path}?${others.join('&')}`;
}

async function answerConsent(
  visitor: Visitor,
  session: Session,
  { input, isAllowed }: { input: AuthorizationParameters; isAllowed: boolean },
): Promise<HttpResponse> {
  const { app } = visitor;
  const checked = await checkAuthorization(app, input);
  if ('error' in checked) {
    return checked.redirect === undefined
      ? authorizationErrorPage(visitor, checked.error)
      : redirectTo(visitor, checked.redirect);
  }
  const { request } = checked;
  const { application, redirectUri, scopes, codeChallenge, state } = request;
  if (!isAllowed) {
    const denied = oauthError('access_denied');
    return redirectTo(visitor, errorRedirect(redirectUri, denied, state) ?? '/');
  }
  const { userId } = session;
  const code = await createAuthorizationCode(app, {
    userId,
    applicationId: application.id,
    redirectUri,
    scopes,
    codeChallenge,
  });
  return redirectTo(visitor, codeRedirect(request, code));
}

function authorizationErrorPage(visitor: Visitor, { code, status, description }: OauthError): Promise<HttpResponse> {
  const { t } = visitor;
  return renderPage(visitor, {
    title: t('consent.invalidTitle'),
    status,
    body: html`<div class="card">
      <h1>${t('consent.invalidTitle')}</h1>
      <p>${description.render(t.locale)}</p>
      <p class="soft small">${code}</p>
      <p>${t('consent.invalidHint')}</p>
    </div>`,
  });
}

function consentPage(
  visitor: Visitor,
  request: AuthorizationRequest,
  input: AuthorizationParameters,
): Promise<HttpResponse> {
  const { application, redirectUri, scopes } = request;
  const { session, t } = visitor;
  const again = `${withReturnPath('/auth/sign_in', visitor.request.url)}&force=1`;
  const fields = html`${parameterNames.map((name) => hiddenField(name, input[name]))}
    <div class="buttons">
      <button name="decision" value="allow">${t('consent.allow')}</button>
      <button class="danger" name="decision" value="deny">${t('consent.deny')}</button>
    </div>`;
  return renderPage(visitor, {
    title: t('consent.title', { app: application.name }),
    formActionSource: redirectUri === outOfBand ? undefined : formActionSourceOf(redirectUri),
    body: html`<div class="card">
      <h1>${t.html('consent.heading', { app: html`<em>${application.name}</em>` })}</h1>
      <p>
        ${t.html('consent.signedInAs', { handle: html`<strong dir="ltr">@${session?.username}@${visitor.app.config.domain}</strong>` })}
        <a href="${again}">${t('consent.otherAccount')}</a>
      </p>
      ${applicationWebsite(t, application.website)}
      <h2>${t('consent.willBeAble')}</h2>
      <ul class="scopes">
        ${scopeItems(t, scopes)}
      </ul>
      <p class="soft small">${redirectNotice(t, redirectUri)} ${t('consent.canRevoke')}</p>
      ${form(visitor, '/oauth/authorize', fields)}
    </div>`,
  });
}

/** Renders the website of an app, which nobody has checked. */
export function applicationWebsite(t: Translator, address: string | null): Html | undefined {
  if (address === null) return undefined;
  const link = html`<a href="${address}" rel="noopener noreferrer nofollow">${address}</a>`;
  return html`<p class="soft small">${t.html('consent.website', { link })}</p>`;
}

/** Renders list items that describe scopes. */
export const scopeItems = (t: Translator, scopes: readonly string[]): Html[] =>
  scopes.map((scope) => scopeItem(t, scope));

/** Marks dangerous scopes in words, not only by colour. */
function scopeItem(t: Translator, scope: string): Html {
  const { summary, dangerous } = describeScope(scope) ?? { summary: verbatim(scope), dangerous: false };
  return html`<li${dangerous && html` class="dangerous"`}>${summary.render(t.locale)}${dangerous && html` <span class="badge">${t('consent.powerful')}</span>`}
<span class="soft small">(${scope})</span></li>`;
}

function redirectNotice(t: Translator, redirectUri: string): string {
  if (redirectUri === outOfBand) return t('consent.redirectCode');
  const { protocol, host } = new URL(redirectUri);
  if (protocol === 'https:' || protocol === 'http:') return t('consent.redirectHost', { host });
  return t('consent.redirectApp', { scheme: protocol });
}
