import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pages } from './pages.ts';

interface Item {
  readonly id: string;
}

const toItems = (ids: string): readonly Item[] => [...ids].map((id) => ({ id }));
const idsOf = ({ items }: Pages<Item>): string => items.value.map(({ id }) => id).join('');
const is = (id: string) => (item: Item) => item.id === id;
const putFirst = (id: string) => (items: readonly Item[]) => [{ id }, ...items.filter((item) => item.id !== id)];

/** Requests that the test answers, oldest first. */
let requests: { readonly url: string; readonly answer: (ids: string, next?: string) => void }[];

beforeEach(() => {
  requests = [];
  vi.stubGlobal('location', new URL('https://web.test/'));
  vi.stubGlobal('fetch', (url: string) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const answer = (ids: string, next?: string): void => {
      const headers = next === undefined ? {} : { link: `<https://web.test${next}>; rel="next"` };
      resolve(Response.json(toItems(ids), { headers }));
    };
    requests.push({ url, answer });
    return promise;
  });
});

afterEach(() => void vi.unstubAllGlobals());

test('an item that is added or removed while the first page is loaded stays so, whichever the page has', async () => {
  const pages = new Pages<Item>('/items');
  const loaded = pages.load();
  pages.change(putFirst('n'));
  pages.removeWhere(is('b'));
  expect(idsOf(pages)).toBe('n');
  requests[0]?.answer('abc');
  await loaded;
  expect(idsOf(pages)).toBe('nac');

  const again = pages.load();
  pages.change(putFirst('m'));
  requests[1]?.answer('mnac');
  await again;
  expect(idsOf(pages)).toBe('mnac');
});

test('an item that is removed while the next page is loaded does not come back, unless it is put back', async () => {
  const pages = new Pages<Item>('/items');
  const first = pages.load();
  requests[0]?.answer('abc', '/items?max_id=c');
  await first;
  const second = pages.loadMore();
  expect(requests[1]?.url).toBe('/items?max_id=c');
  pages.removeWhere(is('a'));
  const restore = pages.removeWhere(({ id }) => id === 'b' || id === 'd');
  requests[1]?.answer('de');
  await second;
  expect(idsOf(pages)).toBe('ce');
  restore();
  expect(idsOf(pages)).toBe('bce');
});

test('items are put back at their places, once', async () => {
  const pages = new Pages<Item>('/items');
  const loaded = pages.load();
  requests[0]?.answer('abcde');
  await loaded;
  const restore = pages.removeWhere(({ id }) => 'bd'.includes(id));
  expect(idsOf(pages)).toBe('ace');
  restore();
  expect(idsOf(pages)).toBe('abcde');
  restore();
  expect(idsOf(pages)).toBe('abcde');
});
