import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { seedDemo } from '../../../bench/demo/seed-demo.ts';
import {
  compareIds,
  maxId,
  noId,
  newId,
  type AccountId,
  type ListId,
  type StatusId,
} from '../../../server/platform/ids.ts';
import { involvedAccounts } from '../../../server/timelines/graph/belongs-in-home.ts';
import { belongsInList, visibleListMembers } from '../../../server/timelines/graph/belongs-in-list.ts';
import { loadFromListGraph } from '../../../server/timelines/graph/list-graph.ts';
import { recordStatements } from '../../record-statements.ts';
import { startServer, type TestServer } from '../../server.ts';

const size = { accounts: 150, statuses: 6_000, followsPerAccount: 60, seed: 3 };

/** Creates a list of the account that follows most, with some of the accounts that it follows. */
async function createList(
  { app, pool }: TestServer,
  policy: 'list' | 'followed',
  members: { every: number },
): Promise<ListId> {
  const id = newId<'list'>(app.clock.now());
  const { rows } = await sql<{ id: AccountId }>`
    select account_id as id from follows group by 1 order by count(*) desc, 1 limit 1`.execute(app.db);
  const owner = rows[0]?.id;
  await pool.query(
    `insert into lists (id, account_id, title, replies_policy, exclusive, created_at)
    values ($1, $2, 'List', $3, false, now())`,
    [id, owner, policy],
  );
  await pool.query(
    `insert into list_accounts (id, list_id, account_id, owner_id, exclusive)
    select id + $1::bigint % 1000, $1, target_account_id, account_id, false from follows where account_id = $2 and target_account_id % $3 = 0`,
    [id, owner, members.every],
  );
  return id;
}

async function startSeededServer(): Promise<TestServer> {
  const server = await startServer();
  await seedDemo(server.app, size, () => {});
  server.expectUndelivered(/\.example$/u);
  return server;
}

test('any range of a list is the same, read from neighbouring statuses or by member (LIST-03)', async () => {
  await using server = await startSeededServer();
  const { app } = server;
  const lists = [await createList(server, 'list', { every: 1 }), await createList(server, 'followed', { every: 6 })];
  const all = new Map<ListId, StatusId[]>();
  for (const listId of lists) {
    const { rows } = await sql<{ id: StatusId }>`
      with members as (${visibleListMembers(sql`m.list_id = ${listId}::bigint`)})
      select s.id from members f join statuses s on s.account_id = f.target_account_id and s.deleted_at is null
        ${involvedAccounts}
      where ${belongsInList(app.clock.now())} order by s.id desc`.execute(app.db);
    all.set(
      listId,
      rows.map(({ id }) => id),
    );
  }
  expect(Math.min(...[...all.values()].map((ids) => ids.length))).toBeGreaterThan(200);
  const { rows: bounds } = await sql<{ id: StatusId }>`select id from statuses order by id`.execute(app.db);
  const bound = fc.constantFrom(noId, maxId, ...bounds.map(({ id }) => id));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...lists),
      fc.constantFrom('asc' as const, 'desc' as const),
      fc.tuple(bound, bound),
      fc.integer({ min: 1, max: 120 }),
      async (listId, direction, ends, count) => {
        const [after, before] = ends.toSorted(compareIds) as [StatusId, StatusId];
        const within = (all.get(listId) ?? []).filter((id) => compareIds(id, after) > 0 && compareIds(id, before) < 0);
        const expected = (direction === 'desc' ? within : within.toReversed()).slice(0, count);
        const found = await loadFromListGraph(app, direction, { listId, after, before, count, now: app.clock.now() });
        expect(found.map(({ id }) => id)).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

test('a page of a list with many members probes none of them if the neighbouring statuses suffice', async () => {
  await using server = await startSeededServer();
  const { app } = server;
  const listId = await createList(server, 'followed', { every: 1 });
  const { rows } = await sql<{ middle: StatusId }>`
    select percentile_disc(0.5) within group (order by id) as middle from statuses`.execute(app.db);
  const args = { listId, after: noId, before: rows[0]?.middle ?? maxId, count: 20, now: app.clock.now() };
  const sent = await recordStatements(() => loadFromListGraph(app, 'desc', args));
  const [{ text, values }] = sent as [{ text: string; values: readonly unknown[] }];
  const client = await app.pool.connect();
  const plan = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze, timing off) ${text}`, [...values]);
  client.release(true);
  const lines = plan.rows.map((row) => row['QUERY PLAN']);
  const head = lines.findIndex((line) => line.includes('CTE heads'));
  expect(lines[head + 1]).toMatch(/Limit .*actual rows=0\.00/u);
});
