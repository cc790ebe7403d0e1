import { createPreset } from '../../../server/moderation/presets/change-presets.ts';
import type { TestServer } from '../../server.ts';
import type { StaffScenarios } from '../staff-scenario.ts';

const path = '/api/v1/fieldfare/admin/warning_presets';

const create = async ({ app }: TestServer): Promise<string> =>
  (await createPreset(app, 'system', { title: 'Spam', text: 'No advertising.' })).id;

export const presetScenarios: StaffScenarios = {
  [`GET ${path}`]: async () => ({ path }),
  [`POST ${path}`]: async () => ({ path, body: { title: 'Spam', text: 'No advertising.' } }),
  [`PUT ${path}/:id`]: async (server) => ({ path: `${path}/${await create(server)}`, body: { title: 'Ads' } }),
  [`DELETE ${path}/:id`]: async (server) => ({ path: `${path}/${await create(server)}` }),
};
