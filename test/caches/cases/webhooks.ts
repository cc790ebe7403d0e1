import { accountDeleted } from '../../../server/accounts/index.ts';
import { webhooksChanged } from '../../../server/webhooks/index.ts';
import { cacheTargets, isUsed } from '../../../server/webhooks/webhook-targets.ts';
import { webhooksPath } from '../../webhook-receiver.ts';
import type { EvictionCase } from '../eviction-case.ts';

const changeWebhook =
  (emittedFor: typeof webhooksChanged | typeof accountDeleted, isUsage = false): EvictionCase['prepare'] =>
  async (server) => {
    const alice = await server.user('alice');
    const { id: accountId } = alice;
    await alice.post(webhooksPath, { url: 'https://hooks.test/', events: ['status.created'] });
    return {
      read: async () => (isUsage ? isUsed(server.app) : [...(await cacheTargets(server.app, [accountId]))]),
      change: async () => {
        if (isUsage) await server.db.deleteFrom('webhooks').execute();
        else await server.db.updateTable('webhooks').set({ events: [] }).execute();
      },
      emitted: emittedFor({ accountId }),
    };
  };

export const cases: readonly EvictionCase[] = [
  { cache: 'webhooks.targets', event: 'webhook.changed', prepare: changeWebhook(webhooksChanged) },
  { cache: 'webhooks.targets', event: 'account.deleted', prepare: changeWebhook(accountDeleted) },
  { cache: 'webhooks.usages', event: 'webhook.changed', prepare: changeWebhook(webhooksChanged, true) },
];
