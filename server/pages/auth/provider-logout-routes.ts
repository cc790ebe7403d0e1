import { Type } from 'typebox';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { html } from '../../platform/http/html.ts';
import type { Route } from '../../platform/http/routes.ts';
import { endProviderSessions, endSessionUrl, ProviderError } from '../../users/identity-providers/index.ts';
import { pageRoute } from '../page-routes.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { requireSignIn } from './provider-routes.ts';

const params = Type.Object({ provider: Type.String() });

/** Sign-out of a provider, and by it. */
export const providerLogoutRoutes: readonly Route[] = [
  pageRoute('GET', '/auth/providers/:provider/signed_out', {
    summary: 'Show where to sign out of the provider, after the browser was signed out here',
    params,
    async handle({ visitor, params: { provider: name } }) {
      const { app, t } = visitor;
      const { provider } = requireSignIn(visitor, name);
      const url = await endSessionUrl(app, provider).catch((error: unknown) => {
        if (error instanceof ProviderError) return undefined;
        throw error;
      });
      if (url === undefined) return redirectTo(visitor, '/');
      return renderPage(visitor, {
        title: t('auth.signedOutTitle'),
        body: html`<div class="card">
          <h1>${t('auth.signedOutTitle')}</h1>
          <p>${t('auth.signedOutHere', { provider: provider.label })}</p>
          <div class="buttons">
            <a class="button" href="${url}">${t('auth.signOutOf', { provider: provider.label })}</a>
            <a href="/">${t('auth.continue')}</a>
          </div>
        </div>`,
      });
    },
  }),

  // The token authorizes the request, which the provider sends itself.
  pageRoute('POST', '/auth/providers/:provider/logout', {
    summary: 'End sessions that began with a provider, which sends a logout token',
    needsFormToken: false,
    params,
    input: Type.Object({ logout_token: Type.Optional(Type.String()) }),
    async handle({ visitor, params: { provider: name }, input: { logout_token: token = '' } }) {
      const { provider } = requireSignIn(visitor, name);
      const isValid = await endProviderSessions(visitor.app, provider, token);
      const headers = { 'cache-control': 'no-store' };
      return isValid
        ? new HttpResponse({ status: 200, headers, text: '' })
        : new HttpResponse({ status: 400, headers, json: { error: 'invalid_request' } });
    },
  }),
];
