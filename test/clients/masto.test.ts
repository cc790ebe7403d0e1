import type { mastodon } from 'masto';
import { expect, test } from 'vitest';
import { PushClient } from '../push-client.ts';
import { disposedAfter, startRealServer, waitForValue } from './real-server.ts';
import { signUp } from './sign-up.ts';

test('masto.js: two users of one server sign up, post, follow, read, react, get notifications and block', async ({
  onTestFinished,
}) => {
  const stack = disposedAfter(onTestFinished);
  const server = await startRealServer(stack);
  const { rest: alice } = await signUp(server, 'alice');
  const { rest: bob } = await signUp(server, 'bob');
  const aliceAccount = await alice.v1.accounts.verifyCredentials();
  const bobAccount = await bob.v1.accounts.verifyCredentials();
  expect((await bob.v2.instance.fetch()).domain).toBe(new URL(server.url).host);

  expect(await bob.v1.accounts.$select(aliceAccount.id).follow()).toMatchObject({ following: true });
  const posts: mastodon.v1.Status[] = [];
  for (let number = 1; number <= 45; number += 1) {
    posts.push(await alice.v1.statuses.create({ status: `Post ${number} for @bob #counting`, visibility: 'public' }));
  }
  const home: mastodon.v1.Status[] = [];
  for await (const page of bob.v1.timelines.home.list({ limit: 20 })) home.push(...page);
  expect(home.map(({ id }) => id)).toEqual(posts.map(({ id }) => id).toReversed());

  const newest = home[0] as mastodon.v1.Status;
  expect(await bob.v1.statuses.$select(newest.id).favourite()).toMatchObject({
    favourited: true,
    favouritesCount: 1,
  });
  expect((await bob.v1.statuses.$select(newest.id).reblog()).reblog?.id).toBe(newest.id);
  const notifications = await waitForValue(async () => {
    const list = await alice.v1.notifications.list();
    return list.length >= 3 ? list : undefined;
  });
  expect(notifications.map(({ type }) => type).toSorted()).toEqual(['favourite', 'follow', 'reblog']);
  expect((await bob.v1.notifications.list({ limit: 5 })).map(({ type }) => type)).toEqual(Array(5).fill('mention'));

  const { subscription } = await PushClient.create('https://push.test/alice');
  const { endpoint, keys } = subscription;
  const pushed = await alice.v1.push.subscription.create({
    subscription: { endpoint, keys },
    data: { alerts: { mention: true, favourite: false } },
    policy: 'followed',
  });
  expect(pushed).toMatchObject({ endpoint, alerts: { mention: true, favourite: false }, policy: 'followed' });
  expect((await alice.v1.push.subscription.update({ data: { alerts: { poll: true } } })).alerts).toEqual({
    poll: true,
  });
  expect((await alice.v1.push.subscription.fetch()).serverKey).toBe(pushed.serverKey);
  await alice.v1.push.subscription.remove();
  await expect(alice.v1.push.subscription.fetch()).rejects.toThrow(/not found/i);

  const updated = await alice.v1.accounts.updateCredentials({
    displayName: 'Alice A.',
    note: 'Counts',
    fieldsAttributes: [{ name: 'Site', value: 'https://a.example' }],
  });
  expect([updated.displayName, updated.fields?.[0]?.name]).toEqual(['Alice A.', 'Site']);
  const context = await bob.v1.statuses.create({ status: '@alice and then?', inReplyToId: newest.id });
  expect((await alice.v1.statuses.$select(newest.id).context.fetch()).descendants.map(({ id }) => id)).toEqual([
    context.id,
  ]);

  expect(await alice.v1.accounts.$select(bobAccount.id).block()).toMatchObject({ blocking: true, followedBy: false });
  await expect(bob.v1.statuses.$select(newest.id).fetch()).rejects.toThrow(/not found/i);
  expect(await alice.v1.statuses.$select(newest.id).remove()).toMatchObject({
    id: newest.id,
    text: newest.content === '' ? '' : 'Post 45 for @bob #counting',
  });
});

test('masto.js: users of two servers search, follow, read, favourite, reply to and delete posts', async ({
  onTestFinished,
}) => {
  const stack = disposedAfter(onTestFinished);
  const [firstServer, secondServer] = [await startRealServer(stack), await startRealServer(stack)];
  const { rest: alice } = await signUp(firstServer, 'alice');
  const { rest: bob } = await signUp(secondServer, 'bob');
  const handle = `alice@${new URL(firstServer.url).host}`;
  const { accounts } = await bob.v2.search.list({ q: handle, resolve: true, type: 'accounts' });
  const found = accounts[0] as mastodon.v1.Account;
  expect(found.acct).toBe(handle);
  await bob.v1.accounts.$select(found.id).follow();
  await waitForValue(async () =>
    (await bob.v1.accounts.relationships.fetch({ id: [found.id] }))[0]?.following ? true : undefined,
  );

  const post = await alice.v1.statuses.create({ status: 'Hello over there #fediverse', visibility: 'private' });
  const arrived = await waitForValue(async () => (await bob.v1.timelines.home.list())[0]);
  expect(arrived).toMatchObject({ uri: post.uri, visibility: 'private' });
  await bob.v1.statuses.$select(arrived.id).favourite();
  const reply = await bob.v1.statuses.create({
    status: `@${handle} hello back`,
    inReplyToId: arrived.id,
    visibility: 'private',
  });
  const notifications = await waitForValue(async () => {
    const list = await alice.v1.notifications.list();
    return list.length >= 3 ? list : undefined;
  });
  expect(notifications.map(({ type }) => type).toSorted()).toEqual(['favourite', 'follow', 'mention']);
  expect(notifications.find(({ type }) => type === 'mention')?.status).toMatchObject({
    uri: reply.uri,
    inReplyToId: post.id,
  });

  await alice.v1.statuses.$select(post.id).remove();
  await waitForValue(async () =>
    (await bob.v1.timelines.home.list()).some(({ id }) => id === arrived.id) ? undefined : true,
  );
});
