import type { TestServer } from '../server.ts';
import { accounts, expectOk, idOf, type Listing } from './listing.ts';

/** Collections that a user created, and collections with a user, at both versions of the API. */
export async function collectionListings(server: TestServer): Promise<Listing[]> {
  await server.db.updateTable('roles').set({ collection_limit: 1_000 }).execute();
  const listings: Listing[] = [];
  for (const version of ['v1', 'v1_alpha']) {
    for (const kind of ['collections', 'in_collections'] as const) {
      const [owner, member] = [await server.user(`${kind}_${version}_a`), await server.user(`${kind}_${version}_b`)];
      await member.patch(`${accounts}/update_credentials`, { discoverable: true });
      const shown = kind === 'collections' ? owner : member;
      listings.push({
        route: `/api/${version}/accounts/:account_id/${kind}`,
        url: `/api/${version}/accounts/${shown.id}/${kind}`,
        client: shown,
        keyOf: idOf,
        isByOffset: true,
        async add() {
          const { json } = await expectOk(
            owner.post('/api/v1/collections', { name: 'Paged', account_ids: [member.id] }),
          );
          return json.collection.id as string;
        },
        remove: (id) => expectOk(owner.delete(`/api/v1/collections/${id}`)),
      });
    }
  }
  return listings;
}
