import { html, type Html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { field, notice, type FormErrors } from '../render/forms.ts';
import { withReturnPath } from '../auth/return-path.ts';
import { renderPage } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';

/** Shows new recovery codes, the only time that they are shown. */
export function recoveryCodesPage(visitor: Visitor, codes: readonly string[]): Promise<HttpResponse> {
  const { t } = visitor;
  return renderPage(visitor, {
    title: t('security.recoveryCodes'),
    body: html`<div class="card">
      <h1>${t('security.recoveryCodes')}</h1>
      ${notice(t('security.storeCodes'))}
      <ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <div class="buttons"><a class="button" href="/settings/two_factor">${t('auth.continue')}</a></div>
    </div>`,
  });
}

/**
 * Renders the field for the current password, with which important changes are confirmed. Just after a sign-in with a
 * provider it is not needed; without a password, a link leads to such a sign-in.
 */
export function passwordField(visitor: Visitor, id: string, errors?: FormErrors): Html | undefined {
  const { session, t, request } = visitor;
  if (session?.confirmsChanges === true) return undefined;
  if (session?.hasPassword === false) {
    const back = request.method === 'GET' ? request.url : '/settings';
    const isRefused = errors?.['current_password'] !== undefined;
    return html`<p ${isRefused && html` class="wrong"`}>
      ${t('security.confirmBySignIn')}
      <a href="${withReturnPath('/auth/sign_in?force=1', back)}">${t('session.signIn')}</a>
    </p>`;
  }
  return field({
    label: t('auth.currentPassword'),
    name: 'current_password',
    id,
    type: 'password',
    errors,
    autocomplete: 'current-password',
  });
}
