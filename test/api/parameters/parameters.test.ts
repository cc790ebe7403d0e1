import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { routes } from '../../../server/app.ts';
import { parseParams, type Params } from '../../../server/platform/http/parse-params.ts';
import type { Route } from '../../../server/platform/http/routes.ts';
import { form, startServer, type TestServer, type TestUser } from '../../server.ts';

interface Shape {
  readonly type?: string;
  readonly 'x-id'?: unknown;
  readonly items?: Shape;
  readonly properties?: Record<string, Shape>;
}

interface Parameter {
  readonly path: readonly string[];
  readonly shape: Shape;
}

/** Lists every parameter of a schema. The path of a list item has `0`. */
function listParameters(shape: Shape, path: readonly string[] = []): Parameter[] {
  const { properties = {}, items } = shape;
  const inner = Object.entries(properties).flatMap(([key, property]) => listParameters(property, [...path, key]));
  if (items !== undefined) return [...inner, ...listParameters(items, [...path, '0'])];
  return inner.length > 0 ? inner : [{ path, shape }];
}

const inputParameters = ({ options }: Route): Parameter[] => listParameters((options.input ?? {}) as Shape);
const routeName = ({ method, path }: Route): string => `${method} ${path}`;

/** Nests a value in objects and lists along a path. */
function nestedValue([key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const inner = nestedValue(rest, value);
  return key === '0' ? [inner] : { [key]: inner };
}

function parseInput(schema: TSchema, value: Params): unknown {
  try {
    return parseParams(schema, value);
  } catch (error) {
    return (error as Error).message;
  }
}

/** What a schema may demand of a value, and `parseParams` does not check. */
const uncheckedKeywords: readonly string[] = [
  'minItems',
  'maxItems',
  'uniqueItems',
  'minLength',
  'pattern',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
];

/** `parseParams` accepts texts of this length whatever their schema says. */
const leastMaxLength = 40_000;

/** Lists the limits of a schema, its members and its properties that `parseParams` does not check. */
function listUnchecked(shape: object, path = ''): string[] {
  const { properties = {}, items, anyOf = [], ...rest } = shape as Shape & { anyOf?: object[]; maxLength?: number };
  const isShort = rest.maxLength !== undefined && rest.maxLength < leastMaxLength;
  const own = rest['x-id'] !== undefined ? [] : Object.keys(rest).filter((name) => uncheckedKeywords.includes(name));
  return [
    ...[...own, ...(isShort ? ['maxLength'] : [])].map((keyword) => `${path}: ${keyword}`),
    ...Object.entries(properties).flatMap(([key, property]) => listUnchecked(property, `${path} ${key}`)),
    ...(items === undefined ? [] : listUnchecked(items, `${path} 0`)),
    ...anyOf.flatMap((member) => listUnchecked(member, path)),
  ];
}

// Such a limit is checked where the value is used, and stated in the description of the parameter.
test('no route declares a limit that is not checked', () => {
  // `changeSiteSettings` checks values against the same schemas.
  const checked = 'PATCH /api/v1/fieldfare/admin/settings';
  const unchecked = routes
    .filter((route) => routeName(route) !== checked)
    .flatMap((route) => {
      const { input = {}, params = {} } = route.options;
      return [input, params].flatMap((schema) => listUnchecked(schema, routeName(route)));
    });
  expect(unchecked).toEqual([]);
});

test('every id parameter is declared as an id', () => {
  for (const route of routes) {
    for (const { path, shape } of inputParameters(route)) {
      const name = path.filter((key) => key !== '0').at(-1) ?? '';
      if (!/(?:^|_)ids?$/.test(name) || name === 'client_id') continue;
      expect(shape['x-id'], `${routeName(route)} ${path.join('.')}`).toBeDefined();
    }
  }
});

test('every route treats a blank id as absent', () => {
  let count = 0;
  for (const route of routes) {
    const schema = route.options.input;
    if (schema === undefined) continue;
    for (const { path, shape } of inputParameters(route)) {
      if (shape['x-id'] === undefined) continue;
      count += 1;
      // The object or list around the id is still present.
      const [list, item] = path.at(-1) === '0' ? [path.slice(0, -1), []] : [path, undefined];
      const absent = parseInput(schema, nestedValue(list, item) as Params);
      for (const blank of ['', ' ', '\t\n']) {
        expect(parseInput(schema, nestedValue(path, blank) as Params), `${routeName(route)} ${path.join('.')}`).toEqual(
          absent,
        );
      }
    }
  }
  expect(count).toBeGreaterThan(50);
});

test('a post with blank ids is accepted, and blank cursors return the first page', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const posted = await alice.post(
    '/api/v1/statuses',
    form('status=Hello&in_reply_to_id=&quoted_status_id=&media_ids[]=&visibility='),
  );
  expect([posted.status, posted.json.content, posted.json.in_reply_to_id]).toEqual([200, '<p>Hello</p>', null]);
  for (const path of [
    '/api/v1/timelines/home?max_id=&since_id=&min_id=',
    `/api/v1/accounts/${alice.id}/statuses?max_id=`,
    '/api/v1/notifications?account_id=&max_id=',
    '/api/v2/search?q=hello&account_id=&max_id=&min_id=',
  ]) {
    const [blank, absent] = [await alice.get(path), await alice.get(path.replace(/&?\w+_id=(?=&|$)/g, ''))];
    expect([blank.status, blank.json], path).toEqual([200, absent.json]);
  }
  expect((await alice.get('/api/v1/statuses/%20')).status).toBe(404);
});

test('a blank required id is reported as missing', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json: status } = await alice.post('/api/v1/statuses', { status: 'Hello' });
  const edited = await alice.put(
    `/api/v1/statuses/${status.id}`,
    form('status=x&media_attributes[][id]= &media_attributes[][description]=y'),
  );
  expect([edited.status, edited.json.error]).toEqual([
    400,
    'param is missing or the value is empty: media_attributes[id]',
  ]);
  const { json: created } = await alice.post('/api/v1/collections', { name: 'Birds', language: 'en' });
  const added = await alice.post(`/api/v1/collections/${created.collection.id}/items`, form('account_id='));
  expect([added.status, JSON.stringify(added.json)]).toEqual([
    422,
    expect.stringContaining('`account_id` parameter is missing'),
  ]);
  const { json: list } = await alice.post('/api/v1/lists', { title: 'Friends' });
  expect((await alice.post(`/api/v1/lists/${list.id}/accounts`, form('account_ids[]='))).status).toBeLessThan(500);
});

const numbers = [
  '-5',
  '0',
  '-0',
  '1.5',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '9223372036854775808',
  '1e30',
  '1e308',
  '1e999',
  'NaN',
  'Infinity',
  '0x10',
  '',
  'x',
];
const ids = ['-5', '0', '9223372036854775807', '-9223372036854775807', '9223372036854775808', 'x', '1.5', '%00'];

/** Query strings with the values alone, in a list and in an object. */
const formVariants = (name: string, values: readonly string[]): string[] => [
  ...values.map((value) => `${name}=${value}`),
  `${name}[]=5`,
  `${name}[]=5&${name}[]=-5`,
  `${name}[a]=5`,
  `${name}[0]=-5`,
];

/** Creates objects, and returns a function that fills their ids into the path of a route. */
async function createPaths(server: TestServer, alice: TestUser): Promise<(route: Route) => string> {
  const { json: status } = await alice.post('/api/v1/statuses', {
    status: 'Hello #birds',
    poll: { options: ['a', 'b'], expires_in: 3600 },
  });
  const { json: list } = await alice.post('/api/v1/lists', { title: 'Friends' });
  const { json: collection } = await alice.post('/api/v1/collections', { name: 'Birds', language: 'en' });
  await server.drain();
  const idIn = (path: string): string => {
    if (path.includes('/polls/')) return status.poll.id as string;
    if (path.includes('/lists/')) return list.id as string;
    if (/\/(?:accounts|ap\/users|follow_requests)\//.test(path)) return alice.id;
    return path.includes('/collections/')
      ? String(collection.id ?? collection.collection?.id ?? 1)
      : (status.id as string);
  };
  const named: Record<string, string> = {
    ':username': 'alice',
    ':hashtag': 'birds',
    ':tag': 'birds',
    ':name': 'birds',
  };
  return ({ path }) => path.replaceAll(/:\w+/g, (name) => named[name] ?? idIn(path));
}

test('no number or cursor, alone or in a list, makes a route return 500', async () => {
  await using server = await startServer({ sweep: true });
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  const pathOf = await createPaths(server, alice);
  const asActivity = { headers: { accept: 'application/activity+json' } };
  let count = 0;
  for (const route of routes) {
    if (route.method !== 'GET') continue;
    for (const { path, shape } of inputParameters(route)) {
      const isNumber = shape.type === 'integer' || shape.type === 'number';
      if (path.length !== 1 || (!isNumber && shape['x-id'] === undefined)) continue;
      for (const query of formVariants(path[0] ?? '', isNumber ? numbers : ids)) {
        count += 1;
        const url = `${pathOf(route)}?q=a&url=https://a.test/&${query}`;
        // A 500 throws.
        const { status } = await alice.get(url, route.options.undocumented === true ? asActivity : {});
        expect(status, url).toBeLessThan(500);
      }
    }
  }
  expect(count).toBeGreaterThan(1_000);
});

test('page numbers below 1 return the first page, and numbers past the last an empty page', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  await server.drain();
  const page = async (number: string): Promise<{ orderedItems?: string[] }> =>
    (
      await server.anonymous.get(`/users/alice/followers?page=${number}`, {
        headers: { accept: 'application/activity+json' },
      })
    ).json;
  expect((await page('1')).orderedItems).toEqual(['https://fieldfare.test/users/bob']);
  for (const number of ['-5', '0', '-1e30']) expect(await page(number)).toEqual(await page('1'));
  for (const number of ['2', '2147483648', '1e30']) expect((await page(number)).orderedItems).toEqual([]);
});

test('out-of-range numbers in writes are refused or clamped, never 500', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const { json: poll } = await alice.post('/api/v1/statuses', {
    status: 'Which?',
    poll: { options: ['a', 'b'], expires_in: 3600 },
  });
  for (const number of numbers) {
    const posted = await alice.post(
      '/api/v1/statuses',
      form(`status=x&poll[options][]=a&poll[options][]=b&poll[expires_in]=${number}`),
    );
    expect(posted.status, number).toBe(422);
    const muted = await alice.post(`/api/v1/accounts/${bob.id}/mute`, form({ duration: number }));
    expect(muted.status, number).toBe(200);
    const voted = await bob.post(`/api/v1/polls/${poll.poll.id}/votes`, form(`choices[]=${number}`));
    expect(voted.status, number).toBeLessThan(500);
  }
});
