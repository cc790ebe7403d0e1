import { expect, test } from 'vitest';
import type { AccountId } from '../../../server/platform/ids.ts';
import { allowDomain, blockDomain, disallowDomain } from '../../../server/site/domains/index.ts';
import { Network } from '../../network.ts';
import type { Client, TestServer, TestUser } from '../../server.ts';
import { peerScene, type PeerScene } from '../peer-scene.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { followAcross, homeTimeline, postStatus, twoServers } from '../two-servers.ts';

const group = 'https://a.test/users/birds';
const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';

/** Creates the group birds, with a moderator of its own. */
async function createGroup(server: TestServer, params: Record<string, unknown> = {}): Promise<[TestUser, AccountId]> {
  const mia = await server.user('mia', { role: 'moderator' });
  const { json, status, text } = await mia.post('/api/v1/fieldfare/groups', { username: 'birds', ...params });
  expect([status, text.slice(0, 200)]).toEqual([200, expect.anything()]);
  return [mia, (json as { id: AccountId }).id];
}

/** Lets an actor of a peer follow the group. */
async function join({ a }: PeerScene, actor: PeerActor): Promise<void> {
  await actor.send(a, actor.activity('Follow', group));
  await a.drain();
}

const toGroup = { to: [publicCollection], cc: [group], tag: [{ type: 'Mention', href: group, name: '@birds@a.test' }] };

/** Sends the Create of a new post that mentions the group. Returns the post. */
async function postToGroup({ a }: PeerScene, actor: PeerActor, id: string, members: Record<string, unknown> = {}) {
  const note = actor.note(id, { ...toGroup, ...members });
  expect(await actor.send(a, actor.create(note))).toBe(202);
  await a.drain();
  return note;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** What the group announced to a peer, as types and ids. */
const announced = (peer: Peer): unknown[] =>
  peer.received.flatMap(({ activity }) => {
    if (activity['actor'] !== group || !['Announce', 'Undo', 'Block'].includes(String(activity['type']))) return [];
    const { type, object } = activity;
    return isObject(object) ? [[type, object['type'], object['object'] ?? object['id']]] : [[type, object]];
  });

const withId = (note: Record<string, unknown>) => expect.objectContaining({ id: note['id'] });

test('a member’s mention is boosted to local and remote members, with its Create for servers that have groups', async () => {
  await using scene = await peerScene();
  const { a, alice, peer, eve } = scene;
  const [, id] = await createGroup(a);
  await alice.post(`/api/v1/accounts/${id}/follow`);
  await join(scene, eve);
  expect(peer.received.map(({ activity }) => activity['type'])).toEqual(['Accept']);

  const note = await postToGroup(scene, eve, 'nest');
  expect((await homeTimeline(alice)).map(({ reblog, account }) => [account.acct, reblog?.uri])).toEqual([
    ['birds', note['id']],
  ]);
  expect(announced(peer)).toEqual([
    ['Announce', note['id']],
    ['Announce', 'Create', withId(note)],
  ]);

  const local = await postStatus(alice, { status: 'An owl @birds' });
  await a.drain();
  expect(announced(peer).slice(2)).toEqual([
    ['Announce', local.uri],
    ['Announce', 'Create', expect.objectContaining({ id: local.uri, type: 'Note' })],
  ]);
  const [announce] = peer.received.slice(-1);
  expect(announce?.activity).toMatchObject({ audience: group, to: [publicCollection], cc: [`${group}/followers`] });
});

test('a member on another Fieldfare posts to the group and reads others, once each', async () => {
  await using scene = await twoServers();
  const { network, a, b, alice, bob } = scene;
  const [, id] = await createGroup(a);
  await alice.post(`/api/v1/accounts/${id}/follow`);
  await followAcross(scene, b, bob, 'birds@a.test');
  await postStatus(bob, { status: 'A wren @birds@a.test' });
  await postStatus(alice, { status: 'A kite @birds' });
  await network.drain();
  const boosted = async (user: TestUser) =>
    (await homeTimeline(user))
      .filter(({ account }) => account.acct.startsWith('birds'))
      .map(({ reblog }) => reblog?.content);
  // A boost of one's own post, which local people see in their home anyway, is left out there.
  expect(await boosted(alice)).toEqual([expect.stringContaining('A wren')]);
  expect((await boosted(bob)).toSorted()).toEqual([
    expect.stringContaining('A kite'),
    expect.stringContaining('A wren'),
  ]);
});

test('the group is an actor of type Group that names its moderators', async () => {
  await using scene = await peerScene();
  await createGroup(scene.a, { display_name: 'Birds', posting: 'moderators' });
  const read = async (url: string) =>
    (await scene.a.anonymous.get(url, { headers: { accept: 'application/activity+json' } })).json;
  expect(await read('/users/birds')).toMatchObject({
    id: group,
    type: 'Group',
    name: 'Birds',
    attributedTo: `${group}/collections/moderators`,
    postingRestrictedToMods: true,
  });
  expect(await read('/users/birds/collections/moderators')).toMatchObject({
    type: 'OrderedCollection',
    orderedItems: ['https://a.test/users/mia'],
  });
  expect((await scene.a.anonymous.get('/users/alice/collections/moderators')).status).toBe(404);
});

/** Posts that the group shows on its profile, newest first. */
async function profileOf(
  { a }: Pick<PeerScene, 'a'>,
  id: AccountId,
  viewer: Client = a.anonymous,
): Promise<(string | undefined)[]> {
  const { json } = await viewer.get(`/api/v1/accounts/${id}/statuses`);
  return (json as { reblog: { uri: string } | null }[]).map(({ reblog }) => reblog?.uri);
}

test('strangers, private and old posts, boosts and replies elsewhere bring nothing to a group', async () => {
  await using scene = await peerScene();
  const { a, alice, peer, eve } = scene;
  const [, id] = await createGroup(a);
  await postToGroup(scene, eve, 'stranger');
  await join(scene, eve);
  await postToGroup(scene, eve, 'direct', { to: [group], cc: [] });
  await postToGroup(scene, eve, 'followers', { to: [`${eve.uri}/followers`], cc: [group] });
  await postToGroup(scene, eve, 'old', { published: '2020-01-01T00:00:00Z' });
  await postToGroup(scene, eve, 'reply', { inReplyTo: `${eve.uri}/notes/stranger` });
  await postStatus(alice, { status: 'I do not follow you, @birds' });
  await a.drain();
  expect(await profileOf(scene, id)).toEqual([]);
  expect(announced(peer)).toEqual([]);
});

test('a local-only post is boosted to local members, and nothing of it leaves', async () => {
  await using scene = await peerScene();
  const { a, alice, peer, eve } = scene;
  const [mia, id] = await createGroup(a);
  await alice.post(`/api/v1/accounts/${id}/follow`);
  await join(scene, eve);
  const { id: statusId } = await postStatus(alice, { status: 'Between us @birds', local_only: true });
  await a.drain();
  expect((await homeTimeline(mia)).map(({ reblog }) => reblog?.id)).toEqual([statusId]);
  await alice.put(`/api/v1/statuses/${statusId}`, { status: 'Just between us @birds' });
  await a.drain();
  await mia.delete(`/api/v1/fieldfare/groups/${id}/posts/${statusId}`);
  await alice.delete(`/api/v1/statuses/${statusId}`);
  await a.drain();
  expect(peer.received.map(({ activity }) => activity['type'])).toEqual(['Accept']);
});

test('replies, edits and deletions are announced only to servers that have groups', async () => {
  await using scene = await peerScene();
  const { network, a, peer, eve } = scene;
  const lemmy = new Peer(network, 'lemmy.test');
  const [ada, community] = [lemmy.actor('ada'), lemmy.actor('flowers')];
  const endpoints = { sharedInbox: 'https://lemmy.test/inbox' };
  ada.documentOverrides = { endpoints };
  community.documentOverrides = { type: 'Group', endpoints };
  const [, id] = await createGroup(a);
  await join(scene, eve);
  await join(scene, ada);
  const post = await postToGroup(scene, eve, 'nest');
  const before = [announced(peer).length, announced(lemmy).length];
  expect(before).toEqual([2, 2]);
  // Its server has groups, as one of them shows.
  await community.send(a, community.activity('Follow', group));
  await a.drain();

  const reply = await postToGroup(scene, eve, 'reply', { inReplyTo: post['id'] });
  await eve.send(a, eve.activity('Update', { ...post, content: 'Two eggs', updated: '2030-01-01T00:00:00Z' }));
  await eve.send(a, eve.activity('Delete', reply['id'], { to: [publicCollection] }));
  await a.drain();
  expect(announced(lemmy).slice(2)).toEqual([
    ['Announce', 'Create', withId(reply)],
    ['Announce', 'Update', withId(post)],
    ['Announce', 'Delete', reply['id']],
  ]);
  expect(announced(peer).slice(2)).toEqual([]);
  expect(await profileOf(scene, id)).toEqual([post['id']]);
});

test('moderators approve what waits, remove it, and ban its author', async () => {
  await using scene = await peerScene();
  const { a, peer, eve } = scene;
  const [mia, id] = await createGroup(a, { moderated: true });
  await join(scene, eve);
  const note = await postToGroup(scene, eve, 'nest');
  expect(announced(peer)).toEqual([]);
  const [waiting] = (await mia.get(`/api/v1/fieldfare/groups/${id}/waiting_posts`)).json as {
    id: string;
    uri: string;
  }[];
  expect(waiting?.uri).toBe(note['id']);
  await mia.post(`/api/v1/fieldfare/groups/${id}/posts/${waiting?.id}/approve`);
  await a.drain();
  expect(announced(peer)).toEqual([
    ['Announce', note['id']],
    ['Announce', 'Create', withId(note)],
  ]);

  await mia.delete(`/api/v1/fieldfare/groups/${id}/posts/${waiting?.id}`);
  await a.drain();
  expect(announced(peer).slice(2)).toEqual([
    ['Undo', 'Announce', note['id']],
    ['Undo', 'Announce', note['id']],
  ]);
  const undone = peer.received
    .slice(-2)
    .map(({ activity: { object } }) => (isObject(object) ? object['id'] : undefined));
  const created = peer.received.flatMap(({ activity }) => (activity['type'] === 'Announce' ? [activity['id']] : []));
  expect(undone.toSorted()).toEqual(created.toSorted());

  const [eveHere] = (await mia.get('/api/v1/accounts/search?q=eve@peer.test')).json as { id: string }[];
  await mia.post(`/api/v1/fieldfare/groups/${id}/bans`, { account_id: eveHere?.id });
  await a.drain();
  expect(announced(peer)).toContainEqual(['Block', eve.uri]);
  await postToGroup(scene, eve, 'again');
  await join(scene, eve);
  await postToGroup(scene, eve, 'once-more');
  expect((await mia.get(`/api/v1/fieldfare/groups/${id}/waiting_posts`)).json).toEqual([]);
});

test('Lemmy learns of a removal as a deletion by the moderator', async () => {
  await using scene = await peerScene();
  const { a, peer, eve } = scene;
  const community = peer.actor('flowers');
  community.documentOverrides = { type: 'Group' };
  const [mia, id] = await createGroup(a);
  await join(scene, community);
  await join(scene, eve);
  const note = await postToGroup(scene, eve, 'nest');
  const [status] = (await mia.get(`/api/v1/accounts/${id}/statuses`)).json as { reblog: { id: string } }[];
  await mia.delete(`/api/v1/fieldfare/groups/${id}/posts/${status?.reblog.id}`);
  await a.drain();
  expect(announced(peer).slice(2)).toContainEqual(['Announce', 'Delete', note['id']]);
  const removal = peer.received.flatMap(({ activity: { object } }) =>
    isObject(object) && object['type'] === 'Delete' ? [object['actor']] : [],
  );
  expect(new Set(removal)).toEqual(new Set(['https://a.test/users/mia']));
  // The post exists for its author and their followers.
  expect((await mia.get(`/api/v1/statuses/${status?.reblog.id}`)).status).toBe(200);
});

test('one post reaches five groups at most, and groups never answer each other', async () => {
  await using scene = await peerScene();
  const { a, peer, eve } = scene;
  const mia = await a.user('mia', { role: 'moderator' });
  const names = ['ants', 'bees', 'cats', 'dogs', 'eels', 'fish', 'goats'];
  for (const username of names) {
    await mia.post('/api/v1/fieldfare/groups', { username });
    await eve.send(a, eve.activity('Follow', `https://a.test/users/${username}`));
  }
  await a.drain();
  const uris = names.map((name) => `https://a.test/users/${name}`);
  const tag = uris.flatMap((href) => Array.from({ length: 10 }, () => ({ type: 'Mention', href })));
  const note = eve.note('all', { to: [publicCollection], cc: uris, tag });
  await eve.send(a, eve.create(note));
  await a.drain();
  const boosts = peer.received.filter(
    ({ activity }) => activity['type'] === 'Announce' && activity['object'] === note['id'],
  );
  expect(new Set(boosts.map(({ activity }) => activity['actor'])).size).toBe(5);

  const other = peer.actor('other');
  other.documentOverrides = { type: 'Group' };
  await other.send(a, other.activity('Follow', uris[0]));
  await a.drain();
  const sent = peer.received.length;
  await other.send(a, other.create(other.note('mine', { to: [publicCollection], cc: uris, tag })));
  await other.send(a, other.activity('Announce', note['id'], { to: [publicCollection], cc: uris }));
  await a.drain();
  expect(peer.received.length).toBe(sent);
});

test('members of a blocked domain post nothing to a group, and receive nothing from it', async () => {
  await using scene = await peerScene();
  const { network, a, alice, peer, eve } = scene;
  const [, id] = await createGroup(a);
  const ada = new Peer(network, 'other.test').actor('ada');
  for (const member of [eve, ada]) await join(scene, member);
  await alice.post(`/api/v1/accounts/${id}/follow`);
  const before = await postToGroup(scene, eve, 'before');
  expect(announced(peer)).toHaveLength(2);

  await blockDomain(a.app, 'system', { domain: 'peer.test', severity: 'suspend' });
  await a.drain();
  const sent = announced(peer).length;
  expect((await homeTimeline(alice)).map(({ reblog }) => reblog?.uri)).toEqual([]);
  const refused = eve.note('refused', toGroup);
  await eve.send(a, eve.create(refused));
  const note = await postToGroup(scene, ada, 'nest');
  await postStatus(alice, { status: 'An owl @birds' });
  await a.drain();
  expect(announced(peer)).toHaveLength(sent);
  expect(await profileOf(scene, id)).toEqual([expect.stringContaining('https://a.test/'), note['id']]);
  expect(await profileOf(scene, id)).not.toContain(before['id']);
});

test('posts of a limited domain wait, like those of a limited member', async () => {
  await using scene = await peerScene();
  const { a, peer, eve } = scene;
  const [mia, id] = await createGroup(a);
  await join(scene, eve);
  await blockDomain(a.app, 'system', { domain: 'peer.test', severity: 'silence' });
  await a.drain();
  const note = await postToGroup(scene, eve, 'nest');
  expect(announced(peer)).toEqual([]);
  const { json } = await mia.get(`/api/v1/fieldfare/groups/${id}/waiting_posts`);
  expect(json).toMatchObject([{ uri: note['id'] }]);
});

test('in limited federation mode, a group exchanges posts with allowed domains only', async () => {
  await using network = new Network();
  const a = await network.start('a.test', { settings: { LIMITED_FEDERATION: 'on' } });
  const [peer, other] = [new Peer(network, 'peer.test'), new Peer(network, 'other.test')];
  const [eve, ada] = [peer.actor('eve'), other.actor('ada')];
  const [mia, id] = await createGroup(a);
  await allowDomain(a.app, 'system', 'peer.test');
  a.clock.advance(60);
  for (const member of [eve, ada]) await member.send(a, member.activity('Follow', group));
  await a.drain();
  const notes = [eve.note('inside', toGroup), ada.note('outside', toGroup)];
  await eve.send(a, eve.create(notes[0] ?? {}));
  await ada.send(a, ada.create(notes[1] ?? {}));
  await a.drain();
  expect(await profileOf({ a }, id, mia)).toEqual([notes[0]?.['id']]);
  expect([announced(peer).length, other.received]).toEqual([2, []]);

  await disallowDomain(a.app, 'system', 'peer.test');
  await a.drain();
  const sent = announced(peer).length;
  await postStatus(mia, { status: 'An owl @birds' });
  await eve.send(a, eve.create(eve.note('late', toGroup)));
  await a.drain();
  expect(announced(peer)).toHaveLength(sent);
  expect(await profileOf({ a }, id, mia)).toEqual([expect.stringContaining('https://a.test/')]);
});
