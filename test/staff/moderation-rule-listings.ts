import type { TestServer } from '../server.ts';
import { expectOk, idOf, type Listing } from '../listings/listing.ts';
import { addRule } from './moderation-rules.ts';

/** The moderation rules, and what one of them did. */
export async function moderationRuleListings(server: TestServer): Promise<Listing[]> {
  const staff = await server.user('rule_staff', { role: 'admin', scopes: 'admin:read admin:write' });
  const author = await server.user('rule_breaker');
  const route = '/api/v1/fieldfare/admin/moderation_rules';
  const { id: ruleId } = await addRule(server);
  return [
    {
      route,
      url: `${route}?enabled=false`,
      client: staff,
      keyOf: idOf,
      add: async () => (await addRule(server, { enabled: false })).id,
      remove: (id) => expectOk(staff.delete(`${route}/${id}`)),
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
