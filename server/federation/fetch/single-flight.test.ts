import { expect, test } from 'vitest';
import type { App } from '../../platform/app.ts';
import { ManualClock } from '../../platform/clock.ts';
import { FetchError } from './fetch-document.ts';
import { defineFlight } from './single-flight.ts';

const flight = defineFlight<string>('test.flight_failures');

const start = () => {
  const clock = new ManualClock();
  const app = { clock } as unknown as App;
  const get = (fetch: () => Promise<string>, fresh = false) => flight(app, 'x', fetch, fresh);
  return { clock, get };
};
const overBudget = new FetchError('used up', { overBudget: true });
const failing = (reason: Error) => async (): Promise<string> => {
  throw reason;
};

test('FED-03: a fetch that fails because its first caller exceeds its budget is restarted for the other callers', async () => {
  const { get } = start();
  const { promise, reject } = Promise.withResolvers<string>();
  const first = get(() => promise);
  const second = get(async () => 'found');
  const third = get(failing(new Error('never started')));
  reject(overBudget);
  await expect(first).rejects.toBe(overBudget);
  expect(await Promise.all([second, third])).toEqual(['found', 'found']);
});

test('FED-03: an exceeded budget is not cached as a failure', async () => {
  const { get } = start();
  await expect(get(failing(overBudget))).rejects.toBe(overBudget);
  expect(await get(async () => 'found')).toBe('found');
});

test('FED-03: a failure is shared and cached for 45 seconds, unless a fresh response is requested', async () => {
  const { clock, get } = start();
  const down = new FetchError('down', { temporary: true });
  const both = [get(failing(down)), get(async () => 'never started')];
  for (const answer of both) await expect(answer).rejects.toBe(down);
  clock.advance(44);
  await expect(get(async () => 'found')).rejects.toBe(down);
  expect(await get(async () => 'found', true)).toBe('found');
  clock.advance(2);
  expect(await get(async () => 'found')).toBe('found');
});
