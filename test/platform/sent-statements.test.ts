import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { StatementNames } from '../../server/platform/wire/database-client.ts';
import { openPool } from '../../server/platform/wire/pool.ts';
import { startServer, type TestServer } from '../server.ts';

/** Opens a pool of one connection. */
const openOne = ({ app }: TestServer, isPooled = false): pg.Pool => openPool(app.directConnection, 1, { isPooled });

const countDescriptions = async (run: () => Promise<unknown>): Promise<number> => {
  using describe = vi.spyOn(pg.Connection.prototype, 'describe');
  await run();
  return describe.mock.calls.length;
};

test('the columns of a result are asked for once on a connection, and always behind a pooler', async () => {
  await using server = await startServer();
  for (const [isPooled, expected] of [
    [false, 2],
    [true, 4],
  ] as const) {
    const pool = openOne(server, isPooled);
    const rows: unknown[] = [];
    const run = async (text: string, value: string | null) => rows.push(...(await pool.query(text, [value])).rows);
    const descriptions = await countDescriptions(async () => {
      await run(`select $1::text as text, 1 as number, '[2]'::jsonb as list`, 'a');
      await run(`select $1::text as text, 1 as number, '[2]'::jsonb as list`, null);
      await run(`select generate_series(1, 2) as number, $1::text as other`, 'c');
      await run(`select generate_series(1, 2) as number, $1::text as other`, 'd');
    });
    await pool.end();
    expect(descriptions).toBe(expected);
    expect(rows).toEqual([
      { text: 'a', number: 1, list: [2] },
      { text: null, number: 1, list: [2] },
      { number: 1, other: 'c' },
      { number: 2, other: 'c' },
      { number: 1, other: 'd' },
      { number: 2, other: 'd' },
    ]);
  }
});

test('rows are read by their own columns after these changed', async () => {
  await using server = await startServer();
  await server.pool.query(`create table things as select 1 as number, 'a' as name`);
  const [direct, pooled] = [openOne(server), openOne(server, true)];
  const [all, text] = ['select * from things', 'select $1::int as number'];
  expect((await direct.query(all)).rows).toEqual([{ number: 1, name: 'a' }]);
  expect((await pooled.query(text, [1])).rows).toEqual([{ number: 1 }]);
  await server.pool.query('alter table things drop column number');
  expect((await direct.query(all)).rows).toEqual([{ name: 'a' }]);
  // As in another session of a pooler, which prepares the statement later.
  const client = await pooled.connect();
  const name = new StatementNames().get(text) ?? '';
  await client.query(`deallocate "${name}"; prepare "${name}" (int) as select 'b' as name, $1 as number`);
  client.release();
  expect((await pooled.query(text, [2])).rows).toEqual([{ name: 'b', number: 2 }]);
  await Promise.all([direct.end(), pooled.end()]);
});

test('a connection is used again after a statement failed, and the error leads to the caller', async () => {
  await using server = await startServer();
  const pool = openOne(server);
  const client = await pool.connect();
  const circular = { toPostgres: () => circular };
  await expect(client.query('select $1::text', [circular])).rejects.toThrow('circular reference');
  await expect(client.query('select $1::int', ['x'])).rejects.toMatchObject({ code: '22P02', severity: 'ERROR' });
  await expect(client.query('select no_such_column')).rejects.toMatchObject({
    code: '42703',
    stack: expect.stringContaining('sent-statements.test.ts'),
  });
  expect((await client.query('select $1::int as number', ['1'])).rows).toEqual([{ number: 1 }]);
  client.release();
  await pool.end();
});

test('results have the command and the number of rows', async () => {
  await using server = await startServer();
  const pool = openOne(server);
  const client = await pool.connect();
  const run = async (text: string, values?: unknown[]) => {
    const { command, rowCount, rows } = await client.query(text, values);
    return [command, rowCount, rows];
  };
  expect(await run('begin read write; set local lock_timeout = 100')).toEqual(['SET', null, []]);
  expect(await run('create temporary table numbers (number int)')).toEqual(['CREATE', null, []]);
  expect(await run('insert into numbers select generate_series(1, $1::int)', [3])).toEqual(['INSERT', 3, []]);
  expect(await run('update numbers set number = 0 where number > $1', [9])).toEqual(['UPDATE', 0, []]);
  expect(await run('delete from numbers where number > $1 returning number', [2])).toEqual([
    'DELETE',
    1,
    [{ number: 3 }],
  ]);
  expect(await run('', [])).toEqual(['', null, []]);
  expect(await run('rollback')).toEqual(['ROLLBACK', null, []]);
  client.release();
  await pool.end();
});
