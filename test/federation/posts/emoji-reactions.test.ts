import { expect, test } from 'vitest';
import { followPeer, peerScene } from '../peer-scene.ts';
import { postStatus, resolveStatusOn, twoServers } from '../two-servers.ts';

const thumb = '👍';
const blob = { type: 'Emoji', name: ':blob:', icon: { type: 'Image', url: 'https://peer.test/blob.png' } };
const reactPath = (id: string | undefined, name: string, action = 'react') =>
  `/api/v1/statuses/${id}/${action}/${encodeURIComponent(name)}`;

test('FED-02 a reaction to a remote post is sent to its server, and so is its Undo', async () => {
  await using servers = await twoServers();
  const { network, a, alice, bob } = servers;
  const post = await postStatus(bob, { status: 'React' });
  const id = await resolveStatusOn(a, post.uri);
  await alice.post(reactPath(id, thumb));
  await network.drain();
  const shown = async () => (await bob.get(`/api/v1/statuses/${post.id}`)).json.reactions;
  expect(await shown()).toEqual([{ name: thumb, count: 1, me: false }]);
  expect((await alice.get(`/api/v1/statuses/${id}`)).json.reactions).toEqual([{ name: thumb, count: 1, me: true }]);
  await alice.post(reactPath(id, thumb, 'unreact'));
  await network.drain();
  expect(await shown()).toEqual([]);
});

test('FED-02 a remote post whose policy denies favourites gets no reaction', async () => {
  await using servers = await twoServers();
  const { a, alice, bob } = servers;
  const closed = { can_favourite: { automatic_approval: ['author'] } };
  const post = await postStatus(bob, { status: 'Closed', interaction_policy: closed });
  const id = await resolveStatusOn(a, post.uri);
  expect((await alice.post(reactPath(id, thumb))).status).toBe(403);
});

test('FED-03 EmojiReact and Like with content are reactions, with custom emojis; a heart is a favourite', async () => {
  await using scene = await peerScene();
  const { a, alice, peer, eve } = scene;
  const post = await postStatus(alice, { status: 'React' });
  const [fay, gus, hal] = [peer.actor('fay'), peer.actor('gus'), peer.actor('hal')];
  const unicode = eve.activity('EmojiReact', post.uri, { content: thumb });
  const custom = fay.activity('EmojiReact', post.uri, { content: ':blob:', tag: [blob] });
  const misskey = gus.activity('Like', post.uri, { content: ':blob@.:', _misskey_reaction: ':blob@.:', tag: [blob] });
  await eve.send(a, unicode);
  await eve.send(a, { ...unicode, id: `${String(unicode['id'])}/again` });
  await fay.send(a, custom);
  await gus.send(a, misskey);
  await hal.send(a, hal.activity('Like', post.uri, { content: '❤' }));
  await hal.send(a, hal.activity('EmojiReact', post.uri, { content: ':unknown:' }));
  await hal.send(a, hal.activity('EmojiReact', post.uri, { content: 'words' }));
  await a.drain();
  const load = async () => (await alice.get(`/api/v1/statuses/${post.id}`)).json;
  const shown = await load();
  expect(shown.favourites_count).toBe(1);
  expect(shown.reactions).toHaveLength(2);
  expect(shown.reactions).toEqual(
    expect.arrayContaining([
      { name: thumb, count: 1, me: false },
      { name: 'blob@peer.test', count: 2, me: false, url: expect.any(String), static_url: expect.any(String) },
    ]),
  );
  await eve.send(a, eve.activity('Undo', unicode));
  await fay.send(a, fay.activity('Undo', custom['id']));
  await gus.send(a, gus.activity('Undo', { ...misskey, id: undefined }));
  await hal.send(a, hal.activity('Undo', custom));
  await a.drain();
  expect(await load()).toMatchObject({ favourites_count: 1, reactions: [] });
});

test('FED-03 reactions to posts that the actor cannot see, or that permit no favourites, are ignored', async () => {
  await using scene = await peerScene();
  const { a, alice, peer, eve } = scene;
  await followPeer(a, alice, peer, eve);
  const secret = await postStatus(alice, { status: 'x', visibility: 'private' });
  const closed = { can_favourite: { automatic_approval: ['author'] } };
  const post = await postStatus(alice, { status: 'x', interaction_policy: closed });
  for (const { uri } of [secret, post]) await eve.send(a, eve.activity('EmojiReact', uri, { content: thumb }));
  await a.drain();
  for (const { id } of [secret, post]) expect((await alice.get(`/api/v1/statuses/${id}`)).json.reactions).toEqual([]);
});

test('FED-03 a post keeps at most 100 different emojis; a known one still counts, and a removal frees room', async () => {
  await using scene = await peerScene();
  const { a, alice, peer, eve } = scene;
  const post = await postStatus(alice, { status: 'React' });
  const emojis = Array.from({ length: 104 }, (_, at) => String.fromCodePoint(0x1f442 + at));
  const perActor = 8;
  const actors = Array.from({ length: emojis.length / perActor }, (_, at) => peer.actor(`fan${at}`));
  const sent: Record<string, unknown>[] = [];
  for (const [at, content] of emojis.entries()) {
    const fan = actors[Math.floor(at / perActor)] ?? eve;
    const reaction = fan.activity('EmojiReact', post.uri, { content });
    sent.push(reaction);
    await fan.send(a, reaction);
    // In order, so that the last ones are above the bound.
    if (at % perActor === perActor - 1) await a.drain();
  }
  type Shown = { name: string; count: number }[];
  const load = async (): Promise<Shown> => (await alice.get(`/api/v1/statuses/${post.id}`)).json.reactions as Shown;
  expect((await load()).map(({ name }) => name).toSorted()).toEqual(emojis.slice(0, 100).toSorted());
  expect((await alice.post(reactPath(post.id, emojis[100] ?? ''))).status).toBe(422);
  await eve.send(a, eve.activity('EmojiReact', post.uri, { content: emojis[3] }));
  await a.drain();
  expect(await load()).toContainEqual({ name: emojis[3], count: 2, me: false });
  const [first] = actors;
  await first?.send(a, first.activity('Undo', sent[0]));
  await a.drain();
  expect(await load()).toHaveLength(99);
  expect((await alice.post(reactPath(post.id, emojis[100] ?? ''))).status).toBe(200);
  expect(await load()).toHaveLength(100);
  // The activities above the bound are not tried again.
  const waiting = await a.db.selectFrom('inbox_activities').select('id').where('exhausted_at', 'is', null).execute();
  expect(waiting).toEqual([]);
});
