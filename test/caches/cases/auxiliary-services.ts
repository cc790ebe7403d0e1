import { activeProviders } from '../../../server/auxiliary-services/providers/capabilities.ts';
import { registerProvider } from '../../../server/auxiliary-services/providers/register-provider.ts';
import { activeSubscriptions, subscribe } from '../../../server/auxiliary-services/sharing/subscriptions.ts';
import { providersChanged } from '../../../server/auxiliary-services/index.ts';
import type { EvictionCase } from '../eviction-case.ts';

export const cases: readonly EvictionCase[] = [
  {
    cache: 'auxiliary-services.providers',
    event: providersChanged.event,
    prepare: async ({ app, db }) => {
      const { id } = await registerProvider(app, {
        name: 'Example FASP',
        baseUrl: 'https://fasp.example.com',
        serverId: 'b2ks6vm8p23w',
        publicKey: 'FbUJDVCftINc9FlgRu2jLagCVvOa7I2Myw8aidvkong=',
      });
      return {
        read: async () => (await activeProviders.get(app, 'providers')).length,
        change: () =>
          db.updateTable('service_providers').set({ confirmed_at: app.clock.now() }).where('id', '=', id).execute(),
        emitted: providersChanged({}),
      };
    },
  },
  {
    cache: 'auxiliary-services.subscriptions',
    event: providersChanged.event,
    prepare: async ({ app, db }) => {
      const provider = await registerProvider(app, {
        name: 'Example FASP',
        baseUrl: 'https://fasp.example.com',
        serverId: 'b2ks6vm8p23w',
        publicKey: 'FbUJDVCftINc9FlgRu2jLagCVvOa7I2Myw8aidvkong=',
      });
      await db
        .insertInto('service_provider_capabilities')
        .values({ provider_id: provider.id, name: 'data_sharing', version: '0.1', enabled: true })
        .execute();
      await subscribe(app, provider, { category: 'content', subscriptionType: 'lifecycle' });
      return {
        read: async () => (await activeSubscriptions.get(app, 'subscriptions')).length,
        change: () => db.deleteFrom('service_provider_subscriptions').execute(),
        emitted: providersChanged({}),
      };
    },
  },
];
