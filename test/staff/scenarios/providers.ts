import { confirmProvider } from '../../../server/auxiliary-services/providers/confirm-provider.ts';
import { fingerprintOf } from '../../../server/auxiliary-services/providers/find-providers.ts';
import { registerProvider } from '../../../server/auxiliary-services/providers/register-provider.ts';
import type { TestServer } from '../../server.ts';
import type { StaffScenarios } from '../staff-scenario.ts';

const providers = '/api/v1/fieldfare/admin/providers';

const register = (server: TestServer) =>
  registerProvider(server.app, {
    name: 'Example FASP',
    baseUrl: 'https://fasp.example.com',
    serverId: 'b2ks6vm8p23w',
    publicKey: 'FbUJDVCftINc9FlgRu2jLagCVvOa7I2Myw8aidvkong=',
  });

/** Returns the path of a confirmed provider with this capability. */
async function confirmedPath(server: TestServer, enabled = false): Promise<string> {
  const provider = await register(server);
  await confirmProvider(server.app, 'system', { id: provider.id, fingerprint: fingerprintOf(provider) });
  await server.db
    .insertInto('service_provider_capabilities')
    .values({ provider_id: provider.id, name: 'callback', version: '0.1', enabled })
    .execute();
  return `${providers}/${provider.id}`;
}

export const providerScenarios: StaffScenarios = {
  [`GET ${providers}`]: async () => ({ path: providers }),
  [`GET ${providers}/:id`]: async (server) => ({ path: `${providers}/${(await register(server)).id}` }),
  [`POST ${providers}/:id/confirm`]: async (server) => {
    const provider = await register(server);
    return { path: `${providers}/${provider.id}/confirm`, body: { fingerprint: fingerprintOf(provider) } };
  },
  [`POST ${providers}/:id/refresh`]: async (server) => ({ path: `${await confirmedPath(server)}/refresh` }),
  [`POST ${providers}/:id/capabilities/:capability/enable`]: async (server) => ({
    path: `${await confirmedPath(server)}/capabilities/callback/enable`,
  }),
  [`POST ${providers}/:id/capabilities/:capability/disable`]: async (server) => ({
    path: `${await confirmedPath(server, true)}/capabilities/callback/disable`,
  }),
  [`POST ${providers}/:id/test`]: async (server) => ({ path: `${await confirmedPath(server, true)}/test` }),
  [`DELETE ${providers}/:id`]: async (server) => ({ path: `${providers}/${(await register(server)).id}` }),
};
