import { html, type Html } from '../../platform/http/html.ts';
import { currentTermsOfService } from '../../site/terms/index.ts';
import { field, type FormErrors } from '../render/forms.ts';
import type { Visitor } from '../visitor.ts';

/** Renders the field for the reason of a sign-up that staff approve. */
export const reasonField = (
  { t }: Visitor,
  value: string | undefined,
  errors: FormErrors | undefined,
  { optional = false }: { readonly optional?: boolean } = {},
): Html =>
  field({
    label: t('auth.whyJoin'),
    subject: t('fields.reason'),
    name: 'reason',
    value,
    errors,
    autocomplete: 'off',
    maxLength: 420,
    multiline: true,
    optional,
    hint: t('auth.whyJoinHint'),
  });

/** Renders the field by which people agree to the rules and the terms of service. */
export async function agreementField(
  { app, t }: Visitor,
  isChecked: boolean,
  errors: FormErrors | undefined,
): Promise<Html> {
  const hasTerms = (await currentTermsOfService(app)) !== undefined;
  const links = {
    privacyPolicy: html`<a href="/privacy-policy">${t('auth.privacyPolicy')}</a>`,
    terms: html`<a href="/terms-of-service">${t('auth.terms')}</a>`,
  };
  return html`<div class="field">
    <div class="check">
      <input type="checkbox" id="agreement" name="agreement" value="1" required${isChecked && html` checked`} />
      <label for="agreement">${t.html(hasTerms ? 'auth.agreeTerms' : 'auth.agree', links)}</label>
    </div>
    ${errors?.['agreement'] !== undefined && html`<p class="wrong">${t('auth.mustAgree')}</p>`}
  </div>`;
}
