import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { App } from '../../server/platform/app.ts';
import { groupCommit } from '../../server/platform/database/group-commit.ts';
import { transaction, type Transaction } from '../../server/platform/database/transaction.ts';
import { failStatements, recordStatements } from '../record-statements.ts';
import { startServer } from '../server.ts';

const insertSlot = ({ db }: Transaction, name: string) =>
  sql`insert into schedule_slots (schedule, slot) values (${name}, now())`.execute(db);

const listSlots = async ({ db }: App): Promise<string[]> =>
  (await db.selectFrom('schedule_slots').select('schedule').orderBy('schedule').execute()).map((row) => row.schedule);

const listSent = async (run: () => Promise<unknown>): Promise<string[]> =>
  (await recordStatements(run)).map(({ text }) => text.split(' ').slice(0, 2).join(' '));

test('a transaction starts with its first statement, and one without statements is not sent', async () => {
  await using server = await startServer();
  const { app } = server;
  expect(await listSent(() => transaction(app, async () => {}))).toEqual([]);
  expect(await listSent(() => transaction(app, (tx) => insertSlot(tx, 'a')))).toEqual([
    'start transaction',
    'insert into',
    'commit',
  ]);
  await expect(
    transaction(app, async () => {
      throw new Error('nothing was sent');
    }),
  ).rejects.toThrow('nothing was sent');
  expect(await listSlots(app)).toEqual(['a']);
});

test('the lock timeout of a group applies to its first statement', async () => {
  await using server = await startServer();
  const readTimeout = groupCommit(async ({ db }, _app, items: readonly number[]) => {
    const { rows } = await sql<{ lock_timeout: string }>`show lock_timeout`.execute(db);
    return items.map(() => rows[0]?.lock_timeout);
  });
  expect(await readTimeout(server.app, 1)).toBe('100ms');
  const later = await transaction(server.app, ({ db }) => sql<object>`show lock_timeout`.execute(db));
  expect(later.rows).not.toEqual([{ lock_timeout: '100ms' }]);
});

test('a first statement that fails rolls back, and so does a start that fails', async () => {
  await using server = await startServer();
  const { app } = server;
  await expect(transaction(app, ({ db }) => sql`select 1 / 0`.execute(db))).rejects.toMatchObject({ code: '22012' });
  {
    using _failure = failStatements('57P03', (text) => text.startsWith('start transaction'));
    await expect(transaction(app, (tx) => insertSlot(tx, 'lost'))).rejects.toMatchObject({ code: '57P03' });
  }
  expect(await listSlots(app)).toEqual([]);
  await transaction(app, (tx) => insertSlot(tx, 'stored'));
  expect(await listSlots(app)).toEqual(['stored']);
});

test('statements that a transaction sends together are all answered', async () => {
  await using server = await startServer();
  const { app } = server;
  const names = ['a', 'b', 'c'];
  await transaction(app, async (tx) => {
    await Promise.all(names.map((name) => insertSlot(tx, name)));
    await insertSlot(tx, 'd');
  });
  expect(await listSlots(app)).toEqual([...names, 'd']);
});
