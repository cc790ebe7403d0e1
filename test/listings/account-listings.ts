import type { Client } from '../client.ts';
import type { TestServer, TestUser } from '../server.ts';
import { accounts, expectOk, idOf, memberListing, type Listing } from './listing.ts';

/** Followers, followed accounts, follow requests and endorsements of users, and the members of a list. */
export async function accountListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const createUser = (name: string) => server.user(name);
  const [star, fan, locked] = [await createUser('star'), await createUser('fan'), await createUser('locked')];
  const [owner, endorser, visited] = [
    await createUser('list_owner'),
    await createUser('endorser'),
    await createUser('visited'),
  ];
  await locked.patch('/api/v1/accounts/update_credentials', { locked: true });
  const { id: listId } = (await owner.post('/api/v1/lists', { title: 'Members' })).json as { id: string };
  const list = `/api/v1/lists/${listId}/accounts`;
  for (const user of crowd) {
    for (const follower of [owner, endorser, visited]) await expectOk(follower.post(`${accounts}/${user.id}/follow`));
  }
  const all = { members: crowd, nameOf: idOf };
  const endorsements = (route: string, { by, ...facts }: { by: TestUser; url?: string; as: Client }): Listing =>
    memberListing(route, {
      ...all,
      ...facts,
      join: ({ id }) => expectOk(by.post(`${accounts}/${id}/endorse`)),
      leave: ({ id }) => expectOk(by.post(`${accounts}/${id}/unendorse`)),
    });
  return [
    memberListing('/api/v1/accounts/:id/followers', {
      ...all,
      url: `${accounts}/${star.id}/followers`,
      as: server.anonymous,
      join: (user) => expectOk(user.post(`${accounts}/${star.id}/follow`)),
      leave: (user) => expectOk(user.post(`${accounts}/${star.id}/unfollow`)),
    }),
    memberListing('/api/v1/accounts/:id/following', {
      ...all,
      url: `${accounts}/${fan.id}/following`,
      as: fan,
      join: ({ id }) => expectOk(fan.post(`${accounts}/${id}/follow`)),
      leave: ({ id }) => expectOk(fan.post(`${accounts}/${id}/unfollow`)),
    }),
    memberListing('/api/v1/follow_requests', {
      ...all,
      as: locked,
      join: (user) => expectOk(user.post(`${accounts}/${locked.id}/follow`)),
      leave: (user) => expectOk(user.post(`${accounts}/${locked.id}/unfollow`)),
    }),
    memberListing('/api/v1/lists/:id/accounts', {
      ...all,
      url: list,
      as: owner,
      join: ({ id }) => expectOk(owner.post(list, { account_ids: [id] })),
      leave: ({ id }) => expectOk(owner.delete(list, { account_ids: [id] })),
    }),
    endorsements('/api/v1/endorsements', { by: endorser, as: endorser }),
    endorsements('/api/v1/accounts/:id/endorsements', {
      by: visited,
      url: `${accounts}/${visited.id}/endorsements`,
      as: server.anonymous,
    }),
  ];
}
