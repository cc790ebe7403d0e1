import { Type } from 'typebox';
import { del, get, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { listSessions, type BrowserSession } from './list-sessions.ts';
import { revokeOtherSessions, revokeSession } from './revoke-sessions.ts';
import { Session } from './schema.ts';

const presentSession = ({ id, userAgent, ip, createdAt, lastUsedAt }: BrowserSession): Session => ({
  id,
  user_agent: userAgent,
  ip,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt.toISOString(),
});

/** Only unlimited tokens see the addresses of their user, and sign browsers out. */
const readAccess = { access: 'user', scope: 'read' } as const;
const writeAccess = { access: 'user', scope: 'write' } as const;

export const sessionRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/sessions', {
    summary: 'List the browsers in which the user is signed in, the most recently used first',
    ...readAccess,
    response: Type.Array(Session),
    handle: async ({ app, viewer }) => (await listSessions(app, viewer.userId)).map(presentSession),
  }),

  del('/api/v1/fieldfare/sessions', {
    summary: 'Sign the user out of all browsers but the one that asks; tokens of apps stay valid',
    ...writeAccess,
    response: Type.Object({}),
    handle: async ({ app, viewer, caller }) => {
      await revokeOtherSessions(app, viewer.userId, caller.sessionId);
      return {};
    },
  }),

  del('/api/v1/fieldfare/sessions/:id', {
    summary: 'Sign the user out of one browser',
    ...writeAccess,
    params: Type.Object({ id: idSchema<'session'>() }),
    response: Type.Object({}),
    handle: async ({ app, viewer, params: { id } }) => {
      await revokeSession(app, viewer.userId, id);
      return {};
    },
  }),
];
