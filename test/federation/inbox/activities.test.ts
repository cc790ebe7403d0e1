import sharp from 'sharp';
import { expect, test } from 'vitest';
import { Network } from '../../network.ts';
import { multipart, type TestServer, type TestUser } from '../../server.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { followPeer } from '../peer-scene.ts';
import { resolveAccountOn, homeTimeline, postStatus, resolveStatusOn } from '../two-servers.ts';

const password = 'correct horse battery';
const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';
const aliceUri = 'https://a.test/users/alice';
const followers = `${aliceUri}/followers`;

interface Scene extends AsyncDisposable {
  readonly network: Network;
  readonly server: TestServer;
  readonly peer: Peer;
  readonly alice: TestUser;
  /** A remote account that follows alice, and that alice follows. */
  readonly fay: PeerActor;
  readonly fayId: string;
  /** Returns the activities that far.test receives because of an action of alice. */
  readonly activitiesSentBy: (act: () => Promise<unknown>) => Promise<Record<string, unknown>[]>;
}

async function scene(): Promise<Scene> {
  const network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const alice = await server.user('alice');
  const fay = peer.actor('fay');
  fay.documentOverrides = { endpoints: { sharedInbox: 'https://far.test/inbox' } };
  await fay.send(server, fay.activity('Follow', aliceUri));
  const fayId = await followPeer(server, alice, peer, fay);
  return {
    network,
    server,
    peer,
    alice,
    fay,
    fayId,
    async activitiesSentBy(act) {
      peer.received.length = 0;
      const response = (await act()) as { status?: number; text?: string } | undefined;
      if ((response?.status ?? 200) >= 300) throw new Error(response?.text);
      await server.drain();
      return peer.received.splice(0).map(({ activity }) => activity);
    },
    [Symbol.asyncDispose]: () => network[Symbol.asyncDispose](),
  };
}

/** Stores a post by fay on a.test. Returns its id. */
async function receivePost({ server, fay }: Scene, id: string, members: Record<string, unknown> = {}): Promise<string> {
  const note = fay.note(id, members);
  await fay.send(server, fay.create(note));
  await server.drain();
  return String(await resolveStatusOn(server, String(note['id'])));
}

const uriMatching = (pattern: string): unknown => expect.stringMatching(new RegExp(`^${aliceUri}${pattern}$`));

test("FED-02: Follow, Block, their Undo, and Accept and Reject have the same shape as Mastodon's", async () => {
  await using the = await scene();
  const { alice, fay, fayId, peer, activitiesSentBy, server } = the;
  const gus = peer.actor('gus');
  const gusId = await resolveAccountOn(server, 'gus@far.test');
  const [follow] = await activitiesSentBy(() => alice.post(`/api/v1/accounts/${gusId}/follow`));
  expect(follow).toMatchObject({
    id: uriMatching(String.raw`#follows/\d+`),
    type: 'Follow',
    actor: aliceUri,
    object: gus.uri,
  });
  expect(await activitiesSentBy(() => alice.post(`/api/v1/accounts/${gusId}/unfollow`))).toMatchObject([
    {
      id: `${String(follow?.['id'])}/undo`,
      type: 'Undo',
      actor: aliceUri,
      object: { id: follow?.['id'], type: 'Follow', object: gus.uri },
    },
  ]);
  const [reject] = await activitiesSentBy(() => alice.post(`/api/v1/accounts/${fayId}/remove_from_followers`));
  expect(reject).toMatchObject({
    id: uriMatching(String.raw`#rejects/follows/\d+`),
    type: 'Reject',
    actor: aliceUri,
    object: { type: 'Follow', actor: fay.uri, object: aliceUri },
  });
  const request = fay.activity('Follow', aliceUri);
  const [accept] = await activitiesSentBy(() => fay.send(server, request).then(() => undefined));
  expect(accept).toMatchObject({
    id: uriMatching(String.raw`#accepts/follows/\d+`),
    type: 'Accept',
    actor: aliceUri,
    object: { id: request['id'], type: 'Follow', actor: fay.uri, object: aliceUri },
  });
  const blocked = await activitiesSentBy(() => alice.post(`/api/v1/accounts/${fayId}/block`));
  const block = blocked.find(({ type }) => type === 'Block');
  expect(block).toMatchObject({ id: uriMatching(String.raw`#blocks/\d+`), actor: aliceUri, object: fay.uri });
  expect(blocked.map(({ type }) => type).toSorted()).toEqual(['Block', 'Reject', 'Undo']);
  const [unblock] = await activitiesSentBy(() => alice.post(`/api/v1/accounts/${fayId}/unblock`));
  expect(unblock).toMatchObject({
    id: `${String(block?.['id'])}/undo`,
    type: 'Undo',
    object: { type: 'Block', object: fay.uri },
  });
});

test('FED-02: a locked account rejects a follow request, and a follow that is not allowed is rejected immediately', async () => {
  await using the = await scene();
  const { alice, peer, activitiesSentBy, server } = the;
  await alice.patch('/api/v1/accounts/update_credentials', { locked: true });
  const gus = peer.actor('gus');
  const request = gus.activity('Follow', aliceUri);
  const sendRequest = () => gus.send(server, request).then(() => undefined);
  expect((await activitiesSentBy(sendRequest)).filter(({ type }) => type !== 'Update')).toEqual([]);
  const gusId = await resolveAccountOn(server, 'gus@far.test');
  expect(await activitiesSentBy(() => alice.post(`/api/v1/follow_requests/${gusId}/reject`))).toMatchObject([
    {
      id: uriMatching(String.raw`#rejects/follows/\d+`),
      type: 'Reject',
      object: { id: request['id'], actor: gus.uri },
    },
  ]);
  await activitiesSentBy(() => alice.post(`/api/v1/accounts/${gusId}/block`));
  const again = () => gus.send(server, gus.activity('Follow', aliceUri)).then(() => undefined);
  expect(await activitiesSentBy(again)).toMatchObject([
    { type: 'Reject', actor: aliceUri, object: { actor: gus.uri, object: aliceUri } },
  ]);
  const home = new Peer(the.network, 'home.test').actor('alice');
  home.documentOverrides = { alsoKnownAs: [aliceUri] };
  await activitiesSentBy(() => alice.post(`/api/v1/accounts/${gusId}/unblock`));
  await activitiesSentBy(() => alice.post('/api/v1/profile/move', { acct: 'alice@home.test', password }));
  const moved = () => gus.send(server, gus.activity('Follow', aliceUri)).then(() => undefined);
  expect(await activitiesSentBy(moved)).toMatchObject([
    { type: 'Reject', actor: aliceUri, object: { actor: gus.uri } },
  ]);
});

test("FED-02: the Create, Update and Delete of a post have the same shape as Mastodon's", async () => {
  await using the = await scene();
  const { alice, network, activitiesSentBy } = the;
  let id = '';
  const [create] = await activitiesSentBy(async () => {
    ({ id } = await postStatus(alice, { status: 'hello #birds', spoiler_text: 'cw', language: 'en' }));
  });
  const uri = `${aliceUri}/statuses/${id}`;
  expect(create).toMatchObject({
    id: `${uri}/activity`,
    type: 'Create',
    actor: aliceUri,
    published: expect.any(String),
    to: [publicCollection],
    cc: [followers],
    object: {
      id: uri,
      type: 'Note',
      attributedTo: aliceUri,
      to: [publicCollection],
      cc: [followers],
      url: `https://a.test/@alice/${id}`,
      summary: 'cw',
      sensitive: true,
      inReplyTo: null,
      atomUri: uri,
      contentMap: { en: expect.stringContaining('hello') },
      tag: [{ type: 'Hashtag', name: '#birds', href: 'https://a.test/tags/birds' }],
      context: expect.stringMatching(/^https:\/\/a\.test\/contexts\/\d+$/),
      replies: { type: 'Collection' },
      likes: { totalItems: 0 },
      shares: { totalItems: 0 },
    },
  });
  expect(create?.['object']).not.toHaveProperty('updated');
  network.clock.advance(60);
  expect(await activitiesSentBy(() => alice.put(`/api/v1/statuses/${id}`, { status: 'hello again' }))).toMatchObject([
    {
      id: expect.stringMatching(new RegExp(`^${uri}#updates/\\d+$`)),
      type: 'Update',
      actor: aliceUri,
      to: [publicCollection],
      object: { id: uri, updated: expect.any(String), content: '<p>hello again</p>' },
    },
  ]);
  expect(await activitiesSentBy(() => alice.delete(`/api/v1/statuses/${id}`))).toMatchObject([
    {
      id: `${uri}#delete`,
      type: 'Delete',
      actor: aliceUri,
      to: [publicCollection],
      object: { id: uri, type: 'Tombstone', atomUri: uri },
    },
  ]);
});

test('FED-02: the addressees of a post follow from its visibility', async () => {
  await using the = await scene();
  const { alice, fay, activitiesSentBy } = the;
  const addressees = async (visibility: string) => {
    const [create] = await activitiesSentBy(() =>
      postStatus(alice, { status: '@fay@far.test hi', visibility }).then(() => undefined),
    );
    expect(create?.['object']).toMatchObject({
      to: create?.['to'],
      cc: create?.['cc'],
      tag: [{ type: 'Mention', href: fay.uri, name: '@fay@far.test' }],
    });
    return [create?.['to'], create?.['cc']];
  };
  expect(await addressees('public')).toEqual([[publicCollection], [followers, fay.uri]]);
  expect(await addressees('unlisted')).toEqual([[followers], [publicCollection, fay.uri]]);
  expect(await addressees('private')).toEqual([[followers], [fay.uri]]);
  expect(await addressees('direct')).toEqual([[fay.uri], []]);
});

test("FED-02: Like, Announce and their Undo have the same shape as Mastodon's", async () => {
  await using the = await scene();
  const { alice, fay, activitiesSentBy } = the;
  const id = await receivePost(the, '1');
  const object = `${fay.uri}/notes/1`;
  const [like] = await activitiesSentBy(() => alice.post(`/api/v1/statuses/${id}/favourite`));
  expect(like).toMatchObject({ id: uriMatching(String.raw`#likes/\d+`), type: 'Like', actor: aliceUri, object });
  expect(like).not.toHaveProperty('to');
  expect(await activitiesSentBy(() => alice.post(`/api/v1/statuses/${id}/unfavourite`))).toMatchObject([
    {
      id: `${String(like?.['id'])}/undo`,
      type: 'Undo',
      actor: aliceUri,
      object: { id: like?.['id'], type: 'Like', object },
    },
  ]);
  const [announce] = await activitiesSentBy(() => alice.post(`/api/v1/statuses/${id}/reblog`));
  expect(announce).toMatchObject({
    id: uriMatching(String.raw`/statuses/\d+/activity`),
    type: 'Announce',
    actor: aliceUri,
    published: expect.any(String),
    to: [publicCollection],
    cc: [followers, fay.uri],
    object,
  });
  expect(await activitiesSentBy(() => alice.post(`/api/v1/statuses/${id}/unreblog`))).toMatchObject([
    {
      id: uriMatching(String.raw`#announces/\d+/undo`),
      type: 'Undo',
      actor: aliceUri,
      object: { id: announce?.['id'], type: 'Announce', object },
    },
  ]);
});

test('FED-03: a post embedded in an Announce is trusted only if the actor wrote it, and stored only if someone follows them', async () => {
  await using the = await scene();
  const { alice, fay, peer, server } = the;
  const gus = peer.actor('gus');
  const to = { to: [`${fay.uri}/followers`], cc: [] };
  await fay.send(server, fay.activity('Announce', fay.note('own', to), { id: `${fay.uri}/announces/1`, ...to }));
  await fay.send(server, fay.activity('Announce', gus.note('stolen', to), { id: `${fay.uri}/announces/2`, ...to }));
  const stranger = { to: [`${gus.uri}/followers`], cc: [] };
  await gus.send(
    server,
    gus.activity('Announce', gus.note('unasked', stranger), { id: `${gus.uri}/announces/3`, ...stranger }),
  );
  await server.drain();
  expect((await homeTimeline(alice)).map(({ uri, reblog }) => reblog?.uri ?? uri)).toEqual([`${fay.uri}/notes/own`]);
  const stored = await server.app.db.selectFrom('statuses').select('uri').where('reblog_of_id', 'is', null).execute();
  expect(stored.map(({ uri }) => uri)).toEqual([`${fay.uri}/notes/own`]);
});

test('FED-02: a poll is sent as a Question, and a vote as one Note for each option', async () => {
  await using the = await scene();
  const { alice, fay, network, activitiesSentBy, server } = the;
  let poll = { id: '', uri: '' };
  const [create] = await activitiesSentBy(async () => {
    const status = await postStatus(alice, {
      status: 'which?',
      poll: { options: ['a', 'b'], expires_in: 3600, multiple: true },
    });
    poll = { id: status.id, uri: status.uri };
  });
  expect(create?.['object']).toMatchObject({
    type: 'Question',
    anyOf: [
      { type: 'Note', name: 'a', replies: { type: 'Collection', totalItems: 0 } },
      { type: 'Note', name: 'b', replies: { totalItems: 0 } },
    ],
    endTime: expect.any(String),
    votersCount: 0,
  });
  const vote = { ...fay.note('vote', { name: 'b', inReplyTo: poll.uri, to: [aliceUri], cc: [] }), content: undefined };
  await fay.send(server, fay.create(vote));
  await server.drain();
  network.clock.advance(181);
  const [pollUpdate] = await activitiesSentBy(() => Promise.resolve());
  expect(pollUpdate).toMatchObject({
    type: 'Update',
    object: { anyOf: [{}, { replies: { totalItems: 1 } }], votersCount: 1 },
  });
  expect(pollUpdate?.['object']).not.toHaveProperty('updated');
  network.clock.advance(3600);
  const [end] = await activitiesSentBy(() => Promise.resolve());
  expect(end).toMatchObject({ type: 'Update', object: { closed: expect.any(String) } });
  const options = ['x', 'y', 'z'].map((name) => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', totalItems: 0 },
  }));
  const endTime = new Date(network.clock.now().getTime() + 3_600_000).toISOString();
  const id = await receivePost(the, 'poll', { type: 'Question', anyOf: options, endTime });
  const { json } = await alice.get(`/api/v1/statuses/${id}`);
  const votes = await activitiesSentBy(() => alice.post(`/api/v1/polls/${json.poll.id}/votes`, { choices: [0, 2] }));
  expect(votes.map(({ object }) => (object as { name: string }).name)).toEqual(['x', 'z']);
  for (const { type, to, object } of votes) {
    expect([type, to]).toEqual(['Create', fay.uri]);
    expect(object).toMatchObject({
      id: uriMatching(String.raw`#votes/\d+`),
      inReplyTo: `${fay.uri}/notes/poll`,
      to: fay.uri,
    });
    expect(object).not.toHaveProperty('content');
  }
  const more = await activitiesSentBy(() => alice.post(`/api/v1/polls/${json.poll.id}/votes`, { choices: [1] }));
  expect(more.map(({ object }) => (object as { name: string }).name)).toEqual(['y']);
});

test('FED-02: an Update of a profile contains its text, hashtags, fields, images and flags', async () => {
  await using the = await scene();
  const { alice, activitiesSentBy } = the;
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const file = (name: string) => new File([new Uint8Array(png)], name, { type: 'image/png' });
  const body = await multipart({
    display_name: 'Alice',
    note: 'I like #Birds and #birds',
    'fields_attributes[0][name]': 'Where',
    'fields_attributes[0][value]': 'https://a.example',
    avatar: file('a.png'),
    header: file('h.png'),
    avatar_description: 'Me',
    locked: 'true',
    bot: 'true',
    discoverable: 'true',
    indexable: 'true',
  });
  const updates = await activitiesSentBy(() => alice.patch('/api/v1/accounts/update_credentials', body));
  expect(updates.at(-1)).toMatchObject({
    id: uriMatching(String.raw`#updates/\d+`),
    type: 'Update',
    actor: aliceUri,
    to: [publicCollection],
    object: {
      id: aliceUri,
      type: 'Service',
      name: 'Alice',
      summary: expect.stringContaining('I like'),
      manuallyApprovesFollowers: true,
      discoverable: true,
      indexable: true,
      icon: { type: 'Image', mediaType: 'image/png', url: expect.stringContaining('https://'), summary: 'Me' },
      image: { type: 'Image' },
      attachment: [{ type: 'PropertyValue', name: 'Where', value: expect.stringContaining('https://a.example') }],
      tag: [{ type: 'Hashtag', name: expect.stringMatching(/^#birds$/i), href: 'https://a.test/tags/birds' }],
      featured: `${aliceUri}/collections/featured`,
      featuredTags: `${aliceUri}/collections/tags`,
      published: expect.stringMatching(/T00:00:00Z$/),
    },
  });
});

test('FED-02: the Delete of an account reaches every server that knows the account', async () => {
  await using the = await scene();
  const { alice, network, activitiesSentBy } = the;
  const third = new Peer(network, 'third.test');
  third.actor('tess');
  await postStatus(alice, { status: '@tess@third.test hello' });
  await activitiesSentBy(() => Promise.resolve());
  third.received.length = 0;
  const expected = [
    { id: `${aliceUri}#delete`, type: 'Delete', actor: aliceUri, to: [publicCollection], object: aliceUri },
  ];
  expect(
    (await activitiesSentBy(() => alice.post('/api/v1/profile/delete', { password }))).filter(
      ({ object }) => object === aliceUri,
    ),
  ).toMatchObject(expected);
  expect(third.received.map(({ activity }) => activity).filter(({ object }) => object === aliceUri)).toMatchObject(
    expected,
  );
});
