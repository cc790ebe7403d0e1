import { expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { swipe } from './swipe.ts';
import { describeWithServer, makeFinal, waitForContent, type WebServer, type WebUser } from './web-server.ts';

/** Creates users whose names no other test has. */
async function createUsers(server: WebServer, ...names: readonly string[]): Promise<WebUser[]> {
  const users: WebUser[] = [];
  for (const name of names) users.push(await server.createUser(name));
  return users;
}

const idOf = async (user: WebUser): Promise<string> => (await user.rest.v1.accounts.verifyCredentials()).id;

describeWithServer('notifications', (server) => {
  test('favourites of a post are one group that can be opened, and a mention arrives live', async () => {
    const [ada, ben, eve] = await createUsers(server, 'ada', 'ben', 'eve');
    if (ada === undefined || ben === undefined || eve === undefined) throw new Error('no users');
    const post = await ada.rest.v1.statuses.create({ status: 'Swifts above the old mill' });
    await ben.rest.v1.statuses.$select(post.id).favourite();
    await eve.rest.v1.statuses.$select(post.id).favourite();

    const page = await server.openClient(ada, '/notifications');
    await page.getByText('eve and 1 other favourited your post').waitFor();
    await page.getByRole('button', { name: 'Show all 2 people' }).click();
    await page.getByRole('link', { name: '@ben', exact: false }).last().waitFor();
    expect(await page.locator('.excerpt').innerText()).toContain('Swifts above the old mill');

    await ben.rest.v1.statuses.create({ status: '@ada Did you see them too?' });
    await page.getByText('ben mentioned you').waitFor();
    await page.getByText('Did you see them too?').waitFor();
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Mentions', exact: true }).click();
    await page.getByText('ben mentioned you').waitFor();
    expect(await page.getByText('favourited your post').count()).toBe(0);
  });

  test('the count of unread notifications is in the title and the navigation until they are seen', async () => {
    const [fay, gus] = await createUsers(server, 'fay', 'gus');
    if (fay === undefined || gus === undefined) throw new Error('no users');
    await gus.rest.v1.accounts.$select(await idOf(fay)).follow();
    const page = await server.openClient(fay, '/', { size: 'phone', colorScheme: 'dark' });
    await page.waitForFunction(() => document.title.startsWith('(1) '));
    await page.getByRole('link', { name: 'Notifications, 1 unread' }).click();
    await page.getByText('Unread: gus followed you').waitFor();
    await page.waitForFunction(() => !document.title.startsWith('('));
    await expectAccessible(page);
    const markers = () => fay.rest.v1.markers.fetch({ timeline: ['notifications'] });
    await expect.poll(async () => (await markers()).notifications?.lastReadId).toBeDefined();

    await page.reload();
    await page.getByText('gus followed you').waitFor();
    expect(await page.getByText('Unread:').count()).toBe(0);
  });

  test('a follow request is accepted in place', async () => {
    const [hal, ivy] = await createUsers(server, 'hal', 'ivy');
    if (hal === undefined || ivy === undefined) throw new Error('no users');
    await hal.rest.v1.accounts.updateCredentials({ locked: true });
    await ivy.rest.v1.accounts.$select(await idOf(hal)).follow();
    const page = await server.openClient(hal, '/notifications');
    await page.getByText('ivy wants to follow you').waitFor();
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('No notifications yet').or(page.getByText('ivy followed you')).waitFor();
    const [relationship] = await ivy.rest.v1.accounts.relationships.fetch({ id: [await idOf(hal)] });
    expect(relationship?.following).toBe(true);
  });

  test('notifications are dismissed one by one, and cleared after a question', async () => {
    const [jan, kim] = await createUsers(server, 'jan', 'kim');
    if (jan === undefined || kim === undefined) throw new Error('no users');
    const post = await jan.rest.v1.statuses.create({ status: 'Rooks' });
    await kim.rest.v1.statuses.$select(post.id).favourite();
    await kim.rest.v1.statuses.$select(post.id).reblog();
    const page = await server.openClient(jan, '/notifications');
    const boost = page.getByRole('article').filter({ hasText: 'kim boosted your post' });
    await boost.getByRole('button', { name: 'Dismiss notification' }).click();
    await boost.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await boost.getByRole('button', { name: 'Dismiss notification' }).click();
    await boost.waitFor({ state: 'detached' });
    await page.getByText('kim favourited your post').waitFor();
    await page.getByRole('button', { name: 'Notification options' }).click();
    await page.getByRole('menuitem', { name: 'Clear all notifications' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Clear all notifications' }).click();
    await page.getByText('No notifications yet').waitFor();
    await expect.poll(() => jan.rest.v1.notifications.list()).toEqual([]);
  });

  test('on a phone, a swipe to the side dismisses a notification, and a short one does not', async () => {
    const [jon, kay] = await createUsers(server, 'jon', 'kay');
    if (jon === undefined || kay === undefined) throw new Error('no users');
    const post = await jon.rest.v1.statuses.create({ status: 'Rooks' });
    await kay.rest.v1.statuses.$select(post.id).favourite();
    await kay.rest.v1.statuses.$select(post.id).reblog();
    const page = await server.openClient(jon, '/notifications', { size: 'phone' });
    const boost = page.getByRole('article').filter({ hasText: 'kay boosted your post' });
    await waitForContent(page);
    const { x = 0, y = 0 } = (await boost.boundingBox()) ?? {};
    const from = { x: x + 200, y: y + 20 };
    await swipe(page, from, { x: from.x + 40, y: from.y });
    await page.getByText('kay favourited your post').waitFor();
    await boost.waitFor();
    await swipe(page, from, { x: from.x - 150, y: from.y + 10 });
    await boost.waitFor({ state: 'detached' });
    await makeFinal(page);
    expect((await jon.rest.v1.notifications.list()).map(({ type }) => type)).toEqual(['favourite']);
  });

  test('senders that are not followed are filtered, looked at and accepted', async () => {
    const [lea, max, nia] = await createUsers(server, 'lea', 'max', 'nia');
    if (lea === undefined || max === undefined || nia === undefined) throw new Error('no users');
    const page = await server.openClient(lea, '/preferences/notifications');
    await page.getByLabel('People you do not follow').selectOption({ label: 'Filter' });
    await expect.poll(async () => (await lea.rest.v2.notifications.policy.fetch()).forNotFollowing).toBe('filter');
    await expectAccessible(page);

    await max.rest.v1.statuses.create({ status: '@lea May I ask you about warblers?' });
    await nia.rest.v1.statuses.create({ status: '@lea And I about owls?' });
    const countPending = async () => (await lea.rest.v2.notifications.policy.fetch()).summary.pendingRequestsCount;
    await expect.poll(countPending).toBe(2);
    await page.goto(`${server.url}/notifications`);
    await page.getByRole('link', { name: 'Filtered notifications From 2 people' }).click();
    await page.getByText('May I ask you about warblers?').click();
    await page.getByText('max mentioned you').waitFor();
    await page.getByRole('button', { name: 'Accept' }).first().click();
    await page.getByText('And I about owls?').waitFor();
    expect(await page.getByText('warblers').count()).toBe(0);
    await expectAccessible(page);

    await page.getByLabel('Select all').check();
    await page.getByRole('button', { name: 'Dismiss selected' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Nothing is filtered').waitFor();
    await page.goto(`${server.url}/notifications`);
    await page.getByText('max mentioned you').waitFor();
  });

  test('FED-02: replies that wait for approval are announced above the notifications, approved, rejected and revoked', async () => {
    const [ola, per] = await createUsers(server, 'ola', 'per');
    if (ola === undefined || per === undefined) throw new Error('no users');
    const { id } = await ola.send<{ id: string }>('POST', '/api/v1/statuses', {
      status: 'Ask me before you reply',
      interaction_policy: { can_reply: { manual_approval: ['public'] } },
    });
    const page = await server.openClient(ola, '/notifications');
    await page.getByText('No notifications yet').waitFor();
    expect(await page.getByText('Waiting for your approval').count()).toBe(0);

    const first = await per.rest.v1.statuses.create({ status: '@ola May I say something?', inReplyToId: id });
    await per.rest.v1.statuses.create({ status: '@ola And one more thing!', inReplyToId: id });
    await page.reload();
    const link = page.getByRole('link', { name: 'Waiting for your approval Replies, boosts' });
    await link.waitFor();
    await expectAccessible(page);
    await link.click();
    const rowOf = (text: string) => page.locator('.request', { hasText: text });
    await rowOf('May I say something?').getByRole('button', { name: 'Approve' }).click();
    await rowOf('May I say something?').getByRole('button', { name: 'Revoke' }).waitFor();
    await expectAccessible(page);
    await rowOf('And one more thing!').getByRole('button', { name: 'Reject' }).click();
    await expect.poll(() => rowOf('And one more thing!').count()).toBe(0);
    await page.reload();
    const revoke = rowOf('May I say something?').getByRole('button', { name: 'Revoke' });
    await revoke.waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await page.goto(`${server.url}/notifications`);
    await page.getByText('per mentioned you').waitFor();
    expect(await page.getByText('Waiting for your approval').count()).toBe(0);
    await page.goto(`${server.url}/notifications/approvals`);
    await revoke.click();
    await expect.poll(() => rowOf('May I say something?').count()).toBe(0);
    const isReply = async () => (await per.rest.v1.statuses.$select(first.id).fetch()).inReplyToId !== null;
    await expect.poll(isReply).toBe(false);
  });
});
