import { createStreamingAPIClient, type mastodon } from 'masto';
import { expect, test } from 'vitest';
import { disposedAfter, startRealServer, waitForValue } from './real-server.ts';
import { signUp, type SignedUpUser } from './sign-up.ts';

/** Opens the user stream of a user and collects its events. Disposing the stack closes it. */
async function collectEvents(
  stack: AsyncDisposableStack,
  { rest, accessToken }: SignedUpUser,
): Promise<mastodon.streaming.Event[]> {
  const { configuration } = await rest.v2.instance.fetch();
  const client = createStreamingAPIClient({
    streamingApiUrl: configuration.urls.streaming,
    accessToken,
    implementation: WebSocket,
  });
  stack.defer(() => client.close());
  const events: mastodon.streaming.Event[] = [];
  const subscription = client.user.subscribe();
  void (async () => {
    for await (const event of subscription) events.push(event);
  })();
  return events;
}

/** Waits for an event of a kind. */
const waitForEvent = <Kind extends mastodon.streaming.Event['event']>(
  events: readonly mastodon.streaming.Event[],
  kind: Kind,
): Promise<Extract<mastodon.streaming.Event, { event: Kind }>> =>
  waitForValue(async () =>
    events.find((event): event is Extract<mastodon.streaming.Event, { event: Kind }> => event.event === kind),
  );

test('masto.js: STR-01, NTF-01, FL2-01: streams, grouped notifications, the policy and filters', async ({
  onTestFinished,
}) => {
  const stack = disposedAfter(onTestFinished);
  const server = await startRealServer(stack);
  const users = { alice: await signUp(server, 'alice'), bob: await signUp(server, 'bob') };
  const { alice, bob } = { alice: users.alice.rest, bob: users.bob.rest };
  const aliceAccount = await alice.v1.accounts.verifyCredentials();
  await bob.v1.accounts.$select(aliceAccount.id).follow();
  const seenByBob = await collectEvents(stack, users.bob);
  const seenByAlice = await collectEvents(stack, users.alice);

  // The stream opens in the background: posts are repeated until one arrives.
  await waitForValue(async () => {
    await alice.v1.statuses.create({ status: 'Is anyone there?' });
    return seenByBob.some(({ event }) => event === 'update') ? true : undefined;
  });
  await waitForValue(async () => {
    await bob.v1.statuses.create({ status: '@alice hello' });
    return seenByAlice.some(({ event }) => event === 'notification') ? true : undefined;
  });
  const update = await waitForEvent(seenByBob, 'update');
  expect(update.payload).toMatchObject({ account: { username: 'alice' }, favourited: false, filtered: [] });
  await alice.v1.statuses.$select(update.payload.id).update({ status: 'Is someone there?' });
  expect((await waitForEvent(seenByBob, 'status.update')).payload.content).toContain('someone');
  await alice.v1.statuses.$select(update.payload.id).remove();
  expect((await waitForEvent(seenByBob, 'delete')).payload).toBe(update.payload.id);

  const filter = await bob.v2.filters.create({
    title: 'Quiet',
    context: ['home'],
    filterAction: 'warn',
    keywordsAttributes: [{ keyword: 'spoiler', wholeWord: true }],
  });
  await waitForEvent(seenByBob, 'filters_changed');
  const spoiler = await alice.v1.statuses.create({ status: 'A spoiler!' });
  const streamed = await waitForValue(async () =>
    seenByBob.find(
      (event): event is mastodon.streaming.UpdateEvent => event.event === 'update' && event.payload.id === spoiler.id,
    ),
  );
  expect(streamed.payload.filtered?.map((match) => match.filter.id)).toEqual([filter.id]);
  const listed = (await bob.v1.timelines.home.list()).find((status) => status.id === spoiler.id);
  expect(listed?.filtered).toMatchObject([{ keywordMatches: ['spoiler'] }]);

  await bob.v1.statuses.$select(spoiler.id).favourite();
  const groups = await waitForValue(async () => {
    const { notificationGroups } = await alice.v2.notifications.list({ types: ['favourite', 'follow'] });
    return notificationGroups.length === 2 ? notificationGroups : undefined;
  });
  expect(groups.map(({ type, notificationsCount }) => [type, notificationsCount])).toEqual([
    ['favourite', 1],
    ['follow', 1],
  ]);
  expect(await alice.v2.notifications.policy.update({ forNotFollowing: 'filter' })).toMatchObject({
    forNotFollowing: 'filter',
  });
  await bob.v1.statuses.create({ status: '@alice are you in?' });
  const [request] = await waitForValue(async () => {
    const list = await alice.v1.notifications.requests.list();
    return list.length > 0 ? list : undefined;
  });
  expect(request?.account.username).toBe('bob');
  await alice.v1.notifications.requests.$select(request?.id ?? '').accept();
  await waitForEvent(seenByAlice, 'notifications_merged');
});
