import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderArithmetic } from './arithmetic.ts';
import { EventQueue } from './event-queue.ts';
import { coresOf, costs, habits, ratesOf } from './model.ts';
import { simulate } from './simulate.ts';

test('events come in the order of their times', () => {
  const queue = new EventQueue<{ readonly at: number }>();
  const times = Array.from({ length: 500 }, (_, index) => (index * 7_919) % 501);
  for (const at of times) queue.push({ at });
  const popped: number[] = [];
  for (let event = queue.pop(); event !== undefined; event = queue.pop()) popped.push(event.at);
  expect(popped).toEqual(times.toSorted((a, b) => a - b));
  expect(queue.size).toBe(0);
});

test('the simulation keeps cores as busy as the arithmetic says, and more cores mean less waiting', () => {
  const run = (postgres: number) =>
    simulate({ people: 300_000, habits, cores: { web: 3, worker: 4, postgres }, seconds: 10 });
  const needed = coresOf(ratesOf(300_000, habits)).postgres;
  expect(needed).toBeGreaterThan(0.5);
  const result = run(2);
  expect(result.busy.postgres).toBeGreaterThan((needed / 2) * 0.9);
  expect(result.busy.postgres).toBeLessThan((needed / 2) * 1.1);
  expect(result.delays.post.p99).toBeLessThan(run(1).delays.post.p99);
  expect(result.burst).toEqual({ feeds: undefined, inboxes: undefined });
});

test('a burst reaches all of its feeds and inboxes', () => {
  const burst = { feeds: 50_000, inboxes: 500 };
  const cores = { web: 1, worker: 1, postgres: 1 };
  const result = simulate({ people: 1_000, habits, cores, seconds: 10, burst });
  // 50,000 entries of 0.02 ms need a second of one core.
  expect(result.burst.feeds).toBeGreaterThan(1);
  expect(result.burst.inboxes).toBeGreaterThan(0.25);
});

test('docs/scaling.md has the arithmetic of the model', () => {
  const document = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8');
  expect(document.split('\n')).toEqual(expect.arrayContaining(renderArithmetic([10_000, 100_000, 1_000_000])));
});

test('the events of a burst reach the streams of all its feeds', () => {
  const run = (feeds: number) =>
    simulate({
      people: 1_000,
      habits: { ...habits, streaming: 1 },
      cores: { web: 1, worker: 1, postgres: 1 },
      seconds: 10,
      burst: { feeds, inboxes: 0 },
    }).busy.worker;
  const costMs = 100_000 * (costs.feedEntry.node + costs.streamed.node);
  expect(run(100_000) - run(0)).toBeGreaterThan((costMs * 0.95) / 1_000 / 10);
});
