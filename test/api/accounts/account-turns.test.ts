import { expect, test } from 'vitest';
import { startServer, type TestServer } from '../../server.ts';

/** More accounts than a run of a schedule works on. Each has a local follower. */
async function startLargeServer(): Promise<TestServer> {
  const server = await startServer();
  await server.pool.query(`
    with stored as (
      insert into accounts (id, username, domain, uri, discoverable, created_at, updated_at)
      select n, 'finch' || n, 'far.test', 'https://far.test/users/' || n, true, now(), now()
      from generate_series(1, 5000) n returning id
    )
    insert into account_stats (account_id, followers_count, local_followers_count, last_status_at)
    select id, 100, 1, now() from stored`);
  return server;
}

/** Stores an account after all of those. Returns its id. */
async function storeLastAccount({ pool }: TestServer): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(`
    with stored as (
      insert into accounts (id, username, domain, uri, discoverable, created_at, updated_at)
      values (9000, 'goldfinch', 'far.test', 'https://far.test/users/9000', true, now(), now()) returning id
    )
    insert into account_stats (account_id, followers_count, local_followers_count, last_status_at)
    select id, 1000, 7, now() from stored returning account_id as id`);
  return rows[0]?.id ?? '';
}

const list = async <Row extends object>({ pool }: TestServer, text: string): Promise<Row[]> =>
  (await pool.query<Row>(text)).rows;

test('SRC-02: each run of a schedule refreshes the popularity of some accounts, and then starts again', async () => {
  await using server = await startLargeServer();
  const last = await storeLastAccount(server);
  const listPopularities = () =>
    list(server, `select id, popularity from accounts where id in (1, ${last}) order by accounts.id`);
  const run = () => server.runSchedule('account.refresh_popularity');
  await run();
  expect(await listPopularities()).toEqual([
    { id: '1', popularity: 4.5 },
    { id: last, popularity: 0 },
  ]);
  await run();
  expect(await listPopularities()).toMatchObject([{ popularity: 4.5 }, { popularity: 7 }]);
  await server.pool.query('update account_stats set followers_count = 0');
  await run();
  expect(await listPopularities()).toMatchObject([{ popularity: 0 }, { popularity: 7 }]);
});

test('ADM-07: each run of a schedule ranks some accounts among the others of their servers', async () => {
  await using server = await startLargeServer();
  const last = await storeLastAccount(server);
  const listTop = () =>
    list<{ account_id: string }>(
      server,
      `select account_id, followers from domain_top_accounts where domain = 'far.test' order by followers desc, account_id`,
    );
  const run = () => server.runSchedule('measures.rank_accounts');
  await run();
  const first = await listTop();
  expect(first.length).toBe(100);
  expect(first[0]).toEqual({ account_id: '1', followers: 1 });
  await run();
  const second = await listTop();
  expect(second).toEqual([{ account_id: last, followers: 7 }, ...first.slice(0, 99)]);
  // The account loses its followers, and another one is deleted.
  await server.pool.query(`update account_stats set local_followers_count = 0 where account_id = ${last}`);
  await server.pool.query('update accounts set deleted_at = now() where id = 1');
  await run();
  expect((await listTop())[0]).toEqual({ account_id: last, followers: 7 });
  await run();
  await run();
  const third = await listTop();
  expect([third.length, third[0]?.account_id, third.at(-1)?.account_id]).toEqual([100, '2', '101']);
  // Rows about deleted accounts are removed, also those with ids after the last account.
  await server.pool.query(
    `insert into domain_top_accounts (domain, account_id, followers) values ('gone.test', ${last} + 1, 3)`,
  );
  await run();
  expect(await list(server, `select from domain_top_accounts where domain = 'gone.test'`)).toEqual([]);
});

test('SUG-01: each run of a schedule ranks some accounts among those that are suggested to everyone', async () => {
  await using server = await startLargeServer();
  const last = await storeLastAccount(server);
  const listPopular = () =>
    list<{ account_id: string }>(
      server,
      `select account_id, score from popular_accounts where source = 'most_followed' order by score desc, account_id desc`,
    );
  const run = () => server.runSchedule('suggestion.refresh_popular_accounts');
  await run();
  const first = await listPopular();
  expect(first.length).toBe(100);
  expect(first.every(({ account_id: id }) => BigInt(id) > 4_800n)).toBe(true);
  await run();
  const second = await listPopular();
  expect(second.length).toBe(100);
  expect(second[0]).toEqual({ account_id: last, score: 7 });
  await server.pool.query(`update account_stats set local_followers_count = 0 where account_id = ${last}`);
  for (let count = 0; count < 3; count += 1) await run();
  const third = (await listPopular()).map(({ account_id: id }) => id);
  expect(third.length).toBe(100);
  expect(third).not.toContain(last);
});
