import { accountSuspended, accountUnsuspended } from '../../../server/accounts/index.ts';
import { collectionDeleted } from '../../../server/collections/index.ts';
import { notificationCreated, notificationsChanged } from '../../../server/notifications/events.ts';
import { newestGroups } from '../../../server/notifications/grouped/list-groups.ts';
import { newestNotifications } from '../../../server/notifications/list-notifications.ts';
import type { DomainEvent } from '../../../server/platform/write/define-event.ts';
import { newId, type AccountId, type CollectionId, type NotificationId } from '../../../server/platform/ids.ts';
import { domainBlocked, domainUnblocked } from '../../../server/relationships/index.ts';
import type { TestServer } from '../../server.ts';
import type { EvictionCase } from '../eviction-case.ts';

type Read = (server: TestServer, accountId: AccountId) => Promise<number>;

const reads: Readonly<Record<string, Read>> = {
  'notifications.newest': async ({ app }, accountId) => (await newestNotifications.get(app, accountId)).length,
  'notifications.newest_groups': async ({ app }, accountId) => (await newestGroups.get(app, accountId)).length,
};

/** Reads the newest notifications of an account that gets one more. */
const newestCase = (cache: string, event: string, emit: (accountId: AccountId) => DomainEvent): EvictionCase => ({
  cache,
  event,
  async prepare(server) {
    const { db, clock } = server;
    const { id: accountId } = await server.user('alice');
    const id = newId<'notification'>(clock.now());
    const row = {
      id,
      account_id: accountId,
      type: 'follow',
      from_account_id: accountId,
      status_id: null,
      group_key: null,
    };
    return {
      read: async () => reads[cache]?.(server, accountId),
      change: () =>
        db
          .insertInto('notifications')
          .values({ ...row, created_at: clock.now() })
          .execute(),
      emitted: emit(accountId),
    };
  },
});

const events: readonly [event: string, emit: (accountId: AccountId) => DomainEvent][] = [
  [
    notificationCreated.event,
    (accountId) => notificationCreated({ notificationId: '1' as NotificationId, accountId, type: 'follow' }),
  ],
  [notificationsChanged.event, (accountId) => notificationsChanged({ accountIds: [accountId] })],
  [
    collectionDeleted.event,
    (accountId) =>
      collectionDeleted({
        collectionId: '1' as CollectionId,
        accountId,
        local: true,
        uri: 'https://peer.test/collections/1',
        memberIds: [accountId],
      }),
  ],
];

const eventsOfSenders: typeof events = [
  [domainBlocked.event, (accountId) => domainBlocked({ accountId, domain: 'peer.test' })],
  [domainUnblocked.event, (accountId) => domainUnblocked({ accountId, domain: 'peer.test' })],
  [accountSuspended.event, (accountId) => accountSuspended({ accountId })],
  [accountUnsuspended.event, (accountId) => accountUnsuspended({ accountId })],
];

export const cases: EvictionCase[] = [
  ...events.map(([event, emit]) => newestCase('notifications.newest', event, emit)),
  ...[...events, ...eventsOfSenders].map(([event, emit]) => newestCase('notifications.newest_groups', event, emit)),
];
