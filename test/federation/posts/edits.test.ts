import { expect, test } from 'vitest';
import { Network } from '../../network.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { followingScene, isoTime, type PeerScene } from '../peer-scene.ts';
import { followAcross, listNotifications, postStatus, resolveStatusOn, twoServers } from '../two-servers.ts';

/** Delivers a post by eve. Returns its document and its local id. */
async function receiveNote({ a, eve }: PeerScene, members: Record<string, unknown> = {}) {
  const note = eve.note(1, { published: isoTime(a), ...members });
  expect(await eve.send(a, eve.create(note))).toBe(202);
  await a.drain();
  return { note, id: await resolveStatusOn(a, String(note['id'])) };
}

async function sendUpdate({ a }: PeerScene, by: PeerActor, object: unknown): Promise<void> {
  expect(await by.send(a, by.activity('Update', object))).toBe(202);
  await a.drain();
}

const getStatus = async ({ alice }: PeerScene, id: string | undefined) =>
  (await alice.get(`/api/v1/statuses/${id}`)).json;

test('STA-11: an edit reaches the servers of followers, and the history starts with the first version they stored', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await followAcross(servers, a, alice, 'bob@b.test');
  const status = await postStatus(bob, { status: 'Frist', spoiler_text: 'typo' });
  await network.drain();
  const onA = await resolveStatusOn(a, status.uri);
  b.clock.advance(60);
  a.clock.advance(60);
  await bob.put(`/api/v1/statuses/${status.id}`, { status: 'First #post' });
  await network.drain();
  expect((await alice.get(`/api/v1/statuses/${onA}`)).json).toMatchObject({
    spoiler_text: '',
    edited_at: expect.any(String),
    tags: [{ name: 'post' }],
  });
  const history = (await alice.get(`/api/v1/statuses/${onA}/history`)).json;
  expect(history).toMatchObject([{ content: '<p>Frist</p>', spoiler_text: 'typo' }, { spoiler_text: '' }]);
  expect(history[1].content).toContain('First');
});

test('STA-11: an edit reaches accounts that boosted the post, and accounts that it newly mentions', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  const status = await postStatus(bob, { status: 'Open' });
  const onA = await resolveStatusOn(a, status.uri);
  await alice.post(`/api/v1/statuses/${onA}/reblog`);
  await network.drain();
  b.clock.advance(60);
  a.clock.advance(60);
  await bob.put(`/api/v1/statuses/${status.id}`, { status: 'Open to all' });
  await network.drain();
  expect((await alice.get(`/api/v1/statuses/${onA}`)).json.content).toBe('<p>Open to all</p>');
  expect(await listNotifications(alice)).toMatchObject([{ type: 'update', account: { acct: 'bob@b.test' } }]);
  const secret = await postStatus(bob, { status: 'A secret', visibility: 'direct' });
  await bob.put(`/api/v1/statuses/${secret.id}`, { status: 'A secret for @alice@a.test', visibility: 'direct' });
  await network.drain();
  expect((await listNotifications(alice)).map(({ type }) => type)).toEqual(['mention', 'update']);
});

test('STA-11: handles that an edit adds are resolved, and the history shows them', async () => {
  await using servers = await twoServers();
  const { network, alice, bob } = servers;
  const { id } = await postStatus(bob, { status: 'Hello' });
  await bob.put(`/api/v1/statuses/${id}`, { status: 'Hello @alice@a.test' });
  await network.drain();
  expect(await listNotifications(alice)).toMatchObject([{ type: 'mention', account: { acct: 'bob@b.test' } }]);
  const { content, mentions } = (await bob.get(`/api/v1/statuses/${id}`)).json;
  expect([mentions.length, content]).toEqual([1, expect.stringContaining('u-url mention')]);
  const history = (await bob.get(`/api/v1/statuses/${id}/history`)).json;
  expect(history.map((version: { content: string }) => version.content)).toEqual(['<p>Hello</p>', content]);
});

test('STA-11: an Update with a newer time is one edit; an older one is ignored', async () => {
  await using at = await followingScene();
  const { note, id } = await receiveNote(at);
  at.a.clock.advance(60);
  const edited = { ...note, content: '<p>Better<script>x</script></p>', updated: isoTime(at.a, -10) };
  await sendUpdate(at, at.eve, edited);
  await sendUpdate(at, at.eve, edited);
  await sendUpdate(at, at.eve, { ...note, content: '<p>Older</p>', updated: isoTime(at.a, -20) });
  await sendUpdate(at, at.eve, { ...note, content: '<p>Without a time</p>' });
  expect(await getStatus(at, id)).toMatchObject({ content: '<p>Better</p>', visibility: 'public' });
  expect((await at.alice.get(`/api/v1/statuses/${id}/history`)).json).toHaveLength(2);
});

test('FED-03: the Update of an unknown post stores it, unless it was published more than a day ago', async () => {
  await using at = await followingScene();
  const { a, eve } = at;
  const update = (id: string, hours: number) =>
    sendUpdate(at, eve, eve.note(id, { published: isoTime(a, -3600 * hours), updated: isoTime(a) }));
  await update('new', 23);
  await update('old', 25);
  const { rows } = await a.pool.query('select uri from statuses');
  expect(rows).toEqual([{ uri: `${eve.uri}/notes/new` }]);
});

test('FED-03: a Create may name its post, which is fetched; a reply to a followed author is stored', async () => {
  await using at = await followingScene();
  const { a, peer, eve } = at;
  const [gus, zed] = [peer.actor('gus'), peer.actor('zed')];
  const post = eve.note('named');
  peer.serve(post);
  await eve.send(a, { ...eve.create(post), object: post['id'] });
  await a.drain();
  await gus.send(a, gus.create(gus.note('reply', { inReplyTo: post['id'] })));
  await zed.send(a, zed.create(zed.note('unrelated')));
  // Only local posts have local favourites.
  await gus.send(a, gus.activity('Like', post['id']));
  await a.drain();
  const { rows } = await a.pool.query('select uri from statuses order by id');
  expect(rows.map(({ uri }) => uri).toSorted()).toEqual([post['id'], `${gus.uri}/notes/reply`].toSorted());
  expect((await a.pool.query('select 1 from favourites')).rowCount).toBe(0);
});

test('STA-11: the attachments of an edit replace the former ones', async () => {
  await using at = await followingScene();
  const file = (name: string, text: string) => ({
    type: 'Document',
    mediaType: 'image/png',
    url: `https://peer.test/${name}.png`,
    name: text,
  });
  const { note, id } = await receiveNote(at, { attachment: [file('one', 'One'), file('two', 'Two')] });
  const before = (await getStatus(at, id)).media_attachments;
  await sendUpdate(at, at.eve, {
    ...note,
    attachment: [file('two', 'Two'), file('three', 'Three')],
    updated: isoTime(at.a, 5),
  });
  const after = (await getStatus(at, id)).media_attachments;
  expect(after.map(({ description }: { description: string }) => description)).toEqual(['Two', 'Three']);
  expect(after[0].id).toBe(before[1].id);
  const [first] = (await at.alice.get(`/api/v1/statuses/${id}/history`)).json;
  expect(first.media_attachments).toHaveLength(2);
});

test('FED-03: only the author can edit a post, and an edit cannot widen its visibility', async () => {
  await using at = await followingScene();
  const mallory = at.peer.actor('mallory');
  const { note, id } = await receiveNote(at, { to: [`${at.eve.uri}/followers`], cc: [] });
  const forged = { ...note, content: '<p>Forged</p>', updated: isoTime(at.a, 30) };
  await sendUpdate(at, mallory, forged);
  await sendUpdate(at, mallory, { ...forged, attributedTo: mallory.uri });
  expect(await getStatus(at, id)).toMatchObject({ content: '<p>Note 1</p>', edited_at: null });
  const everybody = 'https://www.w3.org/ns/activitystreams#Public';
  await sendUpdate(at, at.eve, { ...note, to: [everybody], content: '<p>Opened</p>', updated: isoTime(at.a, 40) });
  expect(await getStatus(at, id)).toMatchObject({ content: '<p>Opened</p>', visibility: 'private' });
  const own = await postStatus(at.alice, { status: 'Mine' });
  await sendUpdate(at, mallory, { ...note, id: own.uri, attributedTo: mallory.uri, updated: isoTime(at.a, 50) });
  expect((await getStatus(at, own.id)).content).toBe('<p>Mine</p>');
});

test('POL-03: a vote in a remote poll is sent there, and its counters come back', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await followAcross(servers, a, alice, 'bob@b.test');
  const poll = { options: ['Yes', 'No', 'Perhaps'], expires_in: 600, multiple: true };
  const status = await postStatus(bob, { status: 'Well?', poll });
  await network.drain();
  const onA = await resolveStatusOn(a, status.uri);
  const seen = async () => (await alice.get(`/api/v1/statuses/${onA}`)).json.poll;
  expect(await seen()).toMatchObject({
    multiple: true,
    voted: false,
    options: poll.options.map((title) => ({ title })),
  });
  const voted = await alice.post(`/api/v1/polls/${(await seen()).id}/votes`, { choices: [0, 2] });
  expect(voted.json).toMatchObject({ own_votes: [0, 2], voters_count: 1 });
  await network.drain();
  const origin = async () => (await bob.get(`/api/v1/statuses/${status.id}`)).json.poll;
  expect(await origin()).toMatchObject({
    votes_count: 2,
    voters_count: 1,
    options: [{ votes_count: 1 }, { votes_count: 0 }, { votes_count: 1 }],
  });
  const carol = await b.user('carol');
  await carol.post(`/api/v1/polls/${(await origin()).id}/votes`, { choices: [1] });
  await network.drain();
  expect((await seen()).votes_count).toBe(2);
  for (const server of [a, b]) server.clock.advance(180);
  await network.drain();
  expect(await seen()).toMatchObject({ votes_count: 3, voters_count: 2, own_votes: [0, 2] });
  for (const server of [a, b]) server.clock.advance(600);
  await network.drain();
  expect(await seen()).toMatchObject({ expired: true });
  expect((await listNotifications(alice)).map(({ type }) => type)).toEqual(['poll']);
  expect((await listNotifications(carol)).map(({ type }) => type)).toEqual(['poll']);
  expect((await alice.get(`/api/v1/statuses/${onA}/history`)).json).toHaveLength(1);
});

test('POL-03: a remote vote counts once, for an existing option, and only if the voter may see the poll', async () => {
  await using at = await followingScene();
  const { a, alice, eve } = at;
  const poll = { options: ['Yes', 'No'], expires_in: 600 };
  const [open, secret] = [
    await postStatus(alice, { status: 'x', poll }),
    await postStatus(alice, { status: 'x', poll, visibility: 'direct' }),
  ];
  const vote = (name: string, inReplyTo: string) => {
    const id = `${eve.uri}#votes/${crypto.randomUUID()}`;
    return eve.send(
      a,
      eve.create({ id, type: 'Note', name, attributedTo: eve.uri, inReplyTo, to: `https://a.test/users/alice` }),
    );
  };
  const brief = await postStatus(alice, { status: 'x', poll: { ...poll, expires_in: 300 } });
  for (const name of ['Maybe', 'Yes', 'No', 'Yes']) expect(await vote(name, open.uri)).toBe(202);
  await vote('Yes', secret.uri);
  await a.drain();
  a.clock.advance(301);
  await vote('Yes', brief.uri);
  await a.drain();
  expect((await getStatus(at, brief.id)).poll).toMatchObject({ expired: true, votes_count: 0 });
  expect((await getStatus(at, open.id)).poll).toMatchObject({
    votes_count: 1,
    voters_count: 1,
    options: [{ votes_count: 1 }, {}],
  });
  expect((await getStatus(at, secret.id)).poll.votes_count).toBe(0);
  expect((await getStatus(at, open.id)).replies_count).toBe(0);
});

test('POL-03: viewing an open remote poll refreshes its counters', async () => {
  await using at = await followingScene();
  const option = (name: string, totalItems: number) => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', totalItems },
  });
  const question = (count: number) => ({
    type: 'Question',
    endTime: isoTime(at.a, 600),
    oneOf: [option('a', count), option('b', 0)],
  });
  const { note, id } = await receiveNote(at, question(1));
  at.peer.serve({ ...note, ...question(5) });
  const { poll } = await getStatus(at, id);
  const look = async () => (await at.alice.get(`/api/v1/polls/${poll.id}`)).json;
  expect(await look()).toMatchObject({ votes_count: 1, voters_count: null });
  at.peer.requestedPaths = [];
  await look();
  await at.a.drain();
  expect(await look()).toMatchObject({ votes_count: 5 });
  await at.a.drain();
  expect(at.peer.requestedPaths.filter((path) => path === new URL(String(note['id'])).pathname)).toHaveLength(1);
});

test('POL-03: an edit with other options resets the poll, and new counters are not an edit', async () => {
  await using at = await followingScene();
  const option = (name: string, totalItems: number) => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', totalItems },
  });
  const question = {
    type: 'Question',
    endTime: isoTime(at.a, 600),
    votersCount: 3,
    oneOf: [option('a', 1), option('b', 2)],
  };
  const { note, id } = await receiveNote(at, question);
  expect((await getStatus(at, id)).poll).toMatchObject({ votes_count: 3, voters_count: 3, multiple: false });
  await sendUpdate(at, at.eve, { ...note, votersCount: 9, oneOf: [option('a', 4), option('b', 5)] });
  expect(await getStatus(at, id)).toMatchObject({ edited_at: null, poll: { votes_count: 9, voters_count: 9 } });
  await sendUpdate(at, at.eve, { ...note, oneOf: [option('a', 0), option('c', 0)], updated: isoTime(at.a, 60) });
  expect((await getStatus(at, id)).poll.options).toMatchObject([{ title: 'a' }, { title: 'c' }]);
  expect((await at.alice.get(`/api/v1/statuses/${id}/history`)).json).toMatchObject([
    { poll: { options: [{ title: 'a' }, { title: 'b' }] } },
    { poll: { options: [{ title: 'a' }, { title: 'c' }] } },
  ]);
});

test('edits and the deletion of a public post reach the servers of all that interacted with it', async () => {
  await using network = new Network();
  const a = await network.start('a.test');
  const alice = await a.user('alice');
  const post = await postStatus(alice, { status: 'First' });
  const actOf: Readonly<Record<string, (actor: PeerActor) => Record<string, unknown>>> = {
    like: (actor) => actor.activity('Like', post.uri),
    boost: (actor) => actor.activity('Announce', post.uri),
    reply: (actor) => actor.create(actor.note(1, { inReplyTo: post.uri, published: isoTime(a) })),
    quote: (actor) => actor.activity('QuoteRequest', post.uri, { instrument: actor.note(1, { quote: post.uri }) }),
    nothing: (actor) => actor.activity('Like', `${post.uri}0`),
  };
  const peers = new Map<string, Peer>();
  for (const [name, act] of Object.entries(actOf)) {
    const peer = new Peer(network, `${name}.test`);
    peers.set(name, peer);
    const actor = peer.actor('eve');
    expect(await actor.send(a, act(actor)), name).toBe(202);
  }
  await a.drain();
  a.clock.advance(60);
  await alice.put(`/api/v1/statuses/${post.id}`, { status: 'Second' });
  await a.drain();
  await alice.delete(`/api/v1/statuses/${post.id}`);
  await a.drain();
  const changesOf = ({ received }: Peer) =>
    received.map(({ activity }) => activity['type']).filter((type) => type === 'Update' || type === 'Delete');
  expect(Object.fromEntries([...peers].map(([name, peer]) => [name, changesOf(peer)]))).toEqual({
    like: ['Update', 'Delete'],
    boost: ['Update', 'Delete'],
    reply: ['Update', 'Delete'],
    quote: ['Update', 'Delete'],
    nothing: [],
  });
});
