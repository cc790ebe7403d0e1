import { expect } from 'vitest';
import type { ListId } from '../server/platform/ids.ts';
import { followAccount, type FollowOptions } from '../server/relationships/index.ts';
import { walk, type TestServer, type TestUser } from './server.ts';

/** Posts a status; gives its id. */
export async function postBy(user: TestUser, fields: string | Record<string, unknown>): Promise<string> {
  const answer = await user.post('/api/v1/statuses', typeof fields === 'string' ? { status: fields } : fields);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.id as string;
}

/** Reblogs a status; gives the id of the reblog. */
export async function reblogBy(user: TestUser, statusId: string): Promise<string> {
  const answer = await user.post(`/api/v1/statuses/${statusId}/reblog`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.id as string;
}

/** Makes the first follow the second. */
export async function follow(server: TestServer, user: TestUser, target: TestUser, options: FollowOptions = {}) {
  await followAccount(server.app, user.id, target.id, options);
  await server.drain();
}

/**
 * The ids of someone's whole home, newest first: as the stored feed gives them. Checks that the follow graph, and a feed
 * that is built anew, give the same.
 */
export async function checkedHomeIds(server: TestServer, user: TestUser): Promise<string[]> {
  await server.drain();
  await user.get('/api/v1/timelines/home');
  await server.drain();
  const stored = await timelineIds(user);
  await deleteHomeFeed(server, user);
  expect(await timelineIds(user), 'through the follow graph').toEqual(stored);
  await server.drain();
  expect(await timelineIds(user), 'after a build').toEqual(stored);
  return stored;
}

/** Makes the server forget a stored feed, as it does with those who do not come for weeks. */
export async function deleteHomeFeed(server: TestServer, user: TestUser): Promise<void> {
  await server.db.deleteFrom('home_feed_states').where('account_id', '=', user.id).execute();
  await server.db.deleteFrom('home_feed').where('account_id', '=', user.id).execute();
}

async function timelineIds(user: TestUser, path = '/api/v1/timelines/home'): Promise<string[]> {
  return (await walk(user, `${path}?limit=40`)).map(({ id }) => id);
}

/** Makes a list of these members, who are followed already; gives its id. */
export async function createList(owner: TestUser, members: readonly TestUser[], fields = {}): Promise<string> {
  const { json } = await owner.post('/api/v1/lists', { title: 'Friends', ...fields });
  const answer = await owner.post(`/api/v1/lists/${json.id}/accounts`, { account_ids: members.map(({ id }) => id) });
  expect(answer.status, answer.text).toBe(200);
  return json.id as string;
}

export const listTimelinePath = (listId: string): string => `/api/v1/timelines/list/${listId}`;

/**
 * The ids of a whole list, newest first, when the jobs have run: as it is kept, if it is. Checks that its members' posts
 * by themselves, and a feed that is built anew, give the same. The feed is kept from then on.
 */
export async function checkedListIds(server: TestServer, owner: TestUser, listId: string): Promise<string[]> {
  await server.drain();
  const kept = await timelineIds(owner, listTimelinePath(listId));
  await deleteListFeed(server, listId);
  expect(await timelineIds(owner, listTimelinePath(listId)), 'through the members').toEqual(kept);
  await server.drain();
  expect(await timelineIds(owner, listTimelinePath(listId)), 'after a build').toEqual(kept);
  return kept;
}

/** Makes the server forget the kept feed of a list. */
export async function deleteListFeed(server: TestServer, listId: string): Promise<void> {
  await server.db
    .deleteFrom('list_feed_states')
    .where('list_id', '=', listId as ListId)
    .execute();
}
