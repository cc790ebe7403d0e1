import { expect, test } from 'vitest';
import type { App } from '../../platform/app.ts';
import { ManualClock } from '../../platform/clock.ts';
import { FetchError } from './fetch-document.ts';
import { SingleFlight } from './single-flight.ts';

const start = () => {
  const clock = new ManualClock();
  return { clock, flights: new SingleFlight<string>({ clock } as unknown as App) };
};
const overBudget = new FetchError('used up', { overBudget: true });
const failing = (reason: Error) => async (): Promise<string> => {
  throw reason;
};

test('FED-03: a fetch that ends because its starter ran out of budget is started again for those who joined it', async () => {
  const { flights } = start();
  const { promise, reject } = Promise.withResolvers<string>();
  const first = flights.get('x', () => promise);
  const second = flights.get('x', async () => 'found');
  const third = flights.get('x', failing(new Error('never started')));
  reject(overBudget);
  await expect(first).rejects.toBe(overBudget);
  expect(await Promise.all([second, third])).toEqual(['found', 'found']);
});

test('FED-03: that a budget was used up is not remembered', async () => {
  const { flights } = start();
  await expect(flights.get('x', failing(overBudget))).rejects.toBe(overBudget);
  expect(await flights.get('x', async () => 'found')).toBe('found');
});

test('FED-03: a failure is shared and remembered for 45 seconds, unless a fresh answer is asked for', async () => {
  const { clock, flights } = start();
  const down = new FetchError('down', { temporary: true });
  const both = [flights.get('x', failing(down)), flights.get('x', async () => 'never started')];
  for (const answer of both) await expect(answer).rejects.toBe(down);
  clock.advance(44);
  await expect(flights.get('x', async () => 'found')).rejects.toBe(down);
  expect(await flights.get('x', async () => 'found', true)).toBe('found');
  clock.advance(2);
  expect(await flights.get('x', async () => 'found')).toBe('found');
});
