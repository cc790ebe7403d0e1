import { effect } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EntityStore } from './entity-store.ts';

interface Post {
  readonly id: string;
  readonly text: string;
}

const maxUnused = 10;
/** More than the limit and what may be above it. */
const many = maxUnused + 201;
let server: Map<string, Post>;
let requests: string[][];
let gone: string[];
let isOffline: boolean;
let store: EntityStore<Post>;

beforeEach(() => {
  vi.useFakeTimers();
  server = new Map();
  [requests, gone, isOffline] = [[], [], false];
  store = new EntityStore<Post>({
    maxUnused,
    maxPerRequest: 20,
    async load(ids) {
      requests.push([...ids]);
      if (isOffline) throw new Error('offline');
      return ids.flatMap((id) => server.get(id) ?? []);
    },
    store: (post) => store.set(post.id, post),
    onGone(id) {
      gone.push(id);
      store.delete(id);
    },
  });
});
afterEach(() => void vi.useRealTimers());

function add(id: string): void {
  const post = { id, text: `Post ${id}` };
  server.set(id, post);
  store.set(id, post);
}

/** Stores posts that nothing shows. */
function addOthers(prefix: string): void {
  for (let index = 0; index < many; index += 1) add(`${prefix}${index}`);
}

/** Shows posts as a component does. Returns what it shows, and how to stop. */
function show(...ids: string[]): { readonly texts: () => (string | undefined)[]; readonly stop: () => void } {
  let texts: (string | undefined)[] = [];
  const stop = effect(() => void (texts = ids.map((id) => store.of(id).value?.text)));
  return { texts: () => texts, stop };
}

test('what is not shown is evicted beyond the limit, the least recently used first', () => {
  addOthers('a');
  const kept = Array.from({ length: many }, (_, index) => `a${index}`).filter((id) => store.peek(id) !== undefined);
  expect(kept).toEqual(Array.from({ length: maxUnused }, (_, index) => `a${many - maxUnused + index}`));
  expect(store.isEvicted('a0')).toBe(true);
  expect(store.isEvicted('unknown')).toBe(false);
});

test('what is shown never vanishes, and is evicted only after it was shown', () => {
  add('first');
  const shown = show('first');
  for (const prefix of ['a', 'b', 'c']) addOthers(prefix);
  expect(shown.texts()).toEqual(['Post first']);
  store.set('first', { id: 'first', text: 'Edited' });
  expect(shown.texts()).toEqual(['Edited']);
  expect(requests).toEqual([]);

  shown.stop();
  add('next');
  expect(store.peek('first')).toBeDefined();
  addOthers('d');
  expect(store.peek('first')).toBeUndefined();
});

test('what a list contains stays, also out of sight, until the list is closed', () => {
  add('first');
  const release = store.keep(() => ['first']);
  addOthers('a');
  addOthers('b');
  expect(store.peek('first')?.text).toBe('Post first');
  release();
  addOthers('c');
  expect(store.peek('first')).toBeUndefined();
});

test('evicted ones are loaded in one request when they are shown', async () => {
  add('first');
  add('second');
  addOthers('a');
  const shown = show('first', 'second');
  expect(shown.texts()).toEqual([undefined, undefined]);
  await vi.runAllTimersAsync();
  expect(requests).toEqual([['first', 'second']]);
  expect(shown.texts()).toEqual(['Post first', 'Post second']);
  expect(store.isEvicted('first')).toBe(false);
});

test('an evicted one that is stored before it is loaded is not requested', async () => {
  add('first');
  addOthers('a');
  const shown = show('first');
  store.set('first', { id: 'first', text: 'From the stream' });
  await vi.runAllTimersAsync();
  expect(requests).toEqual([]);
  expect(shown.texts()).toEqual(['From the stream']);
});

test('an evicted one that the server does not have any more is gone', async () => {
  add('first');
  addOthers('a');
  server.delete('first');
  const isEvicted: boolean[] = [];
  effect(() => void isEvicted.push(store.isEvicted('first')));
  const shown = show('first');
  await vi.runAllTimersAsync();
  expect(gone).toEqual(['first']);
  expect(shown.texts()).toEqual([undefined]);
  expect(isEvicted).toEqual([true, false]);
});

test('without a connection an evicted one is requested again while it is shown', async () => {
  add('first');
  addOthers('a');
  isOffline = true;
  const shown = show('first');
  await vi.advanceTimersByTimeAsync(100);
  expect(requests).toHaveLength(1);
  expect(store.isEvicted('first')).toBe(true);
  isOffline = false;
  await vi.advanceTimersByTimeAsync(6_000);
  expect(shown.texts()).toEqual(['Post first']);
  expect(requests).toHaveLength(2);
});

test('a deleted one is neither shown nor loaded again', async () => {
  add('first');
  const shown = show('first');
  store.delete('first');
  expect(shown.texts()).toEqual([undefined]);
  addOthers('a');
  await vi.runAllTimersAsync();
  expect(requests).toEqual([]);
  expect(store.isEvicted('first')).toBe(false);
});
