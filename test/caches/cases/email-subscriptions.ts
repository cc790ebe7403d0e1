import { cacheAuthors } from '../../../server/email-subscriptions/subscribable.ts';
import type { DomainEvent } from '../../../server/platform/events/define-event.ts';
import { siteSettingsChanged } from '../../../server/site/index.ts';
import { userAccessChanged } from '../../../server/users/index.ts';
import { userSettingsChanged } from '../../../server/users/settings/index.ts';
import type { TestUser } from '../../server.ts';
import type { EvictionCase } from '../eviction-case.ts';

/** A case in which staff permit e-mail subscriptions, with any event. */
const permitCase = (event: string, emittedFor: (user: TestUser) => DomainEvent): EvictionCase => ({
  cache: 'email_subscriptions.authors',
  event,
  prepare: async (server) => {
    const alice = await server.user('alice', { role: 'owner' });
    await server.db
      .updateTable('users')
      .set({ settings: JSON.stringify({ email_subscriptions: true }) })
      .where('id', '=', alice.userId)
      .execute();
    return {
      read: async () => [...(await cacheAuthors(server.app))],
      change: () =>
        server.db.insertInto('site_settings').values({ name: 'emailSubscriptions', value: 'true' }).execute(),
      emitted: emittedFor(alice),
    };
  },
});

export const cases: readonly EvictionCase[] = [
  permitCase(siteSettingsChanged.event, () => siteSettingsChanged({ names: ['emailSubscriptions'], staffId: null })),
  permitCase(userSettingsChanged.event, ({ id }) => userSettingsChanged({ accountId: id })),
  permitCase(userAccessChanged.event, ({ id, userId }) => userAccessChanged({ accountId: id, userId })),
];
