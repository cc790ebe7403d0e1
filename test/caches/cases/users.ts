import { accountDeleted, accountUpdated } from '../../../server/accounts/index.ts';
import type { EvictionCase } from '../eviction-case.ts';
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
];
