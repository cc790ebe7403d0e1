import { expect, test } from 'vitest';
import { queryUntilAborted } from '../../server/platform/database/query-until-aborted.ts';
import { DatabaseUnavailable } from '../../server/platform/wire/database-unavailable.ts';
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

test('a statement is cancelled while all connections of the pool are in use', async () => {
  await using server = await startServer();
  const { app } = server;
  const controller = new AbortController();
  const running = queryUntilAborted(app, sleep, controller.signal);
  const others = await Promise.all(Array.from({ length: app.pool.options.max - 1 }, () => app.pool.connect()));
  await expect.poll(() => countSleeping(server)).toBe(1);
  controller.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  for (const client of others) client.release();
  await expect.poll(() => app.pool.totalCount - app.pool.idleCount).toBe(0);
});

test('a statement that fails with its connection throws that error, although its signal aborted', async () => {
  await using server = await startServer();
  const controller = new AbortController();
  const failed = expect(queryUntilAborted(server.app, sleep, controller.signal)).rejects.toThrow(DatabaseUnavailable);
  await expect.poll(() => countSleeping(server)).toBe(1);
  await server.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = $1`,
    [sleep.text],
  );
  controller.abort(new Error('enough'));
  await failed;
});

test('a statement that could write is refused', async () => {
  await using server = await startServer();
  const { signal } = new AbortController();
  await expect(queryUntilAborted(server.app, { text: 'commit', values: [] }, signal)).rejects.toThrow('read-only');
});
