import { collectionDeleted } from '../../../server/collections/index.ts';
import { notificationCreated, notificationsChanged } from '../../../server/notifications/events.ts';
import { newestNotifications } from '../../../server/notifications/list-notifications.ts';
import type { DomainEvent } from '../../../server/platform/write/define-event.ts';
import { newId, type AccountId, type CollectionId, type NotificationId } from '../../../server/platform/ids.ts';
import type { EvictionCase } from '../eviction-case.ts';

/** Reads the newest notifications of an account that gets one more. */
const newestCase = (event: string, emit: (accountId: AccountId) => DomainEvent): EvictionCase => ({
  cache: 'notifications.newest',
  event,
  async prepare(server) {
    const { app, db, clock } = server;
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
      read: async () => (await newestNotifications.get(app, accountId)).length,
      change: () =>
        db
          .insertInto('notifications')
          .values({ ...row, created_at: clock.now() })
          .execute(),
      emitted: emit(accountId),
    };
  },
});

export const cases: EvictionCase[] = [
  newestCase(notificationCreated.event, (accountId) =>
    notificationCreated({ notificationId: '1' as NotificationId, accountId, type: 'follow' }),
  ),
  newestCase(notificationsChanged.event, (accountId) => notificationsChanged({ accountIds: [accountId] })),
  newestCase(collectionDeleted.event, (accountId) =>
    collectionDeleted({
      collectionId: '1' as CollectionId,
      accountId,
      local: true,
      uri: 'https://peer.test/collections/1',
      memberIds: [accountId],
    }),
  ),
];
