import type { mastodon } from 'masto';
import { expect } from 'vitest';
import { waitForValue } from './real-server.ts';
import type { Tab } from './tab.ts';
import type { WebClient } from './web-client.ts';

// Available in the page, where the functions given to `tab.run` run.
declare const webClient: WebClient;
declare class OffscreenCanvas {
  constructor(width: number, height: number);
  getContext(kind: '2d'): { fillRect(left: number, top: number, width: number, height: number): void };
  convertToBlob(): Promise<Blob>;
}

/** Stays below the rate limits of the server. */
const pollIntervalMs = 500;

/** Waits until the page received an event of a kind by its stream. */
const waitForEvent = <Kind extends mastodon.streaming.Event['event']>(
  tab: Tab,
  kind: Kind,
): Promise<Extract<mastodon.streaming.Event, { event: Kind }>> =>
  waitForValue(async () => {
    const events = await tab.run(() => webClient.events);
    return events.findLast(
      (event): event is Extract<mastodon.streaming.Event, { event: Kind }> => event.event === kind,
    );
  });

/** Follows an author, receives a post by the stream, and pages through home by the Link header. */
export async function readTimelines(tab: Tab, alice: mastodon.rest.Client): Promise<void> {
  const { id } = await alice.v1.accounts.verifyCredentials();
  const followed = await tab.run((id: string) => webClient.rest.v1.accounts.$select(id).follow(), id);
  expect(followed).toMatchObject({ following: true });
  // The stream opens in the background: posts are repeated until one arrives.
  await waitForValue(
    async () => {
      await alice.v1.statuses.create({ status: 'Is anyone there?' });
      return (await tab.run(() => webClient.events.length > 0)) ? true : undefined;
    },
    { interval: pollIntervalMs },
  );
  expect((await waitForEvent(tab, 'update')).payload.account.id).toBe(id);
  for (const status of ['One', 'Two', 'Three']) await alice.v1.statuses.create({ status });
  const posts = await alice.v1.accounts.$select(id).statuses.list({ limit: 40 });
  const readHome = async (): Promise<string[]> => {
    const ids: string[] = [];
    for await (const page of webClient.rest.v1.timelines.home.list({ limit: 3 })) {
      ids.push(...page.map((status) => status.id));
    }
    return ids;
  };
  expect(await tab.run(readHome)).toEqual(posts.map((status) => status.id));
}

/** Uploads an image, posts it twice with one idempotency key, and edits the post. */
export async function publish(tab: Tab): Promise<void> {
  const { media, preview } = await tab.run(async () => {
    const canvas = new OffscreenCanvas(32, 32);
    canvas.getContext('2d').fillRect(0, 0, 16, 16);
    const file = new File([await canvas.convertToBlob()], 'square.png', { type: 'image/png' });
    const media = await webClient.rest.v2.media.create({ file, description: 'A square' });
    const preview = await fetch(media.previewUrl ?? '');
    return { media, preview: [preview.status, (await preview.blob()).type] };
  });
  expect(media).toMatchObject({ type: 'image', description: 'A square', meta: { original: { width: 32 } } });
  expect(preview).toEqual([200, expect.stringMatching(/^image\//)]);

  const [first, repeated] = await tab.run(async (mediaId: string) => {
    const post = (): Promise<mastodon.v1.Status> =>
      webClient.rest.v1.statuses.create(
        { status: 'From a browser', mediaIds: [mediaId] },
        { requestInit: { headers: { 'Idempotency-Key': 'one key' } } },
      );
    return [await post(), await post()] as const;
  }, media.id);
  expect(first).toMatchObject({ mediaAttachments: [{ id: media.id }] });
  expect(repeated.id).toBe(first.id);
  await waitForValue(async () => ((await waitForEvent(tab, 'update')).payload.id === first.id ? true : undefined));

  await tab.run(async (id: string) => {
    const status = webClient.rest.v1.statuses.$select(id);
    const { text } = await status.source.fetch();
    await status.update({ status: `${text}, edited` });
  }, first.id);
  expect((await waitForEvent(tab, 'status.update')).payload.content).toBe('<p>From a browser, edited</p>');
}

/** Gets a notification by the stream, then the groups and their unread count, and marks them as read. */
export async function readNotifications(tab: Tab, alice: mastodon.rest.Client): Promise<void> {
  const { payload } = await waitForEvent(tab, 'status.update');
  await alice.v1.statuses.$select(payload.id).favourite();
  expect((await waitForEvent(tab, 'notification')).payload.type).toBe('favourite');
  const read = await tab.run(async () => {
    const { notifications } = webClient.rest.v2;
    const { notificationGroups, accounts } = await notifications.list({ groupedTypes: ['favourite', 'reblog'] });
    const before = await notifications.unreadCount.fetch();
    const lastReadId = notificationGroups[0]?.pageMaxId ?? '';
    await webClient.rest.v1.markers.create({ notifications: { lastReadId } });
    const after = await notifications.unreadCount.fetch();
    return {
      types: notificationGroups.map(({ type }) => type),
      accounts: accounts.map(({ username }) => username),
      unread: [before.count, after.count],
    };
  });
  expect(read).toEqual({ types: ['favourite'], accounts: ['alice'], unread: [1, 0] });
}

/** Creates a filter, which the stream announces and home applies, and searches for an account. */
export async function filterAndSearch(tab: Tab, alice: mastodon.rest.Client): Promise<void> {
  await tab.run(() =>
    webClient.rest.v2.filters.create({
      title: 'Quiet',
      context: ['home'],
      filterAction: 'warn',
      keywordsAttributes: [{ keyword: 'spoiler', wholeWord: true }],
    }),
  );
  await waitForEvent(tab, 'filters_changed');
  const spoiler = await alice.v1.statuses.create({ status: 'A spoiler!' });
  await waitForValue(async () => ((await waitForEvent(tab, 'update')).payload.id === spoiler.id ? true : undefined));
  const newest = await tab.run(async () => {
    const [status] = await webClient.rest.v1.timelines.home.list({ limit: 1 });
    return [status?.id, status?.filtered?.map((match) => match.keywordMatches)];
  });
  expect(newest).toEqual([spoiler.id, [['spoiler']]]);
  const accounts = await tab.run(async () => {
    const found = await webClient.rest.v2.search.list({ q: '@alice', type: 'accounts', resolve: true });
    return found.accounts.map(({ acct }) => acct);
  });
  expect(accounts).toEqual(['alice']);
}

/** Subscribes with keys of the browser. Chromium has no push service here, so its PushManager takes no part. */
export async function subscribeToPush(tab: Tab, vapidKey: string): Promise<void> {
  const subscriptions = await tab.run(async (vapidKey: string) => {
    const encode = (bytes: ArrayBuffer | Uint8Array): string =>
      btoa(String.fromCharCode(...new Uint8Array(bytes)))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '');
    const binary = atob(vapidKey.replaceAll('-', '+').replaceAll('_', '/'));
    const point = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    // Rejects unless the key of the server is a point on the curve, like PushManager.
    await crypto.subtle.importKey('raw', point, { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify']);
    const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
    const keys = {
      p256dh: encode(await crypto.subtle.exportKey('raw', pair.publicKey)),
      auth: encode(crypto.getRandomValues(new Uint8Array(16))),
    };
    const { subscription } = webClient.rest.v1.push;
    const created = await subscription.create({
      subscription: { endpoint: 'https://push.test/bob', keys },
      data: { alerts: { mention: true } },
      policy: 'all',
    });
    const updated = await subscription.update({ data: { alerts: { poll: true } } });
    await subscription.remove();
    return [created, updated];
  }, vapidKey);
  expect(subscriptions).toMatchObject([
    { endpoint: 'https://push.test/bob', serverKey: vapidKey, alerts: { mention: true } },
    { alerts: { poll: true } },
  ]);
}
