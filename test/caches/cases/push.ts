import { accountDeleted } from '../../../server/accounts/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { pushSubscriptionChanged } from '../../../server/push/index.ts';
import { findTargets } from '../../../server/push/push-targets.ts';
import { PushClient } from '../../push-client.ts';
import type { EvictionCase } from '../eviction-case.ts';

const cache = 'push.targets';

const deleteSubscription =
  (emittedFor: typeof pushSubscriptionChanged | typeof accountDeleted): EvictionCase['prepare'] =>
  async (server) => {
    const alice = await server.user('alice');
    const { id: accountId } = alice;
    const client = await PushClient.create('https://push.test/');
    await client.subscribe(alice, { alerts: { mention: true } });
    return {
      read: async () => [...(await transaction(server.app, (tx) => findTargets(tx, server.app, [accountId])))],
      change: () => server.db.deleteFrom('push_subscriptions').execute(),
      emitted: emittedFor({ accountId }),
    };
  };

export const cases: readonly EvictionCase[] = [
  { cache, event: 'push.subscription_changed', prepare: deleteSubscription(pushSubscriptionChanged) },
  { cache, event: 'account.deleted', prepare: deleteSubscription(accountDeleted) },
];
