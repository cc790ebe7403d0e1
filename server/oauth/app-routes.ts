import { Type } from 'typebox';
import { get, post, type Route } from '../platform/http/routes.ts';
import { createApplication } from './create-application.ts';
import { presentApplication, requireApplication } from './find-applications.ts';
import { parseRedirectUris } from './authorize/redirect-uris.ts';
import { Application, CredentialApplication } from './schema.ts';
import { defaultScope, parseScopes } from './scopes.ts';

export const appRoutes: readonly Route[] = [
  post('/api/v1/apps', {
    summary: 'Register an app',
    access: 'anyone',
    openInLimitedFederation: true,
    rateLimit: 'apps',
    input: Type.Object({
      client_name: Type.Optional(Type.String()),
      redirect_uris: Type.Optional(
        Type.Array(Type.String(), { description: 'A list, or a text with one address per line' }),
      ),
      scopes: Type.Optional(Type.String({ description: 'Separated by spaces; default read' })),
      website: Type.Optional(Type.String()),
    }),
    response: CredentialApplication,
    async handle({ app, input }) {
      const { id, clientId, clientSecret } = await createApplication(app, {
        name: input.client_name ?? '',
        redirectUris: parseRedirectUris(input.redirect_uris ?? []),
        scopes: parseScopes(input.scopes?.trim() || defaultScope),
        website: input.website ?? null,
      });
      return {
        ...(await presentApplication(app, await requireApplication(app, id))),
        client_id: clientId,
        client_secret: clientSecret,
        client_secret_expires_at: 0,
      };
    },
  }),

  get('/api/v1/apps/verify_credentials', {
    summary: 'Show the app of the token',
    access: 'app',
    allowUnconfirmed: true,
    response: Application,
    handle: async ({ app, caller }) => presentApplication(app, await requireApplication(app, caller.applicationId)),
  }),
];
