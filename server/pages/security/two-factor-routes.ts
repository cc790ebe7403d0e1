import encodeQr from 'qr';
import { Type } from 'typebox';
import { html, rawHtml, type Html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { siteSettings } from '../../site/index.ts';
import {
  base32,
  confirmTotp,
  disableTotp,
  findUnconfirmedTotp,
  loadSecondFactors,
  renewRecoveryCodes,
  startTotp,
  totpUri,
} from '../../users/second-factor/index.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { signedInPageRoute } from '../page-routes.ts';
import { errorSummary, field, form, formErrors, type FormErrors } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';
import { secondFactorNotice } from './second-factor-notice.ts';
import { passwordField, recoveryCodesPage } from './recovery-codes-page.ts';

const text = Type.Optional(Type.String());
const path = '/settings/two_factor';
const totpPath = `${path}/totp`;
const allowWithoutSecondFactor = true;

/** Pages to set up the second factor. Users whose role requires one see nothing else until they have one. */
export const twoFactorRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/settings/two_factor', {
    summary: 'Show the second factor of the account',
    allowWithoutSecondFactor,
    handle: ({ visitor, session }) => twoFactorPage(visitor, session, {}),
  }),

  signedInPageRoute('POST', '/settings/two_factor/totp', {
    summary: 'Create a secret for an authenticator app',
    allowWithoutSecondFactor,
    input: Type.Object({ current_password: text }),
    async handle({ visitor, session, input: { current_password: current = '' } }) {
      try {
        await startTotp(visitor.app, session.userId, { current, origin: visitor.origin() });
      } catch (error) {
        return twoFactorPage(visitor, session, { startErrors: formErrors(visitor, error) });
      }
      return redirectTo(visitor, totpPath);
    },
  }),

  signedInPageRoute('GET', '/settings/two_factor/totp', {
    summary: 'Show the QR code for an authenticator app, and the form for its first code',
    allowWithoutSecondFactor,
    handle: ({ visitor, session }) => qrCodePage(visitor, session),
  }),

  signedInPageRoute('POST', '/settings/two_factor/totp/confirm', {
    summary: 'Turn on the authenticator app, and show the recovery codes',
    allowWithoutSecondFactor,
    rateLimit: 'password-change',
    input: Type.Object({ code: text }),
    async handle({ visitor, session, input: { code = '' } }) {
      try {
        const codes = await confirmTotp(visitor.app, session.userId, code);
        return codes === undefined ? redirectTo(visitor, path) : await recoveryCodesPage(visitor, codes);
      } catch (error) {
        return qrCodePage(visitor, session, formErrors(visitor, error));
      }
    },
  }),

  signedInPageRoute('POST', '/settings/two_factor/totp/disable', {
    summary: 'Turn off the authenticator app',
    input: Type.Object({ current_password: text, code: text }),
    async handle({ visitor, session, input: { current_password: current = '', code = '' } }) {
      try {
        await disableTotp(visitor.app, session.userId, { current, code, origin: visitor.origin() });
      } catch (error) {
        return twoFactorPage(visitor, session, { disableErrors: formErrors(visitor, error) });
      }
      return redirectTo(visitor, path);
    },
  }),

  signedInPageRoute('POST', '/settings/two_factor/recovery_codes', {
    summary: 'Replace the recovery codes and show the new ones',
    input: Type.Object({ current_password: text }),
    async handle({ visitor, session, input: { current_password: current = '' } }) {
      try {
        const attempt = { current, origin: visitor.origin() };
        return await recoveryCodesPage(visitor, await renewRecoveryCodes(visitor.app, session.userId, attempt));
      } catch (error) {
        return twoFactorPage(visitor, session, { renewErrors: formErrors(visitor, error) });
      }
    },
  }),
];

interface TwoFactorState {
  readonly startErrors?: FormErrors;
  readonly disableErrors?: FormErrors;
  readonly renewErrors?: FormErrors;
}

async function twoFactorPage(visitor: Visitor, session: Session, state: TwoFactorState): Promise<HttpResponse> {
  const { t } = visitor;
  const { hasTotp, passkeys, recoveryCodes } = await loadSecondFactors(visitor.app, session.userId);
  const errors = state.startErrors ?? state.disableErrors ?? state.renewErrors;
  return renderPage(visitor, {
    title: t('security.twoFactor'),
    status: errors === undefined ? 200 : 422,
    body: html`<h1>${t('security.twoFactor')}</h1>
      ${secondFactorNotice(visitor, session)}
      <p>${t('security.twoFactorAbout')}</p>
      ${errorSummary(visitor, errors)}
      <section class="card" aria-labelledby="totp-title">
        <h2 id="totp-title">${t('securitySettings.totp')}</h2>
        ${hasTotp ? disableForm(visitor, state.disableErrors) : startForm(visitor, state.startErrors)}
      </section>
      <p><a href="/settings/passkeys">${t('securitySettings.passkeys')}</a> (${passkeys})</p>
      ${
        (hasTotp || passkeys > 0) &&
        html`<section class="card" aria-labelledby="recovery-title">
          <h2 id="recovery-title">${t('security.recoveryCodes')}</h2>
          <p>${t('security.recoveryCodesLeft', { count: recoveryCodes })}</p>
          ${form(
            visitor,
            `${path}/recovery_codes`,
            html`${passwordField(visitor, 'renew-password', state.renewErrors)}
              <div class="buttons"><button class="quiet">${t('security.renewRecoveryCodes')}</button></div>`,
          )}
        </section>`
      }`,
  });
}

function startForm(visitor: Visitor, errors: FormErrors | undefined): Html {
  const { t } = visitor;
  return html`<p>${t('security.totpAbout')}</p>
    ${form(
      visitor,
      totpPath,
      html`${passwordField(visitor, 'start-password', errors)}
        <div class="buttons"><button>${t('security.setUpTotp')}</button></div>`,
    )}`;
}

function disableForm(visitor: Visitor, errors: FormErrors | undefined): Html {
  const { t } = visitor;
  return html`<p>${t('security.totpIsOn')}</p>
    ${form(
      visitor,
      `${totpPath}/disable`,
      html`${passwordField(visitor, 'disable-password', errors)}
        ${field({ label: t('security.code'), name: 'code', autocomplete: 'one-time-code', errors, hint: t('security.codeHint') })}
        <div class="buttons"><button class="danger">${t('security.disableTotp')}</button></div>`,
    )}`;
}

async function qrCodePage(visitor: Visitor, session: Session, errors?: FormErrors): Promise<HttpResponse> {
  const { app, t } = visitor;
  const secret = await findUnconfirmedTotp(app, session.userId);
  if (secret === undefined) return redirectTo(visitor, path);
  const { title } = await siteSettings(app);
  const uri = totpUri(secret, { issuer: title, account: `${session.username}@${app.config.domain}` });
  return renderPage(visitor, {
    title: t('securitySettings.totp'),
    status: errors === undefined ? 200 : 422,
    body: html`<div class="card">
      <h1>${t('securitySettings.totp')}</h1>
      <p>${t('security.scan')}</p>
      <div class="qr" role="img" aria-label="${t('security.qrCode')}">${rawHtml(encodeQr(uri, 'svg'))}</div>
      <p>${t('security.orType')} <code>${(base32(secret).match(/.{1,4}/g) ?? []).join(' ')}</code></p>
      <p><a href="${uri}">${t('security.openInApp')}</a></p>
      ${errorSummary(visitor, errors)}
      ${form(
        visitor,
        `${totpPath}/confirm`,
        html`${field({ label: t('security.firstCode'), name: 'code', autocomplete: 'one-time-code', inputMode: 'numeric', errors })}
          <div class="buttons"><button>${t('security.turnOn')}</button></div>`,
      )}
    </div>`,
  });
}
