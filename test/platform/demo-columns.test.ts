import { expect, test } from 'vitest';
import { seedDemo } from '../../bench/demo/seed-demo.ts';
import {
  followAcross,
  postStatus,
  resolveAccountOn,
  resolveStatusOn,
  twoServers,
  type TwoServers,
} from '../federation/two-servers.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';

/** The kinds of rows in the demo data, as conditions on a table. */
const kinds: Readonly<Record<string, { readonly table: string; readonly where?: string }>> = {
  'local account': { table: 'accounts', where: "domain is null and username not like '%.%'" },
  'remote account': { table: 'accounts', where: 'domain is not null' },
  user: { table: 'users' },
  'local post': { table: 'statuses', where: 'local and reblog_of_id is null' },
  'remote post': { table: 'statuses', where: 'not local and reblog_of_id is null' },
  'local reblog': { table: 'statuses', where: 'local and reblog_of_id is not null' },
  'remote reblog': { table: 'statuses', where: 'not local and reblog_of_id is not null' },
  'search entry': { table: 'status_search' },
  mention: { table: 'mentions' },
  hashtag: { table: 'tags' },
  'hashtag of a post': { table: 'status_tags' },
  favourite: { table: 'favourites' },
  follow: { table: 'follows' },
  quote: { table: 'quotes' },
  conversation: { table: 'conversations' },
  'conversation of an account': { table: 'account_conversations' },
  'counters of a post': { table: 'status_stats' },
  'counters of an account': { table: 'account_stats' },
  ...Object.fromEntries(
    ['mention', 'quote', 'favourite', 'reblog', 'follow'].map((type) => [
      `notification of a ${type}`,
      { table: 'notifications', where: `type = '${type}'` },
    ]),
  ),
};

/** Columns that depend on the server or app that a row came from, or that count its changes. */
const optionalColumns: Readonly<Record<string, readonly string[]>> = {
  'remote account': [
    'collections_fetched_at',
    'feature_automatic',
    'feature_manual',
    'featured_collections_url',
    'featured_tags_url',
  ],
  'local post': ['application_id'],
  'local reblog': ['application_id'],
  mention: ['silent'],
  conversation: ['uri'],
  'counters of a post': [
    'origin_counted_at',
    'unseen_favourites_count',
    'unseen_reblogs_count',
    'unseen_replies_count',
    'version',
  ],
  'counters of an account': ['version'],
};

/** Returns the columns that differ from their default in at least one row of a kind. */
async function listFilledColumns(server: TestServer, kind: string): Promise<string[]> {
  const { table = '', where = 'true' } = kinds[kind] ?? {};
  const { rows: columns } = await server.pool.query<{ name: string; default: string }>(
    `select attname as name, coalesce(pg_get_expr(adbin, adrelid), 'null') as default
     from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attname`,
    [table],
  );
  const tests = columns.map(
    (column) => `coalesce(bool_or("${column.name}" is distinct from ${column.default}), false)`,
  );
  const { rows } = await server.pool.query<{ count: number; filled: boolean[] }>(
    `select count(*)::int, array[${tests.join(', ')}] as filled from ${table} where ${where}`,
  );
  expect(rows[0]?.count, `there is no ${kind}`).toBeGreaterThan(0);
  return columns.filter((_, index) => rows[0]?.filled[index]).map(({ name }) => name);
}

/** Lets users of two servers perform every action that the demo data contains. */
async function performActions(servers: TwoServers): Promise<void> {
  const { network, a, b, alice, bob } = servers;
  const [carol, dave] = [await a.user('carol'), await b.user('dave')];
  const profile = { display_name: 'A name', note: 'A note', locked: true, bot: true, indexable: true };
  for (const user of [carol, dave]) await user.patch('/api/v1/accounts/update_credentials', profile);
  await resolveAccountOn(a, 'dave@b.test');
  const on = async (server: TestServer, uri: string) => String(await resolveStatusOn(server, uri));
  const react = async (user: TestUser, id: string) => {
    for (const action of ['favourite', 'reblog']) await user.post(`/api/v1/statuses/${id}/${action}`);
    await postStatus(user, { status: 'A quote', quoted_status_id: id });
  };
  await followAcross(servers, a, alice, 'bob@b.test');
  await followAcross(servers, b, bob, 'alice@a.test');
  await carol.post(`/api/v1/accounts/${alice.id}/follow`);
  const warned = { status: 'Hello #birds', spoiler_text: 'birds', language: 'en' };
  const [byAlice, byBob] = [await postStatus(alice, warned), await postStatus(bob, warned)];
  await network.drain();
  await react(carol, byAlice.id);
  await react(bob, await on(b, byAlice.uri));
  await react(alice, await on(a, byBob.uri));
  await postStatus(alice, { status: '@bob@b.test yes', in_reply_to_id: await on(a, byBob.uri), language: 'en' });
  await postStatus(bob, { status: '@alice@a.test yes', in_reply_to_id: await on(b, byAlice.uri), language: 'en' });
  await postStatus(alice, { status: '@bob@b.test quietly', visibility: 'direct' });
  await postStatus(bob, { status: '@alice@a.test quietly', visibility: 'direct' });
  await network.drain();
  for (const server of [a, b]) await server.runSchedule('account.refresh_popularity');
}

test('demo rows fill the columns that use cases fill', async () => {
  await using servers = await twoServers();
  await performActions(servers);
  await using seeded = await startServer();
  // Collections are announced to the hosts of the demo.
  seeded.expectUndelivered(/\.example$/);
  await seedDemo(seeded.app, { accounts: 120, statuses: 1_500, followsPerAccount: 8, seed: 3 }, () => {});
  const differences: string[] = [];
  for (const kind of Object.keys(kinds)) {
    const [real, demo] = [await listFilledColumns(servers.a, kind), await listFilledColumns(seeded, kind)];
    const optional = optionalColumns[kind] ?? [];
    const missing = real.filter((column) => !demo.includes(column) && !optional.includes(column));
    const extra = demo.filter((column) => !real.includes(column));
    if (missing.length > 0) differences.push(`${kind}: lacks ${missing.join(', ')}`);
    if (extra.length > 0) differences.push(`${kind}: has ${extra.join(', ')}, which no use case fills`);
  }
  expect(differences).toEqual([]);
});
