import { expect, test } from 'vitest';
import {
  sensitizeAccount,
  silenceAccount,
  unsensitizeAccount,
  unsilenceAccount,
} from '../../../server/moderation/index.ts';
import type { TestServer } from '../../server.ts';
import { Peer } from '../peer.ts';
import { peerScene } from '../peer-scene.ts';
import {
  followAcross,
  homeTimeline,
  listNotifications,
  postStatus,
  resolveStatusOn,
  twoServers,
} from '../two-servers.ts';

const activity = { headers: { accept: 'application/activity+json' } };
const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';
const followers = 'https://a.test/users/alice/followers';

interface Document {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly sensitive?: boolean;
}

const documentOf = async (server: TestServer, uri: string): Promise<Document> =>
  (await server.anonymous.get(new URL(uri).pathname, activity)).json as Document;

test('ACC-14: posts of a silenced account are unlisted to others while it is silenced, old and new', async () => {
  await using scene = await twoServers();
  const { a, b, network, alice, bob } = scene;
  await followAcross(scene, b, bob, 'alice@a.test');
  const reader = await a.user('reader');
  const { id, uri } = await postStatus(alice, { status: 'before' });
  const { id: reblogId } = (await alice.post(`/api/v1/statuses/${id}/reblog`)).json as { id: string };
  await network.drain();
  const shownTo = async (viewer: typeof reader) => (await viewer.get(`/api/v1/statuses/${id}`)).json.visibility;
  const audience = async () => {
    const { to, cc } = await documentOf(a, uri);
    const announce = await documentOf(a, `${new URL(uri).origin}/users/alice/statuses/${reblogId}/activity`);
    return [to, cc, announce.to];
  };
  const open = [[publicCollection], [followers], [publicCollection]];
  expect([await shownTo(reader), await shownTo(alice), await audience()]).toEqual(['public', 'public', open]);

  await silenceAccount(a.app, 'system', { accountId: alice.id });
  expect([await shownTo(reader), await shownTo(alice)]).toEqual(['unlisted', 'public']);
  expect(await audience()).toEqual([[followers], [publicCollection], [followers]]);
  network.clock.advance(1);
  const later = await postStatus(alice, { status: 'while silenced' });
  expect(later.visibility).toBe('unlisted');
  await network.drain();
  const copies = (await homeTimeline(bob)).map(({ content, visibility }) => [content, visibility]);
  expect(copies[0]).toEqual(['<p>while silenced</p>', 'unlisted']);

  await unsilenceAccount(a.app, 'system', { accountId: alice.id });
  expect([await shownTo(reader), await shownTo(alice), await audience()]).toEqual(['public', 'public', open]);
});

test('ACC-14: posts of a silenced account reach only those mentioned accounts that follow it', async () => {
  await using scene = await twoServers();
  const { a, b, network, alice, bob } = scene;
  const follower = await b.user('follower');
  await followAcross(scene, b, follower, 'alice@a.test');
  await silenceAccount(a.app, 'system', { accountId: alice.id });
  const both = await postStatus(alice, { status: '@bob@b.test @follower@b.test look' });
  const direct = await postStatus(alice, { status: '@bob@b.test @follower@b.test psst', visibility: 'direct' });
  await network.drain();
  const [bobUri, followerUri] = ['https://b.test/users/bob', 'https://b.test/users/follower'];
  expect(await documentOf(a, both.uri)).toMatchObject({ to: [followers], cc: [publicCollection, followerUri] });
  const mentionsOf = async (user: typeof bob) =>
    (await listNotifications(user)).map(({ type, account }) => [type, account.acct]);
  expect([await mentionsOf(bob), await mentionsOf(follower)]).toEqual([
    [],
    [
      ['mention', 'alice@a.test'],
      ['mention', 'alice@a.test'],
    ],
  ]);
  const copy = await resolveStatusOn(b, direct.uri);
  expect((await bob.get(`/api/v1/statuses/${copy}`)).status).toBe(404);

  await unsilenceAccount(a.app, 'system', { accountId: alice.id });
  expect(new Set((await documentOf(a, both.uri)).cc)).toEqual(new Set([publicCollection, bobUri, followerUri]));
  await postStatus(alice, { status: '@bob@b.test again' });
  await network.drain();
  expect(await mentionsOf(bob)).toEqual([['mention', 'alice@a.test']]);
});

test('ACC-14: servers without followers of a silenced account receive its replies and mentions no more, but deletions', async () => {
  await using scene = await peerScene();
  const { a, alice, peer, eve } = scene;
  const other = new Peer(scene.network, 'other.test');
  const fan = other.actor('fan');
  await fan.send(a, fan.activity('Follow', 'https://a.test/users/alice'));
  await eve.send(a, eve.create(eve.note(1, { cc: ['https://a.test/users/alice'] })));
  await a.drain();
  const parent = await resolveStatusOn(a, `${eve.uri}/notes/1`);
  const before = await postStatus(alice, { status: '@eve@peer.test hello' });
  await a.drain();
  const receivedBy = ({ received }: Peer): unknown[] =>
    received
      .splice(0)
      .map(({ activity: sent }) => String(sent['type']))
      .toSorted();
  expect([receivedBy(peer), receivedBy(other)]).toEqual([['Create'], ['Accept', 'Create']]);
  await silenceAccount(a.app, 'system', { accountId: alice.id });
  await postStatus(alice, { status: 'a reply', in_reply_to_id: parent });
  await postStatus(alice, { status: '@eve@peer.test once more' });
  await postStatus(alice, { status: '@eve@peer.test psst', visibility: 'direct' });
  await alice.put(`/api/v1/statuses/${before.id}`, { status: '@eve@peer.test edited' });
  await a.drain();
  expect([receivedBy(peer), receivedBy(other)]).toEqual([[], ['Create', 'Create', 'Update']]);
  await alice.delete(`/api/v1/statuses/${before.id}`);
  await a.drain();
  expect([receivedBy(peer), receivedBy(other)]).toEqual([['Delete'], ['Delete']]);
});

test('ACC-14: all media of an account that staff marked are sensitive, old and new, until staff lift the mark', async () => {
  await using scene = await twoServers();
  const { a, b, network, alice, bob } = scene;
  const aliceId = await followAcross(scene, b, bob, 'alice@a.test');
  const reader = await a.user('reader');
  const plain = await postStatus(alice, { status: 'plain' });
  const marked = await postStatus(alice, { status: 'marked', sensitive: true });
  const states = async (viewer: typeof reader) => {
    const read = async (path: string) => (await viewer.get(`/api/v1/statuses/${path}`)).json;
    const history = (await read(`${plain.id}/history`)) as { sensitive: boolean }[];
    const flags = [await read(plain.id), await read(marked.id), ...history] as { sensitive: boolean }[];
    return flags.map(({ sensitive }) => sensitive);
  };
  const documents = async () => [
    (await documentOf(a, plain.uri)).sensitive,
    (await documentOf(a, marked.uri)).sensitive,
  ];
  const unmarked = [await states(reader), await states(alice), await documents()];
  expect(unmarked).toEqual([
    [false, true, false],
    [false, true, false],
    [false, true],
  ]);
  await sensitizeAccount(a.app, 'system', { accountId: alice.id });
  expect([await states(reader), await states(alice), await documents()]).toEqual([
    [true, true, true],
    [false, true, false],
    [true, true],
  ]);
  network.clock.advance(1);
  await postStatus(alice, { status: 'new' });
  await network.drain();
  const [copy] = (await homeTimeline(bob)) as unknown as { content: string; sensitive: boolean }[];
  expect(copy).toMatchObject({ content: '<p>new</p>', sensitive: true });
  await unsensitizeAccount(a.app, 'system', { accountId: alice.id });
  expect([await states(reader), await states(alice), await documents()]).toEqual(unmarked);
  network.clock.advance(1);
  await postStatus(alice, { status: 'newest' });
  await network.drain();
  const newest = async () => ((await homeTimeline(bob)) as unknown as { sensitive: boolean }[])[0]?.sensitive;
  expect(await newest()).toBe(false);
  // A limit applies only on the server whose staff set it.
  await sensitizeAccount(b.app, 'system', { accountId: aliceId });
  expect(await newest()).toBe(true);
  await unsensitizeAccount(b.app, 'system', { accountId: aliceId });
  expect(await newest()).toBe(false);
});
