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
    summary: 'Form to connect a device by its code',
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
    summary: 'Allows a device to use the account with decision=allow, else denies it',
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
  const errors: FormErrors | undefined =
    wrongCode === undefined ? undefined : { user_code: ['is wrong, has expired or was used already'] };
  return renderPage(visitor, {
    title: 'Connect a device',
    status: errors === undefined ? 200 : 422,
    body: html`<div class="card">
      <h1>Connect a device</h1>
      <p>Enter the code that the app on your device shows. You will see what it asks for before you allow it.</p>
      <form method="get" action="/device">
        ${field({ label: 'Code', name: 'user_code', value: wrongCode, errors, autocomplete: 'off', maxLength: 20, hint: 'Eight letters, such as BCDF-GHJK.' })}
        <div class="buttons"><button>Continue</button></div>
      </form>
    </div>`,
  });
}

/** Asks even after a link with the code, because an attacker may have sent it (RFC 8628, section 5.4). */
function confirmationPage(visitor: Visitor, session: Session, request: DeviceRequest): Promise<HttpResponse> {
  const { application, scopes, userCode } = request;
  const code = formatUserCode(userCode);
  const fields = html`${hiddenField('user_code', code)}
    <div class="buttons">
      <button name="decision" value="allow">Allow</button>
      <button class="danger" name="decision" value="deny">Do not allow</button>
    </div>`;
  return renderPage(visitor, {
    title: `Connect ${application.name}`,
    body: html`<div class="card">
      <h1>Allow <em>${application.name}</em> on a device to use your account?</h1>
      <p>
        You are signed in as <strong>@${session.username}@${visitor.app.config.domain}</strong>.
        <a href="${withReturnPath('/auth/sign_in', visitor.request.url)}&force=1">Use another account</a>
      </p>
      ${applicationWebsite(application.website)}
      <h2>Does your device show this code?</h2>
      <code class="code">${code}</code>
      ${notice('Allow it only if you have the device and started this yourself. Whoever sent you a link or a code would get access to your account.')}
      <h2>It will be able to</h2>
      <ul class="scopes">
        ${scopeItems(scopes)}
      </ul>
      <p class="soft small">You can revoke access at any time under “Apps”.</p>
      ${form(visitor, '/device', fields)}
    </div>`,
  });
}

function donePage(visitor: Visitor, isAllowed: boolean): Promise<HttpResponse> {
  const title = isAllowed ? 'The device is connected' : 'The device was not connected';
  const next = isAllowed ? 'Go back to your device. It continues within a few seconds.' : 'It has no access.';
  return renderPage(visitor, {
    title,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p>${next}</p>
    </div>`,
  });
}
