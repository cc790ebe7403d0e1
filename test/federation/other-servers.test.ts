import { expect, test } from 'vitest';
import { Peer } from './peer.ts';
import { followingScene, followPeer, isoTime, peerScene, type PeerScene } from './peer-scene.ts';
import {
  resolveAccountOn,
  homeTimeline,
  listNotifications,
  postStatus,
  getRelationship,
  resolveStatusOn,
  type StatusJson,
} from './two-servers.ts';

const aliceUri = 'https://a.test/users/alice';
const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';
const mentionTag = (name: string) => ({
  type: 'Mention',
  href: `https://a.test/users/${name}`,
  name: `@${name}@a.test`,
});

const getStatus = async ({ alice }: PeerScene, id: string | undefined) =>
  (await alice.get(`/api/v1/statuses/${id}`)).json;

test('POL-03: a vote counts if its content is missing, null or empty, and even with a text', async () => {
  await using s = await peerScene();
  const { a, alice, peer } = s;
  const options = ['absent', 'null', 'empty', 'blank', 'text'];
  const post = await postStatus(alice, { status: 'which?', poll: { options: options.slice(0, 4), expires_in: 3600 } });
  const contents = [undefined, null, '', ' ', '<p>text</p>'];
  for (const [index, content] of contents.entries()) {
    const voter = peer.actor(`voter${index}`);
    const name = options[index] === 'text' ? 'absent' : options[index];
    await voter.send(
      a,
      voter.create(voter.note(index, { name, content, inReplyTo: post.uri, to: [aliceUri], cc: [] })),
    );
  }
  const talker = peer.actor('talker');
  const reply = {
    name: 'No option',
    content: '<p>A reply with a title</p>',
    inReplyTo: post.uri,
    to: [aliceUri],
    cc: [],
  };
  await talker.send(a, talker.create(talker.note(1, reply)));
  await talker.send(a, talker.create(talker.note(2, { ...reply, content: '' })));
  await a.drain();
  expect(await getStatus(s, post.id)).toMatchObject({
    poll: { votes_count: 5, options: [{ votes_count: 2 }, { votes_count: 1 }, { votes_count: 1 }, { votes_count: 1 }] },
  });
  const stored = await a.app.db.selectFrom('statuses').select('uri').where('local', '=', false).execute();
  expect(stored.map(({ uri }) => uri)).toEqual([`${talker.uri}/notes/1`]);
});

test('FED-03: a mention counts only if the post is addressed to the mentioned account', async () => {
  await using s = await followingScene();
  const { a, alice, eve, peer } = s;
  const gus = peer.actor('gus');
  const tag = [mentionTag('alice'), { type: 'Mention', href: gus.uri, name: '@gus@peer.test' }];
  const followers = `${eve.uri}/followers`;
  const audiences = {
    tagged: { to: [publicCollection], cc: [followers] },
    addressed: { to: [publicCollection], cc: [followers, aliceUri, gus.uri] },
    'tagged in private': { to: [followers], cc: [] },
  };
  const named: Record<string, string[]> = {};
  for (const [name, audience] of Object.entries(audiences)) {
    const note = eve.note(name.replaceAll(' ', '-'), { ...audience, tag });
    await eve.send(a, eve.create(note));
    await a.drain();
    const status = (await getStatus(s, await resolveStatusOn(a, String(note['id'])))) as StatusJson;
    named[name] = status.mentions.map(({ acct }) => acct).toSorted();
  }
  expect(named).toEqual({
    tagged: ['gus@peer.test'],
    addressed: ['alice', 'gus@peer.test'],
    'tagged in private': [],
  });
  expect((await listNotifications(alice)).filter(({ type }) => type === 'mention')).toHaveLength(1);
});

test("FED-03: a mention tag alone neither grants access to a direct post nor makes a stranger's post relevant", async () => {
  await using s = await peerScene();
  const { a, alice, eve } = s;
  const bob = await a.user('bob');
  const note = eve.note(1, { to: ['https://a.test/users/bob'], cc: [], tag: [mentionTag('alice'), mentionTag('bob')] });
  await eve.send(a, eve.create(note));
  await eve.send(a, eve.create(eve.note(2, { tag: [mentionTag('alice')] })));
  await a.drain();
  const id = await resolveStatusOn(a, String(note['id']));
  expect((await bob.get(`/api/v1/statuses/${id}`)).status).toBe(200);
  expect((await alice.get(`/api/v1/statuses/${id}`)).status).toBe(404);
  expect(await resolveStatusOn(a, `${eve.uri}/notes/2`)).toBeUndefined();
});

test('FED-03: a post without addressees is for the owner of each personal inbox that received it', async () => {
  await using s = await peerScene();
  const { a, alice, eve } = s;
  const [bob, carl] = [await a.user('bob'), await a.user('carl')];
  const note = eve.note(1, { to: undefined, cc: undefined });
  const create = eve.create(note);
  for (const name of ['alice', 'alice', 'bob']) {
    expect(await eve.send(a, create, { inbox: `https://a.test/users/${name}/inbox` })).toBe(202);
  }
  await a.drain();
  const id = await resolveStatusOn(a, String(note['id']));
  for (const user of [alice, bob]) {
    expect((await user.get(`/api/v1/statuses/${id}`)).json).toMatchObject({ visibility: 'direct' });
    expect((await listNotifications(user)).map(({ type }) => type)).toEqual(['mention']);
    expect((await user.get('/api/v1/conversations')).json).toMatchObject([{ last_status: { id } }]);
  }
  expect((await carl.get(`/api/v1/statuses/${id}`)).status).toBe(404);
});

test('FED-03: the owner of a personal inbox may read a post for others that arrives there, without a notification', async () => {
  await using s = await peerScene();
  const { a, alice, eve, peer } = s;
  const note = eve.note(1, { to: [peer.actor('gus').uri], cc: [] });
  await eve.send(a, eve.create(note), { inbox: `${aliceUri}/inbox` });
  await a.drain();
  const id = await resolveStatusOn(a, String(note['id']));
  expect((await alice.get(`/api/v1/statuses/${id}`)).json).toMatchObject({ visibility: 'direct', mentions: [] });
  expect(await listNotifications(alice)).toEqual([]);
});

test('POL-03: `closed` ends a poll, given as a date or as true', async () => {
  await using s = await followingScene();
  const { a, eve, alice } = s;
  const question = (id: string, members: object) => ({
    ...eve.note(id, { published: isoTime(a) }),
    type: 'Question',
    endTime: isoTime(a, 86_400),
    oneOf: ['a', 'b'].map((name) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems: 1 } })),
    ...members,
  });
  const polls = { open: {}, date: { closed: isoTime(a, 60) }, true: { closed: true } };
  for (const id of Object.keys(polls)) await eve.send(a, eve.create(question(id, {})));
  await a.drain();
  const ids = await Promise.all(Object.keys(polls).map((id) => resolveStatusOn(a, `${eve.uri}/notes/${id}`)));
  for (const id of ids) {
    const { poll } = (await alice.get(`/api/v1/statuses/${id}`)).json as { poll: { id: string } };
    expect((await alice.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })).status).toBe(200);
  }
  a.clock.advance(120);
  for (const [id, members] of Object.entries(polls)) await eve.send(a, eve.activity('Update', question(id, members)));
  await a.drain();
  const over = await Promise.all(ids.map(async (id) => (await getStatus(s, id)).poll));
  expect(over.map(({ expired }) => expired)).toEqual([false, true, true]);
  expect((await listNotifications(alice)).filter(({ type }) => type === 'poll')).toHaveLength(2);
  // The poll keeps the end that was received first.
  a.clock.advance(60);
  await eve.send(a, eve.activity('Update', question('true', { closed: true })));
  await a.drain();
  expect((await getStatus(s, ids[2])).poll.expires_at).toBe(over[2].expires_at);
});

test('FED-03: an undone Accept makes the follow a request again, which can be accepted again', async () => {
  await using s = await followingScene();
  const { a, eve, alice, peer } = s;
  const id = await resolveAccountOn(a, 'eve@peer.test');
  const followActivity = peer.received.find(({ activity }) => activity['type'] === 'Follow')?.activity;
  const state = async () => {
    const { following, requested } = await getRelationship(alice, id);
    return { following, requested };
  };
  peer.received.length = 0;
  for (const follow of [followActivity, followActivity?.['id']]) {
    await eve.send(a, eve.activity('Undo', { ...eve.activity('Accept', follow) }));
    await a.drain();
    expect(await state()).toEqual({ following: false, requested: true });
    await eve.send(a, eve.create(eve.note(crypto.randomUUID())));
    await a.drain();
    expect(await homeTimeline(alice)).toEqual([]);
    await eve.send(a, eve.activity('Accept', followActivity?.['id']));
    await a.drain();
    expect(await state()).toEqual({ following: true, requested: false });
  }
  expect(peer.received).toEqual([]);
  const { json } = await alice.get('/api/v1/accounts/verify_credentials');
  expect(json).toMatchObject({ following_count: 1 });
});

test('FED-03: only the account that accepted a follow can undo the Accept', async () => {
  await using s = await followingScene();
  const { a, eve, alice, peer } = s;
  const mallory = peer.actor('mallory');
  const follow = peer.received.find(({ activity }) => activity['type'] === 'Follow')?.activity;
  await mallory.send(a, mallory.activity('Undo', mallory.activity('Accept', follow)));
  await mallory.send(a, mallory.activity('Undo', eve.activity('Accept', follow)));
  await a.drain();
  expect(await getRelationship(alice, await resolveAccountOn(a, 'eve@peer.test'))).toMatchObject({ following: true });
});

/** alice's reply to, favourite and boost of a post by eve, and the activities that peer.test received for them. */
async function interactions(s: PeerScene) {
  const { a, alice, eve, peer, network } = s;
  const note = eve.note('target');
  await eve.send(a, eve.create(note));
  await a.drain();
  const id = String(await resolveStatusOn(a, String(note['id'])));
  const reply = await postStatus(alice, { status: '@eve@peer.test no', in_reply_to_id: id });
  await alice.post(`/api/v1/statuses/${id}/favourite`);
  const reblog = (await alice.post(`/api/v1/statuses/${id}/reblog`)).json as StatusJson;
  await network.drain();
  const received = (type: string) =>
    peer.received.findLast(({ activity }) => activity['type'] === type)?.activity ?? {};
  const state = async () => {
    const { favourited, reblogged } = await getStatus(s, id);
    const isReplied = (await alice.get(`/api/v1/statuses/${reply.id}`)).status === 200;
    return { isReplied, favourited, reblogged };
  };
  return { note, reply, reblog, like: received('Like'), announce: received('Announce'), state };
}

test('FED-03: a reply, favourite or boost that the author rejects, as GoToSocial does, is undone here', async () => {
  await using s = await followingScene();
  const { a, eve, peer } = s;
  const { note, reply, like, announce, state } = await interactions(s);
  const mallory = peer.actor('mallory');
  for (const object of [reply.uri, like['id'], announce['id'], like]) {
    await mallory.send(a, mallory.activity('Reject', object));
  }
  await a.drain();
  expect(await state()).toEqual({ isReplied: true, favourited: true, reblogged: true });
  await eve.send(a, eve.activity('Reject', reply.uri));
  await a.drain();
  expect(await state()).toEqual({ isReplied: false, favourited: true, reblogged: true });
  await eve.send(a, eve.activity('Reject', like['id']));
  await a.drain();
  expect(await state()).toEqual({ isReplied: false, favourited: false, reblogged: true });
  const request = { id: `${eve.uri}/requests/1`, type: 'AnnounceRequest', actor: aliceUri, object: note['id'] };
  await eve.send(a, eve.activity('Reject', { ...request, instrument: announce['id'] }));
  await a.drain();
  expect(await state()).toEqual({ isReplied: false, favourited: false, reblogged: false });
});

test('FED-03: a rejected request may embed the interaction, and a Like without an id', async () => {
  await using s = await followingScene();
  const { a, eve } = s;
  const { note, reply, like, state } = await interactions(s);
  const request = (type: string, instrument: unknown) => ({
    id: `${eve.uri}/requests/${type}`,
    type: `https://gotosocial.org/ns#${type}`,
    actor: aliceUri,
    object: note['id'],
    instrument,
  });
  await eve.send(a, eve.activity('Reject', request('ReplyRequest', { id: reply.uri, type: 'Note' })));
  await eve.send(a, eve.activity('Reject', { type: 'Like', actor: aliceUri, object: like['object'] }));
  await a.drain();
  expect(await state()).toEqual({ isReplied: false, favourited: false, reblogged: true });
});

test('FED-03: a Delete or Update that a group announces counts if the origin of the post confirms it', async () => {
  await using s = await followingScene();
  const { a, alice, eve, peer } = s;
  const group = peer.actor('group');
  group.documentOverrides = { type: 'Group' };
  await followPeer(a, alice, peer, group);
  const other = new Peer(s.network, 'other.test');
  const olga = other.actor('olga');
  const [gone, kept] = [olga.note('gone'), olga.note('kept')];
  for (const note of [gone, kept]) {
    other.serve(note);
    await group.send(a, group.activity('Announce', olga.create(note), { to: [publicCollection] }));
  }
  await a.drain();
  expect(await homeTimeline(alice)).toHaveLength(2);
  other.statuses.set(new URL(String(gone['id'])).pathname, 410);
  other.serve({ ...kept, content: '<p>Edited</p>', updated: isoTime(a, 1) });
  a.clock.advance(60);
  for (const note of [gone, kept]) {
    await group.send(a, group.activity('Announce', olga.activity('Delete', note['id']), { to: [publicCollection] }));
  }
  const forged = { ...kept, content: '<p>Forged</p>', updated: isoTime(a, 2) };
  await group.send(a, group.activity('Announce', olga.activity('Update', forged), { to: [publicCollection] }));
  await a.drain();
  expect((await homeTimeline(alice)).map(({ reblog }) => reblog?.content)).toEqual(['<p>Edited</p>']);
  // Nothing is fetched for votes and blocks that a group announces.
  other.requestedPaths = [];
  const vote = { id: 'https://other.test/likes/1', type: 'Like', actor: olga.uri, object: kept['id'] };
  await eve.send(a, eve.activity('Announce', vote, { to: [publicCollection] }));
  await a.drain();
  expect(other.requestedPaths).toEqual([]);
});

test('FED-03: the summary of a converted post keeps its paragraphs, or gets one if it has none', async () => {
  await using s = await followingScene();
  const { a, eve } = s;
  const contents: string[] = [];
  for (const [index, summary] of ['<p>One</p><p>Two</p>', 'Plain <b>text</b>'].entries()) {
    const note = eve.note(index, { type: 'Article', name: 'Title', summary, content: '<p>All of it</p>' });
    await eve.send(a, eve.create(note));
    await a.drain();
    contents.push((await getStatus(s, await resolveStatusOn(a, String(note['id'])))).content);
  }
  expect(contents[0]).toMatch(/<p>One<\/p><p>Two<\/p><p><a /);
  expect(contents[1]).toMatch(/<p>Plain <b>text<\/b><\/p><p><a /);
  for (const content of contents) expect(content).not.toContain('<p></p>');
});
