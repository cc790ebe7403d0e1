import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { PushClient } from '../push-client.ts';
import { findWholeChromium } from '../clients/chromium.ts';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer } from './web-server.ts';

interface ReceivedMessage {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Starts a push service. Its `next` resolves to the next message that the server sends to it. */
async function startPushService(): Promise<{ endpoint: string; next: () => Promise<ReceivedMessage> }> {
  const received: ReceivedMessage[] = [];
  const store = async (request: IncomingMessage): Promise<void> => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    received.push({ headers, body: await buffer(request) });
  };
  const service = createServer((request, response) => void store(request).then(() => response.writeHead(201).end()));
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void service.close());
  const { port } = service.address() as AddressInfo;
  const next = async (): Promise<ReceivedMessage> => {
    await expect.poll(() => received.length, { timeout: 30_000 }).toBeGreaterThan(0);
    const [message] = received.splice(0, 1);
    if (message === undefined) throw new Error('no message');
    return message;
  };
  return { endpoint: `http://127.0.0.1:${port}/subscription`, next };
}

/** Replaces the push manager of the page by one that subscribes at our push service: Chromium has none in tests. */
async function replacePushManager(page: Page, client: PushClient): Promise<void> {
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript((json) => {
    const subscription = {
      toJSON: () => json,
      unsubscribe: () => {
        sessionStorage.removeItem('subscribed');
        return Promise.resolve(true);
      },
    };
    Object.assign(PushManager.prototype, {
      subscribe: () => {
        sessionStorage.setItem('subscribed', 'yes');
        return Promise.resolve(subscription);
      },
      getSubscription: () => Promise.resolve(sessionStorage.getItem('subscribed') === null ? null : subscription),
    });
  }, client.subscription);
}

/** Lets the service worker of the page receive a push message. */
async function deliverPush(page: Page, data: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration !== undefined) resolve(registration.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const { origin } = new URL(page.url());
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data });
}

const shownNotifications = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const list = await registration.getNotifications();
    return list.map(({ title, body, data }) => ({ title, body, path: (data as { path: string }).path }));
  });

const withWorker = { hasServiceWorker: true };

// The headless shell shows no notifications.
describeWithServer(
  'web push',
  (server) => {
    test('a mention is pushed to the browser, shown, and opens its post', async () => {
      const [ada, ben] = [await server.createUser('ada'), await server.createUser('ben')];
      const service = await startPushService();
      const client = await PushClient.create(service.endpoint);
      const page = await server.openClient(ada, '/', withWorker);
      await replacePushManager(page, client);
      await page.goto(`${server.url}/preferences/notifications`);
      await page.getByRole('button', { name: 'Turn on push notifications' }).click();
      await page.getByText('Push notifications are on in this browser.').waitFor();
      await expectAccessible(page);

      const post = await ben.rest.v1.statuses.create({ status: '@ada The terns are back' });
      await deliverPush(page, await client.decryptText(await service.next()));
      await expect.poll(() => shownNotifications(page)).toHaveLength(1);
      const [shown] = await shownNotifications(page);
      expect(shown).toMatchObject({ title: 'ben mentioned you', body: '@ada The terns are back' });
      await page.goto(server.url + (shown?.path ?? ''));
      await page.waitForURL(`**/@ben/${post.id}`);
      await page.getByText('The terns are back').waitFor();
    });

    test('which notifications are pushed is chosen by kind, and push is turned off again', async () => {
      const [cleo, dov] = [await server.createUser('cleo'), await server.createUser('dov')];
      const service = await startPushService();
      const client = await PushClient.create(service.endpoint);
      const page = await server.openClient(cleo, '/', withWorker);
      await replacePushManager(page, client);
      await page.goto(`${server.url}/preferences/notifications`);
      await page.getByRole('button', { name: 'Turn on push notifications' }).click();
      const saving = page.waitForResponse((response) => response.url().endsWith('/api/v1/push/subscription'));
      await page.getByRole('checkbox', { name: 'Mentions', exact: true }).uncheck();
      expect((await saving).status()).toBe(200);

      const post = await cleo.rest.v1.statuses.create({ status: 'Terns' });
      await dov.rest.v1.statuses.create({ status: '@cleo not pushed' });
      await dov.rest.v1.statuses.$select(post.id).reblog();
      const pushed = await client.decrypt(await service.next());
      expect(pushed.notification_type).toBe('reblog');

      await page.reload();
      expect(await page.getByRole('checkbox', { name: 'Mentions', exact: true }).isChecked()).toBe(false);
      await page.getByRole('button', { name: 'Turn off push notifications' }).click();
      await page.getByRole('button', { name: 'Turn on push notifications' }).waitFor();
    });
  },
  {},
  findWholeChromium(),
);
