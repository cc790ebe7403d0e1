import { expect, test } from 'vitest';
import { recordStatements } from '../../record-statements.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const names = (list: { acct: string }[]): string[] => list.map(({ acct }) => acct);

async function find(user: TestUser, q: string, more = ''): Promise<string[]> {
  const { json } = await user.get(`/api/v1/accounts/search?q=${encodeURIComponent(q)}${more}`);
  return names(json);
}

const setStats = (server: TestServer, username: string, followers: number, daysSilent: number) =>
  server.pool.query(
    `insert into account_stats (account_id, followers_count, last_status_at)
    select id, $2, $3 from accounts where username = $1
    on conflict (account_id) do update
      set followers_count = excluded.followers_count, last_status_at = excluded.last_status_at`,
    [username, followers, new Date(server.clock.now().getTime() - daysSilent * 86_400_000)],
  );

test('SRC-02: accounts are ranked by relationship, then by followers and activity', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const users: Record<string, TestUser> = {};
  for (const name of ['finch_quiet', 'finch_busy', 'finch_star', 'finch_fan', 'finch_friend', 'finch', 'goldfinch'])
    users[name] = await server.user(name);
  await setStats(server, 'finch_quiet', 500, 400);
  await setStats(server, 'finch_busy', 300, 1);
  await setStats(server, 'finch_star', 90_000, 1);
  await users['finch_fan']?.post(`/api/v1/accounts/${alice.id}/follow`);
  await alice.post(`/api/v1/accounts/${users['finch_friend']?.id}/follow`);
  await setStats(server, 'goldfinch', 1_000_000, 1);
  await server.runSchedule('account.refresh_popularity');
  expect(await find(alice, 'finch')).toEqual([
    'finch',
    'finch_friend',
    'finch_fan',
    'finch_star',
    'finch_busy',
    'finch_quiet',
    'goldfinch',
  ]);
  // With very many followers, each is looked up.
  await server.pool.query(
    `with fans as (
      insert into accounts (id, username, domain, uri, created_at, updated_at)
      select n, 'fan' || n, 'far.test', 'https://far.test/users/' || n, now(), now() from generate_series(1, 501) n
      returning id)
    insert into follows (id, account_id, target_account_id, created_at) select id, id, $1, now() from fans`,
    [alice.id],
  );
  expect((await find(alice, 'finch')).slice(0, 4)).toEqual(['finch', 'finch_friend', 'finch_fan', 'finch_star']);
  expect(await find(alice, 'finch', '&following=true')).toEqual(['finch_friend']);
  expect(await find(alice, 'finch_fan', '&following=true')).toEqual([]);
  const pages: string[] = [];
  for (let offset = 0; offset < 8; offset += 2)
    pages.push(...(await find(alice, 'finch', `&limit=2&offset=${offset}`)));
  expect(pages).toEqual(await find(alice, 'finch'));
});

test('SRC-02: accounts are found despite small typing errors, after exact matches', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const heron = await server.user('heron');
  const kingfisher = await server.user('kingfisher');
  const robin = await server.user('r2d2');
  await robin.patch('/api/v1/accounts/update_credentials', { display_name: 'Robin Redbreast' });
  for (const q of ['hreon', 'heroon', 'hern', 'hezon', '@HREON']) expect(await find(alice, q), q).toEqual(['heron']);
  expect(await find(alice, 'kinfgisher')).toEqual(['kingfisher']);
  expect(await find(alice, 'knigfishr')).toEqual(['kingfisher']);
  expect(await find(alice, 'rdebreast')).toEqual(['r2d2']);
  for (const q of ['hno', 'horan', 'hreon@elsewhere.test', 'xkingfsihr']) expect(await find(alice, q), q).toEqual([]);
  await server.user('herons');
  expect(await find(alice, 'heron')).toEqual(['heron', 'herons']);
  await alice.post(`/api/v1/accounts/${kingfisher.id}/follow`);
  expect(await find(alice, 'hreon', '&following=true')).toEqual([]);
  expect(await find(alice, 'kingfihser', '&following=true')).toEqual(['kingfisher']);
  await server.pool.query(`update accounts set silenced_at = now() where id = $1`, [heron.id]);
  expect(await find(alice, 'hreon')).toEqual([]);
  const anonymous = await server.anonymous.get('/api/v2/search?q=hern');
  expect(anonymous.json.accounts).toEqual([]);
});

test('SRC-02: followed accounts and an exact handle are found among more names than are ranked', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.pool.query(`insert into accounts (id, username, domain, uri, created_at, updated_at)
    select n, 'finch' || n, 'far.test', 'https://far.test/users/' || n, now(), now() from generate_series(1, 1200) n`);
  const friend = await server.user('goldfinch');
  await alice.post(`/api/v1/accounts/${friend.id}/follow`);
  await server.pool.query(`update accounts set silenced_at = now() where id = $1 or username = 'finch7'`, [friend.id]);
  const found = await find(alice, 'finch', '&limit=80');
  expect(found[0]).toBe('goldfinch');
  expect(new Set(found).size).toBe(80);
  expect((await find(alice, 'finch7@far.test'))[0]).toBe('finch7@far.test');
  const offsets = await Promise.all([0, 80, 160].map((offset) => find(alice, 'finch', `&limit=80&offset=${offset}`)));
  expect(new Set(offsets.flat()).size).toBe(240);
});

test('SRC-02: a search for accounts takes one statement, however many match', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.user('goldfinch');
  await server.pool.query(`insert into accounts (id, username, domain, uri, created_at, updated_at)
    select n, 'finch' || n, 'far.test', 'https://far.test/users/' || n, now(), now() from generate_series(1, 1200) n`);
  const countStatements = async (q: string): Promise<number> => {
    await find(alice, q);
    const sent = await recordStatements(() => find(alice, q));
    // Others follow a request in their own time, such as when the user was active.
    return sent.filter(({ text }) => text.includes('popularity')).length;
  };
  const counts: number[] = [];
  for (const q of ['goldfinch', 'finch7', 'finch']) counts.push(await countStatements(q));
  // Fewer than five match, so there may be a typing error, unless one of them is the name.
  counts.push(await countStatements('finch77'), await countStatements('finch776'), await countStatements('goldfin'));
  expect(counts).toEqual([1, 1, 1, 1, 1, 2]);
});

test('SRC-02: hashtags that are used most come first, after the exact one', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const post = (status: string) => alice.post('/api/v1/statuses', { status });
  await post('#bird #birdsong #birdhouse');
  for (let count = 0; count < 2; count += 1) await post('#birdwatching');
  for (let count = 0; count < 3; count += 1) await post('#birdhouse');
  const { json } = await alice.get('/api/v2/search?q=bird&type=hashtags');
  const found = json.hashtags.map(({ name }: { name: string }) => name);
  expect(found).toEqual(['bird', 'birdhouse', 'birdwatching', 'birdsong']);
  const pages: string[] = [];
  for (let offset = 0; offset < 5; offset += 1) {
    const page = await alice.get(`/api/v2/search?q=bird&type=hashtags&limit=1&offset=${offset}`);
    pages.push(...page.json.hashtags.map(({ name }: { name: string }) => name));
  }
  expect(pages).toEqual(found);
});

test('SRC-02: a long hashtag that trends is found by its first letter among many shorter ones', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await alice.post('/api/v1/statuses', { status: '#birdwatching #birdwatchers' });
  await server.pool.query(`insert into tags (id, name, display_name, was_public, created_at)
    select number, 'b' || number, 'b' || number, true, now() from generate_series(1, 300) as number`);
  const bob = await server.user('bob');
  const find = async (): Promise<string[]> => {
    const { json } = await bob.get('/api/v2/search?q=b&type=hashtags&limit=40');
    return json.hashtags.map(({ name }: { name: string }) => name);
  };
  expect(await find()).not.toContain('birdwatching');
  await server.pool.query(`insert into trends (kind, subject_id, peak_score, peak_at, score)
    select 'tag', id, 9, now(), 9 from tags where name = 'birdwatching'`);
  const found = await find();
  expect(found[0]).toBe('birdwatching');
  expect(found).not.toContain('birdwatchers');
});
