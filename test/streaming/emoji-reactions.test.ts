import { expect, test } from 'vitest';
import { startServer, type TestUser } from '../server.ts';
import { settle, TestSocket } from '../streams.ts';

const reactPath = (id: string, action: string): string =>
  `/api/v1/statuses/${id}/${action}/${encodeURIComponent('👍')}`;

const show = async (viewer: TestUser, id: string): Promise<unknown> =>
  (await viewer.get(`/api/v1/statuses/${id}`)).json;

test('STR-01: an emoji reaction and its end update the post in the streams of those who see it, and of no others', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  const post = { status: 'Only for followers', visibility: 'private' };
  const { id } = (await alice.post('/api/v1/statuses', post)).json as { id: string };
  await settle(server);
  const open = (user: TestUser) => TestSocket.open(server, user, 'stream=user');
  const [own, home, other] = [await open(alice), await open(bob), await open(carol)];
  const everyone = await TestSocket.open(server, carol, 'stream=public');
  for (const [action, count] of [
    ['react', 1],
    ['unreact', 0],
  ] as const) {
    await bob.post(reactPath(id, action));
    for (const [socket, viewer] of [
      [own, alice],
      [home, bob],
    ] as const) {
      const events = await socket.take();
      const updates = events.filter(({ event }) => event === 'status.update');
      expect(updates).toHaveLength(1);
      const status = JSON.parse(updates[0]?.payload ?? 'null') as { reactions: { me: boolean }[] };
      expect(status).toEqual(await show(viewer, id));
      expect(status.reactions).toHaveLength(count);
      if (count === 1) expect(status.reactions[0]?.me).toBe(viewer === bob);
    }
  }
  expect([await other.take(), await everyone.take()]).toEqual([[], []]);
  await carol.post(reactPath(id, 'react'));
  expect(await home.take()).toEqual([]);
  for (const socket of [own, home, other, everyone]) socket.close();
});
