import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId, type AccountId } from '../../../server/platform/ids.ts';
import { buildPatterns } from '../../../server/search/account-patterns.ts';
import { rankMatches } from '../../../server/search/rank-accounts.ts';
import { rankBeginnings } from '../../../server/search/rank-beginnings.ts';
import { searchAccounts } from '../../../server/search/search-accounts.ts';
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

test('SRC-02: short texts rank accounts as a comparison of all names does, on each page', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  // Usernames that begin with or contain few texts, on two servers; some limited, suspended, moved or not activated.
  await server.pool.query(
    `insert into accounts (id, username, domain, uri, display_name, popularity, silenced_at,
      suspended_at, activated, moved_to_account_id, created_at, updated_at)
    select n, (array['ann', 'an', 'Anna', 'ana', 'joann', 'annex', 'xan', 'an_', 'anton'])[1 + n % 9]
        || case when n < 10 then '' else (n / 2)::text end,
      (array['far.test', 'near.test'])[1 + n % 2], 'https://far.test/users/' || n,
      (array['Ann', 'Someone', 'Mary Ann', ''])[1 + n % 4], n % 13,
      case when n % 11 = 0 then now() end, case when n % 17 = 0 then now() end, n % 19 <> 0,
      case when n % 23 = 0 then $1::bigint end, now(), now()
    from generate_series(1, 500) n`,
    [bob.id],
  );
  const { rows } = await server.pool.query('select id, username from accounts where id <= 500 order by id');
  const follow = (from: string, to: string) =>
    server.pool.query(
      'insert into follows (id, account_id, target_account_id, created_at) values ($1, $2, $3, now())',
      [newId<'follow'>(), from, to],
    );
  for (const { id } of rows.filter((_, index) => index % 29 === 3)) await follow(alice.id, id);
  for (const { id } of rows.filter((_, index) => index % 31 === 4 || index % 58 === 3)) await follow(id, alice.id);
  const viewers = [alice.id as AccountId, bob.id as AccountId, undefined];
  const { signal } = new AbortController();
  let shortcuts = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('an', 'ann', 'anna', 'ana', 'an_', 'anne', 'annex', 'anto', 'jo', 'xan', 'x'),
      fc.constantFrom(...viewers),
      fc.constantFrom(1, 5, 20, 40),
      fc.constantFrom(0, 1, 20, 40),
      async (text, viewerId, limit, offset) => {
        const search = { text, viewerId, following: false, exact: false, limit, offset, signal };
        const patterns = buildPatterns(text);
        if (patterns === undefined) throw new Error('no words');
        const args = { ...patterns, viewer: viewerId ?? null, handleUsername: text, handleDomain: '', limit, offset };
        const ranked = await rankMatches(server.app, args, signal);
        const short = await rankBeginnings(server.app, args, signal);
        if (short.length > 0) {
          shortcuts += 1;
          expect(short).toEqual(ranked);
        }
        const found = await searchAccounts(server.app, search);
        expect(found.slice(0, ranked.length)).toEqual(ranked.map(({ id }) => id));
      },
    ),
    { numRuns: 150 },
  );
  expect(shortcuts).toBeGreaterThan(30);
});

test('SRC-02: someone who follows very many accounts finds them by short texts, before popular ones', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.pool.query(`insert into accounts (id, username, domain, uri, popularity, created_at, updated_at)
    select n, 'ann' || n, 'far.test', 'https://far.test/users/' || n, 9, now(), now() from generate_series(1, 90) n`);
  await server.pool.query(
    `with people as (
      insert into accounts (id, username, domain, uri, created_at, updated_at)
      select n, case when n = 700 then 'joann' else 'zed' || n end, 'far.test', 'https://far.test/users/' || n, now(), now()
      from generate_series(100, 700) n
      returning id)
    insert into follows (id, account_id, target_account_id, created_at) select id, $1, id, now() from people`,
    [alice.id],
  );
  expect((await find(alice, 'ann')).slice(0, 2)).toEqual(['joann@far.test', 'ann1@far.test']);
});
