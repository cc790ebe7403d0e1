import { expect, onTestFinished, test, vi } from 'vitest';
import { Batcher, type BatcherOptions } from './batcher.ts';

/** Returns a batcher that resolves each item to itself, and the batches that it ran. */
function createBatcher(options: Partial<BatcherOptions<string, string>> = {}) {
  const batches: string[][] = [];
  const batcher = new Batcher<string, string>({
    maxBatchSize: 3,
    isSequential: true,
    run: async (batch) => {
      batches.push(batch.map(({ item }) => item));
      await turn();
      for (const { item, resolve } of batch) resolve(item);
    },
    ...options,
  });
  return { batches, addAll: (items: string[]) => Promise.allSettled(items.map((item) => batcher.add(item))) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('items of one turn share batches of the maximum size, in order', async () => {
  const { batches, addAll } = createBatcher();
  const results = await addAll(['a', 'b', 'c', 'd']);
  expect(results.map((result) => result.status === 'fulfilled' && result.value)).toEqual(['a', 'b', 'c', 'd']);
  expect(batches).toEqual([['a', 'b', 'c'], ['d']]);
});

test('items that arrive while a sequential batch runs share the next one', async () => {
  const { batches, addAll } = createBatcher();
  const first = addAll(['a']);
  await turn();
  await Promise.all([first, addAll(['b']), addAll(['c'])]);
  expect(batches).toEqual([['a'], ['b', 'c']]);
});

test('batches overlap unless they are sequential', async () => {
  let running = 0;
  let maxRunning = 0;
  const { addAll } = createBatcher({
    isSequential: false,
    run: async (batch) => {
      maxRunning = Math.max(maxRunning, (running += 1));
      await turn();
      running -= 1;
      for (const { item, resolve } of batch) resolve(item);
    },
  });
  await addAll(['a', 'b', 'c', 'd', 'e']);
  expect(maxRunning).toBe(2);
});

test('a batch ends before an item that must not share it', async () => {
  const { batches, addAll } = createBatcher({ canShareBatch: (first, next) => first[0] === next[0] });
  await addAll(['a1', 'a2', 'b1', 'a3']);
  expect(batches).toEqual([['a1', 'a2'], ['b1'], ['a3']]);
});

test('items beyond the limit are rejected immediately, and accepted again once there is room', async () => {
  const { batches, addAll } = createBatcher({ waitingLimit: { maxItems: 2, createError: () => new Error('full') } });
  const results = await addAll(['a', 'b', 'c']);
  expect(results).toMatchObject([
    { status: 'fulfilled' },
    { status: 'fulfilled' },
    { status: 'rejected', reason: new Error('full') },
  ]);
  await addAll(['d']);
  expect(batches).toEqual([['a', 'b'], ['d']]);
});

test('an error of a batch rejects its items and does not affect the next batch', async () => {
  const { addAll } = createBatcher({
    maxBatchSize: 1,
    run: async ([entry]) => {
      if (entry?.item === 'bad') throw new Error('no database');
      entry?.resolve('done');
    },
  });
  expect(await addAll(['bad', 'good'])).toMatchObject([
    { status: 'rejected', reason: { message: 'no database' } },
    { status: 'fulfilled', value: 'done' },
  ]);
  expect(await addAll(['later'])).toMatchObject([{ value: 'done' }]);
});

test('a batch waits for as many items as the one before had, and one item after another never waits', async () => {
  const { batches, addAll } = createBatcher({ lingerMs: 60_000 });
  await addAll(['a', 'b']);
  const early = addAll(['c']);
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(batches).toEqual([['a', 'b']]);
  await Promise.all([early, addAll(['d'])]);
  expect(batches).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  const other = createBatcher({ lingerMs: 60_000 });
  await other.addAll(['a']);
  await other.addAll(['b']);
  expect(other.batches).toEqual([['a'], ['b']]);
});

test('a batch waits for others no longer than it may', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { batches, addAll } = createBatcher({ lingerMs: 10 });
  await addAll(['a', 'b']);
  const alone = addAll(['c']);
  await turn();
  vi.advanceTimersByTime(10);
  await alone;
  expect(batches).toEqual([['a', 'b'], ['c']]);
  vi.advanceTimersByTime(10);
  await addAll(['d', 'e']);
  vi.advanceTimersByTime(10);
  await addAll(['f']);
  expect(batches.slice(2)).toEqual([['d', 'e'], ['f']]);
});

test('an item that must not share a batch, even with an equal one, runs alone', async () => {
  const { batches, addAll } = createBatcher({ canShareBatch: () => false });
  await addAll(['a', 'a']);
  expect(batches).toEqual([['a'], ['a']]);
});

test('an item that waits too long for the batch before it is rejected, and later ones run', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const released = Promise.withResolvers<void>();
  const { batches, addAll } = createBatcher({
    waitingLimit: { maxItems: 10, maxWaitMs: 1_000, createError: () => new Error('too late') },
    run: async (batch) => {
      batches.push(batch.map(({ item }) => item));
      if (batch[0]?.item === 'slow') await released.promise;
      for (const { item, resolve } of batch) resolve(item);
    },
  });
  const slow = addAll(['slow']);
  await turn();
  const late = addAll(['late']);
  vi.advanceTimersByTime(1_000);
  vi.advanceTimersByTime(1_000);
  expect(await late).toMatchObject([{ status: 'rejected', reason: { message: 'too late' } }]);
  const next = addAll(['next']);
  released.resolve();
  expect(await Promise.all([slow, next])).toMatchObject([[{ value: 'slow' }], [{ value: 'next' }]]);
  expect(batches).toEqual([['slow'], ['next']]);
});
