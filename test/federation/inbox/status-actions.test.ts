import sharp from 'sharp';
import { expect, test } from 'vitest';
import { takeStatusAction } from '../../../server/moderation/statuses/index.ts';
import type { StatusId } from '../../../server/platform/ids.ts';
import { reportAccount } from '../../../server/reports/index.ts';
import { multipart, type TestUser } from '../../server.ts';
import {
  followAcross,
  homeTimeline,
  postStatus,
  resolveAccountOn,
  resolveStatusOn,
  twoServers,
} from '../two-servers.ts';

async function uploadImage(user: TestUser): Promise<string> {
  const body = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const file = new File([Uint8Array.from(body)], 'image.png', { type: 'image/png' });
  return (await user.post('/api/v2/media', await multipart({ file }))).json.id;
}

test('ADM-02, FED-02: a remote post that staff deleted stays deleted, and is not stored again', async () => {
  await using scene = await twoServers();
  const { network, a, alice, bob } = scene;
  const bobId = await followAcross(scene, a, alice, 'bob@b.test');
  const post = await postStatus(bob, { status: 'Spam' });
  await network.drain();
  const statusId = (await resolveStatusOn(a, post.uri)) as StatusId;
  const reportId = await reportAccount(a.app, alice.id, { targetAccountId: bobId, statusIds: [statusId] });
  expect(await takeStatusAction(a.app, 'system', { type: 'delete_statuses', reportId })).toBe(true);
  await network.drain();
  expect((await alice.get(`/api/v1/statuses/${statusId}`)).status).toBe(404);
  expect((await bob.get(`/api/v1/statuses/${post.id}`)).status).toBe(200);
  // The row of a deleted post is removed after 30 days.
  await a.db.deleteFrom('statuses').where('id', '=', statusId).execute();
  const found = await alice.get(`/api/v2/search?q=${encodeURIComponent(post.uri)}&resolve=true`);
  expect(found.json.statuses).toEqual([]);
  await network.drain();
});

test('ADM-02, FED-02: other servers learn that staff marked a post as sensitive, and that it was undone', async () => {
  await using scene = await twoServers();
  const { network, a, b, alice, bob } = scene;
  const merle = await b.user('merle', { role: 'admin', scopes: 'admin:read admin:write' });
  await followAcross(scene, a, alice, 'bob@b.test');
  const post = await postStatus(bob, { status: 'Look', media_ids: [await uploadImage(bob)] });
  await network.drain();
  const statusId = await resolveStatusOn(a, post.uri);
  const sensitive = async () => (await alice.get(`/api/v1/statuses/${statusId}`)).json.sensitive;
  expect(await sensitive()).toBe(false);
  const reporter = await b.user('carl');
  const input = { targetAccountId: bob.id, statusIds: [post.id as StatusId] };
  const reportId = await reportAccount(b.app, reporter.id, input);
  b.clock.advance(60);
  await takeStatusAction(b.app, merle.id, { type: 'mark_statuses_as_sensitive', reportId });
  await network.drain();
  expect(await sensitive()).toBe(true);
  const [strike] = (await bob.get('/api/v1/fieldfare/strikes')).json;
  await bob.post(`/api/v1/fieldfare/strikes/${strike.id}/appeal`, { text: 'It was art' });
  const [appeal] = (await merle.get('/api/v1/fieldfare/admin/appeals')).json;
  b.clock.advance(60);
  await merle.post(`/api/v1/fieldfare/admin/appeals/${appeal.id}/approve`);
  await network.drain();
  expect(await sensitive()).toBe(false);
});

test('ADM-02: the mark of a remote post is for this server only, until its author edits it', async () => {
  await using scene = await twoServers();
  const { network, a, alice, bob } = scene;
  const bobId = await followAcross(scene, a, alice, 'bob@b.test');
  const media = await uploadImage(bob);
  const post = await postStatus(bob, { status: 'Look', media_ids: [media] });
  await network.drain();
  const statusId = (await resolveStatusOn(a, post.uri)) as StatusId;
  const reportId = await reportAccount(a.app, alice.id, { targetAccountId: bobId, statusIds: [statusId] });
  await takeStatusAction(a.app, 'system', { type: 'mark_statuses_as_sensitive', reportId });
  await network.drain();
  const shown = async () => (await alice.get(`/api/v1/statuses/${statusId}`)).json;
  expect(await shown()).toMatchObject({ sensitive: true, edited_at: null });
  expect((await bob.get(`/api/v1/statuses/${post.id}`)).json.sensitive).toBe(false);
  scene.b.clock.advance(60);
  await bob.put(`/api/v1/statuses/${post.id}`, { status: 'Look again', media_ids: [media] });
  await network.drain();
  expect((await shown()).sensitive).toBe(false);
});

test('FED-01: attachments keep their duration, preview image, blurhash and focus on the way to another server', async () => {
  await using servers = await twoServers();
  const { a, b, alice, bob } = servers;
  await followAcross(servers, a, alice, 'bob@b.test');
  const media = await uploadImage(bob);
  const meta = { original: { width: 640, height: 360, duration: 12.5 }, focus: { x: 0.25, y: -0.5 } };
  await b.pool.query(
    `update media_attachments set type = 'video', content_type = 'video/mp4', preview_key = file_key, meta = $2,
      blurhash = 'LEHV6nWB2yk8pyo0adR*.7kCMdnj' where id = $1`,
    [media, meta],
  );
  const { uri } = await postStatus(bob, { status: 'Look', media_ids: [media] });
  await servers.network.drain();
  const document = (await b.anonymous.get(new URL(uri).pathname, { headers: { accept: 'application/activity+json' } }))
    .json;
  expect(document.attachment).toMatchObject([
    { duration: 'PT12.5S', icon: { type: 'Image', url: expect.stringMatching(/^https:/) }, focalPoint: [0.25, -0.5] },
  ]);
  const [received] = (await homeTimeline(alice)) as unknown as { media_attachments: unknown[] }[];
  expect(received?.media_attachments).toMatchObject([
    {
      type: 'video',
      blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
      preview_url: expect.stringMatching(/./),
      meta: { original: { width: 640, height: 360, duration: 12.5 }, focus: { x: 0.25, y: -0.5 } },
    },
  ]);
});

test('FED-01: the tabs that an actor hides are hidden elsewhere', async () => {
  await using servers = await twoServers();
  const { a, alice, bob } = servers;
  await bob.patch('/api/v1/profile', { show_media: false, show_media_replies: false, show_featured: false });
  const id = await resolveAccountOn(a, 'bob@b.test');
  const tabs = async () => (await alice.get(`/api/v1/accounts/${id}`)).json;
  expect(await tabs()).toMatchObject({ show_media: false, show_media_replies: false, show_featured: false });
  await followAcross(servers, a, alice, 'bob@b.test');
  await bob.patch('/api/v1/profile', { show_media: true });
  await servers.network.drain();
  expect(await tabs()).toMatchObject({ show_media: true, show_media_replies: false, show_featured: false });
});
