import type { TestServer, TestUser } from '../server.ts';
import { expectOk, idOf, memberListing, post, statuses, type Listing } from './listing.ts';

const drafts = '/api/v1/fieldfare/drafts';
const bookmarks = '/api/v1/fieldfare/bookmarks';

/** Favourites, bookmarks, scheduled posts and drafts of a user. */
export async function savedListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const [author, reader, filer] = [
    await server.user('kept_author'),
    await server.user('reader'),
    await server.user('filer'),
  ];
  const posts: { id: string }[] = [];
  for (let count = 0; count < crowd.length; count += 1) {
    posts.push({ id: await post(author, `kept ${count}`, { visibility: 'unlisted' }) });
  }
  const saved = (verb: string): Listing =>
    memberListing(`/api/v1/${verb}s`, {
      as: reader,
      members: posts,
      nameOf: idOf,
      join: ({ id }) => expectOk(reader.post(`${statuses}/${id}/${verb}`)),
      leave: ({ id }) => expectOk(reader.post(`${statuses}/${id}/un${verb}`)),
    });
  const later = () => new Date(server.clock.now().getTime() + 86_400_000).toISOString();
  let count = 0;
  return [
    saved('favourite'),
    saved('bookmark'),
    {
      route: '/api/v1/scheduled_statuses',
      url: '/api/v1/scheduled_statuses',
      client: reader,
      keyOf: idOf,
      add: () => post(reader, `later ${(count += 1)}`, { scheduled_at: later() }),
      remove: (id) => expectOk(reader.delete(`/api/v1/scheduled_statuses/${id}`)),
    },
    memberListing(bookmarks, {
      url: `${bookmarks}?unfiled=true&q=kept`,
      as: filer,
      members: posts,
      nameOf: idOf,
      join: ({ id }) => expectOk(filer.post(`${statuses}/${id}/bookmark`)),
      leave: ({ id }) => expectOk(filer.post(`${statuses}/${id}/unbookmark`)),
    }),
    {
      route: drafts,
      url: drafts,
      client: reader,
      keyOf: idOf,
      add: async () => (await expectOk(reader.post(drafts, { posts: [{ text: 'Unfinished' }] }))).json.id as string,
      remove: (id) => expectOk(reader.delete(`${drafts}/${id}`)),
    },
  ];
}
