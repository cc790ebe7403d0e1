import { cacheAuthors } from '../../../server/email-subscriptions/subscribable.ts';
import type { DomainEvent } from '../../../server/platform/write/define-event.ts';
import { changeSiteSettings, siteSettings, siteSettingsChanged } from '../../../server/site/index.ts';
import { permissionBits, standardRoles } from '../../../server/users/access/roles.ts';
import { roleChanged, userAccessChanged } from '../../../server/users/index.ts';
import { userSettingsChanged } from '../../../server/users/settings/index.ts';
import type { TestServer, TestUser } from '../../server.ts';
import type { EvictionCase } from '../eviction-case.ts';

interface AuthorCase {
  readonly event: string;
  readonly emittedFor: (user: TestUser) => DomainEvent;
  /** Ends the subscriptions of an author, directly in the database. */
  readonly change: (server: TestServer, user: TestUser) => Promise<unknown>;
}

/** Stores the permissions of moderators, such as the author. */
const setPermissions = ({ db }: TestServer, permissions: string): Promise<unknown> =>
  db.updateTable('roles').set({ permissions }).where('id', '=', standardRoles.moderator).execute();

/** A case in which an author takes subscribers until `change`. */
const authorCase = ({ event, emittedFor, change }: AuthorCase): EvictionCase => ({
  cache: 'email_subscriptions.authors',
  event,
  prepare: async (server) => {
    const alice = await server.user('alice', { role: 'moderator' });
    await setPermissions(server, String(permissionBits.manage_email_subscriptions));
    await changeSiteSettings(server.app, 'system', { emailSubscriptions: true });
    await server.db
      .updateTable('users')
      .set({ settings: JSON.stringify({ email_subscriptions: true }) })
      .where('id', '=', alice.userId)
      .execute();
    await siteSettings(server.app);
    return {
      read: async () => [...(await cacheAuthors(server.app))],
      change: () => change(server, alice),
      emitted: emittedFor(alice),
    };
  },
});

export const cases: readonly EvictionCase[] = [
  authorCase({
    event: siteSettingsChanged.event,
    emittedFor: () => siteSettingsChanged({ names: ['emailSubscriptions'], staffId: null }),
    change: ({ db }) => db.deleteFrom('site_settings').where('name', '=', 'emailSubscriptions').execute(),
  }),
  authorCase({
    event: userSettingsChanged.event,
    emittedFor: ({ id }) => userSettingsChanged({ accountId: id }),
    change: ({ db }, { userId }) => db.updateTable('users').set({ settings: '{}' }).where('id', '=', userId).execute(),
  }),
  authorCase({
    event: roleChanged.event,
    emittedFor: () => roleChanged({ roleId: standardRoles.moderator }),
    change: (server) => setPermissions(server, '0'),
  }),
  authorCase({
    event: userAccessChanged.event,
    emittedFor: ({ id, userId }) => userAccessChanged({ accountId: id, userId }),
    change: ({ db }, { userId }) => db.updateTable('users').set({ disabled: true }).where('id', '=', userId).execute(),
  }),
];
