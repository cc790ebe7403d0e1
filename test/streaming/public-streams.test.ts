import sharp from 'sharp';
import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../server/accounts/remote/index.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { storeRemoteStatus } from '../../server/statuses/remote/index.ts';
import { multipart } from '../client.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';
import { settle, TestEventSource, TestSocket } from '../streams.ts';

/** Posts an image as a local author. */
async function postImage(server: TestServer, author: TestUser): Promise<void> {
  const background = { r: 200, g: 100, b: 0 };
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();
  const file = new File([new Uint8Array(image)], 'image.png', { type: 'image/png' });
  const { id } = (await author.post('/api/v2/media', await multipart({ file }))).json as { id: string };
  await server.drain();
  expect((await author.post('/api/v1/statuses', { status: 'Local', media_ids: [id] })).status).toBe(200);
}

/** Stores a post with an image by a remote author. */
async function storeImage(server: TestServer): Promise<void> {
  const uri = 'https://one.test/users/rita';
  const accountId = await transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, { uri, username: 'rita', domain: 'one.test', inboxUrl: `${uri}/inbox` }),
  );
  await storeRemoteStatus(server.app, {
    uri: 'https://one.test/posts/1',
    accountId,
    content: '<p>Remote</p>',
    visibility: 'public',
    publishedAt: server.clock.now(),
    attachments: [{ type: 'image', url: 'https://one.test/image.png' }],
  });
}

test('STR-02: posts with attachments reach the media streams of their origin', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const socket = await TestSocket.open(server, bob);
  for (const name of ['public:media', 'public:local:media', 'public:remote:media']) await socket.subscribe(name);
  const paths = ['/public', '/public/local', '/public/remote'];
  const sources = await Promise.all(paths.map((path) => TestEventSource.open(server, bob, `${path}?only_media=true`)));
  const receive = async (): Promise<unknown> => {
    await settle(server);
    const names = (await socket.take()).map(({ stream, event }) => `${stream?.[0]} ${event}`).toSorted();
    const counts = [];
    for (const source of sources) counts.push((await source.take()).length);
    return { names, counts };
  };
  await postImage(server, alice);
  expect(await receive()).toEqual({ names: ['public:local:media update', 'public:media update'], counts: [1, 1, 0] });
  await storeImage(server);
  expect(await receive()).toEqual({ names: ['public:media update', 'public:remote:media update'], counts: [1, 0, 1] });
  for (const stream of [socket, ...sources]) stream.close();
});

test('STR-02: edits and deletions reach hashtag streams, and posts by silenced authors reach no public stream', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const socket = await TestSocket.open(server, bob, 'stream=public');
  for (const name of ['hashtag', 'hashtag:local']) await socket.subscribe(name, { tag: 'birds' });
  const receive = async (): Promise<string[]> =>
    (await socket.take()).map(({ stream, event }) => `${stream?.[0]} ${event}`).toSorted();
  const { id } = (await alice.post('/api/v1/statuses', { status: 'A #birds' })).json as { id: string };
  expect(await receive()).toEqual(['hashtag update', 'hashtag:local update', 'public update']);
  await alice.put(`/api/v1/statuses/${id}`, { status: 'Two #birds' });
  expect(await receive()).toEqual(['hashtag status.update', 'hashtag:local status.update', 'public status.update']);
  await alice.delete(`/api/v1/statuses/${id}`);
  expect(await receive()).toEqual(['hashtag delete', 'hashtag:local delete', 'public delete']);
  const silenced = await server.user('silenced');
  await server.db.updateTable('accounts').set({ silenced_at: new Date() }).where('id', '=', silenced.id).execute();
  await silenced.post('/api/v1/statuses', { status: 'Quiet #birds' });
  expect(await receive()).toEqual([]);
  socket.close();
});
