import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { splitList, batchedQuery, joinList } from '../../server/platform/database/batched-query.ts';
import { poolTimeouts } from '../../server/platform/wire/pool.ts';
import { startServer } from '../server.ts';
import { recordStatements } from '../record-statements.ts';

/** Returns `count` numbers from `first` down, except those in `without`; nothing if `first` is null. */
const countdown = batchedQuery<{ n: number }>()<{ first: number | null; count: number; without: string }>(
  { first: 'int', count: 'int', without: 'text' },
  ({ first, count, without }) => sql`
    select n from generate_series(${first} - ${count} + 1, ${first}) n
    where n <> all(${splitList(without, 'int')}) order by n desc`,
);

const expected = (first: number | null, count: number, without: readonly number[]): number[] =>
  first === null ? [] : Array.from({ length: count }, (_, at) => first - at).filter((n) => !without.includes(n));

test('each caller gets its own rows in order, and the calls of one turn share few statements', async () => {
  await using server = await startServer();
  const args = fc.record({
    first: fc.option(fc.integer({ min: -50, max: 50 })),
    count: fc.integer({ min: 0, max: 9 }),
    without: fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 4 }),
  });
  const check = async (calls: { first: number | null; count: number; without: number[] }[]) => {
    const statements = await recordStatements(async () => {
      const results = await Promise.all(
        calls.map(({ first, count, without }) =>
          countdown(server.app, { first, count, without: joinList(without.map(String)) }),
        ),
      );
      const numbers = results.map((rows) => rows.map(({ n }) => n));
      expect(numbers).toEqual(calls.map(({ first, count, without }) => expected(first, count, without)));
    });
    expect(statements).toHaveLength(Math.ceil(calls.length / 32));
  };
  await fc.assert(fc.asyncProperty(fc.array(args, { minLength: 1, maxLength: 70 }), check), { numRuns: 60 });
});

test('a failure rejects only the call that caused it', async () => {
  await using server = await startServer();
  const quotient = batchedQuery<{ value: number }>()<{ by: number }>(
    { by: 'int' },
    ({ by }) => sql`select 6 / ${by} as value`,
  );
  const results = await Promise.allSettled([quotient(server.app, { by: 2 }), quotient(server.app, { by: 0 })]);
  expect(results).toMatchObject([{ status: 'fulfilled', value: [{ value: 3 }] }, { status: 'rejected' }]);
});

test('an unbatched call has its own statement', async () => {
  await using server = await startServer();
  const args = { first: 3, count: 2, without: '' };
  const statements = await recordStatements(async () => {
    const calls = [false, true, false].map((alone) => countdown(server.app, args, { unbatched: alone }));
    for (const rows of await Promise.all(calls)) expect(rows.map(({ n }) => n)).toEqual([3, 2]);
  });
  expect(statements).toHaveLength(2);
});

test('a query that is too slow fails alone, after its batch was cancelled', async () => {
  await using server = await startServer({ poolTimes: { ...poolTimeouts, statementMs: 3_000 } });
  const holder = await server.pool.connect();
  await holder.query('select pg_advisory_lock(1)');
  const wait = batchedQuery<{ key: number }>()<{ key: number }>(
    { key: 'int' },
    ({ key }) => sql`select ${key} as key from (select pg_advisory_xact_lock_shared(${key})) locked`,
  );
  const results = await Promise.allSettled([2, 1, 3, 1].map((key) => wait(server.app, { key })));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(await wait(server.app, { key: 4 })).toMatchObject([{ key: 4 }]);
  expect(server.app.pool.waitingCount).toBe(0);
  await holder.query('select pg_advisory_unlock_all()');
  holder.release();
});
