import { expect, test } from 'vitest';
import { createAnnouncement, deleteAnnouncement, editAnnouncement } from '../../server/announcements/index.ts';
import { startServer } from '../server.ts';
import { TestEventSource, TestSocket } from '../streams.ts';

test('ANN-02 STR-01: announcements, their edits, reactions and deletions are sent to every user stream', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const home = await TestSocket.open(server, alice, 'stream=user');
  const events = await TestEventSource.open(server, bob, '/user');
  const list = await TestSocket.open(server, alice, 'stream=public');
  const startsAt = new Date(server.clock.now().getTime() + 60_000).toISOString();
  const id = await createAnnouncement(server.app, 'system', { text: 'Hello', startsAt });
  expect(await home.take()).toEqual([]);
  server.clock.advance(60);
  const [published, ...others] = await home.take();
  expect(others).toEqual([]);
  expect(published).toMatchObject({ stream: ['user'], event: 'announcement' });
  const { read: _, ...shown } = (await alice.get('/api/v1/announcements')).json[0];
  expect(JSON.parse(published?.payload ?? '')).toEqual(shown);
  await editAnnouncement(server.app, 'system', id, { text: 'Hello all' });
  await alice.put(`/api/v1/announcements/${id}/reactions/${encodeURIComponent('👍')}`);
  const update = { name: '👍', count: 1, announcement_id: id };
  expect(
    (await home.take()).map(({ event, payload }) => [event, JSON.parse(payload).content ?? JSON.parse(payload)]),
  ).toEqual([
    ['announcement', '<p>Hello all</p>'],
    ['announcement.reaction', update],
  ]);
  await alice.delete(`/api/v1/announcements/${id}/reactions/${encodeURIComponent('👍')}`);
  const [removed] = await home.take();
  expect(JSON.parse(removed?.payload ?? '')).toEqual({ ...update, count: 0 });
  await alice.put(`/api/v1/announcements/${id}/reactions/${encodeURIComponent('🎉')}`);
  await home.take();
  await deleteAnnouncement(server.app, 'system', id);
  expect(await home.take()).toEqual([{ stream: ['user'], event: 'announcement.delete', payload: id }]);
  expect((await events.take()).map(({ event }) => event)).toEqual([
    'announcement',
    'announcement',
    'announcement.reaction',
    'announcement.reaction',
    'announcement.reaction',
    'announcement.delete',
  ]);
  expect(await list.take()).toEqual([]);
  for (const stream of [home, events, list]) stream.close();
});
