import sharp from 'sharp';
import { expect, test } from 'vitest';
import { takeStatusAction } from '../../../server/moderation/statuses/index.ts';
import type { StatusId } from '../../../server/platform/ids.ts';
import { reportAccount } from '../../../server/reports/index.ts';
import { multipart, type TestUser } from '../../server.ts';
import { followAcross, postStatus, resolveStatusOn, twoServers } from '../two-servers.ts';

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
