import decodeQr from 'qr/decode.js';
import sharp from 'sharp';
import type { Locator } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { swipe, type Point } from './swipe.ts';
import { describeWithServer, followLink, makeFinal, type WebUser } from './web-server.ts';

describeWithServer('people', (server) => {
  let alice: WebUser;
  let bob: WebUser;
  let carol: WebUser;
  const idOf = async ({ rest }: WebUser): Promise<string> => (await rest.v1.accounts.verifyCredentials()).id;

  beforeAll(async () => {
    alice = await server.createUser('alice');
    bob = await server.createUser('bob');
    carol = await server.createUser('carol');
    await alice.rest.v1.accounts.updateCredentials({
      displayName: 'Alice Liddell',
      note: 'Curious about gardens',
      discoverable: true,
      fieldsAttributes: [{ name: 'Garden', value: 'https://garden.example' }],
    });
    await alice.rest.v1.featuredTags.create({ name: 'birds' });
    const pinned = await alice.rest.v1.statuses.create({ status: 'My pinned post' });
    await alice.rest.v1.statuses.$select(pinned.id).pin();
    await alice.rest.v1.statuses.create({ status: 'A walk in the garden #birds' });
    await carol.rest.v1.accounts.$select(await idOf(alice)).follow();
    await bob.rest.v1.accounts.$select(await idOf(carol)).follow();
  });

  test('a profile shows its text, fields, pinned post first, and who you know among its followers', async () => {
    const page = await server.openClient(bob, '/@alice');
    await page.getByRole('heading', { name: 'Alice Liddell', level: 2 }).waitFor();
    await page.getByText('Curious about gardens').waitFor();
    await page.getByText('garden.example').waitFor();
    await page.getByText('Followed by carol').waitFor();
    await page.mouse.wheel(0, 600);
    await page.getByText('A walk in the garden').waitFor();
    const texts = await page.locator('article').allInnerTexts();
    expect(texts[0]).toContain('My pinned post');
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Featured' }).click();
    await page.getByRole('link', { name: '#birds' }).click();
    await page.getByRole('heading', { name: 'Posts with #birds' }).waitFor();
    await page.getByText('A walk in the garden').waitFor();
    await page.getByRole('link', { name: /1 follower/ }).click();
    await page.getByRole('list', { name: 'Followers' }).getByText('@carol').waitFor();
    await expectAccessible(page);
  });

  test('a pointer that rests on a link and a key preview people and posts, without losing the place', async () => {
    const paula = await server.createUser('paula');
    await paula.rest.v1.accounts.$select(await idOf(carol)).follow();
    const question = await alice.rest.v1.statuses.create({
      status: 'Which bird eats the rowan?',
      visibility: 'unlisted',
    });
    await carol.rest.v1.statuses.create({ status: '@alice A waxwing', inReplyToId: question.id });
    const page = await server.openClient(paula, '/@carol/with_replies');
    const post = page.locator('#content article', { hasText: 'A waxwing' });
    const card = (name: string) => page.getByRole('dialog', { name, exact: true });
    const away = () => page.mouse.move(4, 4);
    await post.locator('.status-content a').hover();
    await card('Profile').getByText('Curious about gardens').waitFor();
    await card('Profile').getByText('Followed by carol').waitFor();
    await card('Profile')
      .getByRole('link', { name: /1 follower/ })
      .waitFor();
    await expectAccessible(page);
    await card('Profile').getByRole('button', { name: 'Follow Alice Liddell' }).click();
    await card('Profile').getByRole('button', { name: 'Following Alice Liddell: options' }).waitFor();
    await page.keyboard.press('Escape');
    await card('Profile').waitFor({ state: 'detached' });

    await post.getByRole('link', { name: 'Reply to' }).hover();
    await card('Post').getByText('Which bird eats the rowan?').waitFor();
    await expectAccessible(page);
    await away();
    await card('Post').waitFor({ state: 'detached' });
    await post.locator('.status-author').hover();
    await card('Profile').getByText('@carol').waitFor();
    await card('Profile')
      .getByRole('link', { name: /follower/ })
      .click();
    await page.getByRole('list', { name: 'Followers' }).waitFor();
    expect(await card('Profile').count()).toBe(0);
    await page.goBack();

    await post.focus();
    await page.keyboard.press('i');
    await card('Profile').getByText('@carol').waitFor();
    await expectAccessible(page);
    await page.goBack();
    await card('Profile').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/@carol/with_replies');
    await expect.poll(() => post.evaluate((article) => article === document.activeElement)).toBe(true);
  });

  test('a long press opens a preview as a sheet on phones, and a finger that scrolls opens none', async () => {
    const page = await server.openClient(bob, '/public/local', { size: 'phone' });
    const author = page.locator('article', { hasText: 'A walk in the garden' }).locator('.status-author');
    const other = page.locator('article', { hasText: 'My pinned post' }).locator('.status-author');
    await swipe(page, await centreOf(other), { x: 60, y: 300 });
    await author.scrollIntoViewIfNeeded();
    const finger = await page.context().newCDPSession(page);
    const touchPoints = [await centreOf(author)];
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    const sheet = page.getByRole('dialog', { name: 'Profile' });
    await sheet.getByText('Curious about gardens').waitFor();
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expectAccessible(page);
    expect(await page.getByRole('dialog').count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/public/local');
    await page.goBack();
    await sheet.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/public/local');
  });

  test('a missing profile offers the search', async () => {
    const page = await server.openClient(bob, '/@nobody');
    await page.getByText('No account @nobody was found').waitFor();
    await page.getByRole('link', { name: 'Search for it' }).waitFor();
  });

  test('following, its options and unfollowing', async () => {
    const page = await server.openClient(bob, '/@alice');
    // The page beside suggests the same account.
    const main = page.getByRole('main');
    await main.getByRole('button', { name: 'Follow Alice Liddell', exact: true }).click();
    const options = main.getByRole('button', { name: 'Following Alice Liddell: options' });
    await options.click();
    await page.getByRole('menuitem', { name: 'Hide boosts' }).click();
    await options.click();
    await page.getByRole('menuitem', { name: 'Show boosts' }).waitFor();
    await page.getByRole('menuitem', { name: 'Languages' }).click();
    await page.getByRole('searchbox', { name: 'Search languages' }).fill('German');
    await page.getByRole('checkbox', { name: 'German', exact: true }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await options.click();
    await page.getByRole('menuitem', { name: '1 language' }).waitFor();
    await page.getByRole('menuitem', { name: 'Unfollow' }).click();
    await main.getByRole('button', { name: 'Follow Alice Liddell', exact: true }).waitFor();
    const relationship = async () =>
      (await bob.rest.v1.accounts.relationships.fetch({ id: [await idOf(alice)] }))[0] ?? { following: undefined };
    // Undone in time, it never was: the languages are still there.
    await page.keyboard.press('z');
    await options.click();
    await page.getByRole('menuitem', { name: '1 language' }).waitFor();
    expect(await relationship()).toMatchObject({ following: true, languages: ['de'] });
    await page.getByRole('menuitem', { name: 'Unfollow' }).click();
    await main.getByRole('button', { name: 'Follow Alice Liddell', exact: true }).waitFor();
    await expectAccessible(page);
    await makeFinal(page);
    expect((await relationship()).following).toBe(false);
    await main.getByRole('button', { name: 'Follow Alice Liddell', exact: true }).click();
    await page.getByText('You follow Alice Liddell').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Alice Liddell may have been notified already').waitFor();
    expect((await relationship()).following).toBe(false);
  });

  test('a private note is edited in place and stays', async () => {
    const page = await server.openClient(bob, '/@alice');
    await page.getByRole('button', { name: 'Add a private note' }).click();
    await page.getByLabel('Your private note').fill('Met at the tea party');
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByRole('button', { name: 'Edit note' }).waitFor();
    await page.reload();
    await page.getByText('Met at the tea party').waitFor();
  });

  test('the QR code of a profile leads to its address, on the phone in a dark theme', async () => {
    const page = await server.openClient(bob, '/@carol', { size: 'phone', colorScheme: 'dark' });
    await page.getByRole('button', { name: 'More about carol' }).tap();
    await page.getByRole('menuitem', { name: 'QR code' }).tap();
    const dialog = page.getByRole('dialog', { name: 'QR code' });
    const shown = await dialog.getByRole('img', { name: 'QR code of carol' }).screenshot({ scale: 'device' });
    const { data, info } = await sharp(shown).resize(800).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const { url } = await carol.rest.v1.accounts.verifyCredentials();
    expect(decodeQr({ width: info.width, height: info.height, data })).toBe(url);
    await dialog.getByText(url).waitFor();
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await dialog.getByRole('link', { name: 'Save image' }).tap();
    expect((await download).suggestedFilename()).toBe('carol.svg');
  });

  test('muting for an hour, the list of mutes, and unmuting', async () => {
    const page = await server.openClient(bob, '/@carol');
    await page.getByRole('button', { name: 'More about carol' }).click();
    await page.getByRole('menuitem', { name: 'Mute carol' }).click();
    const dialog = page.getByRole('dialog', { name: 'Mute carol?' });
    await dialog.getByLabel('For how long?').selectOption({ label: '1 hour' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Mute', exact: true }).click();
    await page.getByText('carol is muted').waitFor();
    await makeFinal(page);
    await followLink(page, '/mutes');
    await page.getByText('Ends').waitFor();
    await page.getByRole('button', { name: 'Unmute carol' }).click();
    await page.getByText('You mute nobody').waitFor();
  });

  test('blocking hides the posts, and the list of blocks ends it', async () => {
    const dave = await server.createUser('dave');
    await dave.rest.v1.statuses.create({ status: 'Unwanted post' });
    const page = await server.openClient(bob, '/@dave');
    await page.getByText('Unwanted post').waitFor();
    await page.getByRole('button', { name: 'More about dave' }).click();
    await page.getByRole('menuitem', { name: 'Block dave' }).click();
    await page.getByText('You block dave').waitFor();
    expect(await page.getByText('Unwanted post').count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Unwanted post').waitFor();
    await page.getByRole('button', { name: 'More about dave' }).click();
    await page.getByRole('menuitem', { name: 'Block dave' }).click();
    await makeFinal(page);
    await followLink(page, '/blocks');
    await page.getByRole('button', { name: 'Unblock dave' }).click();
    await page.getByText('You block nobody').waitFor();
  });

  test('a report with a post and a comment reaches the staff, and offers to block', async () => {
    const page = await server.openClient(bob, '/@alice');
    await page.getByRole('button', { name: 'More about Alice Liddell' }).click();
    await page.getByRole('menuitem', { name: 'Report Alice Liddell' }).click();
    const dialog = page.getByRole('dialog', { name: 'Report Alice Liddell' });
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByText('Choose at least one to go on.').waitFor();
    await dialog.getByRole('radio', { name: 'It is spam' }).check();
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByRole('checkbox', { name: 'A walk in the garden' }).check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByLabel('Anything else').fill('Too many gardens');
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await page.getByText('Thank you for your report').waitFor();
    await page.getByRole('button', { name: 'Block Alice Liddell' }).click();
    await page.getByText('Alice Liddell is blocked').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();

    const staff = await server.createUser('owner', 'owner');
    const [report] = await staff.rest.v1.admin.reports.list();
    expect(report?.comment).toBe('Too many gardens');
    expect(report?.category).toBe('spam');
    expect(report?.statuses).toHaveLength(1);
  });

  test('blocking a server states what is lost, and can be undone', async () => {
    const page = await server.openClient(bob, '/domain_blocks');
    await page.getByLabel('Name of the server').fill('bad.example');
    await page.getByRole('button', { name: 'Block server' }).click();
    const dialog = page.getByRole('dialog', { name: 'Block bad.example?' });
    await dialog.getByText('No follows end').waitFor();
    await dialog.getByRole('button', { name: 'Block server' }).click();
    await page.getByText('bad.example is blocked').waitFor();
    await makeFinal(page);
    await page.getByRole('list', { name: 'Blocked servers' }).getByText('bad.example').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Unblock bad.example' }).click();
    await page.getByText('You block no servers').waitFor();
  });

  test('follow requests arrive live, and are accepted and rejected', async () => {
    const erin = await server.createUser('erin');
    await erin.rest.v1.accounts.updateCredentials({ locked: true });
    const id = await idOf(erin);
    await carol.rest.v1.accounts.$select(id).follow();
    const page = await server.openClient(erin, '/follow_requests', { size: 'phone' });
    await page.getByText('1 request is waiting for you.').waitFor();
    await bob.rest.v1.accounts.$select(id).follow();
    await page.getByText('2 requests are waiting for you.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Accept bob' }).click();
    await page.getByRole('button', { name: 'Reject carol' }).click();
    await page.getByText('No follow requests').waitFor();
    const [follower] = await erin.rest.v1.accounts.$select(id).followers.list();
    expect(follower?.acct).toBe('bob');
  });

  test('followed hashtags and the directory', async () => {
    await bob.rest.v1.tags.$select('gardening').follow();
    const page = await server.openClient(bob, '/followed_tags');
    await page.getByRole('button', { name: 'Unfollow #gardening' }).click();
    await page.getByRole('button', { name: 'Follow #gardening' }).waitFor();
    await expect.poll(async () => (await bob.rest.v1.tags.$select('gardening').fetch()).following).toBe(false);

    await followLink(page, '/directory');
    await page.getByRole('list', { name: 'Profile directory' }).getByText('Alice Liddell').waitFor();
    await page.getByRole('radio', { name: 'New' }).check();
    await page.getByRole('radio', { name: 'All servers' }).check();
    await page.getByRole('list', { name: 'Profile directory' }).getByText('Alice Liddell').waitFor();
    await expectAccessible(page);
  });
});

async function centreOf(element: Locator): Promise<Point> {
  const { x = 0, y = 0, height = 0 } = (await element.boundingBox()) ?? {};
  return { x: x + 20, y: y + height / 2 };
}
