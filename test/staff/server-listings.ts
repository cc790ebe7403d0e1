import { newId } from '../../server/platform/ids.ts';
import type { SeveranceId } from '../../server/relationships/severances/index.ts';
import type { TestResponse } from '../client.ts';
import type { TestServer, TestUser } from '../server.ts';
import type { Listing } from '../listings/listing.ts';

const idOf = (item: { id: string }): string => item.id;

async function expectOk(request: Promise<TestResponse>): Promise<TestResponse> {
  const response = await request;
  if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
  return response;
}

/** What an account lost at once. */
export async function severanceListings(server: TestServer): Promise<Listing[]> {
  const user = await server.user('severed');
  const route = '/api/v1/fieldfare/severed_relationships';
  const createRow = () => ({
    id: newId<'severance'>(server.clock.now()),
    account_id: user.id,
    type: 'domain_block' as const,
    target_name: 'bad.example',
    cause_id: newId<'row'>(server.clock.now()),
    followers_count: 1,
    following_count: 0,
    created_at: server.clock.now(),
  });
  return [
    {
      route,
      url: route,
      client: user,
      keyOf: idOf,
      add: async () => {
        const insert = server.db.insertInto('relationship_severances').values(createRow()).returning('id');
        return (await insert.executeTakeFirstOrThrow()).id;
      },
      remove: (id) =>
        server.db
          .deleteFrom('relationship_severances')
          .where('id', '=', id as SeveranceId)
          .execute(),
    },
  ];
}

/** Relays, and lists of domain blocks. */
export async function serverListings(server: TestServer): Promise<Listing[]> {
  const staff = await server.user('server_staff', { role: 'admin', scopes: 'admin:read admin:write' });
  server.expectUndelivered(/^relay\d+\.example$/u);
  return [
    urlListing(staff, '/api/v1/fieldfare/admin/relays', (count) => `https://relay${count}.example/inbox`),
    urlListing(staff, '/api/v1/fieldfare/admin/domain_lists', (count) => `https://lists${count}.example/blocks.csv`),
  ];
}

/** There may be 20 lists, and 50 relays. */
const maxUrls = 20;

function urlListing(staff: TestUser, route: string, toUrl: (count: number) => string): Listing {
  let count = 0;
  return {
    route,
    url: route,
    client: staff,
    keyOf: idOf,
    async add() {
      if ((await expectOk(staff.get(`${route}?limit=100`))).json.length === maxUrls) return undefined;
      count += 1;
      return (await expectOk(staff.post(route, { url: toUrl(count) }))).json.id as string;
    },
    remove: (id) => expectOk(staff.delete(`${route}/${id}`)),
  };
}
