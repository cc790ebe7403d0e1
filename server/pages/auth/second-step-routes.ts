import { Type } from 'typebox';
import { html, type Html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { completeSignInByCode, findPendingSignIn, type PendingSignIn } from '../../users/second-factor/index.ts';
import { completeSignInByPasskey, listCredentials, signInOptions } from '../../users/passkeys/index.ts';
import { findSession } from '../../users/sign-in/index.ts';
import { pageRoute } from '../page-routes.ts';
import { challengeKey, passkeyForm, passkeyScript } from '../security/passkey-form.ts';
import { field, form, hiddenField, notice } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';
import { startActiveSession } from '../web/browser-accounts.ts';
import { safeReturnPath, signInPath, type SignInState } from './return-path.ts';

const text = Type.Optional(Type.String());
/** Owners sign in from blocked addresses too. `createSession` refuses others. */
const ignoresBlocks = true;
const stateInput = { return_to: text, add: Type.Optional(Type.Boolean()) };
export const secondStepPath = '/auth/sign_in/second_factor';

/** The second step of a sign-in, for users with a second factor. */
export const secondStepRoutes: readonly Route[] = [
  pageRoute('GET', '/auth/sign_in/second_factor', {
    summary: 'Show the form for the second factor of a sign-in',
    ignoresBlocks,
    input: Type.Object(stateInput),
    async handle({ visitor, input }) {
      const state = parseSignInState(visitor, input);
      const pending = await loadPending(visitor);
      return pending === undefined ? startAgain(visitor, state) : secondStepPage(visitor, pending, state);
    },
  }),

  pageRoute('POST', '/auth/sign_in/second_factor', {
    summary: 'Complete a sign-in by a code of the authenticator app or a recovery code',
    ignoresBlocks,
    rateLimit: 'sign-in',
    input: Type.Object({ ...stateInput, code: text }),
    handle: ({ visitor, input: { code = '', ...input } }) =>
      completeStep(visitor, parseSignInState(visitor, input), {
        complete: (secret) => completeSignInByCode(visitor.app, secret, { code, origin: visitor.origin() }),
        problem: 'security.wrongCode',
      }),
  }),
  pageRoute('POST', '/auth/sign_in/second_factor/passkey', {
    summary: 'Complete a sign-in by a passkey',
    ignoresBlocks,
    rateLimit: 'sign-in',
    input: Type.Object({ ...stateInput, credential: text }),
    handle: ({ visitor, input: { credential = '', ...input } }) =>
      completeStep(visitor, parseSignInState(visitor, input), {
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
  state: SignInState,
  { complete, problem }: SecondStepMethod,
): Promise<HttpResponse> {
  const pending = await loadPending(visitor);
  if (pending === undefined) return startAgain(visitor, state);
  const result = await complete(visitor.pendingSignIn() ?? '');
  if (result === 'expired') return startAgain(visitor, state);
  if (result === 'wrong') return secondStepPage(visitor, pending, { ...state, problem });
  return finishSignIn(visitor, result.secret, state);
}

/** Parses the state of a sign-in. A path that leads elsewhere is dropped. */
export const parseSignInState = (
  { app }: Visitor,
  { return_to, add }: { readonly return_to?: string; readonly add?: boolean },
): SignInState => ({ returnTo: safeReturnPath(app, return_to), isAdded: add === true });

/** Renders the hidden fields with the state of a sign-in. */
export const signInFields = ({ returnTo, isAdded }: SignInState): Html =>
  html`${hiddenField('return_to', returnTo)}${hiddenField('add', isAdded ? 'true' : undefined)}`;

/** Signs the browser in with a new session. Unless the account is added, the old session ends. */
export async function finishSignIn(
  visitor: Visitor,
  secret: string,
  { returnTo, isAdded }: SignInState,
): Promise<HttpResponse> {
  if (visitor.pendingSignIn() !== undefined) visitor.deletePendingSignIn();
  await startActiveSession(visitor, secret, { keepsPrevious: isAdded });
  if (returnTo !== undefined) return redirectTo(visitor, returnTo);
  const session = await findSession(visitor.app, secret);
  return redirectTo(visitor, session?.lostSecondFactor === true ? '/settings/two_factor' : '/');
}

async function loadPending(visitor: Visitor): Promise<PendingSignIn | undefined> {
  const secret = visitor.pendingSignIn();
  return secret === undefined ? undefined : findPendingSignIn(visitor.app, secret);
}

/** Returns to the first step after a sign-in expired or failed too often. */
function startAgain(visitor: Visitor, state: SignInState): HttpResponse {
  if (visitor.pendingSignIn() !== undefined) visitor.deletePendingSignIn();
  return redirectTo(visitor, signInPath('/auth/sign_in?force=1', state));
}

interface SecondStepState extends SignInState {
  readonly problem?: 'security.wrongCode' | 'security.passkeyFailed';
}

async function secondStepPage(
  visitor: Visitor,
  { hasTotp, userId }: PendingSignIn,
  { problem, ...state }: SecondStepState,
): Promise<HttpResponse> {
  const { t } = visitor;
  const credentials = await listCredentials(visitor.app, userId);
  const fields = html`${signInFields(state)}
    ${field({ label: t(hasTotp ? 'security.code' : 'security.recoveryCode'), name: 'code', autocomplete: 'one-time-code', hint: t(hasTotp ? 'security.codeHint' : 'security.recoveryCodeHint') })}
    <div class="buttons"><button>${t('session.signIn')}</button></div>`;
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
          body: html`${signInFields(state)}
            <div class="buttons"><button>${t('security.signInWithPasskey')}</button></div>`,
        })
      }
      ${form(visitor, secondStepPath, fields)}
      <p><a href="${signInPath('/auth/sign_in?force=1', state)}">${t('security.startAgain')}</a></p>
    </div>`,
  });
}
