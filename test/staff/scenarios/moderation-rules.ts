import { addRule } from '../moderation-rules.ts';
import type { TestServer } from '../../server.ts';
import type { StaffScenarios } from '../staff-scenario.ts';

const rules = '/api/v1/fieldfare/admin/moderation_rules';

const rulePath = async (server: TestServer): Promise<string> => `${rules}/${(await addRule(server)).id}`;

export const moderationRuleScenarios: StaffScenarios = {
  [`GET ${rules}`]: async () => ({ path: rules }),
  [`POST ${rules}`]: async () => ({
    path: rules,
    body: { title: 'Casino', conditions: { text: { keywords: ['casino'] } }, actions: ['reject'] },
  }),
  [`GET ${rules}/:id`]: async (server) => ({ path: await rulePath(server) }),
  [`PUT ${rules}/:id`]: async (server) => ({ path: await rulePath(server), body: { enabled: false } }),
  [`DELETE ${rules}/:id`]: async (server) => ({ path: await rulePath(server) }),
  [`GET ${rules}/:id/matches`]: async (server) => ({ path: `${await rulePath(server)}/matches` }),
};
