import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { StatusId } from '../../../server/platform/ids.ts';
import { deleteStatus } from '../../../server/statuses/post/index.ts';
import { multipart, startServer, type TestServer, type TestUser } from '../../server.ts';

const statuses = '/api/v1/statuses';

async function upload(user: TestUser, description = ''): Promise<string> {
  const body = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(body)], 'image.png', { type: 'image/png' });
  const response = await user.post('/api/v2/media', await multipart({ file, description }));
  if (response.status !== 200) throw new Error(response.text);
  return response.json.id as string;
}

const idsOf = (status: { media_attachments: { id: string }[] }) => status.media_attachments.map(({ id }) => id);

/** Returns whether the file of an attachment is still served. */
async function fileExists(server: TestServer, url: string): Promise<boolean> {
  return (await server.http.inject({ method: 'GET', url: new URL(url).pathname })).statusCode === 200;
}

test('STA-09: attachments have the order of media_ids, and text is then optional', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [first, second] = [await upload(alice, 'one'), await upload(alice, 'two')];
  const posted = await alice.post(statuses, { media_ids: [second, first] });
  expect([posted.status, posted.json.content]).toEqual([200, '']);
  expect(idsOf(posted.json)).toEqual([second, first]);
  expect(posted.json.media_attachments[0]).toMatchObject({ type: 'image', description: 'two' });
  const shown = await server.anonymous.get(`${statuses}/${posted.json.id}`);
  expect(shown.json.media_attachments).toEqual(posted.json.media_attachments);
  const listed = await alice.get(`/api/v1/accounts/${alice.id}/statuses?only_media=true`);
  expect(listed.json.map(({ id }: { id: string }) => id)).toEqual([posted.json.id]);
});

test('STA-06: more than four files, and files that are foreign, attached or unknown, are 422', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const five = await Promise.all([1, 2, 3, 4, 5].map(() => upload(alice)));
  for (const media_ids of [five, [await upload(bob)], ['1'], ['nonsense']]) {
    expect((await alice.post(statuses, { status: 'x', media_ids })).status).toBe(422);
  }
  const four = five.slice(0, 4);
  expect((await alice.post(statuses, { media_ids: four })).status).toBe(200);
  expect((await alice.post(statuses, { status: 'again', media_ids: four.slice(0, 1) })).status).toBe(422);
  expect((await alice.get(`/api/v1/accounts/${alice.id}/statuses`)).json).toHaveLength(1);
});

test('STA-22: deleting a post returns its text and attachments, which can be posted again', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const file = await upload(alice, 'a bird');
  const posted = await alice.post(statuses, {
    status: 'A *bird* @nobody@far.test',
    spoiler_text: 'birds',
    media_ids: [file],
  });
  const deleted = await alice.delete(`${statuses}/${posted.json.id}`);
  expect(deleted.json).toMatchObject({ text: 'A *bird* @nobody@far.test', spoiler_text: 'birds' });
  expect(idsOf(deleted.json)).toEqual([file]);
  expect((await server.anonymous.get(`${statuses}/${posted.json.id}`)).status).toBe(404);
  const reposted = await alice.post(statuses, { status: deleted.json.text, media_ids: idsOf(deleted.json) });
  expect([reposted.status, idsOf(reposted.json)]).toEqual([200, [file]]);
  expect(reposted.json.media_attachments[0].description).toBe('a bird');
  expect(await fileExists(server, reposted.json.media_attachments[0].url)).toBe(true);
});

test('STA-22: files are deleted immediately with delete_media, and when staff delete the status', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [own, removed] = [await upload(alice), await upload(alice)];
  const post = async (id: string) => (await alice.post(statuses, { media_ids: [id] })).json;
  const [first, second] = [await post(own), await post(removed)];
  await alice.delete(`${statuses}/${first.id}?delete_media=true`);
  await deleteStatus(server.app, second.id as StatusId);
  await server.drain();
  for (const status of [first, second]) {
    const [attachment] = status.media_attachments;
    expect((await alice.get(`/api/v1/media/${attachment.id}`)).status).toBe(404);
    expect(await fileExists(server, attachment.url)).toBe(false);
  }
});
