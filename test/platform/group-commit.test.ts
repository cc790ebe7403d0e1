import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { groupCommit } from '../../server/platform/write/group-commit.ts';
import type { App } from '../../server/platform/app.ts';
import type { Transaction } from '../../server/platform/write/transaction.ts';
import { startServer, type TestServer } from '../server.ts';

async function createTable({ db }: TestServer): Promise<void> {
  await sql`create table things (name text primary key)`.execute(db);
}

const insert = (tx: Transaction, name: string) => sql`insert into things values (${name})`.execute(tx.db);

async function listNames(app: App): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from things order by name`.execute(app.db);
  return rows.map(({ name }) => name);
}

test('items that arrive during a transaction share the next one, each with its own result', async () => {
  await using server = await startServer();
  const { app } = server;
  await createTable(server);
  const groups: string[][] = [];
  const store = groupCommit(async (tx: Transaction, _app: App, items: readonly string[]) => {
    groups.push([...items]);
    for (const item of items) await insert(tx, item);
    return items.map((item) => `${item}!`);
  });
  const first = store(app, 'a');
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const results = await Promise.all([first, ...['b', 'c', 'd'].map((item) => store(app, item))]);
  expect(results).toEqual(['a!', 'b!', 'c!', 'd!']);
  expect(groups).toEqual([['a'], ['b', 'c', 'd']]);
  expect(await listNames(app)).toEqual(['a', 'b', 'c', 'd']);
});

test('an item that fails does not affect the others and stores nothing', async () => {
  await using server = await startServer();
  const { app } = server;
  await createTable(server);
  const store = groupCommit(async (tx: Transaction, _app: App, items: readonly string[]) => {
    for (const item of items) {
      await insert(tx, item);
      if (item === 'bad') throw new Error('invalid item');
    }
    return items;
  });
  const outcomes = await Promise.allSettled(['a', 'bad', 'b', 'a'].map((item) => store(app, item)));
  const [first, bad, other, again] = outcomes.map(({ status }) => status);
  expect([bad, other]).toEqual(['rejected', 'fulfilled']);
  // After the failure each runs alone, so either may be the one that is stored.
  expect([first, again].toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await listNames(app)).toEqual(['a', 'b']);
});

test('a group that exceeds the limit is split into several transactions', async () => {
  await using server = await startServer();
  const { app } = server;
  await createTable(server);
  const sizes: number[] = [];
  const store = groupCommit(async (tx: Transaction, _app: App, items: readonly string[]) => {
    sizes.push(items.length);
    for (const item of items) await insert(tx, item);
    return items;
  });
  await Promise.all(Array.from({ length: 150 }, (_, at) => store(app, `thing ${at}`)));
  expect(await listNames(app)).toHaveLength(150);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(64);
});

/** Locks a row from another connection. Returns a function that unlocks it. */
async function lockRow(app: App, name: string): Promise<() => Promise<void>> {
  const client = await app.pool.connect();
  await client.query('begin read write');
  await client.query('select from counts where name = $1 for update', [name]);
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

async function createCounter(
  { db }: TestServer,
  names: readonly string[],
): Promise<(app: App, name: string) => Promise<string>> {
  await sql`create table counts (name text primary key, count int not null default 0)`.execute(db);
  await sql`insert into counts select unnest(${names}::text[])`.execute(db);
  return groupCommit(async (tx: Transaction, _app: App, items: readonly string[]) => {
    await sql`update counts set count = count + 1 where name = any(${items.toSorted()}::text[])`.execute(tx.db);
    return items;
  });
}

test('an item that needs a locked row waits alone, and delays neither its group nor later items', async () => {
  await using server = await startServer();
  const { app } = server;
  const healthy = Array.from({ length: 20 }, (_, at) => `row ${at}`);
  const count = await createCounter(server, ['held', ...healthy]);
  const release = await lockRow(app, 'held');
  const done: string[] = [];
  const increment = async (name: string): Promise<void> => void done.push(await count(app, name));
  const blocked = [increment('held'), increment('held'), increment('held'), increment('held')];
  await Promise.all(healthy.slice(0, 10).map(increment));
  // The group has finished; now others arrive while four wait for the row.
  await Promise.all(healthy.slice(10).map(increment));
  expect(done.toSorted()).toEqual(healthy.toSorted());
  await release();
  await Promise.all(blocked);
  const { rows } = await sql<{ count: number }>`select count from counts where name = 'held'`.execute(app.db);
  expect(rows).toEqual([{ count: 4 }]);
});

test('a favourite of a post with locked counters does not delay one of another post', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const post = async (status: string): Promise<string> => (await alice.post('/api/v1/statuses', { status })).json.id;
  const [lockedId, unlockedId] = [await post('Held'), await post('Free')];
  await bob.post(`/api/v1/statuses/${lockedId}/favourite`);
  const client = await server.app.pool.connect();
  await client.query('begin read write');
  await client.query('select from status_stats where status_id = $1 for update', [lockedId]);
  const done: string[] = [];
  const favourite = async (id: string, name: string): Promise<void> => {
    const { status } = await alice.post(`/api/v1/statuses/${id}/favourite`);
    done.push(`${name} ${status}`);
  };
  const waiting = favourite(lockedId, 'held');
  await favourite(unlockedId, 'free');
  expect(done).toEqual(['free 200']);
  await client.query('rollback');
  client.release();
  await waiting;
  expect(done).toEqual(['free 200', 'held 200']);
});
