import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../../server/app.ts';
import type { TestResponse } from '../../client.ts';
import { createListings, type Listing } from '../../listings/index.ts';
import { Network } from '../../network.ts';
import type { TestServer, TestUser } from '../../server.ts';
import { recordStatements } from '../../record-statements.ts';

/** Returns the statements that are sent while `run` runs, each with its numeric parameters. */
async function statementsWithNumbers(run: () => Promise<unknown>): Promise<Set<string>> {
  await server.waitForStatements();
  const sent = await recordStatements(run);
  return new Set(
    sent.map(
      ({ text, values }) =>
        `${text} ${values
          .flat()
          .filter((value) => typeof value === 'number')
          .join(' ')}`,
    ),
  );
}

/**
 * Paged by offset only; tested in test/api/discovery/search.test.ts, test/api/accounts/people.test.ts,
 * test/api/discovery/suggestions.test.ts and test/api/discovery/trends.test.ts.
 */
const offsetOnlyRoutes = [
  '/api/v1/accounts/search',
  '/api/v1/admin/trends/links',
  '/api/v1/admin/trends/statuses',
  '/api/v1/admin/trends/tags',
  '/api/v1/directory',
  '/api/v1/suggestions',
  '/api/v1/trends',
  '/api/v1/trends/links',
  '/api/v1/trends/statuses',
  '/api/v1/trends/tags',
  '/api/v2/search',
  '/api/v2/suggestions',
];
/** List what other listings of these tests add to; tested in test/api/discovery/trends.test.ts. */
const sharedRoutes = ['/api/v1/admin/tags', '/api/v1/admin/trends/links/publishers'];
/** Its listing is one group; paged in test/api/notifications/grouped-notifications.test.ts. */
const groupRoutes = ['/api/v2/notifications/:group_key/accounts'];
const crowdSize = 16;
/** Minimum number of items in a listing when it is walked. */
const minItems = 6;

interface PageResult {
  readonly keys: string[];
  readonly links: TestResponse['links'];
}

let network: Network;
let server: TestServer;
let listings: Listing[];

beforeAll(async () => {
  network = new Network();
  server = await network.start('paged.test');
  const page = '<!doctype html><html><head><title>Paged</title></head><body>News</body></html>';
  network.addHost('news.test', () => ({
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: Buffer.from(page),
  }));
  const crowd: TestUser[] = [];
  for (let number = 0; number < crowdSize; number += 1) crowd.push(await server.user(`crowd_${number}`));
  listings = await createListings(server, crowd);
  await server.drain();
});

afterAll(() => network[Symbol.asyncDispose]());

/** Appends parameters to a URL that may have a query already. */
const withQuery = (url: string, query: string): string => `${url}${url.includes('?') ? '&' : '?'}${query}`;

async function loadPage({ client, keyOf }: Listing, url: string): Promise<PageResult> {
  const response = await client.get(url);
  expect(response.status, `${url} ${response.text}`).toBe(200);
  const items = (
    Array.isArray(response.json) ? response.json : (response.json.collections ?? response.json.notification_groups)
  ) as unknown[];
  return { keys: items.map(keyOf), links: response.links };
}

/** A listing and the expected keys of its items, newest first. */
class Model {
  readonly listing: Listing;
  keys: string[] = [];
  readonly removed = new Set<string>();

  constructor(listing: Listing) {
    this.listing = listing;
  }

  async add(): Promise<void> {
    server.clock.advance(1);
    const key = await this.listing.add();
    if (key !== undefined) this.keys.unshift(key);
  }

  async remove(choice: number): Promise<void> {
    const key = this.keys[choice % Math.max(1, this.keys.length)];
    if (key === undefined) return;
    server.clock.advance(1);
    await this.listing.remove(key);
    this.keys = this.keys.filter((other) => other !== key);
    this.removed.add(key);
  }

  /** Removes the added items again, for the next test. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const key of this.keys) await this.listing.remove(key);
  }

  async fill(): Promise<void> {
    for (let count = this.keys.length; count < minItems; count += 1) await this.add();
    expect(this.keys.length, `${this.listing.route} has enough`).toBeGreaterThanOrEqual(minItems);
    await server.drain();
    this.removed.clear();
  }
}

/** Changes to a listing between two of its pages. */
interface Change {
  readonly adds: number;
  readonly removals: readonly number[];
}

const changeArbitrary = fc.record({
  adds: fc.integer({ min: 0, max: 2 }),
  removals: fc.array(fc.nat({ max: 50 }), { maxLength: 2 }),
});
const walkArbitrary = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  turns: fc.array(changeArbitrary, { minLength: 1, maxLength: 4 }),
});

async function followLinks(
  listing: Listing,
  url: string,
  after: (page: number) => Promise<void>,
): Promise<PageResult[]> {
  const pages: PageResult[] = [];
  for (let next: string | undefined = url; next !== undefined;) {
    expect(pages.length, `${url} does not end`).toBeLessThan(60);
    const page: PageResult = await loadPage(listing, next);
    pages.push(page);
    await after(pages.length - 1);
    next = page.links.next?.href;
  }
  return pages;
}

/** Walks down while items are added and removed, and back up again. */
async function walkBothWays(
  model: Model,
  { limit, turns }: { limit: number; turns: readonly Change[] },
): Promise<void> {
  const { listing } = model;
  await model.fill();
  const before = [...model.keys];
  const pages = await followLinks(listing, withQuery(listing.url, `limit=${limit}`), async (page) => {
    const { adds = 0, removals = [] } = turns[page] ?? {};
    for (const choice of removals) await model.remove(choice);
    for (let count = 0; count < adds; count += 1) await model.add();
    if (adds + removals.length > 0) await server.drain();
  });
  const seen = pages.flatMap(({ keys }) => keys);
  expect(new Set(seen).size, 'no duplicates').toBe(seen.length);
  const stayed = before.filter((key) => !model.removed.has(key));
  expect(
    seen.filter((key) => stayed.includes(key)),
    'all items that stayed, in order',
  ).toEqual(stayed);
  expect(
    seen.filter((key) => !before.includes(key)),
    'no items that were added later',
  ).toEqual([]);
  await walkBack(model, pages);
}

/** Walks up from the last page with a prev link, without changes meanwhile. */
async function walkBack({ listing, keys }: Model, pages: readonly PageResult[]): Promise<void> {
  let page = pages.findLast(({ links }) => links.prev !== undefined);
  const [start] = page?.keys ?? [];
  const isStepwise = page?.links.prev?.searchParams.has('min_id') === true;
  const above: string[] = [];
  for (let count = 0; page?.links.prev !== undefined; count += 1) {
    expect(count, 'the way back ends').toBeLessThan(60);
    page = await loadPage(listing, page.links.prev.href);
    above.unshift(...page.keys);
  }
  if (start === undefined || !keys.includes(start)) return;
  if (isStepwise) expect(above, 'prev visits every item once').toEqual(keys.slice(0, keys.indexOf(start)));
  else if (start !== keys[0]) expect(above[0], 'prev leads back to the first item').toBe(keys[0]);
}

/** Returns the cursors in the links of a listing, one for each item, newest first. */
async function listCursors({ listing, keys }: Model): Promise<string[]> {
  const pages = await followLinks(listing, withQuery(listing.url, 'limit=1'), async () => {});
  return pages.slice(0, keys.length).map(({ links }) => {
    const { prev } = links;
    const cursor = prev?.searchParams.get('min_id') ?? prev?.searchParams.get('since_id');
    expect(cursor, 'each page has a prev link').toMatch(/^\d+$/);
    return cursor ?? '';
  });
}

test('every paginated route has a listing in these tests', () => {
  const paged = routes.filter(({ path, options }) => {
    if (!path.startsWith('/api/')) return false;
    const names = Object.keys(options.input?.properties ?? {});
    return names.includes('max_id') || names.includes('offset');
  });
  expect(listings.map(({ route }) => route).toSorted()).toEqual(
    [...new Set(paged.map(({ path }) => path))]
      .filter((path) => ![...offsetOnlyRoutes, ...sharedRoutes, ...groupRoutes].includes(path))
      .toSorted(),
  );
  expect(paged.map(({ path }) => path)).toEqual(expect.arrayContaining(offsetOnlyRoutes));
});

/** Listings are walked in several tests, so that none takes long. */
const parts = 4;

test.for(Array.from({ length: parts }, (_, part) => part))(
  'PAG-05: following next visits each item once despite changes, and prev leads back (part %i)',
  async (part) => {
    for (const listing of listings.filter((_, index) => index % parts === part)) {
      await using model = new Model(listing);
      await fc
        .assert(
          fc.asyncProperty(walkArbitrary, (walk) => walkBothWays(model, walk)).beforeEach(() => model.removed.clear()),
          { numRuns: 8, endOnFailure: true },
        )
        .catch((error: unknown) => {
          throw new Error(`${listing.route}: ${error instanceof Error ? error.message : String(error)}`, {
            cause: error,
          });
        });
    }
  },
);

test('PAG-02: max_id returns older items, min_id the next newer ones, since_id the newest ones', async () => {
  for (const listing of listings.filter(({ isByOffset }) => isByOffset !== true)) {
    await using model = new Model(listing);
    await model.fill();
    const { keys } = model;
    const cursors = await listCursors(model);
    const page = async (query: string) => (await loadPage(listing, withQuery(listing.url, query))).keys;
    const middle = 3;
    const cursor = cursors[middle];
    expect(await page(`max_id=${cursor}&limit=2`), listing.route).toEqual(keys.slice(middle + 1, middle + 3));
    expect(await page(`min_id=${cursor}&limit=2`), listing.route).toEqual(keys.slice(middle - 2, middle));
    expect(await page(`since_id=${cursor}&limit=2`), listing.route).toEqual(keys.slice(0, 2));
    expect(await page(`max_id=${cursors[0]}&since_id=${cursor}&limit=4`), listing.route).toEqual(keys.slice(1, middle));
    expect(await page(`max_id=${cursors[0]}&min_id=${cursors[4]}&limit=2`), listing.route).toEqual(keys.slice(2, 4));
  }
});

/** Listings that return all their items for limit=0 (reference/endpoints.tsv). */
const returnsAllWithoutLimit = new Set([
  '/api/v1/lists/:id/accounts',
  '/api/v1/endorsements',
  '/api/v1/accounts/:id/endorsements',
]);

test('PAG-03, PAG-06: links are absolute and keep other parameters; empty pages have none; limits are bounded', async () => {
  for (const listing of listings) {
    await using model = new Model(listing);
    await model.fill();
    const url = withQuery(listing.url, 'kept=a%2Cb%26c');
    const { links } = await loadPage(listing, withQuery(url, 'limit=2'));
    const requested = new URL(`https://paged.test${url}&limit=2`);
    for (const link of [links.next, ...(listing.isByOffset ? [] : [links.prev])]) {
      expect([link?.origin, link?.pathname], listing.route).toEqual([requested.origin, requested.pathname]);
      for (const [name, value] of requested.searchParams) expect(link?.searchParams.getAll(name)).toContain(value);
    }
    const empty = await listing.client.get(withQuery(listing.url, 'max_id=1'));
    expect([empty.status, empty.headers['link']], listing.route).toEqual([200, undefined]);
    const whole = await loadPage(listing, listing.url);
    expect(whole.keys).toEqual(model.keys);
    for (const limit of ['x', '99999999999', '-99999999999', '1e400', '2147483648', '']) {
      expect((await loadPage(listing, withQuery(listing.url, `limit=${limit}`))).keys, listing.route).toEqual(
        model.keys,
      );
    }
    expect((await loadPage(listing, withQuery(listing.url, 'limit=-2'))).keys, listing.route).toEqual(
      model.keys.slice(0, 2),
    );
    const none = await loadPage(listing, withQuery(listing.url, 'limit=0'));
    expect(none.keys, listing.route).toEqual(returnsAllWithoutLimit.has(listing.route) ? model.keys : []);
    expect(none.links, listing.route).toEqual({});
    for (const bad of ['max_id=x', 'max_id=99999999999999999999']) {
      expect([200, 404], listing.route).toContain((await listing.client.get(withQuery(listing.url, bad))).status);
    }
  }
});

test('PAG-06: limit=0 is an empty page and limit=-1 one item on routes that are paged by offset', async () => {
  const user = await server.user('offsets', { role: 'owner', scopes: 'read admin:read' });
  for (const route of offsetOnlyRoutes.filter((path) => path !== '/api/v2/search')) {
    const path = withQuery(route, 'q=crowd');
    expect((await user.get(`${path}&limit=0`)).json, route).toEqual([]);
    expect((await user.get(`${path}&limit=-1`)).json, route).toEqual((await user.get(`${path}&limit=1`)).json);
  }
  expect((await user.get('/api/v1/accounts/search?q=crowd&limit=-3')).json).toHaveLength(3);
  const nothing = { accounts: [], statuses: [], hashtags: [], collections: [] };
  expect((await user.get('/api/v2/search?q=crowd&limit=0')).json).toEqual(nothing);
});

test('PAG-06: the documented maximum limit also bounds the SQL statements', async () => {
  const described = new Map(
    routes
      .filter(({ method }) => method === 'GET')
      .map(({ path, options }) => [
        path,
        (options.input?.properties?.['limit'] as { description?: string } | undefined)?.description ?? '',
      ]),
  );
  for (const listing of listings) {
    const { route, url, client } = listing;
    await using model = new Model(listing);
    await model.fill();
    const [defaultLimit, maxLimit] =
      /^(\d+) when not given, at most (\d+)/.exec(described.get(route) ?? '')?.slice(1) ?? [];
    // The newest entries of home are cached, as many as the longest page has.
    const below = route === '/api/v1/timelines/home' ? '&max_id=9223372036854775806' : '';
    const statementsFor = async (query: string) => {
      const request = () => client.get(withQuery(url, `${query}${below}`));
      await request();
      // A cache that expires meanwhile is loaded again by one of them.
      return (await statementsWithNumbers(request)).intersection(await statementsWithNumbers(request));
    };
    expect(Number(defaultLimit), `${route} documents its limit`).toBeLessThan(Number(maxLimit));
    const largest = await statementsFor(`limit=${maxLimit}`);
    expect(await statementsFor(`limit=${Number(maxLimit) + 1}`), route).toEqual(largest);
    expect(await statementsFor('limit=2000000000'), route).toEqual(largest);
    const usual = await statementsFor('');
    expect(await statementsFor(`limit=${defaultLimit}`), route).toEqual(usual);
    expect(await statementsFor(`limit=-${defaultLimit}`), route).toEqual(usual);
    expect(await statementsFor('limit=-2000000000'), route).toEqual(largest);
    expect(usual, route).not.toEqual(largest);
  }
});
