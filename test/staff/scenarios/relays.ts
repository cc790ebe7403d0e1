import { addRelay } from '../../../server/federation/relays/index.ts';
import type { TestServer } from '../../server.ts';
import type { StaffScenarios } from '../staff-scenario.ts';

const relays = '/api/v1/fieldfare/admin/relays';
const url = 'https://relay.example/inbox';

async function relayPath(server: TestServer): Promise<string> {
  server.expectUndelivered(/^relay\.example$/u);
  return `${relays}/${(await addRelay(server.app, 'system', { url })).id}`;
}

export const relayScenarios: StaffScenarios = {
  [`GET ${relays}`]: async () => ({ path: relays }),
  [`POST ${relays}`]: async (server) => {
    server.expectUndelivered(/^relay\.example$/u);
    return { path: relays, body: { url } };
  },
  [`GET ${relays}/:id`]: async (server) => ({ path: await relayPath(server) }),
  [`POST ${relays}/:id/subscribe`]: async (server) => ({ path: `${await relayPath(server)}/subscribe` }),
  [`POST ${relays}/:id/unsubscribe`]: async (server) => ({ path: `${await relayPath(server)}/unsubscribe` }),
  [`DELETE ${relays}/:id`]: async (server) => ({ path: await relayPath(server) }),
};
