import { expect } from 'vitest';
import type { ListId } from '../server/platform/ids.ts';
import { followAccount, type FollowOptions } from '../server/relationships/follow/index.ts';
import { homeHeads } from '../server/timelines/read/home-heads.ts';
import { walk, type TestServer, type TestUser } from './server.ts';

/** Posts a status and returns its id. */
export async function postBy(user: TestUser, fields: string | Record<string, unknown>): Promise<string> {
  const response = await user.post('/api/v1/statuses', typeof fields === 'string' ? { status: fields } : fields);
  expect(response.status, response.text).toBe(200);
  return response.json.id as string;
}

/** Boosts a status and returns the id of the boost. */
export async function reblogBy(user: TestUser, statusId: string): Promise<string> {
  const response = await user.post(`/api/v1/statuses/${statusId}/reblog`);
  expect(response.status, response.text).toBe(200);
  return response.json.id as string;
}

/** Makes `user` follow `target`. */
export async function follow(server: TestServer, user: TestUser, target: TestUser, options: FollowOptions = {}) {
  await followAccount(server.app, user.id, target.id, options);
  await server.drain();
}

/**
 * Returns all ids of the home timeline from the stored feed, newest first. Asserts that the follow graph and a rebuilt
 * feed return the same ids.
 */
export async function checkedHomeIds(server: TestServer, user: TestUser): Promise<string[]> {
  await server.drain();
  await user.get('/api/v1/timelines/home');
  await server.drain();
  const stored = await timelineIds(user);
  await deleteHomeFeed(server, user);
  expect(await timelineIds(user), 'from the follow graph').toEqual(stored);
  await server.drain();
  expect(await timelineIds(user), 'from the rebuilt feed').toEqual(stored);
  return stored;
}

/** Deletes the stored home feed of a user, as the server does after weeks without use. */
export async function deleteHomeFeed(server: TestServer, user: TestUser): Promise<void> {
  await server.db.deleteFrom('home_feed_states').where('account_id', '=', user.id).execute();
  await server.db.deleteFrom('home_feed').where('account_id', '=', user.id).execute();
  homeHeads.evict(server.app, user.id);
}

async function timelineIds(user: TestUser, path = '/api/v1/timelines/home'): Promise<string[]> {
  return (await walk(user, `${path}?limit=40`)).map(({ id }) => id);
}

/** Creates a list with members that the owner follows already, and returns its id. */
export async function createList(owner: TestUser, members: readonly TestUser[], fields = {}): Promise<string> {
  const { json } = await owner.post('/api/v1/lists', { title: 'Friends', ...fields });
  const response = await owner.post(`/api/v1/lists/${json.id}/accounts`, { account_ids: members.map(({ id }) => id) });
  expect(response.status, response.text).toBe(200);
  return json.id as string;
}

export const listTimelinePath = (listId: string): string => `/api/v1/timelines/list/${listId}`;

/**
 * Returns all ids of a list timeline after all jobs have run, newest first. Asserts that the posts of its members and a
 * rebuilt feed return the same ids. Afterwards the feed is stored.
 */
export async function checkedListIds(server: TestServer, owner: TestUser, listId: string): Promise<string[]> {
  await server.drain();
  const ids = await timelineIds(owner, listTimelinePath(listId));
  await deleteListFeed(server, listId);
  expect(await timelineIds(owner, listTimelinePath(listId)), 'from the posts of the members').toEqual(ids);
  await server.drain();
  expect(await timelineIds(owner, listTimelinePath(listId)), 'from the rebuilt feed').toEqual(ids);
  return ids;
}

/** Deletes the stored feed of a list. */
export async function deleteListFeed(server: TestServer, listId: string): Promise<void> {
  await server.db
    .deleteFrom('list_feed_states')
    .where('list_id', '=', listId as ListId)
    .execute();
}
