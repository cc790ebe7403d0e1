import { webhooksChanged } from '../../../server/webhooks/index.ts';
import { cacheAccounts, cacheStaffEvents } from '../../../server/webhooks/webhook-targets.ts';
import { createStaffWebhook } from '../../../server/webhooks/staff/index.ts';
import { webhooksPath } from '../../webhook-receiver.ts';
import type { EvictionCase } from '../eviction-case.ts';

export const cases: readonly EvictionCase[] = [
  {
    cache: 'webhooks.accounts',
    event: 'webhook.changed',
    prepare: async (server) => {
      const alice = await server.user('alice');
      await alice.post(webhooksPath, { url: 'https://hooks.test/', events: ['status.created'] });
      return {
        read: async () => [...(await cacheAccounts(server.app))],
        change: () => server.db.deleteFrom('webhooks').execute(),
        emitted: webhooksChanged({ accountId: alice.id }),
      };
    },
  },
  {
    cache: 'webhooks.staff_events',
    event: 'webhook.changed',
    prepare: async (server) => {
      const manager = { staff: 'system', permissions: 0n } as const;
      await createStaffWebhook(server.app, manager, { url: 'https://hooks.test/', events: ['status.created'] });
      return {
        read: async () => [...(await cacheStaffEvents(server.app))],
        change: () => server.db.deleteFrom('webhooks').execute(),
        emitted: webhooksChanged({ accountId: null }),
      };
    },
  },
];
