import { expect, test } from 'vitest';
import { followingScene, isoTime } from '../peer-scene.ts';

test('FED-03: a reply to a stored remote post looks that post up once', async () => {
  await using s = await followingScene();
  const { a, eve } = s;
  const published = isoTime(a);
  const create = (name: string, members: Record<string, unknown> = {}) =>
    eve.activity('Create', eve.note(name, { published, ...members }));
  const receive = (name: string, members?: Record<string, unknown>) =>
    a.countQueries(async () => {
      expect(await eve.send(a, create(name, members))).toBe(202);
      await a.drain();
    });
  // The first of each fills caches.
  for (const name of ['first', 'second']) await receive(name);
  const inReplyTo = eve.note('first')['id'];
  await receive('third', { inReplyTo });
  const plain = await receive('fourth');
  expect(await receive('fifth', { inReplyTo })).toBe(plain + 1);
});
