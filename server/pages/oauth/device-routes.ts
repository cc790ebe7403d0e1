import { Type } from 'typebox';
import {
  decideDeviceRequest,
  findDeviceRequest,
  formatUserCode,
  type DeviceRequest,
} from '../../oauth/device/index.ts';
import { html } from '../../platform/http/html.ts';
import { tooManyRequests } from '../../platform/http/http-errors.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { countAddressRequest } from '../../platform/http/rate-limits.ts';
import type { Route } from '../../platform/http/routes.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { withReturnPath } from '../auth/return-path.ts';
import { signedInPageRoute } from '../page-routes.ts';
import { field, form, hiddenField, notice, type FormErrors } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';
import { applicationWebsite, scopeItems } from './consent-routes.ts';

const text = Type.Optional(Type.String());

export const deviceRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/device', {
    summary: 'Show the form to connect a device by its code',
    input: Type.Object({ user_code: text, done: text }),
    async handle({ visitor, session, input: { user_code: code, done } }) {
      if (done !== undefined) return donePage(visitor, done === 'allowed');
      if (code === undefined) return codePage(visitor);
      await limitCodeAttempts(visitor, session);
      const request = await findDeviceRequest(visitor.app, code);
      return request === undefined ? codePage(visitor, code) : confirmationPage(visitor, session, request);
    },
  }),

  signedInPageRoute('POST', '/device', {
    summary: 'Allow a device to use the account with decision=allow, else deny it',
    input: Type.Object({ user_code: text, decision: text }),
    async handle({ visitor, session, input: { user_code: code = '', decision } }) {
      await limitCodeAttempts(visitor, session);
      const isApproved = decision === 'allow';
      const isDecided = await decideDeviceRequest(visitor.app, code, { userId: session.userId, isApproved });
      if (!isDecided) return codePage(visitor, code);
      return redirectTo(visitor, `/device?done=${isApproved ? 'allowed' : 'denied'}`);
    },
  }),
];

/** Limits guesses at the codes of others: by the address, and by the user, who may have many. */
async function limitCodeAttempts({ app, request }: Visitor, { userId }: Session): Promise<void> {
  if (!app.config.RATE_LIMITS) return;
  await countAddressRequest(app, 'device-code', request.ip);
  const { remaining } = await app.rateLimiter.take(`device-code:${userId}`, 20, 600);
  if (remaining < 0) throw tooManyRequests();
}

/** The form for the code, with an error if it was entered before. */
function codePage(visitor: Visitor, wrongCode?: string): Promise<HttpResponse> {
  const { t } = visitor;
  const errors: FormErrors | undefined =
    wrongCode === undefined
      ? undefined
      : { user_code: [(field) => t('http.fieldProblem', { field, problem: t('consent.codeWrong') })] };
  return renderPage(visitor, {
    title: t('consent.connectTitle'),
    status: errors === undefined ? 200 : 422,
    body: html`<div class="card">
      <h1>${t('consent.connectTitle')}</h1>
      <p>${t('consent.deviceHint')}</p>
      <form method="get" action="/device">
        ${field({ label: t('consent.code'), name: 'user_code', value: wrongCode, errors, autocomplete: 'off', maxLength: 20, hint: t('consent.deviceCodeHint') })}
        <div class="buttons"><button>${t('auth.continue')}</button></div>
      </form>
    </div>`,
  });
}

/** Asks even after a link with the code, because an attacker may have sent it (RFC 8628, section 5.4). */
function confirmationPage(visitor: Visitor, session: Session, request: DeviceRequest): Promise<HttpResponse> {
  const { application, scopes, userCode } = request;
  const { t } = visitor;
  const code = formatUserCode(userCode);
  const fields = html`${hiddenField('user_code', code)}
    <div class="buttons">
      <button name="decision" value="allow">${t('consent.allow')}</button>
      <button class="danger" name="decision" value="deny">${t('consent.deny')}</button>
    </div>`;
  return renderPage(visitor, {
    title: t('consent.connectApp', { app: application.name }),
    body: html`<div class="card">
      <h1>${t.html('consent.deviceHeading', { app: html`<em>${application.name}</em>` })}</h1>
      <p>
        ${t.html('consent.signedInAs', { handle: html`<strong dir="ltr">@${session.username}@${visitor.app.config.domain}</strong>` })}
        <a href="${withReturnPath('/auth/sign_in', visitor.request.url)}&force=1">${t('consent.otherAccount')}</a>
      </p>
      ${applicationWebsite(t, application.website)}
      <h2>${t('consent.deviceShowsCode')}</h2>
      <code class="code">${code}</code>
      ${notice(t('consent.deviceWarning'))}
      <h2>${t('consent.willBeAble')}</h2>
      <ul class="scopes">
        ${scopeItems(t, scopes)}
      </ul>
      <p class="soft small">${t('consent.canRevoke')}</p>
      ${form(visitor, '/device', fields)}
    </div>`,
  });
}

function donePage(visitor: Visitor, isAllowed: boolean): Promise<HttpResponse> {
  const { t } = visitor;
  const title = t(isAllowed ? 'consent.deviceConnected' : 'consent.deviceNotConnected');
  return renderPage(visitor, {
    title,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p>${t(isAllowed ? 'consent.deviceContinues' : 'consent.deviceDenied')}</p>
    </div>`,
  });
}
