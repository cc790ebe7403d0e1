import type { Listing } from '../listings/listing.ts';
import { warnUser } from '../../server/moderation/index.ts';
import type { WarningId } from '../../server/moderation/warnings/index.ts';
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

/** The decisions and notes about an account, and the appeals of its user. */
export async function strikeListings(server: TestServer, staff: TestUser): Promise<Listing[]> {
  const create = async (route: string, name: string): Promise<Listing> => {
    const user = await server.user(name);
    const isOwn = route === ownStrikes;
    return {
      route,
      url: route.replace(':id', user.id),
      client: isOwn ? user : staff,
      keyOf: ({ id }) => id as string,
      add: async () => {
        await warnUser(server.app, 'system', { accountId: user.id, text: 'Please', notify: false });
        const [strike] = (await user.get(`${ownStrikes}?limit=1`)).json;
        return strike.id as string;
      },
      remove: (id) =>
        server.db
          .deleteFrom('account_warnings')
          .where('id', '=', id as WarningId)
          .execute(),
    };
  };
  const strikes = await create(ownStrikes, 'struck');
  return [
    strikes,
    await create(adminStrikes, 'struck_too'),
    await appealListing(server, staff),
    await noteListing(server, staff),
  ];
}

const ownStrikes = '/api/v1/fieldfare/strikes';
const adminStrikes = '/api/v1/fieldfare/admin/accounts/:id/strikes';

async function appealListing(server: TestServer, staff: TestUser): Promise<Listing> {
  const route = '/api/v1/fieldfare/admin/appeals';
  const user = await server.user('appellant');
  return {
    route,
    url: route,
    client: staff,
    keyOf: ({ id }) => id as string,
    add: async () => {
      await warnUser(server.app, 'system', { accountId: user.id, text: 'Please', notify: false });
      const [strike] = (await user.get(`${ownStrikes}?limit=1`)).json;
      await user.post(`${ownStrikes}/${strike.id}/appeal`, { text: 'No' });
      const [appeal] = (await staff.get(`${route}?limit=1`)).json;
      return appeal.id as string;
    },
    remove: (id) => staff.post(`${route}/${id}/reject`),
  };
}

async function noteListing(server: TestServer, staff: TestUser): Promise<Listing> {
  const route = '/api/v1/fieldfare/admin/accounts/:id/notes';
  const { id: accountId } = await server.user('noted');
  const url = route.replace(':id', accountId);
  return {
    route,
    url,
    client: staff,
    keyOf: ({ id }) => id as string,
    add: async () => (await staff.post(url, { content: 'Seen before' })).json.id as string,
    remove: (id) => staff.delete(`/api/v1/fieldfare/admin/account_notes/${id}`),
  };
}
