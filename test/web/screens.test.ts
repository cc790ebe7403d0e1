import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { colorRules, expectAccessible } from './accessibility.ts';
import { describeWithServer, followLink, sizes, waitForContent, type WebUser } from './web-server.ts';

const sources = join(import.meta.dirname, '..', '..', 'web', 'src');
/** The narrowest window that the client supports. */
const narrowest = { width: 320, height: 700 };
/** The pages are opened in so many tests, so that none takes long. */
const shares = [0, 1] as const;

/** Returns the paths of all routes outside moderation, which has its own test. */
function listRoutes(): readonly string[] {
  const files = globSync('*/routes.tsx', { cwd: sources }).filter((file) => !file.startsWith('moderation'));
  return files.flatMap((file) =>
    [...readFileSync(join(sources, file), 'utf8').matchAll(/ path="([^"]+)"/g)].map(([, path = '']) => path),
  );
}

/** Whether a route is the one of a path: `/lists/:id` of `/lists/5`. */
const isRouteOf = (route: string, path: string): boolean =>
  new RegExp(`^${route.replaceAll(/\/:\w+\?/g, '(?:/[^/?]+)?').replaceAll(/:\w+/g, '[^/?]+')}(?:\\?|$)`).test(path);

/** The error of `expectAccessible`. `actual`: what axe-core found. */
interface AxeFinding extends Error {
  readonly actual?: unknown;
}

describeWithServer('screens', (server) => {
  let wilma: WebUser;
  let paths: readonly string[] = [];
  /** The path of a post on the pages of visitors. */
  let publicPost = '';

  /** Something of each kind, so that most pages have content. */
  beforeAll(async () => {
    wilma = await server.createUser('wilma', 'owner');
    const ada = await server.createUser('ada');
    const [{ rest }, me] = [wilma, await wilma.rest.v1.accounts.verifyCredentials()];
    const { id: adaId } = await ada.rest.v1.accounts.verifyCredentials();
    await rest.v1.accounts.updateCredentials({
      displayName: 'Wilma Waxwing of the Very Long Riverbank',
      note: 'Counts birds before breakfast. https://example.com/a/very/long/address/without/any/place/to/break',
      discoverable: true,
    });
    await ada.rest.v1.accounts.updateCredentials({ discoverable: true, locked: true });
    await ada.rest.v1.accounts.$select(me.id).follow();
    await rest.v1.accounts.$select(adaId).follow();
    const text =
      'The #fieldfares are back: Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenfabrikantenverband';
    const post = await rest.v1.statuses.create({ status: text });
    await rest.v1.statuses.$select(post.id).pin();
    publicPost = `/@wilma/${post.id}`;
    await rest.v1.statuses.create({ status: 'صباح الخير من البحيرة، الطيور كثيرة اليوم', language: 'ar' });
    const poll = { options: ['Fieldfare', 'Waxwing'], expiresIn: 86_400 };
    await rest.v1.statuses.create({ status: 'Which bird?', spoilerText: 'A question', poll });
    await rest.v1.statuses.create({ status: 'Later', scheduledAt: '2099-01-01T00:00:00.000Z' });
    await ada.rest.v1.statuses.create({ status: '@wilma Welcome!', inReplyToId: post.id });
    await ada.rest.v1.statuses.create({ status: '@wilma Shall we meet?', visibility: 'direct' });
    for (const action of ['favourite', 'reblog'] as const) await ada.rest.v1.statuses.$select(post.id)[action]();
    for (const action of ['favourite', 'bookmark'] as const) await rest.v1.statuses.$select(post.id)[action]();
    const folder = await wilma.send<{ id: string }>('POST', '/api/v1/fieldfare/bookmark_folders', { name: 'Recipes' });
    const group = await wilma.send<{ account: { id: string } }>('POST', '/api/v1/fieldfare/groups', {
      username: 'birders',
      display_name: 'Birders of the Very Long Riverbank',
    });
    const list = await rest.v1.lists.create({ title: 'Birders' });
    await rest.v1.tags.$select('fieldfares').follow();
    const filter = await rest.v2.filters.create({ title: 'Spoilers', context: ['home'], filterAction: 'warn' });
    const collection = await createCollection();
    paths = [
      '/',
      '/home',
      '/deck',
      '/public',
      '/public/local',
      '/explore',
      '/explore/tags',
      '/explore/links',
      '/explore/people',
      '/search',
      '/search?q=fieldfares',
      '/links?url=https%3A%2F%2Fexample.com%2F',
      '/catch-up',
      '/catch-up?period=8h',
      '/notifications',
      '/notifications?tab=mentions',
      '/notifications/requests',
      '/notifications/approvals',
      `/notifications/requests/${await requestId()}`,
      '/conversations',
      '/announcements',
      '/bookmarks',
      `/bookmarks/${folder.id}`,
      '/favourites',
      '/publish',
      '/drafts',
      '/scheduled',
      '/tags/fieldfares',
      '/lists',
      `/lists/${list.id}`,
      `/lists/${list.id}/members`,
      '/followed_tags',
      '/follow_requests',
      '/blocks',
      '/mutes',
      '/domain_blocks',
      '/directory',
      `/collections/${collection}`,
      '/preferences',
      '/preferences/filters',
      `/preferences/filters/${filter.id}`,
      '/preferences/groups',
      `/preferences/groups/${group.account.id}`,
      ...['appearance', 'posting', 'reading', 'privacy', 'language', 'hashtags', 'apps', 'security'].map(toPreference),
      ...['columns', 'notifications', 'profile', 'data'].map(toPreference),
      ...['', '/with_replies', '/media', '/featured', '/followers', '/following', '/collections'].map(toProfile),
      '/@wilma/tagged/fieldfares',
      ...['', '/favourites', '/reblogs', '/quotes', '/history', '/read'].map((page) => `/@wilma/${post.id}${page}`),
    ].filter((path) => listRoutes().some((route) => isRouteOf(route, path)));
  });

  const toPreference = (page: string): string => `/preferences/${page}`;
  const toProfile = (tab: string): string => `/@wilma${tab}`;

  async function createCollection(): Promise<string> {
    const fields = { name: 'Worth a look', description: 'People who count birds' };
    const { collection } = await wilma.send<{ collection: { id: string } }>('POST', '/api/v1/collections', fields);
    return collection.id;
  }

  const shareOf = (share: number): readonly string[] => paths.filter((_path, index) => index % shares.length === share);

  /** Returns the id of the request of a stranger, whose notifications are filtered. */
  async function requestId(): Promise<string> {
    const stranger = await server.createUser('stranger');
    await wilma.rest.v2.notifications.policy.update({ forNotFollowing: 'filter' });
    await stranger.rest.v1.statuses.create({ status: '@wilma Do you know me?' });
    const find = async () => (await wilma.rest.v1.notifications.requests.list())[0]?.id;
    return vi.waitUntil(find, { timeout: 60_000 });
  }

  test('every route has a page in this test', () => {
    expect(listRoutes().length).toBeGreaterThan(45);
    expect(listRoutes().filter((route) => !paths.some((path) => isRouteOf(route, path)))).toEqual([]);
  });

  test('pages that other tests open by links open at their addresses', async () => {
    const page = await server.openClient(wilma);
    const addresses = paths.filter((path) => /^\/(?:announcements|deck|directory|drafts)$|\/members$/.test(path));
    expect(addresses).toHaveLength(5);
    for (const path of addresses) {
      await page.goto(server.url + path);
      await waitForContent(page);
      expect((await page.locator('h1').innerText()).trim(), path).not.toBe('');
    }
  });

  const opened = shares.flatMap((share) => [['phone', share] as const, ['desktop', share] as const]);

  test.each(opened)(
    'pages are accessible in both themes, and none is wider than a narrow window: %s, share %i',
    async (size, share) => {
      const page = await server.openClient(wilma, '/', { size, hasServiceWorker: true });
      const problems: string[] = [];
      page.on('console', (message) => {
        // The page of a link that nobody shared: the API answers 404.
        if (message.type() === 'error' && !page.url().includes('/links?'))
          problems.push(`${page.url()}: ${message.text()}`);
      });
      for (const [index, path] of shareOf(share).entries()) {
        await page.setViewportSize(sizes[size]);
        await followLink(page, path);
        // More contrast by turns, because each look takes a tenth of a second.
        const looks = [...themes, moreContrast[index % moreContrast.length] ?? themes[0]];
        problems.push(...(await findInaccessible(page, looks)).map((problem) => `${path} ${problem}`));
        if ((await page.locator('h1').innerText()).trim() === '') problems.push(`${path}: no heading`);
        if (size === 'phone') problems.push(...(await findWide(page)).map((problem) => `${path} ${problem}`));
      }
      expect(problems).toEqual([]);
    },
  );

  test('pages without scripts are accessible in both themes, with more contrast and in forced colours', async () => {
    const page = await server.openWindow();
    const problems: string[] = [];
    for (const path of ['/auth/sign_in', '/auth/sign_up', '/no/such/page', '/@wilma', publicPost]) {
      await page.goto(server.url + path);
      const found = await findInaccessible(page, [...themes, ...moreContrast]);
      problems.push(...found.map((problem) => `${path} ${problem}`));
      if ((await page.locator('h1').first().innerText()).trim() === '') problems.push(`${path}: no heading`);
    }
    expect(problems).toEqual([]);
  });
});

type Look = NonNullable<Parameters<Page['emulateMedia']>[0]>;

const themes: readonly [Look, Look] = [
  { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'none' },
  { colorScheme: 'dark', contrast: 'no-preference', forcedColors: 'none' },
];

/** What the system can ask for, in each theme. */
const moreContrast: readonly Look[] = [
  { colorScheme: 'dark', contrast: 'more', forcedColors: 'active' },
  { colorScheme: 'light', contrast: 'more', forcedColors: 'none' },
  { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'active' },
  { colorScheme: 'dark', contrast: 'more', forcedColors: 'none' },
];

/** Looks at a page in several ways: at everything in the first one, and at the colours in the others. */
async function findInaccessible(page: Page, looks: readonly Look[]): Promise<string[]> {
  const problems: string[] = [];
  for (const look of looks) {
    await page.emulateMedia(look);
    await expectAccessible(page, look === looks[0] ? undefined : colorRules).catch((error: AxeFinding) =>
      problems.push(`${JSON.stringify(look)}: ${JSON.stringify(error.actual ?? error.message)}`),
    );
  }
  return problems;
}

/** Widths, sizes of text and directions in which no page may be wider than the window. */
const narrowWindows = [
  ['320 pixels wide', narrowest, { fontSize: '', direction: 'ltr' }],
  ['with text twice as large', sizes.phone, { fontSize: '200%', direction: 'ltr' }],
  ['320 pixels wide, with text twice as large', narrowest, { fontSize: '200%', direction: 'ltr' }],
  ['from right to left', narrowest, { fontSize: '', direction: 'rtl' }],
] as const;

/** By how many pixels the page is wider than the window. */
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Returns what does not fit into narrow windows. */
async function findWide(page: Page): Promise<string[]> {
  const wide: string[] = [];
  for (const [title, viewport, style] of narrowWindows) {
    await page.setViewportSize(viewport);
    await page.evaluate(({ fontSize, direction }) => {
      document.documentElement.style.fontSize = fontSize;
      document.documentElement.dir = direction;
    }, style);
    const overflow = await overflowOf(page);
    if (overflow > 0) wide.push(`${title}: wider by ${overflow}`);
    wide.push(...(await listCutLabels(page)).map((label) => `${title}: ${label} is cut`));
  }
  await page.evaluate("document.documentElement.dir = 'ltr'");
  return wide;
}

/** Returns the buttons and links of the bars that lie partly outside of the window, or whose words are broken. */
const listCutLabels = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isCut = (element: Element): boolean => {
      const { left, right } = element.getBoundingClientRect();
      return left < 0 || right > width + 1;
    };
    const hasBrokenWord = (element: Element): boolean => {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        for (const { index, 0: word } of (text.textContent ?? '').matchAll(/[\p{L}\p{N}]+/gu)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (range.getClientRects().length > 1) return true;
        }
      }
      return false;
    };
    const controls = [...document.querySelectorAll('.bottom-bar > *, .page-header button, .page-header a')];
    return controls
      .filter((element) => isCut(element) || hasBrokenWord(element))
      .map((element) => element.getAttribute('aria-label') ?? element.textContent);
  });
