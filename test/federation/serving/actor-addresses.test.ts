import { expect, test } from 'vitest';
import type { PeerActor } from '../peer.ts';
import { followPeer, peerScene, type PeerScene } from '../peer-scene.ts';

/** A peer whose actor has a numeric id, as Mastodon gives to new accounts since 4.5, and a page without links to it. */
function addActor({ peer }: PeerScene, username: string, id: number): PeerActor {
  const actor = peer.actor(username, `/ap/users/${id}`);
  actor.documentOverrides = { url: `https://peer.test/@${username}` };
  peer.documents.set(`/@${username}`, '<html><head></head><body>No links</body></html>');
  return actor;
}

async function numericScene(): Promise<PeerScene> {
  const scene = await peerScene();
  return { ...scene, eve: addActor(scene, 'mallory', 116_072_345) };
}

const found = async ({ alice }: PeerScene, q: string) =>
  (await alice.get(`/api/v2/search?resolve=true&q=${encodeURIComponent(q)}`)).json.accounts;

test('SRC-02: an actor with a numeric id is found by its id, handle and pages, also by those on other servers', async () => {
  await using scene = await peerScene();
  scene.network.addHost('other.test', () => ({ status: 200, headers: { 'content-type': 'text/html' } }));
  const inputs = (name: string, id: number) => [
    `https://peer.test/ap/users/${id}`,
    `https://peer.test/@${name}`,
    `https://peer.test/%40${name}/`,
    `https://other.test/@${name}@peer.test`,
    `https://down.test/@${name}@peer.test`,
    `acct:${name}@peer.test`,
    `@${name}@peer.test`,
  ];
  for (const number of inputs('', 0).keys()) {
    const name = `eve${number}`;
    const actor = addActor(scene, name, number);
    // The first of them resolves it, the others find what is stored.
    const all = inputs(name, number);
    for (const input of [all[number] ?? '', ...all])
      expect([input, await found(scene, input)]).toMatchObject([
        input,
        [{ acct: `${name}@peer.test`, uri: actor.uri, url: `https://peer.test/@${name}` }],
      ]);
  }
});

test('SRC-02: a page is not resolved by a handle that its server does not confirm', async () => {
  await using scene = await numericScene();
  for (const input of [
    'https://peer.test/@nobody',
    'https://peer.test/@mallory@down.test',
    'https://down.test/@mallory',
  ])
    expect([input, await found(scene, input)]).toEqual([input, []]);
});

test('FOL-05: an account is followed by its page', async () => {
  await using scene = await numericScene();
  const { a, alice, peer } = scene;
  const { status, json } = await alice.post('/api/v1/follows', { uri: 'https://peer.test/@mallory' });
  expect([status, json.requested]).toEqual([200, true]);
  await a.drain();
  expect(peer.received.map(({ activity, path }) => [activity['type'], activity['object'], path])).toEqual([
    ['Follow', 'https://peer.test/ap/users/116072345', '/ap/users/116072345/inbox'],
  ]);
  expect((await alice.post('/api/v1/follows', { uri: 'https://peer.test/@nobody' })).status).toBe(404);
});

test('FED-03: an actor with a numeric id posts, is mentioned and is replied to', async () => {
  await using scene = await numericScene();
  const { a, alice, peer, eve } = scene;
  const id = await followPeer(a, alice, peer, eve);
  const note = eve.note(1, { id: `${eve.uri}/statuses/1`, url: `https://peer.test/@mallory/1` });
  expect(await eve.send(a, eve.create(note))).toBe(202);
  await a.drain();
  const [post] = (await alice.get(`/api/v1/accounts/${id}/statuses`)).json;
  expect(post).toMatchObject({ uri: `${eve.uri}/statuses/1`, url: 'https://peer.test/@mallory/1' });
  await alice.post('/api/v1/statuses', { status: '@mallory@peer.test Hi', in_reply_to_id: post.id });
  await a.drain();
  expect(peer.received.at(-1)?.activity).toMatchObject({
    type: 'Create',
    object: { inReplyTo: post.uri, tag: [{ type: 'Mention', href: eve.uri, name: '@mallory@peer.test' }] },
  });
});

test('FED-03: a bearcap is no address: nothing is fetched for it', async () => {
  await using scene = await peerScene();
  const { a, network, eve } = scene;
  const capability = `bear:?t=secret&u=${eve.uri}/notes/1`;
  const before = network.requests.length;
  const to = ['https://a.test/users/alice'];
  for (const activity of [eve.activity('Create', capability, { to }), eve.activity('Announce', capability, { to })])
    expect(await eve.send(a, activity)).toBe(202);
  await a.drain();
  expect(network.requests.slice(before).filter(({ url }) => url.includes('notes'))).toEqual([]);
  expect(await a.app.db.selectFrom('statuses').select('id').execute()).toEqual([]);
});
