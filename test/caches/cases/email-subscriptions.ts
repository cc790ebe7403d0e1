import { cacheAuthors } from '../../../server/email-subscriptions/subscribable.ts';
import type { DomainEvent } from '../../../server/platform/events/define-event.ts';
import { changeSiteSettings, siteSettings, siteSettingsChanged } from '../../../server/site/index.ts';
import { standardRoles } from '../../../server/users/access/index.ts';
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

/** A case in which an author takes subscribers until `change`. */
const authorCase = ({ event, emittedFor, change }: AuthorCase): EvictionCase => ({
  cache: 'email_subscriptions.authors',
  event,
  prepare: async (server) => {
    const alice = await server.user('alice', { role: 'owner' });
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
    emittedFor: () => roleChanged({ roleId: standardRoles.owner }),
    change: ({ db }) => db.updateTable('roles').set({ permissions: '0' }).execute(),
  }),
  authorCase({
    event: userAccessChanged.event,
    emittedFor: ({ id, userId }) => userAccessChanged({ accountId: id, userId }),
    change: ({ db }, { userId }) => db.updateTable('users').set({ disabled: true }).where('id', '=', userId).execute(),
  }),
];
