import sharp from 'sharp';
import { expect, test } from 'vitest';
import { runChecks } from '../../server/maintenance/index.ts';
import { multipart, startServer, type TestServer, type TestUser } from '../server.ts';
import { openCommandLine } from './command-line.ts';
import { followAcross, postStatus, twoServers } from '../federation/two-servers.ts';

const run = async (server: TestServer, dryRun = false) => {
  const results = await runChecks(server.app, 'system', { dryRun, onProgress: () => {} });
  return Object.fromEntries(results.map(({ check, found, repaired }) => [check, [found, repaired]]));
};

const nothing = {
  'account-counters': [0, 0],
  'status-counters': [0, 0],
  'feed-orphans': [0, 0],
  'missing-files': [0, 0],
  'unique-indexes': [0, 0],
};

const post = async (user: TestUser, body: object): Promise<string> =>
  ((await user.post('/api/v1/statuses', { status: 'x', ...body })).json as { id: string }).id;

test('nothing is wrong after people posted, reacted, followed, deleted and federated', async () => {
  await using scene = await twoServers();
  const { a, b, alice, bob, network } = scene;
  const carol = await a.user('carol');
  const remoteAlice = await followAcross(scene, b, bob, 'alice@a.test');
  await followAcross(scene, a, carol, 'bob@b.test');
  await carol.post(`/api/v1/accounts/${alice.id}/follow`);
  const first = await postStatus(alice, { status: 'First' });
  const id = first.id;
  await network.drain();
  for (const visibility of ['public', 'unlisted', 'private', 'direct'])
    await post(carol, { visibility, in_reply_to_id: id, status: '@alice hello' });
  await carol.post(`/api/v1/statuses/${id}/favourite`);
  await carol.post(`/api/v1/statuses/${id}/reblog`);
  await post(carol, { quoted_status_id: id });
  const deleted = await post(carol, { in_reply_to_id: id });
  await carol.delete(`/api/v1/statuses/${deleted}`);
  const [copy] = (await bob.get(`/api/v1/accounts/${remoteAlice}/statuses`)).json as { id: string }[];
  for (const action of ['favourite', 'reblog']) await bob.post(`/api/v1/statuses/${copy?.id}/${action}`);
  await postStatus(bob, { status: '@alice@a.test hi', in_reply_to_id: copy?.id });
  await network.drain();
  const dave = await a.user('dave');
  await dave.post(`/api/v1/accounts/${alice.id}/follow`);
  await dave.post(`/api/v1/statuses/${id}/favourite`);
  await dave.post('/api/v1/profile/delete', { password: 'correct horse battery' });
  await network.drain();
  for (const server of [a, b]) expect(await run(server, true)).toEqual(nothing);
});

test('wrong counters and lost entries are found, repaired once, and shown at once', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  const id = await post(alice, {});
  await bob.post(`/api/v1/statuses/${id}/favourite`);
  await server.drain();
  await bob.get(`/api/v1/statuses/${id}`);
  await server.pool.query('update account_stats set followers_count = 7, statuses_count = 9 where account_id = $1', [
    alice.id,
  ]);
  await server.pool.query('delete from account_stats where account_id = $1', [bob.id]);
  await server.pool.query('update status_stats set favourites_count = 5 where status_id = $1', [id]);
  await server.pool.query('insert into home_feed (account_id, status_id) values ($1, 12345)', [bob.id]);
  const wrong = { ...nothing, 'account-counters': [2, 0], 'status-counters': [1, 0], 'feed-orphans': [1, 0] };
  expect(await run(server, true)).toEqual(wrong);
  expect(await run(server, true)).toEqual(wrong);
  expect(await run(server)).toEqual({
    ...nothing,
    'account-counters': [2, 2],
    'status-counters': [1, 1],
    'feed-orphans': [1, 1],
  });
  expect(await run(server)).toEqual(nothing);
  expect((await bob.get(`/api/v1/statuses/${id}`)).json).toMatchObject({
    favourites_count: 1,
    account: { followers_count: 1, statuses_count: 1 },
  });
  expect((await alice.get(`/api/v1/accounts/${bob.id}`)).json).toMatchObject({ following_count: 1 });
  const { rows } = await server.pool.query(
    `select target_label as label from audit_log where action = 'instance.repair' order by id`,
  );
  expect(rows).toEqual([{ label: 'account-counters' }, { label: 'status-counters' }, { label: 'feed-orphans' }]);
});

test('every page is examined', async () => {
  await using server = await startServer();
  await server.pool.query(
    `insert into accounts (id, username, domain, uri, created_at, updated_at)
       select n, 'user' || n, 'far.test', 'https://far.test/' || n, now(), now() from generate_series(1, 450) n`,
  );
  expect(await run(server)).toEqual({ ...nothing, 'account-counters': [450, 450] });
  expect(await run(server)).toEqual(nothing);
});

test('a follow that is added during the repair is counted', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const others: TestUser[] = [];
  for (let number = 0; number < 5; number += 1) others.push(await server.user(`user${number}`));
  await server.pool.query('update account_stats set followers_count = 50');
  await Promise.all([
    ...others.map((user) => user.post(`/api/v1/accounts/${alice.id}/follow`)),
    run(server),
    run(server),
  ]);
  await run(server);
  expect((await alice.get(`/api/v1/accounts/${alice.id}`)).json).toMatchObject({ followers_count: 5 });
  expect(await run(server, true)).toEqual(nothing);
});

test('the command reports what is wrong, and repairs it', async () => {
  await using commandLine = await openCommandLine({ LOG_LEVEL: 'error' });
  await commandLine.runToEnd('account', 'create', 'alice', '--email', 'a@mail.test', '--confirmed', '--approved');
  await commandLine.database.query('insert into home_feed (account_id, status_id) values (1, 2)');
  const dry = await commandLine.runToEnd('maintenance', 'check', '--dry-run', '--json');
  expect([dry.code, JSON.parse(dry.stdout)]).toMatchObject([
    1,
    [{ found: 0 }, { found: 0 }, { found: 1, repaired: 0 }, { found: 0 }, { found: 0, skipped: [] }],
  ]);
  const repaired = await commandLine.runToEnd('maintenance', 'check');
  expect([repaired.code, repaired.stdout]).toEqual([0, expect.stringMatching(/post no longer exists\s+1\s+1\s+2/)]);
  expect((await commandLine.runToEnd('maintenance', 'check', '--dry-run')).code).toBe(0);
});

test('attachments without their file are found, on every page, and an image is shown without its preview', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const upload = async (): Promise<string> =>
    (await alice.post('/api/v2/media', await multipart({ file: new File([image], 'a.png') }))).json.id;
  const [missing, stored, withoutPreview] = [await upload(), await upload(), await upload()];
  const { rows } = await server.pool.query<{ id: string; file_key: string; preview_key: string }>(
    'select id, file_key, preview_key from media_attachments',
  );
  const fileOf = (id: string) => rows.find((row) => row.id === id);
  await server.app.storage.delete(fileOf(missing)?.file_key ?? '');
  await server.app.storage.delete(fileOf(withoutPreview)?.preview_key ?? '');
  // Remote ones have no file; they fill the first page.
  await server.pool.query(
    `insert into media_attachments (id, type, remote_url, created_at)
       select n, 'image', 'https://far.test/' || n, now() from generate_series(1, 500) n`,
  );
  expect(stored).not.toBe(missing);
  const results = await runChecks(server.app, 'system', { dryRun: false, onProgress: () => {} });
  expect(results.find(({ check }) => check === 'missing-files')).toMatchObject({
    found: 2,
    repaired: 1,
    examples: [missing, withoutPreview],
  });
  const { json } = await alice.get(`/api/v1/media/${withoutPreview}`);
  expect(json.preview_url).toBe(json.url);
  expect(await run(server)).toMatchObject({ 'missing-files': [1, 0] });
});

test.each([false, true])('a unique index that lacks a row is found (with amcheck: %s)', async (hasAmcheck) => {
  await using server = await startServer();
  if (hasAmcheck) await server.pool.query('create extension amcheck');
  await server.pool.query(
    `create table things (name text, kind text);
     create unique index things_name on things (lower(name)) where kind is not null;
     insert into things values ('a', 'x'), ('B', 'x'), (null, 'x'), (null, 'x'), ('a', null);`,
  );
  expect(await run(server)).toEqual(nothing);
  // PostgreSQL does not add rows to an index that is marked as not ready.
  await server.pool.query(`update pg_index set indisready = false where indexrelid = 'things_name'::regclass`);
  await server.pool.query(`insert into things values ('b', 'y')`);
  await server.pool.query(`update pg_index set indisready = true where indexrelid = 'things_name'::regclass`);
  const results = await runChecks(server.app, 'system', { dryRun: false, onProgress: () => {} });
  expect(results.find(({ check }) => check === 'unique-indexes')).toMatchObject({
    found: 1,
    repaired: 0,
    examples: ['things_name'],
    skipped: [],
  });
  // The table has a duplicate.
  const reindex = async () => {
    const repairs = await runChecks(server.app, 'system', { dryRun: false, reindex: true, onProgress: () => {} });
    return repairs.find(({ check }) => check === 'unique-indexes');
  };
  const listIndexes = `select count(*)::int as count from pg_index where indrelid = 'things'::regclass`;
  expect(await reindex()).toMatchObject({ found: 1, repaired: 0 });
  expect((await server.pool.query(listIndexes)).rows).toEqual([{ count: 1 }]);
  await server.pool.query(`delete from things where kind = 'y'; insert into things values ('c', 'x')`);
  await server.pool.query(`update pg_index set indisready = false where indexrelid = 'things_name'::regclass`);
  await server.pool.query(`insert into things values ('d', 'y')`);
  await server.pool.query(`update pg_index set indisready = true where indexrelid = 'things_name'::regclass`);
  // Without amcheck, only duplicates are found.
  expect(await reindex()).toMatchObject(hasAmcheck ? { found: 1, repaired: 1 } : { found: 0, repaired: 0 });
  expect(await run(server)).toEqual(nothing);
});
