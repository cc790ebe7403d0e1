import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { get, post, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { createInvite, expireInvite } from './change-invites.ts';
import { expireInvites } from './expire-invites.ts';
import { findInvite } from './find-invites.ts';
import { listInvites, presentInvite, requireInvite } from './list-invites.ts';
import { AdminInvite } from './schema.ts';

const limits = { defaultLimit: 100, maxLimit: 200 };
const readAccess = { access: 'staff:manage_invites', scope: 'admin:read' } as const;
const writeAccess = { access: 'staff:manage_invites', scope: 'admin:write' } as const;
const params = Type.Object({ id: idSchema<'invite'>() });
const ofAccount = Type.Optional(idSchema<'account'>());

/** Mastodon has no API for invites. */
export const inviteRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/invites', {
    summary: 'List the invites of all users, newest first',
    ...readAccess,
    input: Type.Object({
      ...pageInput(limits),
      state: Type.Optional(
        Type.Enum(['available', 'expired'], { description: 'expired: also those that are used up' }),
      ),
      account_id: ofAccount,
    }),
    response: Type.Array(AdminInvite),
    async handle({ app, input: { state, account_id: accountId, ...input }, request }) {
      const { invites, ...ends } = await listInvites(app, parsePage(input, limits), { state, accountId });
      return paginated(app, request, { json: invites.map((invite) => presentInvite(app, invite)), ...ends });
    },
  }),
  post('/api/v1/fieldfare/admin/invites', {
    summary: 'Create an invite, of the caller or of a user with a lower role',
    ...writeAccess,
    input: Type.Object({
      username: Type.Optional(Type.String({ description: 'The local user who invites' })),
      max_uses: Type.Optional(Type.Integer({ description: 'Absent: any number' })),
      expires_in: Type.Optional(Type.Integer({ description: 'Seconds, at most a year; absent: never' })),
      comment: Type.Optional(Type.String({ description: 'Note for staff' })),
    }),
    response: AdminInvite,
    async handle({ app, viewer, input: { username, max_uses: maxUses, expires_in: expiresInSeconds, comment } }) {
      const name = username?.trim() || undefined;
      const values = { username: name, maxUses, expiresInSeconds, comment };
      return presentCode(app, await createInvite(app, viewer.accountId, values));
    },
  }),
  post('/api/v1/fieldfare/admin/invites/expire_all', {
    summary: 'Expire all available invites, or those of one user',
    ...writeAccess,
    input: Type.Object({ account_id: ofAccount }),
    response: Type.Object({ count: Type.Integer() }),
    handle: async ({ app, viewer, input }) => ({
      count: await expireInvites(app, viewer.accountId, input.account_id),
    }),
  }),
  get('/api/v1/fieldfare/admin/invites/:id', {
    summary: 'Show an invite',
    ...readAccess,
    params,
    response: AdminInvite,
    handle: async ({ app, params: { id } }) => presentInvite(app, await requireInvite(app, id)),
  }),
  post('/api/v1/fieldfare/admin/invites/:id/expire', {
    summary: 'Expire an invite now; no-op if it has expired',
    ...writeAccess,
    params,
    response: AdminInvite,
    async handle({ app, viewer, params: { id } }) {
      await expireInvite(app, viewer.accountId, (await requireInvite(app, id)).code);
      return presentInvite(app, await requireInvite(app, id));
    },
  }),
];

async function presentCode(app: App, code: string): Promise<AdminInvite> {
  const invite = await findInvite(app, code);
  if (invite === undefined) throw notFound();
  return presentInvite(app, invite);
}
