import { expect, test } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../server.ts';
import { mastodonIos, signInFor } from './registered-apps.ts';

type Send = (user: TestUser, id: string) => ReturnType<TestUser['get']>;

const on = (action: string): Send => {
  return (user, id) => user.post(`/api/v1/accounts/${id}/${action}`, { comment: 'A note' });
};

/** Every route that returns relationships. */
const routes: Record<string, Send> = {
  relationships: (user, id) => user.get(`/api/v1/accounts/relationships?id[]=${id}`),
  follow: on('follow'),
  endorse: on('endorse'),
  pin: on('pin'),
  unendorse: on('unendorse'),
  unpin: on('unpin'),
  note: on('note'),
  mute: on('mute'),
  unmute: on('unmute'),
  'remove from followers': on('remove_from_followers'),
  unfollow: on('unfollow'),
  block: on('block'),
  unblock: on('unblock'),
  'follow by handle': (user) => user.post('/api/v1/follows', { uri: 'bob' }),
};

/** Returns the relationship in the response of each route. `name`: of users to create, who ask the user for a follow. */
async function relationshipsFor(server: TestServer, user: TestUser, id: string, name: string) {
  const found = new Map<string, unknown>();
  const add = ({ status, json, text }: Awaited<ReturnType<Send>>, route: string) => {
    expect(status, `${route}: ${text}`).toBe(200);
    found.set(route, Array.isArray(json) ? json[0] : json);
  };
  for (const [route, send] of Object.entries(routes)) add(await send(user, id), route);
  await user.patch('/api/v1/accounts/update_credentials', { locked: true });
  for (const answer of ['authorize', 'reject']) {
    const asking = await server.user(`${name}_${answer}`);
    await asking.post(`/api/v1/accounts/${user.id}/follow`);
    add(await user.post(`/api/v1/follow_requests/${asking.id}/${answer}`), answer);
  }
  return found;
}

test('REL-03: Mastodon for iOS, which requires blocked_by, gets a constant that says nothing', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const ios = await signInFor(server, alice, mastodonIos);
  for (const [name, relationship] of await relationshipsFor(server, ios, bob.id, 'first')) {
    expect(relationship, name).toMatchObject({
      id: expect.any(String),
      following: expect.any(Boolean),
      blocked_by: false,
    });
  }
  const carol = await server.user('carol');
  const path = `/api/v1/accounts/relationships?id[]=${carol.id}`;
  const before = await ios.get(path);
  await carol.post(`/api/v1/accounts/${alice.id}/block`);
  expect((await ios.get(path)).json).toEqual(before.json);
  // Errors and other entities stay as they are.
  expect((await ios.get('/api/v1/accounts/1')).json).not.toHaveProperty('blocked_by');
  expect((await ios.get(`/api/v1/accounts/${bob.id}`)).json).not.toHaveProperty('blocked_by');
});

test('REL-03: no other client gets blocked_by, whatever it calls itself', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const others = [
    { name: mastodonIos.name, website: null },
    { name: mastodonIos.name, website: 'https://other.test' },
    { name: 'Mastodon for iOS (other)', website: mastodonIos.website },
    { name: 'Tusky', website: 'https://tusky.app' },
  ];
  for (const app of others) {
    const user = await signInFor(server, alice, app);
    const { json } = await user.get(`/api/v1/accounts/relationships?id[]=${bob.id}`);
    expect(json, app.name).toEqual([expect.not.objectContaining({ blocked_by: expect.anything() })]);
  }
  for (const [name, relationship] of await relationshipsFor(server, alice, bob.id, 'other')) {
    expect(relationship, name).not.toHaveProperty('blocked_by');
  }
  expect((await server.anonymous.get('/api/openapi.json')).text).not.toContain('blocked_by');
});
