import { expect, test, vi } from 'vitest';
import { FairSemaphore, type WaitingLimits } from './fair-semaphore.ts';

test('tasks run up to the limit, every owner gets a turn, and a failed task frees its slot', async () => {
  const turns = new FairSemaphore(2);
  let running = 0;
  let maxRunning = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) =>
      turns.run(`owner ${index % 4}`, async () => {
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (index % 3 === 0) throw new Error('broken');
        return index;
      }),
    ),
  );
  expect(maxRunning).toBe(2);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
  expect(await turns.run('other', async () => 'free')).toBe('free');
});

/** Takes turns for tasks that run until they are ended, and records the order in which they start or are refused. */
function recordStarts(max: number, limits?: Omit<WaitingLimits, 'createError'>) {
  const turns = new FairSemaphore(max, limits && { ...limits, createError: () => new Error('busy') });
  const started: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string) => () => {
    started.push(name);
    return new Promise<void>((resolve) => ends.set(name, resolve));
  };
  return {
    started,
    refused,
    add: (owner: string, name: string): void =>
      void turns.run(owner, run(name)).catch((error: Error) => refused.push(`${name}: ${error.message}`)),
    end: (name: string): void => ends.get(name)?.(),
  };
}

test('with two slots, one owner leaves a slot for the others', async () => {
  const { started, add, end } = recordStarts(2);
  for (const name of ['a1', 'a2', 'a3']) add('a', name);
  add('b', 'b1');
  await expect.poll(() => started).toEqual(['a1', 'b1']);
  end('a1');
  await expect.poll(() => started).toEqual(['a1', 'b1', 'a2']);
});

test('with one slot, owners take turns however many tasks each of them has', async () => {
  const { started, add, end } = recordStarts(1);
  for (const name of ['a1', 'a2', 'a3', 'a4']) add('a', name);
  for (const name of ['b1', 'b2', 'c1']) add(name.charAt(0), name);
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) {
    await expect.poll(() => started).toContain(name);
    end(name);
  }
  await expect.poll(() => started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('an owner beyond its places is refused, also in favour of others when all places are taken', async () => {
  const { started, refused, add, end } = recordStarts(1, { maxTasks: 4, maxTasksOfOwner: 3 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) add('a', name);
  await expect.poll(() => refused).toEqual(['a5: busy']);
  add('b', 'b1');
  add('b', 'b2');
  await expect.poll(() => refused).toEqual(['a5: busy', 'a4: busy']);
  add('c', 'c1');
  await expect.poll(() => refused).toEqual(['a5: busy', 'a4: busy', 'a3: busy']);
  add('a', 'a6');
  await expect.poll(() => refused.at(-1)).toBe('a6: busy');
  for (const name of ['a1', 'a2', 'b1', 'c1']) {
    await expect.poll(() => started).toContain(name);
    end(name);
  }
  await expect.poll(() => started).toEqual(['a1', 'a2', 'b1', 'c1', 'b2']);
  expect(refused).toHaveLength(4);
});

test('a task that waits too long is refused and leaves the queue; one that started in time goes on', async () => {
  vi.useFakeTimers();
  try {
    const { started, refused, add, end } = recordStarts(1, { maxWaitMs: 8_000 });
    add('a', 'a1');
    add('b', 'b1');
    await vi.advanceTimersByTimeAsync(7_999);
    expect(refused).toEqual([]);
    add('c', 'c1');
    await vi.advanceTimersByTimeAsync(1);
    expect(refused).toEqual(['b1: busy']);
    end('a1');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([started, refused]).toEqual([['a1', 'c1'], ['b1: busy']]);
  } finally {
    vi.useRealTimers();
  }
});

test('a task whose signal aborts leaves the queue, and the next one gets its turn', async () => {
  const turns = new FairSemaphore(1);
  const first = Promise.withResolvers<void>();
  const running = turns.run('a', () => first.promise);
  const leaving = new AbortController();
  const left = turns.run('b', async () => 'never', leaving.signal);
  const next = turns.run('b', async () => 'next', new AbortController().signal);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(turns.run('c', async () => 'never', leaving.signal)).rejects.toThrow('gone');
  first.resolve();
  await running;
  expect(await next).toBe('next');
});

test('a task that starts at once sets no timer, and one that waits sets one', async () => {
  vi.useFakeTimers();
  try {
    const { started, add, end } = recordStarts(1, { maxWaitMs: 1_000 });
    add('a', 'a1');
    expect([started, vi.getTimerCount()]).toEqual([['a1'], 0]);
    add('b', 'b1');
    expect([started, vi.getTimerCount()]).toEqual([['a1'], 1]);
    end('a1');
    await vi.waitFor(() => expect([started, vi.getTimerCount()]).toEqual([['a1', 'b1'], 0]));
  } finally {
    vi.useRealTimers();
  }
});
