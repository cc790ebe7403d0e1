import { expect, test } from 'vitest';
import { queryUntilAborted } from '../../server/platform/database/query-until-aborted.ts';
import { startServer, type TestServer } from '../server.ts';

const sleep = { text: 'select pg_sleep(600)', values: [] };

const countSleeping = async (server: TestServer): Promise<number> => {
  const { rows } = await server.pool.query(
    `select from pg_stat_activity where datname = current_database() and query = $1 and state = 'active'`,
    [sleep.text],
  );
  return rows.length;
};

test('a statement is cancelled when its signal aborts, and its connection is used again', async () => {
  await using server = await startServer();
  const { app } = server;
  const controller = new AbortController();
  const running = queryUntilAborted(app, sleep, controller.signal);
  await expect.poll(() => countSleeping(server)).toBe(1);
  controller.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  // PostgreSQL reports the error before the new state.
  await expect.poll(() => countSleeping(server)).toBe(0);
  await expect(queryUntilAborted(app, sleep, controller.signal)).rejects.toThrow('enough');
  const one = { text: 'select $1::int as value', values: [1] };
  for (let round = 0; round < 12; round += 1)
    expect(await queryUntilAborted(app, one, new AbortController().signal)).toEqual([{ value: 1 }]);
});

test('a statement that ends while its cancellation waits for a connection returns its rows at once', async () => {
  await using server = await startServer();
  const { app } = server;
  const lock = await server.pool.connect();
  await lock.query('select pg_advisory_lock(1)');
  const controller = new AbortController();
  const waiting = { text: 'select 1 as value from (select pg_advisory_lock_shared(1)) locked', values: [] };
  const running = queryUntilAborted(app, waiting, controller.signal);
  await expect
    .poll(
      async () =>
        (
          await lock.query(`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`)
        ).rowCount,
    )
    .toBe(1);
  const others = await Promise.all(Array.from({ length: app.pool.options.max - 1 }, () => app.pool.connect()));
  controller.abort(new Error('enough'));
  await lock.query('select pg_advisory_unlock(1)');
  lock.release();
  expect(await running).toEqual([{ value: 1 }]);
  for (const client of others) client.release();
  await expect.poll(() => app.pool.totalCount - app.pool.idleCount).toBe(0);
});

test('a statement that could write is refused', async () => {
  await using server = await startServer();
  const { signal } = new AbortController();
  await expect(queryUntilAborted(server.app, { text: 'commit', values: [] }, signal)).rejects.toThrow('read-only');
});
