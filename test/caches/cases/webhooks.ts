import { webhooksChanged } from '../../../server/webhooks/index.ts';
import { cacheAccounts } from '../../../server/webhooks/webhook-targets.ts';
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
];
