import { Type } from 'typebox';
import { del, get, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { listIdentities, unlinkIdentity, type LinkedIdentity } from './manage-identities.ts';
import { LinkedSignIn } from './schema.ts';

const presentIdentity = ({ subject: _subject, createdAt, lastUsedAt, ...identity }: LinkedIdentity): LinkedSignIn => ({
  id: identity.id,
  issuer: identity.issuer,
  provider: identity.provider ?? null,
  label: identity.label,
  email: identity.email,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});

/** Only unlimited tokens see and unlink them, as with sessions. */
export const identityRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/linked_sign_ins', {
    summary: 'List the accounts at providers with which the user signs in',
    access: 'user',
    scope: 'read',
    response: Type.Array(LinkedSignIn),
    handle: async ({ app, viewer }) => (await listIdentities(app, viewer.userId)).map(presentIdentity),
  }),

  del('/api/v1/fieldfare/linked_sign_ins/:id', {
    summary: 'Remove the link to an account at a provider; not the only way to sign in',
    access: 'user',
    scope: 'write',
    params: Type.Object({ id: idSchema<'identity'>() }),
    response: Type.Object({}),
    handle: async ({ app, viewer, params: { id } }) => {
      await unlinkIdentity(app, viewer.userId, id);
      return {};
    },
  }),
];
