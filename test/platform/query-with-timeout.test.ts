import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { isStatementCancelled, queryWithTimeout } from '../../server/platform/database/query-with-timeout.ts';
import { startServer } from '../server.ts';

test('a query that takes too long is cancelled, and its settings end with it', async () => {
  await using server = await startServer();
  const { app } = server;
  const slow = queryWithTimeout(app, sql`select count(*) from generate_series(1, 1000000000)`, { timeoutMs: 20 });
  const error: unknown = await slow.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'DatabaseUnavailable' });
  expect(isStatementCancelled(error)).toBe(true);
  const limit = sql`select current_setting('geqo_threshold')::int as value`;
  expect(await queryWithTimeout(app, limit, { timeoutMs: 5_000, settings: { geqo_threshold: 7 } })).toEqual([
    { value: 7 },
  ]);
  expect(await queryWithTimeout(app, limit, { timeoutMs: 5_000 })).toEqual([{ value: 12 }]);
});
