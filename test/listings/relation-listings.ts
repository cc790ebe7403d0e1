import type { TestServer, TestUser } from '../server.ts';
import { accounts, expectOk, idOf, memberListing, type Listing } from './listing.ts';

/** Accounts and domains that a user hides, and hashtags that a user follows. */
export async function relationListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const person = await server.user('particular');
  const act = (route: string, verb: string): Listing =>
    memberListing(route, {
      as: person,
      members: crowd,
      nameOf: idOf,
      join: ({ id }) => expectOk(person.post(`${accounts}/${id}/${verb}`)),
      leave: ({ id }) => expectOk(person.post(`${accounts}/${id}/un${verb}`)),
    });
  const names = crowd.map((_, index) => `word${index}`);
  return [
    act('/api/v1/blocks', 'block'),
    act('/api/v1/mutes', 'mute'),
    memberListing('/api/v1/domain_blocks', {
      as: person,
      members: names,
      nameOf: (name) => `${name}.test`,
      keyOf: String,
      join: (name) => expectOk(person.post('/api/v1/domain_blocks', { domain: `${name}.test` })),
      leave: (name) => expectOk(person.delete('/api/v1/domain_blocks', { domain: `${name}.test` })),
    }),
    memberListing('/api/v1/followed_tags', {
      as: person,
      members: names,
      nameOf: String,
      keyOf: (item) => item.name,
      join: (name) => expectOk(person.post(`/api/v1/tags/${name}/follow`)),
      leave: (name) => expectOk(person.post(`/api/v1/tags/${name}/unfollow`)),
    }),
  ];
}
