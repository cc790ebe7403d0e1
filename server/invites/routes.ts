import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { forbidden } from '../platform/http/http-errors.ts';
import { del, get, post, type CurrentUser, type Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import {
  inviteUrl,
  listOwnInvites,
  mayInvite,
  requireOwnInvite,
  revokeOwnInvite,
  type Invite,
} from '../users/invites/index.ts';
import { createUserInvite } from './create-user-invite.ts';
import { OwnInvite } from './schema.ts';

const reading = { access: 'user', scope: 'read|read:accounts' } as const;
const writing = { access: 'user', scope: 'write|write:accounts' } as const;

/** Mastodon has no API for invites. */
export const routes: readonly Route[] = [
  get('/api/v1/fieldfare/invites', {
    summary: 'List your invites that people can still use, newest first',
    ...reading,
    response: Type.Array(OwnInvite),
    async handle({ app, viewer }) {
      await requirePermission(app, viewer);
      return (await listOwnInvites(app, viewer.userId)).map((invite) => presentOwnInvite(app, invite));
    },
  }),
  post('/api/v1/fieldfare/invites', {
    summary: 'Create an invite: a link with which people sign up, also while registrations are closed',
    ...writing,
    input: Type.Object({
      max_uses: Type.Optional(Type.Integer({ description: '1, 5, 10, 25, 50 or 100; absent: any number' })),
      expires_in: Type.Optional(
        Type.Integer({ description: 'Seconds: 1800, 3600, 21600, 43200, 86400 or 604800; absent: never' }),
      ),
      autofollow: Type.Optional(Type.Boolean({ description: 'Whether those who sign up follow you; default false' })),
      collection_id: Type.Optional(idSchema<'collection'>()),
    }),
    response: OwnInvite,
    async handle({ app, viewer, input }) {
      await requirePermission(app, viewer);
      const code = await createUserInvite(app, viewer, {
        maxUses: input.max_uses,
        expiresInSeconds: input.expires_in,
        autofollow: input.autofollow,
        collectionId: input.collection_id,
      });
      return presentOwnInvite(app, await requireOwnInvite(app, viewer.userId, code));
    },
  }),
  del('/api/v1/fieldfare/invites/:id', {
    summary: 'Revoke one of your invites: nobody can sign up with it any more',
    ...writing,
    params: Type.Object({ id: idSchema<'invite'>() }),
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await requirePermission(app, viewer);
      await revokeOwnInvite(app, viewer.userId, id);
      return {};
    },
  }),
];

async function requirePermission(app: App, { roleId }: CurrentUser): Promise<void> {
  if (!(await mayInvite(app, roleId))) throw forbidden();
}

const presentOwnInvite = (app: App, invite: Invite): OwnInvite => ({
  id: invite.id,
  code: invite.code,
  url: inviteUrl(app, invite.code),
  max_uses: invite.maxUses,
  uses: invite.uses,
  expires_at: invite.expiresAt?.toISOString() ?? null,
  autofollow: invite.autofollow,
  collection_id: invite.collectionId,
  created_at: invite.createdAt.toISOString(),
});
