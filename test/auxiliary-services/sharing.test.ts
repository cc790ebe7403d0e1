import { expect, test } from 'vitest';
import { followPeer } from '../federation/peer-scene.ts';
import { Peer } from '../federation/peer.ts';
import type { TestServer, TestUser } from '../server.ts';
import { providerScene, providersPath, type ProviderScene } from './scene.ts';

const subscriptionsPath = '/api/fasp/data_sharing/v0/event_subscriptions';
const backfillsPath = '/api/fasp/data_sharing/v0/backfill_requests';

interface Announcement {
  readonly source: {
    readonly subscription?: { readonly id: string };
    readonly backfillRequest?: { readonly id: string };
  };
  readonly category: string;
  readonly eventType?: string;
  readonly moreObjectsAvailable?: boolean;
  readonly objectUris: readonly string[];
}

/** A scene with a provider that data may be shared with, and alice, who consents to be found. */
async function sharingScene() {
  const scene = await providerScene();
  await scene.provider.connect(scene.staff, 'data_sharing');
  const alice = await scene.server.user('alice');
  await consent(alice, true);
  await scene.server.drain();
  return { ...scene, alice, [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose]() };
}

const consent = (user: TestUser, given: boolean) =>
  user.patch('/api/v1/accounts/update_credentials', { discoverable: given, indexable: given });

const announcements = ({ provider }: ProviderScene): Announcement[] =>
  provider.calls.map(({ body }) => body as Announcement);

/** Returns the announcements since the last call as `type last-part-of-the-address`. */
async function takeEvents(scene: ProviderScene): Promise<string[]> {
  await scene.server.drain();
  const events = announcements(scene).flatMap(({ eventType, objectUris }) =>
    objectUris.map((uri) => `${eventType} ${uri.replace('https://a.test/users/', '')}`),
  );
  scene.provider.calls.length = 0;
  return events;
}

async function subscribe(scene: ProviderScene, category: string, more: object = {}): Promise<string> {
  const { status, json } = await scene.provider.post(subscriptionsPath, {
    body: { category, subscriptionType: 'lifecycle', ...more },
  });
  expect(status).toBe(201);
  return json.subscription.id;
}

const postOf = async (user: TestUser, members: object = {}): Promise<string> =>
  (await user.post('/api/v1/statuses', { status: 'A teapot', ...members })).json.id;

const remove = (user: TestUser, id: string) => user.delete(`/api/v1/statuses/${id}`);

test('FED-03: providers learn of public posts of those who consent, of their edits and deletions', async () => {
  await using scene = await sharingScene();
  const { alice, provider } = scene;
  expect(await takeEvents(scene)).toEqual([]);
  const id = await subscribe(scene, 'content');
  const post = await postOf(alice);
  await scene.server.drain();
  expect(provider.calls).toEqual([
    {
      method: 'POST',
      path: '/data_sharing/v0/announcements',
      body: {
        source: { subscription: { id } },
        category: 'content',
        eventType: 'new',
        objectUris: [`https://a.test/users/alice/statuses/${post}`],
      },
    },
  ]);
  provider.calls.length = 0;
  await alice.put(`/api/v1/statuses/${post}`, { status: 'Two teapots' });
  await remove(alice, post);
  expect(await takeEvents(scene)).toEqual([`delete alice/statuses/${post}`]);
  const edited = await postOf(alice);
  expect(await takeEvents(scene)).toEqual([`new alice/statuses/${edited}`]);
  await alice.put(`/api/v1/statuses/${edited}`, { status: 'Two teapots' });
  expect(await takeEvents(scene)).toEqual([`update alice/statuses/${edited}`]);
  expect((await provider.delete(`${subscriptionsPath}/${id}`)).status).toBe(204);
  expect((await provider.delete(`${subscriptionsPath}/${id}`)).status).toBe(404);
  expect((await provider.delete(`${subscriptionsPath}/x`)).status).toBe(404);
  await postOf(alice);
  expect(await takeEvents(scene)).toEqual([]);
  expect(provider.problems).toEqual([]);
});

test('FED-03: providers learn of nothing else: other visibilities, boosts, no consent, limited and suspended accounts', async () => {
  await using scene = await sharingScene();
  const { server, staff, alice } = scene;
  const bob = await server.user('bob');
  await server.drain();
  await subscribe(scene, 'content');
  await subscribe(scene, 'account');
  const hidden = [
    await postOf(alice, { visibility: 'unlisted' }),
    await postOf(alice, { visibility: 'private' }),
    await postOf(alice, { visibility: 'direct' }),
    await postOf(alice, { local_only: true }),
    await postOf(alice, { local_only: true, visibility: 'unlisted' }),
  ];
  const ofBob = await postOf(bob);
  await alice.post(`/api/v1/statuses/${ofBob}/reblog`);
  for (const id of hidden) await remove(alice, id);
  await alice.post(`/api/v1/statuses/${ofBob}/unreblog`);
  await remove(bob, ofBob);
  await bob.patch('/api/v1/accounts/update_credentials', { display_name: 'Bob' });
  for (const flags of [{ discoverable: true }, { discoverable: false, indexable: true }]) {
    await bob.patch('/api/v1/accounts/update_credentials', flags);
    await takeEvents(scene);
    await postOf(bob);
    expect([flags, await takeEvents(scene)]).toEqual([flags, []]);
  }
  await staff.post(`/api/v1/admin/accounts/${alice.id}/action`, { type: 'silence' });
  await takeEvents(scene);
  await postOf(alice);
  expect(await takeEvents(scene)).toEqual([]);
  await staff.post(`/api/v1/admin/accounts/${alice.id}/unsilence`);
  await takeEvents(scene);
  // Consent that is withdrawn before the announcement is sent counts.
  await postOf(alice);
  await server.db.updateTable('accounts').set({ indexable: false }).where('id', '=', alice.id).execute();
  expect(await takeEvents(scene)).toEqual([]);
});

test('FED-03: providers learn of profiles of those who are discoverable, and of their end', async () => {
  await using scene = await sharingScene();
  const { staff, alice, server } = scene;
  await subscribe(scene, 'account');
  await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice' });
  expect(await takeEvents(scene)).toEqual(['update alice']);
  await staff.post(`/api/v1/admin/accounts/${alice.id}/action`, { type: 'suspend' });
  expect(await takeEvents(scene)).toEqual(['delete alice']);
  await staff.post(`/api/v1/admin/accounts/${alice.id}/unsuspend`);
  expect(await takeEvents(scene)).toEqual(['update alice']);
  await alice.post('/api/v1/profile/delete', { password: 'correct horse battery' });
  expect(await takeEvents(scene)).toEqual(['delete alice']);
  const carol = await server.user('carol');
  await carol.post('/api/v1/profile/delete', { password: 'correct horse battery' });
  expect(await takeEvents(scene)).toEqual([]);
});

test('FED-03: withdrawn consent is announced as the end of the profile and of the public posts', async () => {
  await using scene = await sharingScene();
  const { server, alice, network } = scene;
  const posts = [await postOf(alice), await postOf(alice)];
  await postOf(alice, { visibility: 'unlisted' });
  await postOf(alice, { visibility: 'private' });
  const gone = posts.map((id) => `delete alice/statuses/${id}`);
  const bob = await server.user('bob');
  const ofBob = await postOf(bob);
  await alice.post(`/api/v1/statuses/${ofBob}/reblog`);
  await subscribe(scene, 'content');
  await subscribe(scene, 'account');
  const change = async (user: TestUser, flags: object) => {
    await user.patch('/api/v1/accounts/update_credentials', flags);
    return (await takeEvents(scene)).toSorted();
  };
  expect(await change(alice, { indexable: false })).toEqual([...gone, 'update alice'].toSorted());
  expect(await change(alice, { indexable: false, display_name: 'Alice' })).toEqual(['update alice']);
  expect(await change(alice, { discoverable: false })).toEqual(['delete alice']);
  expect(await change(alice, { indexable: true })).toEqual([]);
  expect(await change(alice, { discoverable: true })).toEqual(['update alice']);
  expect(await change(alice, { discoverable: false })).toEqual(['delete alice', ...gone].toSorted());
  // Who never consented is not named.
  expect(await change(bob, { indexable: true })).toEqual([]);
  expect(await change(bob, { indexable: false })).toEqual([]);

  const peer = new Peer(network, 'peer.test');
  const eve = peer.actor('eve');
  eve.documentOverrides = { discoverable: true, indexable: true };
  await followPeer(server, alice, peer, eve);
  await eve.send(server, eve.create(eve.note(1)));
  await takeEvents(scene);
  eve.documentOverrides = { discoverable: true };
  await eve.send(server, eve.activity('Update', eve.json()));
  expect(await takeEvents(scene)).toContain('delete https://peer.test/users/eve/notes/1');
});

test('FED-03: posts of remote accounts that consent are shared by their addresses, too', async () => {
  await using scene = await sharingScene();
  const { server, alice, network } = scene;
  const peer = new Peer(network, 'peer.test');
  const [eve, mallory] = [peer.actor('eve'), peer.actor('mallory')];
  eve.documentOverrides = { discoverable: true, indexable: true };
  for (const actor of [eve, mallory]) await followPeer(server, alice, peer, actor);
  await subscribe(scene, 'content');
  for (const actor of [eve, mallory]) expect(await actor.send(server, actor.create(actor.note(1)))).toBe(202);
  expect(await takeEvents(scene)).toEqual(['new https://peer.test/users/eve/notes/1']);
});

test('FED-03: events are sent together, in order, and again after the provider failed', async () => {
  await using scene = await sharingScene();
  const { server, alice, provider, network } = scene;
  await subscribe(scene, 'content', { maxBatchSize: 2 });
  provider.answers.set('POST /data_sharing/v0/announcements', { status: 500 });
  const posts = [await postOf(alice), await postOf(alice), await postOf(alice)];
  await remove(alice, posts[0] ?? '');
  await server.drain();
  expect(provider.calls).toHaveLength(1);
  provider.answers.clear();
  provider.calls.length = 0;
  network.clock.advance(11);
  await server.drain();
  expect(announcements(scene).map(({ eventType, objectUris }) => [eventType, objectUris.length])).toEqual([
    // The deleted post is no longer announced as new.
    ['new', 1],
    ['new', 1],
    ['delete', 1],
  ]);
  // Nothing piles up for one that is gone.
  provider.answers.set('POST /data_sharing/v0/announcements', { status: 500 });
  await postOf(alice);
  await server.drain();
  network.clock.advance(90_000);
  await postOf(alice);
  const waiting = async () =>
    (await server.db.selectFrom('service_provider_announcements').select('id').execute()).length;
  expect(await waiting()).toBe(1);
  network.clock.advance(3 * 86_400);
  await server.runSchedule('service_provider.refresh_all');
  expect(await waiting()).toBe(0);
});

test('FED-03: a provider asks for older posts and accounts step by step, newest first', async () => {
  await using scene = await sharingScene();
  const { server, alice, provider } = scene;
  const bob = await server.user('bob');
  const posts = [await postOf(alice), await postOf(alice), await postOf(alice)].map(
    (id) => `https://a.test/users/alice/statuses/${id}`,
  );
  await postOf(alice, { visibility: 'unlisted' });
  await postOf(alice, { local_only: true });
  await postOf(bob);
  await server.drain();
  const { status, json } = await provider.post(backfillsPath, { body: { category: 'content', maxCount: 2 } });
  expect(status).toBe(201);
  const { id } = json.backfillRequest;
  const sent = (objectUris: string[], moreObjectsAvailable: boolean) => ({
    source: { backfillRequest: { id } },
    category: 'content',
    objectUris,
    moreObjectsAvailable,
  });
  const more = async (of: string) => (await provider.post(`${backfillsPath}/${of}/continuation`)).status;
  expect(await more(id)).toBe(404);
  await server.drain();
  expect(announcements(scene)).toEqual([sent(posts.toReversed().slice(0, 2), true)]);
  provider.calls.length = 0;
  expect(await more(id)).toBe(204);
  await server.drain();
  expect(announcements(scene)).toEqual([sent(posts.slice(0, 1), false)]);
  for (const unknown of [id, '1', 'x']) expect(await more(unknown)).toBe(404);

  provider.calls.length = 0;
  await provider.post(backfillsPath, { body: { category: 'account', maxCount: 1000 } });
  await server.drain();
  expect(announcements(scene)).toMatchObject([
    { category: 'account', objectUris: ['https://a.test/users/alice'], moreObjectsAvailable: false },
  ]);
  expect(provider.problems).toEqual([]);
});

test('FED-03: invalid and too many requests for data are refused, and all without the capability', async () => {
  await using scene = await sharingScene();
  const { provider, staff, server } = scene;
  const refused = [
    [subscriptionsPath, undefined],
    [subscriptionsPath, {}],
    [subscriptionsPath, []],
    [subscriptionsPath, { category: 'content' }],
    [subscriptionsPath, { category: 'tags', subscriptionType: 'lifecycle' }],
    [subscriptionsPath, { category: 'content', subscriptionType: 'trends' }],
    [subscriptionsPath, { category: 'content', subscriptionType: 'lifecycle', maxBatchSize: 0 }],
    [backfillsPath, { category: 'content' }],
    [backfillsPath, { category: 'content', maxCount: 'many' }],
    [backfillsPath, { category: 'content', maxCount: 0 }],
  ] as const;
  for (const [path, body] of refused) {
    const { status, isSigned } = await provider.post(path, { body });
    expect([path, body, status, isSigned]).toEqual([path, body, 422, true]);
  }
  for (let count = 0; count < 20; count += 1) await subscribe(scene, 'content');
  const another = { category: 'content', subscriptionType: 'lifecycle' };
  expect((await provider.post(subscriptionsPath, { body: another })).status).toBe(422);
  const backfill = () => provider.post(backfillsPath, { body: { category: 'content', maxCount: 1 } });
  for (let count = 0; count < 10; count += 1) expect((await backfill()).status).toBe(201);
  expect((await backfill()).status).toBe(422);
  await staff.post(`${providersPath}/${provider.faspId}/capabilities/data_sharing/disable`);
  expect((await provider.post(subscriptionsPath, { body: another })).status).toBe(403);
  expect((await backfill()).status).toBe(403);
  expect(await stored(server)).toBe(0);
});

const stored = async ({ db }: TestServer): Promise<number> =>
  (await db.selectFrom('service_provider_subscriptions').select('id').execute()).length +
  (await db.selectFrom('service_provider_backfills').select('id').execute()).length;
