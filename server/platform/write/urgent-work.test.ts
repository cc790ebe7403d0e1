import { expect, onTestFinished, test, vi } from 'vitest';
import type { App } from '../app.ts';
import { urgentWork } from './urgent-work.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function createWork() {
  const work = urgentWork({} as App);
  const done: string[] = [];
  return { work, done, runAfter: (name: string) => work.runAfter(() => void done.push(name)) };
}

test('without urgent work, other work runs at once', () => {
  const { done, runAfter } = createWork();
  runAfter('job');
  expect(done).toEqual(['job']);
});

test('work waits for all that is urgent at its time, and not for what comes later', async () => {
  const { work, done, runAfter } = createWork();
  const [first, second, later] = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  work.add(first!.promise);
  work.add(second!.promise);
  runAfter('job');
  work.add(later!.promise);
  first!.resolve();
  await turn();
  expect(done).toEqual([]);
  second!.resolve();
  await turn();
  expect(done).toEqual(['job']);
});

test('urgent work that hangs delays other work only for a moment', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { work, done, runAfter } = createWork();
  work.add(new Promise(() => {}));
  runAfter('job');
  await vi.advanceTimersByTimeAsync(49);
  expect(done).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toEqual(['job']);
});

test('while much is urgent, other work does not wait', () => {
  const { work, done, runAfter } = createWork();
  for (let count = 0; count < 5; count += 1) work.add(new Promise(() => {}));
  runAfter('job');
  expect(done).toEqual(['job']);
});
