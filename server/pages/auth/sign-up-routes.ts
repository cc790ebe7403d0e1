import { Type } from 'typebox';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { presentCollections } from '../../collections/read/index.ts';
import { html, rawHtml, type Html } from '../../platform/http/html.ts';
import { forbidden, HttpError } from '../../platform/http/http-errors.ts';
import type { Route } from '../../platform/http/routes.ts';
import { siteSettings } from '../../site/index.ts';
import type { UserId } from '../../platform/ids.ts';
import { findUsableInvite, type Invite } from '../../users/invites/index.ts';
import { createUser, findJustSignedUp, type SignUpForm } from '../../users/sign-up/index.ts';
import { assertPasswordsAllowed, mayUsePasswords, startSession } from '../../users/sign-in/index.ts';
import { errorSummary, field, form, type FormErrors, formErrors, hiddenField, notice } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { renderRules } from '../render/rules.ts';
import { pageRoute } from '../page-routes.ts';
import { safeReturnPath, withReturnPath } from './return-path.ts';
import type { Visitor } from '../visitor.ts';
import { providerSignUpLinks } from './provider-links.ts';
import { proofOfWorkField, proofOfWorkScript } from './proof-of-work-field.ts';
import { agreementField, reasonField } from './sign-up-fields.ts';

/** A form submitted sooner was filled in by a program: a bot, or a password manager. */
const minFillMs = 3_000;

const text = Type.Optional(Type.String());
const signUpInput = Type.Object({
  return_to: text,
  username: text,
  email: text,
  password: text,
  reason: text,
  agreement: Type.Optional(Type.Boolean()),
  began: text,
  began_proof: text,
  website: text,
  invite_code: text,
  proof_of_work: text,
  follow_collection: Type.Optional(Type.Boolean()),
});
type SignUpInput = {
  [
    Name in
      | 'return_to'
      | 'username'
      | 'email'
      | 'password'
      | 'reason'
      | 'began'
      | 'began_proof'
      | 'website'
      | 'invite_code'
      | 'proof_of_work'
  ]?: string;
} & { agreement?: boolean; follow_collection?: boolean };

export const signUpRoutes: readonly Route[] = [
  pageRoute('GET', '/auth/sign_up', {
    summary: 'Show the form to sign up',
    input: Type.Object({ return_to: text }),
    handle({ visitor, input }) {
      const returnTo = safeReturnPath(visitor.app, input.return_to);
      if (visitor.session !== undefined) return redirectTo(visitor, returnTo ?? '/');
      return signUpPage(visitor, { given: openedAtFields(visitor), returnTo });
    },
  }),

  pageRoute('POST', '/auth/sign_up', {
    summary: 'Sign up',
    // People mistype: the page has the limit of signing in, which is wider than that of apps (reference/limits.tsv).
    rateLimit: 'sign-in',
    input: signUpInput,
    async handle({ visitor, input }) {
      const returnTo = safeReturnPath(visitor.app, input.return_to);
      assertPasswordsAllowed(visitor.app);
      const { registrations } = await siteSettings(visitor.app);
      const invite = await findUsableInvite(visitor.app, input.invite_code);
      const isClosed = registrations === 'closed' && invite === undefined;
      if (!isClosed && looksAutomated(visitor, input)) {
        return signUpPage(visitor, {
          given: { ...input, ...openedAtFields(visitor, input) },
          returnTo,
          invite,
          isTooQuick: true,
        });
      }
      const { username = '', email = '', password = '' } = input;
      const entered = { username: username.trim(), email, password };
      try {
        await signInNewUser(visitor, entered, () => signUp(visitor, entered, { ...input, isClosed }));
      } catch (error) {
        return signUpPage(visitor, { given: input, returnTo, invite, errors: formErrors(visitor, error) });
      }
      return redirectTo(visitor, withReturnPath('/auth/setup', returnTo));
    },
  }),
];

/** Returns the hidden fields with the time when the form was opened; those of `given` if this browser got them. */
function openedAtFields(visitor: Visitor, given: SignUpInput = {}): { began: string; began_proof: string } {
  const { began = '', began_proof: proof } = given;
  if (proof !== undefined && visitor.isFormTokenValid(proof, `began ${began}`)) return { began, began_proof: proof };
  const now = String(visitor.app.clock.now().getTime());
  return { began: now, began_proof: visitor.formToken(`began ${now}`) };
}

/** Whether a program filled in the form: it used the hidden field, or was too quick. Such a form is shown again. */
function looksAutomated(visitor: Visitor, { website = '', began = '', began_proof }: SignUpInput): boolean {
  const ageMs = visitor.app.clock.now().getTime() - Number(began);
  return website !== '' || !visitor.isFormTokenValid(began_proof, `began ${began}`) || ageMs < minFillMs;
}

async function signUp(
  { app, request, t }: Visitor,
  entered: SignUpForm,
  input: SignUpInput & { readonly isClosed: boolean },
): Promise<UserId> {
  if (input.isClosed) throw forbidden();
  const { userId } = await createUser(app, {
    ...entered,
    reason: input.reason,
    locale: t.locale,
    agreement: input.agreement === true,
    ip: request.ip,
    proofOfWork: input.proof_of_work,
    inviteCode: input.invite_code,
    followsCollection: input.follow_collection,
  });
  return userId;
}

/**
 * Signs the browser in as the user that `create` creates. A form that was submitted twice is refused the second time, because
 * the name is taken or the invite used up: then signs in as the user that the first one created.
 */
export async function signInNewUser(
  visitor: Visitor,
  entered: SignUpForm,
  create: () => Promise<UserId>,
): Promise<void> {
  const userId = await create().catch(async (error: unknown) => {
    const created =
      error instanceof HttpError ? await findJustSignedUp(visitor.app, entered, visitor.origin()) : undefined;
    if (created === undefined) throw error;
    return created;
  });
  visitor.signIn(await startBrowserSession(visitor, userId));
}

/** Creates a session for this browser. Returns its secret. */
export const startBrowserSession = (visitor: Visitor, userId: UserId): Promise<string> =>
  startSession(visitor.app, userId, visitor.origin());

/** Renders the form to sign up for people with a usable invite. */
export const invitedSignUpPage = (visitor: Visitor, invite: Invite): Promise<HttpResponse> =>
  signUpPage(visitor, {
    given: { ...openedAtFields(visitor), follow_collection: true },
    returnTo: undefined,
    invite,
  });

async function signUpPage(
  visitor: Visitor,
  state: {
    given: SignUpInput;
    returnTo: string | undefined;
    /** Usable. */
    invite?: Invite | undefined;
    errors?: FormErrors;
    isTooQuick?: boolean;
  },
): Promise<HttpResponse> {
  const { given, returnTo, invite, errors, isTooQuick = false } = state;
  const { t } = visitor;
  const site = await siteSettings(visitor.app);
  if (site.registrations === 'closed' && invite === undefined)
    return closedPage(visitor, { site: site.title, message: site.registrationsMessage, returnTo });
  if (!mayUsePasswords(visitor.app)) return providersPage(visitor, { site: site.title, returnTo, invite });
  const { domain } = visitor.app.config;
  const needsReason = site.registrations === 'approval' && invite === undefined;
  const proofField =
    invite === undefined
      ? await proofOfWorkField(visitor, {
          proof: given.proof_of_work,
          reason: given.reason,
          hasReason: needsReason,
          errors,
        })
      : undefined;
  const fields = html`${hiddenField('return_to', returnTo)}${hiddenField('invite_code', invite?.code)}${hiddenField('began', given.began)}${hiddenField('began_proof', given.began_proof)}
    ${await collectionField(visitor, invite, given.follow_collection === true)}
    ${field({ label: t('auth.username'), name: 'username', value: given.username, errors, autocomplete: 'username', maxLength: 30, hint: t('auth.usernameHint', { domain }) })}
    ${field({ label: t('auth.emailAddress'), name: 'email', type: 'email', value: given.email, errors, autocomplete: 'email', hint: t('auth.emailHint') })}
    ${field({ label: t('securitySettings.password'), name: 'password', type: 'password', errors, autocomplete: 'new-password', hint: t('auth.passwordHint') })}
    ${needsReason && reasonField(visitor, given.reason, errors)}
    <div class="offscreen" aria-hidden="true">
      <label for="website">${t('auth.leaveEmpty')}</label
      ><input id="website" name="website" tabindex="-1" autocomplete="off" />
    </div>
    ${await agreementField(visitor, given.agreement === true, errors)} ${proofField}
    <div class="buttons"><button>${t('pages.signUp')}</button></div>`;
  return renderPage(visitor, {
    title: t('pages.signUp'),
    script: proofField && proofOfWorkScript,
    status: errors === undefined && !isTooQuick ? 200 : 422,
    body: html`<div class="card">
        <h1>${t('auth.join', { site: site.title })}</h1>
        ${invite !== undefined && html`<p>${t('auth.invitedBy', { handle: `@${invite.username}@${domain}` })} ${invite.autofollow && t('auth.followsInviter')}</p>`}
        ${isTooQuick && notice(t('auth.tooQuick'), 'bad')} ${errorSummary(visitor, errors)}
        ${await providerSignUpLinks(visitor, { returnTo, inviteCode: invite?.code })} ${await renderRules(visitor)}
        ${form(visitor, '/auth/sign_up', fields)}
      </div>
      <p>
        ${t('auth.haveAccount')} <a href="${withReturnPath('/auth/sign_in', returnTo)}">${t('session.signIn')}</a>
      </p>`,
  });
}

/** Offers to follow the accounts that an invite recommends; nothing if it has no collection, or an empty one. */
async function collectionField(
  { app, t }: Visitor,
  invite: Invite | undefined,
  isChecked: boolean,
): Promise<Html | undefined> {
  const ids = typeof invite?.collectionId === 'string' ? [invite.collectionId] : [];
  const [collection] = await presentCollections(app, undefined, ids);
  if (collection === undefined || collection.item_count === 0) return undefined;
  const name = html`<a href="${collection.url ?? collection.uri}" target="_blank" rel="noopener"
    ><bdi>${collection.name}</bdi></a
  >`;
  return html`<div class="field check">
    <input type="checkbox" id="follow_collection" name="follow_collection" value="1" ${isChecked && html` checked`} />
    <label for="follow_collection">${t.html('auth.followCollection', { count: collection.item_count, name })}</label>
  </div>`;
}

/** Shown while people sign up only with providers. */
async function providersPage(
  visitor: Visitor,
  {
    site,
    returnTo,
    invite,
  }: { readonly site: string; readonly returnTo: string | undefined; readonly invite: Invite | undefined },
): Promise<HttpResponse> {
  const { t } = visitor;
  return renderPage(visitor, {
    title: t('pages.signUp'),
    body: html`<div class="card">
      <h1>${t('auth.join', { site })}</h1>
      ${await providerSignUpLinks(visitor, { returnTo, inviteCode: invite?.code })}
      <p>${t('auth.haveAccount')} <a href="${withReturnPath('/auth/sign_in', returnTo)}">${t('session.signIn')}</a></p>
    </div>`,
  });
}

async function closedPage(
  visitor: Visitor,
  {
    site,
    message,
    returnTo,
  }: { readonly site: string; readonly message: string; readonly returnTo: string | undefined },
): Promise<HttpResponse> {
  const { t } = visitor;
  return renderPage(visitor, {
    title: t('pages.signUp'),
    body: html`<div class="card">
      <h1>${t('auth.signUpClosed', { site })}</h1>
      ${message === '' ? html`<p>${t('auth.signUpElsewhere')}</p>` : rawHtml(message)}
      ${await providerSignUpLinks(visitor, { returnTo, inviteCode: undefined })}
      <p>${t('auth.haveAccount')} <a href="/auth/sign_in">${t('session.signIn')}</a></p>
    </div>`,
  });
}
