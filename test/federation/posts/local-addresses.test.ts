import { expect, test } from 'vitest';
import type { TestUser } from '../../server.ts';
import { followingScene, followPeer, peerScene, type PeerScene } from '../peer-scene.ts';

const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';

/** Addresses of alice. All but the first are not the one that her server uses. */
const accountAddresses = [
  'https://a.test/users/alice',
  'https://a.test/@alice',
  'https://a.test/@alice/',
  'https://a.test/@ALICE',
  'https://a.test/users/Alice/',
  'https://a.test/@alice@a.test',
  'https://a.test/%40alice',
  'https://a.test/%40al%69ce?from=feed#posts',
  'HTTPS://A.TEST/@alice',
  'http://a.test:80/@alice',
  'https://a.test:443//@alice',
  'https://a.test./@alice',
];

/** Addresses of a post of alice. */
const statusAddresses = (id: string) => [
  `https://a.test/users/alice/statuses/${id}`,
  `https://a.test/users/ALICE/statuses/${id}/`,
  `https://a.test/@alice/${id}`,
  `https://a.test/@Alice/${id}/`,
  `https://a.test/@alice@a.test/${id}`,
  `https://A.test:443/%40alice/${id}?x=1#y`,
  `http://a.test/@alice/${id}`,
  `https://a.test/@alice/${id}/favourites`,
];

async function found(user: TestUser, q: string): Promise<string[]> {
  const { accounts, statuses } = (await user.get(`/api/v2/search?resolve=true&q=${encodeURIComponent(q)}`)).json;
  return [...accounts, ...statuses].map(({ id }: { id: string }) => id);
}

const notificationsOf = async (user: TestUser, type: string) =>
  (await user.get(`/api/v1/notifications?types[]=${type}&limit=80`)).json;

/** Lets eve send activities. */
async function receive({ a, eve }: PeerScene, ...activities: unknown[]): Promise<void> {
  for (const activity of activities) expect(await eve.send(a, activity)).toBe(202);
  await a.drain();
}

test('FED-03: an account that is mentioned by any of its addresses is notified, also of a private mention', async () => {
  await using scene = await followingScene();
  const { alice, eve } = scene;
  const pairs = accountAddresses.flatMap((address, number) => [
    { tag: address, to: address, id: `same${number}` },
    { tag: accountAddresses[0], to: address, id: `to${number}` },
    { tag: address, to: accountAddresses[0], id: `tag${number}` },
  ]);
  await receive(
    scene,
    ...pairs.flatMap(({ tag, to, id }) => {
      const mention = [{ type: 'Mention', href: tag, name: '@alice@a.test' }];
      return [
        eve.create(eve.note(`public-${id}`, { to: [publicCollection], cc: [to], tag: mention })),
        eve.create(eve.note(`direct-${id}`, { to: [to], cc: [], tag: mention })),
      ];
    }),
  );
  const notifications = await notificationsOf(alice, 'mention');
  const names = notifications.map(({ status }: { status: { uri: string } }) => status.uri.split('/').at(-1));
  expect(new Set(names)).toEqual(new Set(pairs.flatMap(({ id }) => [`public-${id}`, `direct-${id}`])));
  for (const { status } of notifications) {
    expect(status.visibility).toBe(status.uri.includes('direct') ? 'direct' : 'public');
    expect(status.mentions).toMatchObject([{ id: alice.id }]);
  }
});

test('FED-03: a reply, favourite, boost or quote that names a post by any of its addresses is one of that post', async () => {
  await using scene = await peerScene();
  const { alice, eve } = scene;
  const { json: post } = await alice.post('/api/v1/statuses', { status: 'Hello' });
  const addresses = statusAddresses(post.id);
  for (const [number, address] of addresses.entries()) {
    const like = eve.activity('Like', address);
    const boost = eve.activity('Announce', address, { to: [publicCollection] });
    await receive(scene, like, boost, eve.create(eve.note(`reply${number}`, { inReplyTo: address })));
    const counted = (await alice.get(`/api/v1/statuses/${post.id}`)).json;
    expect([address, counted.favourites_count, counted.reblogs_count, counted.replies_count]).toEqual([
      address,
      1,
      1,
      number + 1,
    ]);
    await receive(scene, eve.activity('Undo', like), eve.activity('Undo', boost));
  }
  const { descendants } = (await alice.get(`/api/v1/statuses/${post.id}/context`)).json;
  expect(descendants.map((reply: { in_reply_to_id: string }) => reply.in_reply_to_id)).toEqual(
    addresses.map(() => post.id),
  );
  const note = eve.note('quote', { quote: addresses[3], cc: [accountAddresses[1]] });
  await receive(scene, eve.create(note));
  const [quoteId = ''] = await found(alice, String(note['id']));
  expect((await alice.get(`/api/v1/statuses/${quoteId}`)).json.quote).toMatchObject({ state: 'pending' });
});

test('FED-03: a follow, block and report that name an account by its page reach it', async () => {
  await using scene = await peerScene();
  const { a, alice, eve } = scene;
  const { json: post } = await alice.post('/api/v1/statuses', { status: 'Hello' });
  for (const address of accountAddresses) {
    const follow = eve.activity('Follow', address);
    await receive(scene, follow);
    expect([address, (await alice.get(`/api/v1/accounts/${alice.id}`)).json.followers_count]).toEqual([address, 1]);
    await receive(scene, eve.activity('Undo', { ...follow, object: accountAddresses[1] }));
    expect((await alice.get(`/api/v1/accounts/${alice.id}`)).json.followers_count).toBe(0);
  }
  await receive(scene, eve.activity('Flag', ['https://a.test/@Alice/', `https://a.test/@alice/${post.id}/`]));
  const { rows: reports } = await a.pool.query('select target_account_id, status_ids from reports');
  expect(reports).toEqual([{ target_account_id: alice.id, status_ids: [post.id] }]);
  const block = eve.activity('Block', 'https://a.test/@alice/');
  await receive(scene, block);
  const blocks = async () => (await a.pool.query('select 1 from blocks')).rowCount;
  expect(await blocks()).toBe(1);
  await receive(scene, eve.activity('Undo', block));
  expect(await blocks()).toBe(0);
});

test('ACC-15: an account whose document names a local one by its page can be moved to', async () => {
  await using scene = await peerScene();
  const { alice, eve } = scene;
  eve.documentOverrides = { alsoKnownAs: ['https://a.test/@Alice/', 'https://other.test/@x'] };
  const moved = await alice.post('/api/v1/profile/move', { acct: 'eve@peer.test', password: 'correct horse battery' });
  expect([moved.status, moved.text]).toEqual([200, expect.any(String)]);
  expect((await alice.get(`/api/v1/accounts/${alice.id}`)).json.moved).toMatchObject({ acct: 'eve@peer.test' });
});

test('SRC-02: every address of a local account and post, and their pages in the web client, are found', async () => {
  await using scene = await followingScene();
  const { a, alice, eve } = scene;
  const bob = await a.user('bob');
  const { json: post } = await alice.post('/api/v1/statuses', { status: 'Hello' });
  await receive(scene, eve.create(eve.note(1)));
  const [eveId = ''] = await found(bob, 'eve@peer.test');
  const [noteId = ''] = await found(bob, `${eve.uri}/notes/1`);
  for (const address of accountAddresses) expect([address, await found(bob, address)]).toEqual([address, [alice.id]]);
  for (const address of statusAddresses(post.id))
    expect([address, await found(bob, address)]).toEqual([address, [post.id]]);
  for (const page of ['@eve@peer.test', '@EVE@Peer.Test/', '%40eve%40peer.test'])
    expect([page, await found(bob, `https://a.test/${page}`)]).toEqual([page, [eveId]]);
  for (const page of [`@eve@peer.test/${noteId}`, `@Eve@PEER.test/${noteId}/`, `@eve@peer.test/${noteId}/reblogs`])
    expect([page, await found(bob, `https://a.test/${page}`)]).toEqual([page, [noteId]]);
  for (const page of [`@alice/${noteId}`, `@eve@peer.test/${post.id}`, '@nobody', '@a b', '%ff', '@alice/1/2', '@@'])
    expect([page, await found(bob, `https://a.test/${page}`)]).toEqual([page, []]);
});

test('SRC-02: an activity may name a stored remote post by its page in the web client', async () => {
  await using scene = await followingScene();
  const { alice, eve } = scene;
  await receive(scene, eve.create(eve.note(1)));
  const [noteId = ''] = await found(alice, `${eve.uri}/notes/1`);
  await receive(scene, eve.create(eve.note(2, { inReplyTo: `https://a.test/@eve@peer.test/${noteId}/` })));
  const [replyId = ''] = await found(alice, `${eve.uri}/notes/2`);
  expect((await alice.get(`/api/v1/statuses/${replyId}`)).json.in_reply_to_id).toBe(noteId);
});

test('SRC-02: a private post is found by its page, which opens for nobody, by those who may see it only', async () => {
  await using scene = await followingScene();
  const { a, alice, peer, eve } = scene;
  const [bob, carol] = [await a.user('bob'), await a.user('carol')];
  const page = 'https://peer.test/@eve/1';
  await receive(
    scene,
    eve.create(eve.note(1, { to: [`${eve.uri}/followers`], cc: [], url: page })),
    eve.create(
      eve.note(2, {
        to: ['https://a.test/users/carol'],
        cc: [],
        url: 'https://peer.test/@eve/2',
        tag: [{ type: 'Mention', href: 'https://a.test/users/carol' }],
      }),
    ),
  );
  const spellings = [page, `${page}/`, `${page}#top`, 'https://PEER.test/@eve/1', 'http://peer.test/@eve/1'];
  for (const status of [404, 403, 410, 503]) {
    peer.statuses.set('/@eve/1', status);
    for (const each of spellings) {
      expect([each, (await found(alice, each)).length]).toEqual([each, 1]);
      expect([each, await found(bob, each)]).toEqual([each, []]);
    }
  }
  expect(await found(alice, `${eve.uri}/notes/1`)).toEqual(await found(alice, page));
  expect([await found(carol, 'https://peer.test/@eve/2'), await found(alice, 'https://peer.test/@eve/2')]).toEqual([
    [expect.any(String)],
    [],
  ]);
  await followPeer(a, bob, peer, eve);
  expect(await found(bob, page)).toEqual(await found(alice, page));
  expect(await found(alice, 'https://peer.test/@eve/3')).toEqual([]);
});
