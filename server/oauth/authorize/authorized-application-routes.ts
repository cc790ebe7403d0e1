import { Type } from 'typebox';
import { del, get, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { listAuthorizedApplications, revokeApplication } from './authorized-applications.ts';
import { AuthorizedApplication } from './schema.ts';

/** The apps with access to an account. Only unlimited tokens see and revoke them. */
export const authorizedApplicationRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/authorized_apps', {
    summary: 'List the apps with access to the account, the most recently used first',
    access: 'user',
    scope: 'read',
    response: Type.Array(AuthorizedApplication),
    handle: async ({ app, viewer }) =>
      (await listAuthorizedApplications(app, viewer.userId)).map(
        ({ id, name, website, scopes, firstAuthorizedAt, lastUsedAt }) => ({
          id,
          name,
          website,
          scopes: [...scopes],
          created_at: firstAuthorizedAt.toISOString(),
          last_used_at: lastUsedAt?.toISOString() ?? null,
        }),
      ),
  }),

  del('/api/v1/fieldfare/authorized_apps/:id', {
    summary: 'Revoke the access of an app; idempotent',
    access: 'user',
    scope: 'write',
    params: Type.Object({ id: idSchema<'application'>() }),
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await revokeApplication(app, viewer.userId, id);
      return {};
    },
  }),
];
