import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { seedDemo } from '../../../bench/demo/seed-demo.ts';
import { compareIds, maxId, noId, type AccountId, type StatusId } from '../../../server/platform/ids.ts';
import { homeGraphQuery } from '../../../server/timelines/graph/follow-graph.ts';
import { scanHome } from '../../../server/timelines/graph/home-scan.ts';
import { recordStatements } from '../../record-statements.ts';
import { startServer } from '../../server.ts';

const size = { accounts: 150, statuses: 6_000, followsPerAccount: 60, seed: 3 };

test('any range of a home feed is the same, read from neighbouring statuses or by account', async () => {
  await using server = await startServer();
  const { app } = server;
  await seedDemo(app, size, () => {});
  server.expectUndelivered(/\.example$/u);
  // Followers of many, of few and of a hashtag.
  const { rows: readers } = await sql<{ id: AccountId; followed: number }>`
    select account_id as id, count(*)::int as followed from follows group by 1 order by 2 desc, 1`.execute(app.db);
  const [busy, quiet] = [readers[0], readers.at(-1)].map((reader) => reader?.id ?? ('0' as AccountId)) as [
    AccountId,
    AccountId,
  ];
  expect(readers[0]?.followed).toBeGreaterThan(50);
  await server.pool.query('delete from follows where account_id = $1 and target_account_id % 5 <> 0', [quiet]);
  await server.pool.query(
    `insert into tag_follows (id, account_id, tag_id, created_at)
    select tag_id, $1, tag_id, now() from status_tags group by tag_id order by count(*) desc limit 2
    on conflict do nothing`,
    [quiet],
  );
  const now = app.clock.now();
  const all = new Map<AccountId, StatusId[]>();
  for (const accountId of [busy, quiet]) {
    const range = { accountId, after: noId, before: maxId, count: 100_000, now };
    const { rows } = await homeGraphQuery('desc', range).execute(app.db);
    all.set(
      accountId,
      rows.map(({ id }) => id),
    );
  }
  expect(Math.min(...[...all.values()].map((ids) => ids.length))).toBeGreaterThan(300);
  const { rows: bounds } = await sql<{ id: StatusId }>`select id from statuses order by id`.execute(app.db);
  const bound = fc.constantFrom(noId, maxId, ...bounds.map(({ id }) => id));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(busy, quiet),
      fc.constantFrom('asc' as const, 'desc' as const),
      fc.tuple(bound, bound),
      fc.integer({ min: 1, max: 120 }),
      async (accountId, direction, ends, count) => {
        const [after, before] = ends.toSorted(compareIds) as [StatusId, StatusId];
        const within = (all.get(accountId) ?? []).filter(
          (id) => compareIds(id, after) > 0 && compareIds(id, before) < 0,
        );
        const expected = (direction === 'desc' ? within : within.toReversed()).slice(0, count);
        const found = await scanHome(app, direction, { accountId, after, before, count });
        expect(found.map(({ id }) => id)).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

test('a page of home at any depth takes one statement beside that of the stored feed', async () => {
  await using server = await startServer();
  const { app } = server;
  await seedDemo(app, size, () => {});
  server.expectUndelivered(/\.example$/u);
  const { rows } = await sql<{ id: AccountId; middle: StatusId }>`
    select account_id as id, (select percentile_disc(0.5) within group (order by id) from statuses) as middle
    from follows group by 1 order by count(*) desc limit 1`.execute(app.db);
  const [{ id: accountId, middle } = { id: '0' as AccountId, middle: noId }] = rows;
  const sent = await recordStatements(() =>
    scanHome(app, 'desc', { accountId, after: noId, before: middle, count: 64 }),
  );
  expect(sent).toHaveLength(1);
  // The probes of each followed account are not executed.
  const client = await app.pool.connect();
  const [{ text, values }] = sent as [{ text: string; values: readonly unknown[] }];
  const plan = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze, timing off) ${text}`, [...values]);
  client.release(true);
  const lines = plan.rows.map((row) => row['QUERY PLAN']);
  const head = lines.findIndex((line) => line.includes('CTE heads'));
  expect(lines[head + 1]).toMatch(/Limit .*actual rows=0\.00/u);
});
