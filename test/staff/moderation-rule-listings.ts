import type { TestServer, TestUser } from '../server.ts';
import { expectOk, idOf, type Listing } from '../listings/listing.ts';
import { addRule } from './moderation-rules.ts';

/** The moderation rules, and what one of them did. */
export async function moderationRuleListings(server: TestServer): Promise<Listing[]> {
  const staff = await server.user('rule_staff', { role: 'admin', scopes: 'admin:read admin:write' });
  const author = await server.user('rule_breaker');
  const route = '/api/v1/fieldfare/admin/moderation_rules';
  const { id: ruleId } = await addRule(server);
  await addRule(server, { actions: ['hold'], conditions: { text: { keywords: ['roulette'] } } });
  const held = '/api/v1/fieldfare/admin/held_posts';
  const own = '/api/v1/fieldfare/held_posts';
  const heldListing = (listed: string, client: TestUser): Listing => ({
    route: listed,
    url: listed,
    client,
    keyOf: idOf,
    add: async () => (await expectOk(author.post('/api/v1/statuses', { status: 'Roulette' }))).json.id as string,
    remove: (id) => expectOk(author.delete(`${own}/${id}`)),
  });
  return [
    heldListing(held, staff),
    heldListing(own, author),
    {
      route,
      url: `${route}?enabled=false`,
      client: staff,
      keyOf: idOf,
      add: async () => (await addRule(server, { enabled: false })).id,
      remove: (id) => expectOk(staff.delete(`${route}/${id}`)),
    },
    {
      route: `${route}/:id/trials`,
      url: `${route}/${ruleId}/trials`,
      client: staff,
      keyOf: idOf,
      add: async () => {
        const { id } = (await expectOk(staff.post(`${route}/${ruleId}/trials`))).json;
        await server.db.updateTable('moderation_rule_trials').set({ finished_at: server.clock.now() }).execute();
        return id as string;
      },
      remove: (id) =>
        server.db
          .deleteFrom('moderation_rule_trials')
          .where('id', '=', id as never)
          .execute(),
    },
    {
      route: `${route}/:id/matches`,
      url: `${route}/${ruleId}/matches`,
      client: staff,
      keyOf: idOf,
      add: async () => {
        await author.post('/api/v1/statuses', { status: 'Casino!' });
        return (await expectOk(staff.get(`${route}/${ruleId}/matches?limit=1`))).json[0].id as string;
      },
      remove: (id) =>
        server.db
          .deleteFrom('moderation_rule_matches')
          .where('id', '=', id as never)
          .execute(),
    },
  ];
}
