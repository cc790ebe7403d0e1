import { html, type Html } from '../../platform/http/html.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { createSignUpChallenge } from '../../users/proof-of-work/index.ts';
import type { FormErrors } from '../render/forms.ts';
import { readPageScript, servePageScript } from '../render/page-script.ts';
import type { Visitor } from '../visitor.ts';
import { reasonField } from './sign-up-fields.ts';

/** What `renderPage` needs on pages with `proofOfWorkField`. */
export const proofOfWorkScript = readPageScript(
  '/assets/proof-of-work.js',
  new URL('./proof-of-work.js', import.meta.url),
);

export const proofOfWorkScriptRoute: Route = get('/assets/proof-of-work.js', {
  summary: 'Get the script of the form to sign up',
  ...servePageScript(proofOfWorkScript),
});

/**
 * Renders the part of a form in which the script of the page solves a challenge; undefined while staff ask for no proof of
 * work. A proof that was sent is sent again, unless it was the error.
 */
export async function proofOfWorkField(
  visitor: Visitor,
  { proof = '', reason, hasReason, errors }: ProofOfWorkFieldOptions,
): Promise<Html | undefined> {
  const challenge = await createSignUpChallenge(visitor.app);
  if (challenge === undefined) return undefined;
  const { t } = visitor;
  const isWrong = errors?.['proof_of_work'] !== undefined;
  if (proof !== '' && !isWrong) return html`<input type="hidden" name="proof_of_work" value="${proof}" />`;
  return html`<div
    class="field"
    data-challenge="${JSON.stringify(challenge)}"
    data-solving="${t('auth.proofSolving')}"
    data-waiting="${t('auth.proofWaiting')}"
    data-solved="${t('auth.proofSolved')}"
    data-unavailable="${t('auth.proofUnavailable')}"
  >
    <input type="hidden" name="proof_of_work" value="" autocomplete="off" />
    ${isWrong && html`<p class="wrong">${t('auth.proofAgain')}</p>`}
    <p class="hint" role="status"></p>
    <progress value="0" aria-label="${t('auth.proofLabel')}" hidden></progress>
    <noscript>
      <p class="hint">${t('auth.proofWithoutScript')}</p>
      ${!hasReason && reasonField(visitor, reason, errors, { optional: true })}
    </noscript>
  </div>`;
}

interface ProofOfWorkFieldOptions {
  readonly proof: string | undefined;
  readonly reason: string | undefined;
  /** Whether the form asks for the reason of the sign-up anyway. */
  readonly hasReason: boolean;
  readonly errors: FormErrors | undefined;
}
