import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { LocalBus } from '../../server/platform/bus/bus.ts';
import { PostgresRateLimiter } from '../../server/platform/rate-limits/postgres-rate-limiter.ts';
import type { RateLimitResult } from '../../server/platform/rate-limits/rate-limiter.ts';
import { DatabaseProxy } from '../database-proxy.ts';
import { startServer, type TestServer } from '../server.ts';

/** Creates limiters of several processes on one database that know of each other. */
function createLimiters({ app, clock }: TestServer, count: number): PostgresRateLimiter[] {
  const bus = new LocalBus();
  return Array.from(
    { length: count },
    () => new PostgresRateLimiter({ pool: app.pool, bus, clock, countProcesses: async () => count }),
  );
}

test('two processes share a budget: of 360 requests to both at once, 300 pass', async () => {
  await using server = await startServer();
  const [one, other] = createLimiters(server, 2) as [PostgresRateLimiter, PostgresRateLimiter];
  const budgets = await Promise.all(
    Array.from({ length: 360 }, async (_, at) => (at % 2 === 0 ? one : other).take('api:192.0.2.1', 300, 300)),
  );
  expect(budgets.filter(({ remaining }) => remaining >= 0)).toHaveLength(300);
  const sequential: RateLimitResult[] = [];
  for (let at = 0; at < 360; at += 1) sequential.push(await (at % 2 === 0 ? one : other).take('token:1', 300, 300));
  expect(sequential.filter(({ remaining }) => remaining >= 0)).toHaveLength(300);
  // The last requests get the exact remaining number, whichever process they reach.
  expect(sequential.slice(290, 300).map(({ remaining }) => remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  await Promise.all([one.close(), other.close()]);
});

test('small budgets are exact across processes, from the first request on', async () => {
  await using server = await startServer();
  const processes = createLimiters(server, 3);
  const results: RateLimitResult[] = [];
  for (let at = 0; at < 9; at += 1) {
    results.push(await (processes[at % 3] as PostgresRateLimiter).take('sign-up:192.0.2.1', 5, 1_800));
  }
  expect(results.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, -1, -2, -3, -4]);
  const other = await (processes[0] as PostgresRateLimiter).take('sign-up:192.0.2.2', 5, 1_800);
  expect(other.remaining).toBe(4);
  server.clock.advance(1_800);
  expect((await (processes[1] as PostgresRateLimiter).take('sign-up:192.0.2.1', 5, 1_800)).remaining).toBe(4);
  await Promise.all(processes.map((process) => process.close()));
});

test('a single process counts in memory, and shares its counts when another one joins', async () => {
  await using server = await startServer();
  const { app, clock } = server;
  const bus = new LocalBus();
  const stored = async (): Promise<number> => {
    const { rows } = await sql<{
      count: number;
    }>`select coalesce(sum(count), 0)::int as count from rate_counts`.execute(app.db);
    return rows[0]?.count ?? 0;
  };
  let processes = 1;
  const join = () => new PostgresRateLimiter({ pool: app.pool, bus, clock, countProcesses: async () => processes });
  const first = join();
  // At the first request the process cannot know yet that there is no other.
  await first.take('password:alice', 10, 3_600);
  const before = await stored();
  for (let at = 0; at < 6; at += 1) expect(first.take('password:alice', 10, 3_600)).not.toBeInstanceOf(Promise);
  expect(await stored()).toBe(before);
  processes = 2;
  const second = join();
  await second.take('other', 10, 3_600);
  await expect.poll(stored).toBeGreaterThanOrEqual(8);
  expect((await second.take('password:alice', 10, 3_600)).remaining).toBe(2);
  await Promise.all([first.close(), second.close()]);
});

test('while the database is unavailable each process counts alone, and stores its counts later', async () => {
  await using proxy = await DatabaseProxy.start();
  await using server = await startServer({ connection: proxy.connection });
  const [one, other] = createLimiters(server, 2) as [PostgresRateLimiter, PostgresRateLimiter];
  await one.take('sign-up:1', 5, 1_800);
  proxy.refuse();
  expect((await one.take('sign-up:1', 5, 1_800)).remaining).toBe(3);
  expect((await other.take('sign-up:1', 5, 1_800)).remaining).toBe(4);
  proxy.recover();
  expect((await one.take('sign-up:1', 5, 1_800)).remaining).toBe(2);
  expect((await other.take('sign-up:1', 5, 1_800)).remaining).toBe(0);
  await Promise.all([one.close(), other.close()]);
});

test('counts of expired windows are deleted', async () => {
  await using server = await startServer();
  // To the start of a window of two hours, which has not ended ten minutes later.
  server.clock.advance(7_200 - ((server.clock.now().getTime() / 1000) % 7_200));
  const [one] = createLimiters(server, 2) as [PostgresRateLimiter];
  await one.take('sign-up:1', 5, 300);
  await one.take('sign-up:1', 5, 7_200);
  server.clock.advance(600);
  await server.runSchedule('platform.delete_rate_counts');
  const { rows } = await sql`select from rate_counts`.execute(server.app.db);
  expect(rows).toHaveLength(1);
  await one.close();
});
