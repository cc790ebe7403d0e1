import { expect, onTestFinished, test, vi } from 'vitest';
import { AcceptedItems } from './accepted-items.ts';

/** Returns items for at most ten, and what each turn took. */
function createItems(gatherMs?: number) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const items = new AcceptedItems<string>(10, () => true, gatherMs);
  const turns: string[][] = [];
  items.open(() => turns.push([...items.take()]));
  const start = (...names: string[]): void => {
    expect(items.reserve(names.length)).toBe(true);
    items.start(names);
  };
  return { items, turns, start };
}

test('an item that arrives alone is taken at once, and those that follow are taken together', () => {
  const { items, turns, start } = createItems();
  start('a');
  expect(turns).toEqual([['a']]);
  start('b');
  vi.advanceTimersByTime(20);
  start('c');
  // A turn that begins for another reason leaves them.
  expect(items.take()).toEqual([]);
  vi.advanceTimersByTime(29);
  expect(turns).toEqual([['a']]);
  vi.advanceTimersByTime(1);
  expect(turns).toEqual([['a'], ['b', 'c']]);
  vi.advanceTimersByTime(50);
  start('d');
  expect(turns.slice(2)).toEqual([['d']]);
});

test('items do not wait when half of the room is taken, and after the last turn', () => {
  const { items, turns, start } = createItems();
  start('a');
  start('b', 'c', 'd', 'e');
  expect(turns).toHaveLength(1);
  start('f');
  expect(turns.slice(1)).toEqual([['b', 'c', 'd', 'e', 'f']]);
  start('g');
  items.close();
  expect(items.take()).toEqual(['g']);
  expect(items.reserve(1)).toBe(false);
  vi.advanceTimersByTime(50);
  expect(turns).toHaveLength(2);
});

test('a worker may gather items for longer', () => {
  const { turns, start } = createItems(1_000);
  start('a');
  start('b');
  vi.advanceTimersByTime(999);
  expect(turns).toEqual([['a']]);
  vi.advanceTimersByTime(1);
  expect(turns).toEqual([['a'], ['b']]);
});
