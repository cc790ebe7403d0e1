import { accountDeleted, accountUpdated } from '../../../server/accounts/index.ts';
import type { EvictionCase } from '../eviction-case.ts';
import { newId } from '../../../server/platform/ids.ts';
import { isAccessDenied } from '../../../server/users/ip-blocks/index.ts';
import { ipBlocksChanged } from '../../../server/users/index.ts';
import { loadUserSettings, userSettingsChanged } from '../../../server/users/settings/index.ts';
import type { TestServer, TestUser } from '../../server.ts';

const cache = 'users.settings';

/** Reads the settings, or the error for an account without a user. */
const settingsOf =
  ({ app }: TestServer, { id }: TestUser) =>
  (): Promise<unknown> =>
    loadUserSettings(app, id).catch((error: unknown) => error);

export const cases: readonly EvictionCase[] = [
  {
    cache,
    event: 'user.settings_changed',
    prepare: async (server) => {
      const alice = await server.user('alice');
      const { id: accountId } = alice;
      return {
        read: settingsOf(server, alice),
        change: () =>
          server.db.updateTable('users').set({ locale: 'de' }).where('account_id', '=', accountId).execute(),
        emitted: userSettingsChanged({ accountId }),
      };
    },
  },
  {
    cache,
    event: 'account.updated',
    prepare: async (server) => {
      const alice = await server.user('alice');
      const { id: accountId } = alice;
      return {
        read: settingsOf(server, alice),
        change: () => server.db.updateTable('accounts').set({ locked: true }).where('id', '=', accountId).execute(),
        emitted: accountUpdated({ accountId }),
      };
    },
  },
  {
    cache,
    event: 'account.deleted',
    prepare: async (server) => {
      const alice = await server.user('alice');
      const { id: accountId } = alice;
      return {
        read: settingsOf(server, alice),
        change: () => server.db.deleteFrom('users').where('account_id', '=', accountId).execute(),
        emitted: accountDeleted({ accountId }),
      };
    },
  },
  {
    cache: 'users.ip_matcher',
    event: ipBlocksChanged.event,
    prepare: async ({ app, db }) => ({
      read: async () => isAccessDenied(app, '192.0.2.1'),
      change: () =>
        db
          .insertInto('ip_blocks')
          .values({
            id: newId<'ip-block'>(app.clock.now()),
            ip: '192.0.2.0/24',
            severity: 'no_access',
            comment: '',
            expires_at: null,
            created_at: app.clock.now(),
            updated_at: app.clock.now(),
          })
          .execute(),
      emitted: ipBlocksChanged({ ip: '192.0.2.0/24' }),
    }),
  },
];
