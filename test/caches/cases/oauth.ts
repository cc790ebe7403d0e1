import { accountDeleted, accountSuspended, accountUnsuspended } from '../../../server/accounts/index.ts';
import { authenticate, authenticateSession, tokensRevoked } from '../../../server/oauth/index.ts';
import type { DomainEvent } from '../../../server/platform/write/define-event.ts';
import type { TokenId } from '../../../server/platform/ids.ts';
import { everyoneRoleId, standardRoles } from '../../../server/users/access/index.ts';
import { userSettingsChanged } from '../../../server/users/settings/index.ts';
import { roleChanged, sessionsEnded, userAccessChanged } from '../../../server/users/index.ts';
import { startSession } from '../../../server/users/sign-in/index.ts';
import type { EvictionCase } from '../eviction-case.ts';
import type { TestServer, TestUser } from '../../server.ts';

type Prepare = EvictionCase['prepare'];

/** Reads the caller of the user's token, or the error for a revoked one. */
const callerOf =
  ({ app }: TestServer, { token }: TestUser) =>
  (): Promise<unknown> =>
    Promise.try(() => authenticate(app, token ?? '')).catch((error: unknown) => error);

const tokenOf = async ({ db }: TestServer, { userId }: TestUser) =>
  db.selectFrom('oauth_tokens').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow();

const changeAccount =
  (suspended_at: Date | null, emittedFor: (user: TestUser) => DomainEvent): Prepare =>
  async (server) => {
    const alice = await server.user('alice');
    const set = (date: Date | null) =>
      server.db.updateTable('accounts').set({ suspended_at: date }).where('id', '=', alice.id).execute();
    if (suspended_at === null) await set(new Date('2026-01-01'));
    return { read: callerOf(server, alice), change: () => set(suspended_at), emitted: emittedFor(alice) };
  };

/** A case that revokes the token of a user. `nameToken` returns the event payload for it. */
const revoke =
  (nameToken: (token: Awaited<ReturnType<typeof tokenOf>>) => Parameters<typeof tokensRevoked>[0]): Prepare =>
  async (server) => {
    const alice = await server.user('alice');
    const token = await tokenOf(server, alice);
    return {
      read: callerOf(server, alice),
      change: () => setRevoked(server, token.id),
      emitted: tokensRevoked(nameToken(token)),
    };
  };

const setRevoked = ({ db }: TestServer, id: TokenId) =>
  db
    .updateTable('oauth_tokens')
    .set({ revoked_at: new Date('2026-01-01') })
    .where('id', '=', id)
    .execute();

const cache = 'oauth.callers';

/** The language of errors is that of the account. */
const changeLocale: Prepare = async (server) => {
  const alice = await server.user('alice');
  return {
    read: callerOf(server, alice),
    change: () => server.db.updateTable('users').set({ locale: 'de' }).where('id', '=', alice.userId).execute(),
    emitted: userSettingsChanged({ accountId: alice.id }),
  };
};

/** Ends the session of a browser. */
const endSession: Prepare = async (server) => {
  const { userId } = await server.user('alice');
  const secret = await startSession(server.app, userId, {});
  const { id } = await server.db.selectFrom('sessions').select('id').executeTakeFirstOrThrow();
  return {
    read: async () => authenticateSession(server.app, secret),
    change: () => server.db.deleteFrom('sessions').where('id', '=', id).execute(),
    emitted: sessionsEnded({ sessionIds: [id] }),
  };
};

export const cases: readonly EvictionCase[] = [
  { cache, event: 'user.settings_changed', prepare: changeLocale },
  { cache, event: 'user.sessions_ended', prepare: endSession },
  { cache, event: 'oauth.tokens_revoked', prepare: revoke(({ id: tokenId }) => ({ tokenId })) },
  { cache, event: 'oauth.tokens_revoked', prepare: revoke(({ user_id: userId }) => ({ ...(userId && { userId }) })) },
  {
    cache,
    event: 'oauth.tokens_revoked',
    prepare: revoke(({ user_id: userId, application_id: applicationId }) => ({
      ...(userId && { userId }),
      ...(applicationId && { applicationId }),
    })),
  },
  {
    cache,
    event: 'user.access_changed',
    prepare: async (server) => {
      const alice = await server.user('alice');
      const { id: accountId, userId } = alice;
      return {
        read: callerOf(server, alice),
        change: () =>
          server.db.updateTable('users').set({ role_id: standardRoles.admin }).where('id', '=', userId).execute(),
        emitted: userAccessChanged({ userId, accountId }),
      };
    },
  },
  ...[everyoneRoleId, standardRoles.moderator].map((roleId) => ({
    cache,
    event: 'role.changed',
    prepare: async (server: TestServer) => {
      const alice = await server.user('alice', { role: 'moderator' });
      return {
        read: callerOf(server, alice),
        change: () => server.db.updateTable('roles').set({ permissions: '4' }).where('id', '=', roleId).execute(),
        emitted: roleChanged({ roleId }),
      };
    },
  })),
  {
    cache,
    event: 'account.suspended',
    prepare: changeAccount(new Date('2026-01-01'), ({ id: accountId }) => accountSuspended({ accountId })),
  },
  {
    cache,
    event: 'account.unsuspended',
    prepare: changeAccount(null, ({ id: accountId }) => accountUnsuspended({ accountId })),
  },
  {
    cache,
    event: 'account.deleted',
    prepare: async (server) => {
      const alice = await server.user('alice');
      const { id: accountId } = alice;
      return {
        read: callerOf(server, alice),
        change: () =>
          server.db
            .updateTable('accounts')
            .set({ deleted_at: new Date('2026-01-01') })
            .where('id', '=', accountId)
            .execute(),
        emitted: accountDeleted({ accountId }),
      };
    },
  },
];
