import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { splitList, batchedQuery, joinList } from '../../server/platform/database/batched-query.ts';
import { startServer } from '../server.ts';
import { recordStatements } from '../record-statements.ts';

/** The numbers from `first` down, as many as `count`, that are not in `without`; null for no bound gives nothing. */
const countdown = batchedQuery<{ n: number }>()<{ first: number | null; count: number; without: string }>(
  { first: 'int', count: 'int', without: 'text' },
  ({ first, count, without }) => sql`
    select n from generate_series(${first} - ${count} + 1, ${first}) n
    where n <> all(${splitList(without, 'int')}) order by n desc`,
);

const expected = (first: number | null, count: number, without: readonly number[]): number[] =>
  first === null ? [] : Array.from({ length: count }, (_, at) => first - at).filter((n) => !without.includes(n));

test('each who asks gets its own rows in order, and all of one turn are few statements', async () => {
  await using server = await startServer();
  const question = fc.record({
    first: fc.option(fc.integer({ min: -50, max: 50 })),
    count: fc.integer({ min: 0, max: 9 }),
    without: fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 4 }),
  });
  const check = async (questions: { first: number | null; count: number; without: number[] }[]) => {
    const sent = await recordStatements(async () => {
      const answers = await Promise.all(
        questions.map(({ first, count, without }) =>
          countdown(server.app, { first, count, without: joinList(without.map(String)) }),
        ),
      );
      const numbers = answers.map((rows) => rows.map(({ n }) => n));
      expect(numbers).toEqual(questions.map(({ first, count, without }) => expected(first, count, without)));
    });
    expect(sent).toHaveLength(Math.ceil(questions.length / 32));
  };
  await fc.assert(fc.asyncProperty(fc.array(question, { minLength: 1, maxLength: 70 }), check), { numRuns: 60 });
});

test('a failure reaches only whose question it is', async () => {
  await using server = await startServer();
  const quotient = batchedQuery<{ value: number }>()<{ by: number }>(
    { by: 'int' },
    ({ by }) => sql`select 6 / ${by} as value`,
  );
  const together = await Promise.allSettled([quotient(server.app, { by: 2 }), quotient(server.app, { by: 0 })]);
  expect(together).toMatchObject([{ status: 'fulfilled', value: [{ value: 3 }] }, { status: 'rejected' }]);
});

test('what is asked alone is a statement of its own', async () => {
  await using server = await startServer();
  const question = { first: 3, count: 2, without: '' };
  const sent = await recordStatements(async () => {
    const asked = [false, true, false].map((alone) => countdown(server.app, question, { unbatched: alone }));
    for (const rows of await Promise.all(asked)) expect(rows.map(({ n }) => n)).toEqual([3, 2]);
  });
  expect(sent).toHaveLength(2);
});
