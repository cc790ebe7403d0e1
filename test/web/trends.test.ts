import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, type WebUser } from './web-server.ts';

/** As many accounts as a trend needs. */
const crowdSize = 5;

/** A website with an article that may trend. The address of its image has to begin with https; nothing answers there. */
const article = `<!doctype html><html lang="en"><head><title>Thrushes in winter</title>
  <meta property="og:type" content="article"><meta property="og:title" content="Thrushes in winter">
  <meta property="og:description" content="Where they sleep, and what they eat.">
  <meta property="og:site_name" content="The Garden"><meta property="og:image" content="https://127.0.0.1:1/photo.png">
  </head><body></body></html>`;
const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(article));
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const articleUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/thrushes`;
afterAll(() => site.close());

describeWithServer('trends', (server) => {
  let reader: WebUser;
  const crowd: WebUser[] = [];

  /** Several accounts use a hashtag and favourite a post; staff allow both to trend. */
  beforeAll(async () => {
    reader = await server.createUser('rita', 'owner');
    const author = await server.createUser('ada');
    await author.rest.v1.accounts.updateCredentials({ discoverable: true });
    const { id } = await author.rest.v1.statuses.create({ status: 'Look, a fieldfare' });
    for (let number = 0; number < crowdSize; number++) {
      const user = await server.createUser(`crowd_${number}`);
      const { rest } = user;
      crowd.push(user);
      await rest.v1.statuses.create({ status: 'Apples on the ground #orchards' });
      await rest.v1.statuses.$select(id).favourite();
    }
    await vi.waitUntil(refreshTrends, { timeout: 60_000 });
    for (const kind of ['tags', 'statuses']) await approveAll(`/api/v1/admin/trends/${kind}`);
  });

  /** Uses are counted a moment after the posts. Returns whether the hashtag has enough. */
  async function refreshTrends(): Promise<boolean> {
    await server.runSchedule('trend.refresh_trends');
    return (await listCandidates('/api/v1/admin/trends/tags')).length > 0;
  }

  const listCandidates = (path: string) => reader.send<readonly { readonly id: string | number }[]>('GET', path);

  async function approveAll(path: string): Promise<void> {
    const candidates = await listCandidates(path);
    expect(candidates).toHaveLength(1);
    for (const { id } of candidates) await reader.send('POST', `${path}/${id}/approve`);
  }

  test('explore shows posts and hashtags that trend, and a hashtag leads to its posts', async () => {
    const page = await server.openClient(reader, '/explore', { size: 'phone' });
    await page.getByText('Look, a fieldfare').waitFor();
    await page.getByRole('link', { name: 'Hashtags', exact: true }).click();
    await page.getByRole('link', { name: /#orchards/ }).waitFor();
    await page.getByText(`${crowdSize} people in the past two days`).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: /#orchards/ }).click();
    await page.getByRole('heading', { level: 1, name: '#orchards' }).waitFor();
  });

  test('wide windows show trending hashtags beside each page', async () => {
    const page = await server.openClient(reader, '/bookmarks', { colorScheme: 'dark' });
    await page
      .getByRole('region', { name: 'Trending hashtags' })
      .getByRole('link', { name: /#orchards/ })
      .waitFor();
    await expectAccessible(page);
  });

  test('news trends once staff allow its website, and leads to the posts about it', async () => {
    for (const { rest } of crowd) await rest.v1.statuses.create({ status: `Worth reading: ${articleUrl}` });
    await vi.waitUntil(
      async () => {
        await server.runSchedule('trend.refresh_trends');
        return (await listCandidates('/api/v1/admin/trends/links')).length > 0;
      },
      { timeout: 60_000 },
    );
    const visitor = await server.createUser('victor');
    const page = await server.openClient(visitor, '/explore/links', { size: 'phone' });
    await page.getByText('No trending links now').waitFor();
    expect(await page.getByText('Thrushes in winter').count()).toBe(0);

    const staff = await server.openClient(reader, '/moderation/trends');
    await staff.getByRole('link', { name: 'Links', exact: true }).click();
    await staff.getByRole('link', { name: 'Thrushes in winter' }).waitFor();
    await staff.getByText(`${crowdSize} people in two days`).waitFor();
    await staff.getByRole('link', { name: 'Websites', exact: true }).click();
    await staff.getByText('127.0.0.1', { exact: true }).waitFor();
    await expectAccessible(staff);
    await staff.getByRole('button', { name: 'Allow', exact: true }).click();
    await staff.getByText('May trend').waitFor();

    await page.reload();
    const news = page.getByRole('article').filter({ hasText: 'Thrushes in winter' });
    await news.getByText('Where they sleep, and what they eat.').waitFor();
    await expectAccessible(page);
    await news.getByRole('link', { name: `${crowdSize} people talk about it` }).click();
    await expect.poll(() => page.getByRole('article').filter({ hasText: 'Worth reading' }).count()).toBe(crowdSize);
    await page.getByRole('link', { name: articleUrl, exact: true }).first().waitFor();
    await expectAccessible(page);
  });
});
