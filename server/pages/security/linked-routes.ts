import { Type } from 'typebox';
import { html, type Html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { formatDay } from '../../platform/i18n/format-day.ts';
import { idSchema } from '../../platform/id-schema.ts';
import type { SignInProvider } from '../../platform/sign-in-providers.ts';
import {
  beginProviderSignIn,
  listIdentities,
  ProviderError,
  unlinkIdentity,
  type LinkedIdentity,
} from '../../users/identity-providers/index.ts';
import { assertPassword, type Session } from '../../users/sign-in/index.ts';
import { continuePage, failedPage, requireSignIn } from '../auth/provider-routes.ts';
import { removeByForm, signedInPageRoute } from '../page-routes.ts';
import { errorSummary, form, formErrors, type FormErrors } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import type { Visitor } from '../visitor.ts';
import { passwordField } from './recovery-codes-page.ts';

const text = Type.Optional(Type.String());
const path = '/settings/linked_sign_ins';

/** The accounts at providers with which a user signs in. */
export const linkedSignInRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/settings/linked_sign_ins', {
    summary: 'Show the accounts at providers with which the user signs in',
    handle: ({ visitor, session }) => linkedPage(visitor, session),
  }),

  signedInPageRoute('POST', '/settings/linked_sign_ins/:provider/link', {
    summary: 'Redirect to a provider to link an account there',
    rateLimit: 'password-change',
    params: Type.Object({ provider: Type.String() }),
    input: Type.Object({ current_password: text }),
    async handle({ visitor, session, params: { provider }, input: { current_password: current = '' } }) {
      const { app } = visitor;
      const signIn = requireSignIn(visitor, provider);
      try {
        await assertPassword(app, session.userId, { current, origin: visitor.origin() });
      } catch (error) {
        return linkedPage(visitor, session, { provider, errors: formErrors(visitor, error) });
      }
      try {
        const purpose = { returnTo: path, isAdded: false, userId: session.userId, isForced: true };
        return await continuePage(visitor, signIn.provider, await beginProviderSignIn(app, signIn, purpose));
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        return failedPage(visitor, signIn, { failure: error.failure });
      }
    },
  }),

  signedInPageRoute('POST', '/settings/linked_sign_ins/:id/unlink', {
    summary: 'Remove the link to an account at a provider',
    params: Type.Object({ id: idSchema<'identity'>() }),
    async handle({ visitor, session, params: { id } }) {
      await removeByForm(unlinkIdentity(visitor.app, session.userId, id));
      return redirectTo(visitor, path);
    },
  }),
];

interface FailedLink {
  readonly provider: string;
  readonly errors: FormErrors;
}

async function linkedPage(visitor: Visitor, { userId }: Session, failed?: FailedLink): Promise<HttpResponse> {
  const { app, t } = visitor;
  const identities = await listIdentities(app, userId);
  const unlinked = app.config.signInProviders.filter(
    ({ name }) => !identities.some(({ provider }) => provider === name),
  );
  return renderPage(visitor, {
    title: t('securitySettings.linked'),
    status: failed === undefined ? 200 : 422,
    body: html`<h1>${t('securitySettings.linked')}</h1>
      <p>${t('security.linkedAbout')}</p>
      ${errorSummary(visitor, failed?.errors)} ${identities.map((identity) => identityCard(visitor, identity))}
      ${unlinked.map((provider) => linkForm(visitor, provider, failed?.provider === provider.name ? failed.errors : undefined))}`,
  });
}

function identityCard(visitor: Visitor, { id, label, email, subject, createdAt, lastUsedAt }: LinkedIdentity): Html {
  const { t } = visitor;
  const date = formatDay(t, createdAt);
  return html`<section class="card" aria-labelledby="identity-${id}">
    <h2 id="identity-${id}">${label}</h2>
    <p><bdi>${email ?? subject}</bdi></p>
    <p class="soft small">
      ${lastUsedAt === null ? t('security.linkedOn', { date }) : t('security.linkedAndUsed', { date, lastUsed: formatDay(t, lastUsedAt) })}
    </p>
    ${form(
      visitor,
      `${path}/${id}/unlink`,
      html`<button class="danger" aria-label="${t('security.unlinkOf', { provider: label })}">
        ${t('security.unlink')}
      </button>`,
    )}
  </section>`;
}

function linkForm(visitor: Visitor, { name, label }: SignInProvider, errors: FormErrors | undefined): Html {
  const { t } = visitor;
  const title = t('security.linkProvider', { provider: label });
  return html`<section class="card" aria-labelledby="link-${name}">
    <h2 id="link-${name}">${title}</h2>
    ${form(
      visitor,
      `${path}/${name}/link`,
      html`${passwordField(visitor, `password-${name}`, errors)}
        <div class="buttons"><button>${title}</button></div>`,
    )}
  </section>`;
}
