import { expect, test } from 'vitest';
import {
  resolveAccountOn,
  followAcross,
  homeTimeline,
  listNotifications,
  postStatus,
  getRelationship,
  twoServers,
} from '../two-servers.ts';

test('FED-03: a follow of an unlocked remote account is accepted, and the follower receives its posts', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  const bobOnA = await followAcross(servers, a, alice, 'bob@b.test');
  expect(await getRelationship(alice, bobOnA)).toMatchObject({ following: true, requested: false });
  expect(await getRelationship(bob, await resolveAccountOn(b, 'alice@a.test'))).toMatchObject({ followed_by: true });
  expect(await listNotifications(bob)).toMatchObject([{ type: 'follow', account: { acct: 'alice@a.test' } }]);
  await postStatus(bob, { status: 'Hello from over here' });
  await network.drain();
  expect((await homeTimeline(alice))[0]).toMatchObject({
    content: '<p>Hello from over here</p>',
    account: { acct: 'bob@b.test' },
  });
});

test('FED-02: posts of a locked account arrive once it accepts the request; a rejected request is deleted', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  const carol = await a.user('carol');
  await bob.patch('/api/v1/accounts/update_credentials', { locked: true });
  const bobOnA = await followAcross(servers, a, alice, 'bob@b.test');
  await followAcross(servers, a, carol, 'bob@b.test');
  expect(await getRelationship(alice, bobOnA)).toMatchObject({ following: false, requested: true });
  expect((await listNotifications(bob)).map(({ type }) => type)).toEqual(['follow_request', 'follow_request']);
  await bob.post(`/api/v1/follow_requests/${await resolveAccountOn(b, 'alice@a.test')}/authorize`);
  await bob.post(`/api/v1/follow_requests/${await resolveAccountOn(b, 'carol@a.test')}/reject`);
  await network.drain();
  expect(await getRelationship(alice, bobOnA)).toMatchObject({ following: true, requested: false });
  expect(await getRelationship(carol, bobOnA)).toMatchObject({ following: false, requested: false });
  await postStatus(bob, { status: 'For followers', visibility: 'private' });
  await network.drain();
  expect(await homeTimeline(alice)).toMatchObject([{ content: '<p>For followers</p>', visibility: 'private' }]);
  expect(await homeTimeline(carol)).toEqual([]);
});

test('FED-02: after an unfollow no more posts arrive', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  const bobOnA = await followAcross(servers, a, alice, 'bob@b.test');
  await alice.post(`/api/v1/accounts/${bobOnA}/unfollow`);
  await network.drain();
  expect(await getRelationship(bob, await resolveAccountOn(b, 'alice@a.test'))).toMatchObject({ followed_by: false });
  network.requests.length = 0;
  await postStatus(bob, { status: 'No followers' });
  await network.drain();
  expect(network.requests).toEqual([]);
});

test('ACC-13: removing a remote follower ends the follow on their server', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  const bobOnA = await followAcross(servers, a, alice, 'bob@b.test');
  await bob.post(`/api/v1/accounts/${await resolveAccountOn(b, 'alice@a.test')}/remove_from_followers`);
  await network.drain();
  expect(await getRelationship(alice, bobOnA)).toMatchObject({ following: false, requested: false });
});

test('FED-02: a block ends follows and hides each account from the other; after an unblock they may follow again', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  const bobOnA = await followAcross(servers, a, alice, 'bob@b.test');
  const aliceOnB = await followAcross(servers, b, bob, 'alice@a.test');
  await bob.post(`/api/v1/accounts/${aliceOnB}/block`);
  await network.drain();
  expect(await getRelationship(alice, bobOnA)).toMatchObject({ following: false, followed_by: false });
  expect((await alice.post(`/api/v1/accounts/${bobOnA}/follow`)).status).toBe(403);
  await bob.post(`/api/v1/accounts/${aliceOnB}/unblock`);
  await network.drain();
  await followAcross(servers, a, alice, 'bob@b.test');
  expect(await getRelationship(alice, bobOnA)).toMatchObject({ following: true });
});

test('FED-02: a changed profile reaches the servers of the followers', async () => {
  await using servers = await twoServers();
  const { network, a, alice, bob } = servers;
  const bobOnA = await followAcross(servers, a, alice, 'bob@b.test');
  await bob.patch('/api/v1/accounts/update_credentials', {
    display_name: 'Robert',
    note: 'Writes <b>things</b>',
    fields_attributes: [{ name: 'Home', value: 'https://b.test' }],
  });
  await network.drain();
  expect((await alice.get(`/api/v1/accounts/${bobOnA}`)).json).toMatchObject({
    display_name: 'Robert',
    note: '<p>Writes &lt;b&gt;things&lt;/b&gt;</p>',
    fields: [{ name: 'Home', value: expect.stringContaining('href="https://b.test"') }],
  });
});
