import { expect, test } from 'vitest';
import { FairSemaphore } from './fair-semaphore.ts';

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

/** Takes turns for tasks that run until they are ended, and records the order in which they start. */
function recordStarts(max: number) {
  const turns = new FairSemaphore(max);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    add: (owner: string, name: string): void =>
      void turns.run(owner, () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      }),
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

test('a task whose signal aborts leaves the queue, and the next one gets its turn', async () => {
  const turns = new FairSemaphore(1);
  const first = Promise.withResolvers<void>();
  const running = turns.run('a', () => first.promise);
  const leaving = new AbortController();
  const left = turns.run('b', async () => 'never', leaving.signal);
  const next = turns.run('b', async () => 'next', new AbortController().signal);
  expect(turns.countWaiting('b')).toEqual({ total: 2, ofOwner: 2 });
  expect(turns.countWaiting('a')).toEqual({ total: 2, ofOwner: 0 });
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(turns.run('c', async () => 'never', leaving.signal)).rejects.toThrow('gone');
  expect(turns.countWaiting('b')).toEqual({ total: 1, ofOwner: 1 });
  first.resolve();
  await running;
  expect(await next).toBe('next');
  expect(turns.countWaiting('b')).toEqual({ total: 0, ofOwner: 0 });
});
