import type { TestServer, TestUser } from '../server.ts';
import { expectOk, idOf, memberListing, post, postListing, statuses, type Listing } from './listing.ts';

/** Listings of accounts that favourited and boosted a post, and of posts that quote it. */
export async function reactionListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const author = await server.user('liked_author');
  const id = await post(author, 'Everyone likes this', { visibility: 'unlisted' });
  const reactions = (verb: string, listing: string): Listing =>
    memberListing(`/api/v1/statuses/:id/${listing}`, {
      url: `${statuses}/${id}/${listing}`,
      as: server.anonymous,
      members: crowd,
      nameOf: idOf,
      join: (user) => expectOk(user.post(`${statuses}/${id}/${verb}`)),
      leave: (user) => expectOk(user.post(`${statuses}/${id}/un${verb}`)),
    });
  return [
    reactions('favourite', 'favourited_by'),
    reactions('reblog', 'reblogged_by'),
    postListing('/api/v1/statuses/:id/quotes', {
      author: await server.user('quoting_author'),
      url: `${statuses}/${id}/quotes`,
      as: author,
      more: { quoted_status_id: id },
    }),
  ];
}
