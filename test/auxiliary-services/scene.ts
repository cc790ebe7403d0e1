import { Network } from '../network.ts';
import type { TestServer, TestUser } from '../server.ts';
import { TestProvider } from './test-provider.ts';

export const providersPath = '/api/v1/fieldfare/admin/providers';

/** A server with staff, and a provider that is not registered. */
export interface ProviderScene extends AsyncDisposable {
  readonly network: Network;
  readonly server: TestServer;
  readonly staff: TestUser;
  readonly provider: TestProvider;
}

export async function providerScene(): Promise<ProviderScene> {
  const network = new Network();
  const server = await network.start('a.test');
  const staff = await server.user('stella', { role: 'owner', scopes: 'read write admin:read admin:write' });
  const provider = new TestProvider(network, server);
  return { network, server, staff, provider, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}
