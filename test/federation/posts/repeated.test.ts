import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { TestServer } from '../../server.ts';
import { followingScene, isoTime, peerScene, type PeerScene } from '../peer-scene.ts';
import type { PeerActor } from '../peer.ts';
import {
  resolveAccountOn,
  homeTimeline,
  listNotifications,
  postStatus,
  getRelationship,
  resolveStatusOn,
  type StatusJson,
} from '../two-servers.ts';

const aliceUri = 'https://a.test/users/alice';
const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';

async function countPending(server: TestServer): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from inbox_activities`.execute(
    server.app.db,
  );
  return rows[0]?.count ?? 0;
}

/** A reaction as snac sends it: its id and that of its Undo depend only on the actor and the post. */
function snacReaction(actor: PeerActor, type: 'Like' | 'Announce', object: string, members: object = {}) {
  const id = `${actor.uri}/${type === 'Like' ? 'l' : 'a'}/0123456789abcdef`;
  const activity = {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id,
    type,
    actor: actor.uri,
    object,
    ...members,
  };
  return { activity, undo: { ...activity, id: `${id}/Undo`, type: 'Undo', object: activity } };
}

const statusCounts = async ({ alice }: PeerScene, id: string) => {
  const { favourites_count: favourites, reblogs_count: reblogs } = (await alice.get(`/api/v1/statuses/${id}`))
    .json as StatusJson;
  return { favourites, reblogs };
};

test('FED-03: a favourite by snac counts again after its Undo, each time with the same id', async () => {
  await using s = await peerScene();
  const { a, eve, alice } = s;
  const post = await postStatus(alice, { status: 'mine' });
  const { activity: like, undo } = snacReaction(eve, 'Like', post.uri);
  for (const [step, expected] of [
    [like, 1],
    [undo, 0],
    [like, 1],
    [undo, 0],
    [like, 1],
  ] as const) {
    expect(await eve.send(a, step)).toBe(202);
    await a.drain();
    expect((await statusCounts(s, post.id)).favourites).toBe(expected);
  }
  // All of them arrive before the first is processed, and each is sent again as after a lost response.
  for (const step of [undo, undo, like, like, undo, like, undo]) await eve.send(a, step);
  await a.drain();
  expect((await statusCounts(s, post.id)).favourites).toBe(0);
  await eve.send(a, undo);
  await a.drain();
  await eve.send(a, like);
  await a.drain();
  await eve.send(a, like);
  expect(await countPending(a)).toBe(0);
  expect((await statusCounts(s, post.id)).favourites).toBe(1);
});

test('FED-03: reactions that arrive at the same moment keep their order', async () => {
  await using s = await peerScene();
  const { a, eve, alice } = s;
  const post = await postStatus(alice, { status: 'mine' });
  const { activity: like, undo } = snacReaction(eve, 'Like', post.uri);
  await eve.send(a, eve.activity('Like', post.uri));
  await Promise.all([like, undo, like, undo, like].map((step) => eve.send(a, step)));
  expect(await countPending(a)).toBe(6);
  await a.drain();
  expect((await statusCounts(s, post.id)).favourites).toBe(1);
});

test('FED-03: a boost by snac counts again after its Undo with the same id, and shows in home', async () => {
  await using s = await followingScene();
  const { a, eve, alice } = s;
  const post = await postStatus(await a.user('bob'), { status: 'mine' });
  const steps: [number, number][] = [];
  for (let round = 0; round < 3; round += 1) {
    const { activity: boost, undo } = snacReaction(eve, 'Announce', post.uri, {
      to: [publicCollection],
      published: isoTime(a),
    });
    for (const step of [boost, undo]) {
      await eve.send(a, step);
      await a.drain();
      const shown = (await homeTimeline(alice)).filter(({ reblog }) => reblog?.uri === post.uri);
      steps.push([(await statusCounts(s, post.id)).reblogs, shown.length]);
    }
    a.clock.advance(60);
  }
  expect(steps).toEqual([
    [1, 1],
    [0, 0],
    [1, 1],
    [0, 0],
    [1, 1],
    [0, 0],
  ]);
});

test('FED-03: a follow with the same id counts again after an unfollow, and each repetition is accepted', async () => {
  await using s = await peerScene();
  const { a, eve, alice, peer, network } = s;
  // The ids of Misskey and PeerTube contain only the two accounts.
  const follow = eve.activity('Follow', aliceUri, { id: 'https://peer.test/follows/eve/alice' });
  const undo = eve.activity('Undo', follow, { id: 'https://peer.test/follows/eve/alice/undo' });
  const send = async (activity: unknown) => {
    peer.received.length = 0;
    await eve.send(a, activity);
    await network.drain();
    const id = await resolveAccountOn(a, 'eve@peer.test');
    const { followed_by: follows } = await getRelationship(alice, id);
    return [
      follows,
      ...peer.received.map((item) => [item.activity['type'], (item.activity['object'] as { id: string }).id]),
    ];
  };
  const accepted = [true, ['Accept', follow['id']]];
  expect(await send(follow)).toEqual(accepted);
  expect(await send(undo)).toEqual([false]);
  expect(await send(follow)).toEqual(accepted);
  expect(await send(undo)).toEqual([false]);
  expect(await send(follow)).toEqual(accepted);
  // Its server missed the response.
  expect(await send(follow)).toEqual(accepted);
  const id = await resolveAccountOn(a, 'eve@peer.test');
  await alice.post(`/api/v1/accounts/${id}/remove_from_followers`);
  await network.drain();
  expect(await send(follow)).toEqual(accepted);
  expect((await listNotifications(alice)).filter(({ type }) => type === 'follow')).toHaveLength(1);
});

test('FED-03: three concurrent copies of a Follow, or of an Undo, count once', async () => {
  await using s = await peerScene();
  const { a, eve, peer, network } = s;
  const follow = eve.activity('Follow', aliceUri, { id: 'https://peer.test/follows/eve/alice' });
  const inboxes = ['https://a.test/inbox', `${aliceUri}/inbox`, 'https://a.test/inbox'];
  const concurrently = (activity: unknown) => Promise.all(inboxes.map((inbox) => eve.send(a, activity, { inbox })));
  expect(await concurrently(follow)).toEqual([202, 202, 202]);
  expect(await countPending(a)).toBe(1);
  await network.drain();
  expect(peer.received.map(({ activity }) => activity['type'])).toEqual(['Accept']);
  await concurrently(eve.activity('Undo', follow, { id: 'https://peer.test/follows/eve/alice/undo' }));
  expect(await countPending(a)).toBe(1);
});

test('FED-03: an Undo by another actor does not make an activity count again', async () => {
  await using s = await peerScene();
  const { a, eve, alice, peer } = s;
  const mallory = peer.actor('mallory');
  const post = await postStatus(alice, { status: 'mine' });
  const { activity: like, undo } = snacReaction(eve, 'Like', post.uri);
  await eve.send(a, like);
  await a.drain();
  await mallory.send(a, undo);
  await a.drain();
  await eve.send(a, like);
  expect(await countPending(a)).toBe(0);
});

/** An edit as GoToSocial sends it: every Update of a post has the same id. */
function gotosocialEdit(actor: PeerActor, server: TestServer, seconds: number, members: object) {
  const note = actor.note(1, { updated: isoTime(server, seconds), ...members });
  return actor.activity('Update', note, {
    id: `${String(note['id'])}/activity#Update`,
    to: note['to'],
    cc: note['cc'],
  });
}

test('STA-11: every edit of a GoToSocial post counts, although each Update has the same id', async () => {
  await using s = await followingScene();
  const { a, eve, alice } = s;
  const note = eve.note(1, { published: isoTime(a) });
  await eve.send(a, eve.create(note));
  await a.drain();
  const id = String(await resolveStatusOn(a, String(note['id'])));
  const shown = async () => ((await alice.get(`/api/v1/statuses/${id}`)).json as StatusJson).content;
  const edits = [1, 2, 3].map((number) => gotosocialEdit(eve, a, number * 60, { content: `<p>Edit ${number}</p>` }));
  a.clock.advance(600);
  for (const [index, update] of edits.entries()) {
    await eve.send(a, update);
    await a.drain();
    expect(await shown()).toBe(`<p>Edit ${index + 1}</p>`);
  }
  // Sent again they change nothing.
  for (const update of edits) await eve.send(a, update);
  expect(await countPending(a)).toBe(0);
  expect(((await alice.get(`/api/v1/statuses/${id}/history`)).json as unknown[]).length).toBe(4);
});

test('STA-11: a late older edit changes neither text nor poll; of two in one second the later one counts', async () => {
  await using s = await followingScene();
  const { a, eve, alice } = s;
  const poll = (...names: string[]) => ({
    type: 'Question',
    endTime: isoTime(a, 86_400),
    oneOf: names.map((name) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems: 1 } })),
  });
  const note = eve.note(1, { published: isoTime(a), ...poll('a', 'b') });
  const [late, first, second] = [
    gotosocialEdit(eve, a, 60, { content: 'Late', ...poll('x', 'y') }),
    gotosocialEdit(eve, a, 120, { content: 'First', ...poll('c', 'd') }),
    gotosocialEdit(eve, a, 120, { content: 'Second', ...poll('e', 'f') }),
  ];
  await eve.send(a, eve.create(note));
  a.clock.advance(600);
  for (const update of [first, second, late, first]) await eve.send(a, update);
  await a.drain();
  const id = await resolveStatusOn(a, String(note['id']));
  expect((await alice.get(`/api/v1/statuses/${id}`)).json).toMatchObject({
    content: 'Second',
    poll: { options: [{ title: 'e' }, { title: 'f' }] },
  });
});
