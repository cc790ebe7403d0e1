import { expect, test } from 'vitest';
import { startServer, type TestServer } from '../server.ts';

const readRoles = ({ db }: TestServer) => db.selectFrom('roles').selectAll().orderBy('id').execute();

const readName = async ({ pool }: TestServer): Promise<string | undefined> =>
  (await pool.query<{ name: string }>('select current_database() as name')).rows[0]?.name;

test('a database whose roles were changed is used again, with the roles of a new one', async () => {
  const first = await startServer();
  const [name, roles] = [await readName(first), await readRoles(first)];
  expect(roles.length).toBeGreaterThan(2);
  await first.pool.query('update roles set position = position + 7 where id = 2');
  await first.pool.query('delete from roles where id = 1');
  await first.pool.query("insert into roles (id, name, position, permissions) values (900, 'Judge', 5, 0)");
  expect(await readRoles(first)).not.toEqual(roles);
  await first[Symbol.asyncDispose]();

  await using second = await startServer();
  expect(await readName(second)).toBe(name);
  expect(await readRoles(second)).toEqual(roles);
});
