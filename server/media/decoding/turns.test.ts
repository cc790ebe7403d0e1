import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

test('no more run at once than may, everybody gets a turn, and a failure frees its place', async () => {
  const turns = new Turns(2);
  let running = 0;
  let most = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) =>
      turns.take(async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (index % 3 === 0) throw new Error('broken');
        return index;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
  expect(await turns.take(async () => 'free')).toBe('free');
});
