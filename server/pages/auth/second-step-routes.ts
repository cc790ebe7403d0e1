import { Type } from 'typebox';
import { html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { completeSignInByCode, findPendingSignIn, type PendingSignIn } from '../../users/second-factor/index.ts';
import { completeSignInByPasskey, listCredentials, signInOptions } from '../../users/passkeys/index.ts';
import { deleteSession } from '../../users/sign-in/index.ts';
import { pageRoute } from '../page-routes.ts';
import { challengeKey, passkeyForm, passkeyScript } from '../security/passkey-form.ts';
import { field, form, hiddenField, notice } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';
import { safeReturnPath, withReturnPath } from './return-path.ts';

const text = Type.Optional(Type.String());
export const secondStepPath = '/auth/sign_in/second_factor';

/** The second step of a sign-in, for users with a second factor. */
export const secondStepRoutes: readonly Route[] = [
  pageRoute('GET', '/auth/sign_in/second_factor', {
    summary: 'Show the form for the second factor of a sign-in',
    input: Type.Object({ return_to: text }),
    async handle({ visitor, input }) {
      const returnTo = safeReturnPath(visitor.app, input.return_to);
      const pending = await loadPending(visitor);
      return pending === undefined ? startAgain(visitor, returnTo) : secondStepPage(visitor, pending, { returnTo });
    },
  }),

  pageRoute('POST', '/auth/sign_in/second_factor', {
    summary: 'Complete a sign-in by a code of the authenticator app or a recovery code',
    rateLimit: 'sign-in',
    input: Type.Object({ return_to: text, code: text }),
    handle: ({ visitor, input: { code = '', return_to } }) =>
      completeStep(visitor, return_to, {
        complete: (secret) => completeSignInByCode(visitor.app, secret, { code, origin: visitor.origin() }),
        problem: 'security.wrongCode',
      }),
  }),
  pageRoute('POST', '/auth/sign_in/second_factor/passkey', {
    summary: 'Complete a sign-in by a passkey',
    rateLimit: 'sign-in',
    input: Type.Object({ return_to: text, credential: text }),
    handle: ({ visitor, input: { credential = '', return_to } }) =>
      completeStep(visitor, return_to, {
        complete: (secret) =>
          completeSignInByPasskey(visitor.app, secret, {
            credential,
            key: challengeKey(visitor, 'second-step'),
            origin: visitor.origin(),
          }),
        problem: 'security.passkeyFailed',
      }),
  }),
];

/** A way to complete a sign-in with its pending secret, and what the user reads if it fails. */
interface SecondStepMethod {
  readonly complete: (pendingSecret: string) => ReturnType<typeof completeSignInByCode>;
  readonly problem: NonNullable<SecondStepState['problem']>;
}

/** Signs in, shows the form again after a mistake, or returns to the first step after the sign-in expired. */
async function completeStep(
  visitor: Visitor,
  returnPath: string | undefined,
  { complete, problem }: SecondStepMethod,
): Promise<HttpResponse> {
  const returnTo = safeReturnPath(visitor.app, returnPath);
  const pending = await loadPending(visitor);
  if (pending === undefined) return startAgain(visitor, returnTo);
  const result = await complete(visitor.pendingSignIn() ?? '');
  if (result === 'expired') return startAgain(visitor, returnTo);
  if (result === 'wrong') return secondStepPage(visitor, pending, { returnTo, problem });
  return finishSignIn(visitor, result.secret, returnTo);
}

/** Signs the browser in with a new session, and ends the old one (against session fixation). */
export async function finishSignIn(
  visitor: Visitor,
  secret: string,
  returnTo: string | undefined,
): Promise<HttpResponse> {
  if (visitor.session !== undefined) await deleteSession(visitor.app, visitor.session.id);
  if (visitor.pendingSignIn() !== undefined) visitor.deletePendingSignIn();
  visitor.signIn(secret);
  return redirectTo(visitor, returnTo ?? '/');
}

async function loadPending(visitor: Visitor): Promise<PendingSignIn | undefined> {
  const secret = visitor.pendingSignIn();
  return secret === undefined ? undefined : findPendingSignIn(visitor.app, secret);
}

/** Returns to the first step after a sign-in expired or failed too often. */
function startAgain(visitor: Visitor, returnTo: string | undefined): HttpResponse {
  if (visitor.pendingSignIn() !== undefined) visitor.deletePendingSignIn();
  return redirectTo(visitor, withReturnPath('/auth/sign_in?force=1', returnTo));
}

interface SecondStepState {
  readonly returnTo: string | undefined;
  readonly problem?: 'security.wrongCode' | 'security.passkeyFailed';
}

async function secondStepPage(
  visitor: Visitor,
  { hasTotp, userId }: PendingSignIn,
  { returnTo, problem }: SecondStepState,
): Promise<HttpResponse> {
  const { t } = visitor;
  const credentials = await listCredentials(visitor.app, userId);
  const fields = html`${hiddenField('return_to', returnTo)}
    ${field({ label: t(hasTotp ? 'security.code' : 'security.recoveryCode'), name: 'code', autocomplete: 'one-time-code', hint: t(hasTotp ? 'security.codeHint' : 'security.recoveryCodeHint') })}
    <div class="buttons"><button>${t('pages.signIn')}</button></div>`;
  return renderPage(visitor, {
    title: t('security.secondStep'),
    status: problem === undefined ? 200 : 422,
    script: passkeyScript,
    body: html`<div class="card">
      <h1>${t('security.secondStep')}</h1>
      ${problem !== undefined && notice(t(problem), 'bad')}
      ${
        credentials.length > 0 &&
        passkeyForm(visitor, {
          action: '/auth/sign_in/second_factor/passkey',
          ceremony: 'get',
          options: signInOptions(visitor.app, challengeKey(visitor, 'second-step'), credentials),
          body: html`${hiddenField('return_to', returnTo)}
            <div class="buttons"><button>${t('security.signInWithPasskey')}</button></div>`,
        })
      }
      ${form(visitor, secondStepPath, fields)}
      <p><a href="${withReturnPath('/auth/sign_in?force=1', returnTo)}">${t('security.startAgain')}</a></p>
    </div>`,
  });
}
