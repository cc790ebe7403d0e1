import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sampleTable } from '../../server/platform/database/sample-table.ts';
import { startServer } from '../server.ts';

test('the rows of a small table are counted, those of a large one estimated from some of its pages', async () => {
  await using server = await startServer();
  const insert = (first: number, last: number) =>
    sql`
    insert into tag_daily_uses (tag_id, dimension, day, part, uses)
    select n, 'account', date '2026-03-10', n::text, n % 10 from generate_series(${first}::int, ${last}::int) n`.execute(
      server.db,
    );
  const estimate = async () => {
    const sample = await sampleTable(server.app, 'tag_daily_uses');
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sample.rows} where uses = 0`.execute(server.app.db);
    return sample.estimate(rows[0]?.count ?? 0);
  };
  expect(await estimate()).toEqual({ number: 0, isExact: true });
  await insert(1, 1_000);
  expect(await estimate()).toEqual({ number: 100, isExact: true });
  await insert(1_001, 200_000);
  const { number, isExact } = await estimate();
  expect(isExact).toBe(false);
  expect(number).toBeGreaterThan(15_000);
  expect(number).toBeLessThan(25_000);
});
