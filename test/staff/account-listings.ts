import type { Listing } from '../listings/listing.ts';
import type { TestServer, TestUser } from '../server.ts';

/** The accounts for staff: sign-ups that are rejected leave the list. */
export function adminAccountListing(
  server: TestServer,
  { staff, version }: { readonly staff: TestUser; readonly version: 1 | 2 },
): Listing {
  const route = `/api/v${version}/admin/accounts`;
  let created = 0;
  return {
    route,
    url: `${route}?username=listed${version}`,
    client: staff,
    keyOf: ({ id }) => id as string,
    add: async () => {
      created += 1;
      return (await server.user(`listed${version}x${created}`, { approved: false })).id;
    },
    remove: (id) => staff.post(`/api/v1/admin/accounts/${id}/reject`),
  };
}
