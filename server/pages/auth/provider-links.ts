import { html, type Html } from '../../platform/http/html.ts';
import { withParameters } from '../../oauth/authorize/index.ts';
import type { SignInProvider } from '../../platform/sign-in-providers.ts';
import { maySignUpByProvider } from '../../users/identity-providers/index.ts';
import type { Visitor } from '../visitor.ts';
import { signInPath, type SignInState } from './return-path.ts';

/** Renders the links to sign in with each provider; nothing without any. `isForced`: people sign in again there. */
export function providerSignInLinks({ app, t }: Visitor, state: SignInState, isForced: boolean): Html | undefined {
  const links = app.config.signInProviders.map(({ name, label }) => {
    const path = `/auth/providers/${name}${isForced ? '?force=1' : ''}`;
    return html`<a class="button" href="${signInPath(path, state)}">${t('auth.signInWith', { provider: label })}</a>`;
  });
  return links.length === 0 ? undefined : html`<div class="buttons">${links}</div>`;
}

/** Renders the links to sign up with each provider that permits it; nothing without any. */
export async function providerSignUpLinks(
  { app, t }: Visitor,
  { returnTo, inviteCode }: { readonly returnTo: string | undefined; readonly inviteCode: string | undefined },
): Promise<Html | undefined> {
  const permitted: SignInProvider[] = [];
  for (const provider of app.config.signInProviders) {
    if (await maySignUpByProvider(app, provider, inviteCode)) permitted.push(provider);
  }
  if (permitted.length === 0) return undefined;
  const links = permitted.map(({ name, label }) => {
    const path = `/auth/providers/${name}`;
    const invited = inviteCode === undefined ? path : withParameters(path, { invite_code: inviteCode });
    const href = signInPath(invited, { returnTo, isAdded: false });
    return html`<a class="button" href="${href}">${t('auth.signUpWith', { provider: label })}</a>`;
  });
  return html`<div class="buttons">${links}</div>`;
}
