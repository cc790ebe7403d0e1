import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DatabaseUnavailable, lockNotAvailable } from '../wire/database-unavailable.ts';
import { RetryLanes } from './retry-lanes.ts';

function useManualTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Adds a task that runs until it is ended, and records what happens to it. */
function addTask(lanes: RetryLanes, name: string, log: string[]): (error?: Error) => void {
  const ended = Promise.withResolvers<void>();
  lanes.add({
    run: async () => {
      log.push(`${name} starts`);
      await ended.promise;
      log.push(`${name} ends`);
    },
    reject: (error) => log.push(`${name}: ${(error as Error).name}`),
  });
  return (error) => (error === undefined ? ended.resolve() : ended.reject(error));
}

test('a write that gets no lane in time is rejected and never runs, and later ones run', async () => {
  useManualTime();
  const log: string[] = [];
  const lanes = new RetryLanes(1_000);
  const endSlow = ['a', 'b', 'c'].map((name) => addTask(lanes, name, log));
  addTask(lanes, 'waiting', log);
  vi.advanceTimersByTime(1_000);
  expect(log.splice(0)).toEqual(['a starts', 'b starts', 'c starts', 'waiting: DatabaseUnavailable']);
  for (const end of endSlow) end();
  await turn();
  addTask(lanes, 'later', log)();
  await turn();
  expect(log).toEqual(['a ends', 'b ends', 'c ends', 'later starts', 'later ends']);
  expect(vi.getTimerCount()).toBe(0);
});

test('a write whose row stays locked is rejected when its time is over', async () => {
  useManualTime();
  const lanes = new RetryLanes(1_000);
  let attempts = 0;
  const rejected = Promise.withResolvers<unknown>();
  lanes.add({
    run: async () => {
      attempts += 1;
      vi.advanceTimersByTime(400);
      const error = Object.assign(new pg.DatabaseError('locked', 0, 'error'), { code: lockNotAvailable });
      throw new DatabaseUnavailable(error);
    },
    reject: rejected.resolve,
  });
  expect(await rejected.promise).toMatchObject({ code: lockNotAvailable });
  expect([attempts, vi.getTimerCount()]).toEqual([3, 0]);
});
