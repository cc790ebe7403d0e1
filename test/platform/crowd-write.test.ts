import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { defineCrowdWrite } from '../../server/platform/database/crowd-write.ts';
import type { App } from '../../server/platform/app.ts';
import type { Write } from '../../server/platform/database/write.ts';
import { startServer } from '../server.ts';

async function makeTable(app: App): Promise<void> {
  await sql`create table things (name text primary key)`.execute(app.db);
}

const insert = (write: Write, name: string) => sql`insert into things values (${name})`.execute(write.db);

async function names(app: App): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from things order by name`.execute(app.db);
  return rows.map(({ name }) => name);
}

test('what is asked for while a transaction is under way is done by the next one, each with its own result', async () => {
  await using server = await startServer();
  const { app } = server;
  await makeTable(app);
  const groups: string[][] = [];
  const store = defineCrowdWrite(async (write: Write, _app: App, items: readonly string[]) => {
    groups.push([...items]);
    for (const item of items) await insert(write, item);
    return items.map((item) => `${item}!`);
  });
  const first = store(app, 'a');
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const results = await Promise.all([first, ...['b', 'c', 'd'].map((item) => store(app, item))]);
  expect(results).toEqual(['a!', 'b!', 'c!', 'd!']);
  expect(groups).toEqual([['a'], ['b', 'c', 'd']]);
  expect(await names(app)).toEqual(['a', 'b', 'c', 'd']);
});

test('one that fails takes nobody with it, and leaves nothing', async () => {
  await using server = await startServer();
  const { app } = server;
  await makeTable(app);
  const store = defineCrowdWrite(async (write: Write, _app: App, items: readonly string[]) => {
    for (const item of items) {
      await insert(write, item);
      if (item === 'bad') throw new Error('a bad thing');
    }
    return items;
  });
  const settled = await Promise.allSettled(['a', 'bad', 'b', 'a'].map((item) => store(app, item)));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(await names(app)).toEqual(['a', 'b']);
});

test('a crowd larger than one transaction takes is done by several', async () => {
  await using server = await startServer();
  const { app } = server;
  await makeTable(app);
  const sizes: number[] = [];
  const store = defineCrowdWrite(async (write: Write, _app: App, items: readonly string[]) => {
    sizes.push(items.length);
    for (const item of items) await insert(write, item);
    return items;
  });
  await Promise.all(Array.from({ length: 150 }, (_, at) => store(app, `thing ${at}`)));
  expect(await names(app)).toHaveLength(150);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(64);
});
