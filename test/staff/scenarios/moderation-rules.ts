import type { AccountId } from '../../../server/platform/ids.ts';
import { addRule } from '../moderation-rules.ts';
import type { TestServer } from '../../server.ts';
import type { StaffScenarios } from '../staff-scenario.ts';

const rules = '/api/v1/fieldfare/admin/moderation_rules';

const heldPosts = '/api/v1/fieldfare/admin/held_posts';

/** A post that a rule holds, by a user that the tests give a role. */
async function holdPost(server: TestServer): Promise<{ readonly path: string; readonly target: AccountId }> {
  await addRule(server, { actions: ['hold'] });
  const author = await server.user('author');
  const { id } = (await author.post('/api/v1/statuses', { status: 'Casino' })).json;
  return { path: `${heldPosts}/${id}`, target: author.id };
}

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
  [`POST ${rules}/:id/trials`]: async (server) => ({ path: `${await rulePath(server)}/trials` }),
  [`GET ${rules}/:id/trials`]: async (server) => ({ path: `${await rulePath(server)}/trials` }),
  [`POST ${rules}/:id/undo`]: async (server) => ({ path: `${await rulePath(server)}/undo` }),
  [`GET ${heldPosts}`]: async () => ({ path: heldPosts }),
  [`GET ${heldPosts}/:id`]: async (server) => ({ path: (await holdPost(server)).path }),
  [`POST ${heldPosts}/:id/approve`]: async (server) => {
    const { path, target } = await holdPost(server);
    return { path: `${path}/approve`, target };
  },
  [`POST ${heldPosts}/:id/reject`]: async (server) => {
    const { path, target } = await holdPost(server);
    return { path: `${path}/reject`, target };
  },
  [`GET ${rules}/:id/matches`]: async (server) => ({ path: `${await rulePath(server)}/matches` }),
};
