import type { Listing } from '../listings/listing.ts';
import type { TestServer } from '../server.ts';

/** The blocks of IP addresses, e-mail domains, e-mail addresses and usernames. */
export async function blockListings(server: TestServer): Promise<Listing[]> {
  const staff = await server.user('block_staff', { role: 'admin', scopes: 'admin:read admin:write' });
  // Those of a new server.
  await server.db.deleteFrom('username_blocks').execute();
  let count = 0;
  const listing = (route: string, body: (count: number) => object): Listing => ({
    route,
    url: route,
    client: staff,
    keyOf: ({ id }: { id: string }) => id,
    async add() {
      count += 1;
      const { status, json } = await staff.post(route, body(count));
      if (status !== 200) throw new Error(JSON.stringify(json));
      return json.id as string;
    },
    remove: (id) => staff.delete(`${route}/${id}`),
  });
  return [
    listing('/api/v1/admin/ip_blocks', (n) => ({ ip: `198.51.100.${n}`, severity: 'sign_up_block' })),
    listing('/api/v1/admin/email_domain_blocks', (n) => ({ domain: `spam${n}.test` })),
    listing('/api/v1/admin/canonical_email_blocks', (n) => ({ email: `troll${n}@mail.test` })),
    listing('/api/v1/fieldfare/admin/username_blocks', (n) => ({ username: `troll${n}` })),
  ];
}
