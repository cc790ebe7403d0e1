import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startServer } from '../../test/server.ts';
import { parseDemoSize } from './demo-size.ts';
import { seedDemo } from './seed-demo.ts';

test('a database with real accounts gets no demo data', async () => {
  await using server = await startServer();
  await server.user('alice');
  const size = { accounts: 5, statuses: 10, followsPerAccount: 2, seed: 1 };
  await expect(seedDemo(server.app, size, () => {})).rejects.toThrow('real accounts (@alice is one)');
  const accounts = await server.app.db.selectFrom('accounts').select('username').where('domain', 'is', null).execute();
  expect(accounts.map(({ username }) => username).filter((name) => !name.includes('.'))).toEqual(['alice']);
});

test('demo data is reproducible and consistent, and is not inserted twice', async () => {
  await using server = await startServer();
  server.expectUndelivered(/\.example$/);
  const size = { accounts: 60, statuses: 1_500, followsPerAccount: 8, seed: 1 };
  const demo = await seedDemo(server.app, size, () => {});
  expect(demo).toMatchObject({ accounts: 60, statuses: 1_500 });
  for (const query of integrityQueries) {
    const { rows } = await sql.raw<{ wrong: number }>(query).execute(server.app.db);
    expect(
      rows.map(({ wrong }) => Number(wrong)),
      query,
    ).toEqual([0]);
  }
  await expect(seedDemo(server.app, size, () => {})).rejects.toThrow('already has demo data');
  await using other = await startServer();
  other.expectUndelivered(/\.example$/);
  const twin = await seedDemo(other.app, size, () => {});
  expect(twin.active).toEqual(demo.active);
});

test('copies of demo data are as consistent as what was generated', async () => {
  await using server = await startServer();
  server.expectUndelivered(/\.example$/);
  const size = { accounts: 180, statuses: 4_500, followsPerAccount: 8, seed: 1, maxGenerated: 1_500 };
  const demo = await seedDemo(server.app, size, () => {});
  expect(demo).toMatchObject({ accounts: 180, statuses: 4_500 });
  const counts = await sql<{ statuses: number; uris: number; groups: number }>`
    select (select count(*)::int from statuses) as statuses, (select count(distinct uri)::int from statuses) as uris,
      (select count(*)::int from notifications where group_key like '%-' || status_id || '-%') as groups`.execute(
    server.app.db,
  );
  expect(counts.rows[0]).toMatchObject({ statuses: 4_500, uris: 4_500 });
  expect(counts.rows[0]?.groups).toBeGreaterThan(0);
  for (const query of integrityQueries) {
    const { rows } = await sql.raw<{ wrong: number }>(query).execute(server.app.db);
    expect(
      rows.map(({ wrong }) => Number(wrong)),
      query,
    ).toEqual([0]);
  }
});

test('sizes are positive whole numbers', () => {
  expect(parseDemoSize(['--accounts', '60', '--statuses', '1500'])).toEqual({
    accounts: 60,
    statuses: 1_500,
    followsPerAccount: 50,
    seed: 1,
  });
  expect(() => parseDemoSize(['--accounts', '0', '--statuses', '10'])).toThrow('must be a positive whole number');
  expect(() => parseDemoSize(['--statuses', 'many'])).toThrow('must be a positive whole number');
});

/** Each counts inconsistent rows. */
const integrityQueries = `
select count(*) as wrong from statuses s where not exists (select from accounts a where a.id = s.account_id);
select count(*) as wrong from statuses s where s.in_reply_to_id is not null and not exists (select from statuses p where p.id = s.in_reply_to_id and p.conversation_id = s.conversation_id and p.account_id = s.in_reply_to_account_id and p.id < s.id);
select count(*) as wrong from statuses s where s.reblog_of_id is not null and not exists (select from statuses o where o.id = s.reblog_of_id and o.visibility in ('public', 'unlisted') and o.reblog_of_id is null);
select count(*) as wrong from statuses s where s.reblog_of_id is null and not exists (select from conversations c where c.id = s.conversation_id);
select count(*) as wrong from status_stats t where t.favourites_count <> (select count(*) from favourites f where f.status_id = t.status_id) or t.reblogs_count <> (select count(*) from statuses r where r.reblog_of_id = t.status_id);
select count(*) as wrong from account_stats t where t.followers_count <> (select count(*) from follows f where f.target_account_id = t.account_id) or t.following_count <> (select count(*) from follows f where f.account_id = t.account_id);
select count(*) as wrong from notifications n join accounts a on a.id = n.account_id where a.domain is not null or n.from_account_id = n.account_id;
select count(*) as wrong from home_feed_states where complete_from = 9223372036854775807;
select count(*) as wrong from statuses where created_at > now();
select count(*) as wrong from statuses s where s.reblog_of_id is null and not exists (select from status_search w where w.status_id = s.id and cardinality(w.terms) > 5);
select count(*) as wrong from status_search w join statuses s on s.id = w.status_id where s.reblog_of_id is not null;
select count(*) as wrong from quotes q where not exists (select from statuses s where s.id = q.quoted_status_id and s.uri = q.quoted_uri and s.account_id = q.quoted_account_id and s.visibility in ('public', 'unlisted') and s.id < q.status_id);
select count(*) as wrong from status_stats t where t.quotes_count <> (select count(*) from quotes q where q.quoted_status_id = t.status_id);
select count(*) as wrong from statuses s join accounts a on a.id = s.account_id where s.visibility = 'direct' and a.domain is null and not exists (select from account_conversations c where c.account_id = s.account_id and c.last_status_id = s.id and not a.id = any(c.participant_ids));
select count(*) as wrong from account_conversations c join accounts a on a.id = c.account_id where a.domain is not null;
select case when (select count(*) from quotes) > 0 and (select count(*) from account_conversations) > 0 and (select count(*) from list_accounts) > 0 and (select count(*) from collection_items where state = 'accepted') > 0 and (select count(*) from tag_follows) > 0 then 0 else 1 end as wrong
`.split(';');
