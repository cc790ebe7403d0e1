import type { TestServer } from '../server.ts';
import { accounts, postListing, type Listing } from './listing.ts';

/** Timelines, and the posts of an account. */
export async function timelineListings(server: TestServer): Promise<Listing[]> {
  const createUser = (name: string) => server.user(name);
  const [author, reader] = [await createUser('home_author'), await createUser('home_reader')];
  const [listed, owner] = [await createUser('list_author'), await createUser('list_reader')];
  await reader.post(`${accounts}/${author.id}/follow`);
  await owner.post(`${accounts}/${listed.id}/follow`);
  const { id: listId } = (await owner.post('/api/v1/lists', { title: 'Paged' })).json as { id: string };
  await owner.post(`/api/v1/lists/${listId}/accounts`, { account_ids: [listed.id] });
  const own = await createUser('own_author');
  const anonymous = server.anonymous;
  const page = 'https://news.test/paged';
  return [
    postListing('/api/v1/timelines/public', {
      author: await createUser('public_author'),
      url: '/api/v1/timelines/public?local=true',
      as: anonymous,
      more: { visibility: 'public' },
    }),
    postListing('/api/v1/timelines/home', { author, as: reader }),
    postListing('/api/v1/timelines/list/:list_id', {
      author: listed,
      url: `/api/v1/timelines/list/${listId}`,
      as: owner,
    }),
    postListing('/api/v1/timelines/tag/:hashtag', {
      author: await createUser('tag_author'),
      url: '/api/v1/timelines/tag/paged?any[]=other',
      as: anonymous,
      text: '#paged',
      more: { visibility: 'public' },
    }),
    postListing('/api/v1/timelines/link', {
      author: await createUser('link_author'),
      url: `/api/v1/timelines/link?url=${encodeURIComponent(page)}`,
      as: anonymous,
      text: page,
      more: { visibility: 'public' },
    }),
    postListing('/api/v1/accounts/:id/statuses', {
      author: own,
      url: `${accounts}/${own.id}/statuses?exclude_replies=true`,
      as: anonymous,
    }),
  ];
}
