import sharp from 'sharp';
import { expect, test } from 'vitest';
import { multipart } from '../../server.ts';
import { addRule } from '../../staff/moderation-rules.ts';
import {
  followAcross,
  getRelationship,
  homeTimeline,
  postStatus,
  resolveAccountOn,
  twoServers,
} from '../two-servers.ts';

test('ADM-05: a remote post that a rule refuses is not stored, and recorded once; others and edits are compared too', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await followAcross(servers, a, alice, 'bob@b.test');
  await addRule(a, { origin: 'remote' });
  const refused = await postStatus(bob, { status: 'Win at the casino' });
  await network.drain();
  // A local post is not compared with it.
  await postStatus(alice, { status: 'Casino' });
  expect((await homeTimeline(alice)).map(({ account }) => account.acct)).toEqual(['alice']);
  // Fetching it does not store it either.
  const found = await alice.get(`/api/v2/search?resolve=true&q=${encodeURIComponent(refused.uri)}`);
  expect(found.json.statuses).toEqual([]);
  const matches = () => a.app.db.selectFrom('moderation_rule_matches').select(['uri', 'actions', 'excerpt']).execute();
  expect(await matches()).toEqual([{ uri: refused.uri, actions: ['reject'], excerpt: 'Win at the casino' }]);

  const { id } = await postStatus(bob, { status: 'Harmless' });
  await network.drain();
  for (const status of ['Still harmless', 'Casino after all']) {
    b.clock.advance(2);
    expect((await bob.put(`/api/v1/statuses/${id}`, { status })).status).toBe(200);
    await network.drain();
  }
  const shown = (await homeTimeline(alice)).filter(({ account }) => account.acct === 'bob@b.test');
  expect(shown).toMatchObject([{ content: '<p>Still harmless</p>' }]);
  expect(await matches()).toHaveLength(2);
});

test('ADM-05: a rule about hashes of media compares those that other servers send', async () => {
  await using servers = await twoServers();
  const { network, a, alice, bob } = servers;
  await followAcross(servers, a, alice, 'bob@b.test');
  const upload = async (background: string) => {
    const image = await sharp({ create: { width: 60, height: 40, channels: 3, background } })
      .png()
      .toBuffer();
    const file = new File([Uint8Array.from(image)], 'a.png', { type: 'image/png' });
    return (await bob.post('/api/v2/media', await multipart({ file }))).json;
  };
  const [red, blue] = [await upload('red'), await upload('blue')];
  await addRule(a, { origin: 'remote', conditions: { media_hashes: [red.blurhash] } });
  await postStatus(bob, { status: 'Red', media_ids: [red.id] });
  await postStatus(bob, { status: 'Blue', media_ids: [blue.id] });
  await network.drain();
  expect((await homeTimeline(alice)).map(({ content }) => content)).toEqual(['<p>Blue</p>']);
});

test('ADM-05: a held remote post is published when staff approve it, as its author left it', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  const staff = await a.user('merle', { role: 'admin', scopes: 'admin:read admin:write' });
  const path = '/api/v1/fieldfare/admin/held_posts';
  await followAcross(servers, a, alice, 'bob@b.test');
  await addRule(a, { origin: 'remote', actions: ['hold'] });
  const poll = { options: ['Yes', 'No'], expires_in: 3_600 };
  const edited = await postStatus(bob, { status: '@alice@a.test the casino' });
  const deleted = await postStatus(bob, { status: 'Casino two' });
  await postStatus(bob, { status: 'Casino three', poll });
  await network.drain();
  expect(await homeTimeline(alice)).toEqual([]);
  expect((await staff.get(path)).json).toHaveLength(3);
  b.clock.advance(2);
  await bob.put(`/api/v1/statuses/${edited.id}`, { status: '@alice@a.test the edited casino' });
  await bob.delete(`/api/v1/statuses/${deleted.id}`);
  await network.drain();
  const waiting = (await staff.get(path)).json as { id: string; content: string; uri: string }[];
  expect(waiting.map(({ uri }) => uri)).not.toContain(deleted.uri);
  for (const { id } of waiting) expect((await staff.post(`${path}/${id}/approve`)).status).toBe(200);
  await network.drain();
  const home = await homeTimeline(alice);
  const texts = home.map(({ content }) => content.replaceAll(/<[^>]*>/g, ''));
  expect(texts.toSorted()).toEqual(['@alice the edited casino', 'Casino three']);
  expect(home).toContainEqual(
    expect.objectContaining({ poll: expect.objectContaining({ options: [expect.anything(), expect.anything()] }) }),
  );
  expect((await alice.get('/api/v1/notifications?types[]=mention')).json).toHaveLength(1);
});

test('ADM-05: a remote follow that a rule refuses is rejected', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await addRule(a, { origin: 'remote', subject: 'follow', conditions: { domains: ['b.test'] } });
  const aliceOnB = await resolveAccountOn(b, 'alice@a.test');
  await bob.post(`/api/v1/accounts/${aliceOnB}/follow`);
  await network.drain();
  expect(await getRelationship(bob, aliceOnB)).toMatchObject({ following: false, requested: false });
  expect((await alice.get(`/api/v1/accounts/${alice.id}`)).json.followers_count).toBe(0);
});
