import { mkdirSync, utimesSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { applyRetention, applyRetentionNow, removeOldFiles } from '../../../server/federation/retention/index.ts';
import type { AccountId, StatusId } from '../../../server/platform/ids.ts';
import { changeSiteSettings } from '../../../server/site/index.ts';
import { updateRemoteStatus } from '../../../server/statuses/remote/index.ts';
import { postBy } from '../../feeds.ts';
import { startServer, type TestServer } from '../../server.ts';
import { RemotePosts } from './remote-posts.ts';

const dayMs = 86_400_000;

async function countRows({ app }: TestServer, table: 'status_edits' | 'statuses' | 'notifications'): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(app.db);
  return rows[0]?.count ?? 0;
}

interface Edit {
  readonly accountId: AccountId;
  readonly uri: string;
  readonly content?: string;
  readonly attachments?: readonly { readonly url: string }[];
}

const edit = ({ app, clock }: TestServer, change: Edit) =>
  updateRemoteStatus(app, {
    content: '<p>Corrected</p>',
    visibility: 'public',
    publishedAt: clock.now(),
    updatedAt: clock.now(),
    ...change,
  });

test('nothing is deleted until staff set an age, and then all of it in parts', async () => {
  await using server = await startServer();
  const remote = new RemotePosts(server);
  const alice = await server.user('alice');
  const eve = await remote.account('eve');
  const kept = await remote.post(eve);
  expect((await alice.post(`/api/v1/statuses/${kept}/bookmark`)).status).toBe(200);
  for (let count = 0; count < 3; count += 1) await remote.post(eve);
  await remote.post(eve, {}, 2);
  await server.drain();

  await applyRetention.run(server.app);
  expect(await countRows(server, 'statuses')).toBe(5);
  expect(await applyRetentionNow(server.app, { dryRun: true })).toMatchObject([
    { kind: 'posts', days: 0, removed: 0 },
    { kind: 'edits', days: 0, removed: 0 },
    { kind: 'files', days: 0, removed: 0 },
    { kind: 'notifications', days: 365, removed: 0 },
  ]);

  await changeSiteSettings(server.app, 'system', { remotePostRetentionDays: 30 });
  expect((await applyRetentionNow(server.app, { dryRun: true }))[0]).toEqual({ kind: 'posts', days: 30, removed: 3 });
  expect(await countRows(server, 'statuses')).toBe(5);
  await applyRetention.run(server.app);
  expect(await countRows(server, 'statuses')).toBe(2);

  // The walk begins again: what was needed may no longer be.
  expect((await alice.post(`/api/v1/statuses/${kept}/unbookmark`)).status).toBe(200);
  await applyRetention.run(server.app);
  expect(await countRows(server, 'statuses')).toBe(1);
});

test('staff see what ages would delete before they set them', async () => {
  await using server = await startServer();
  const remote = new RemotePosts(server);
  const [alice, staff] = [
    await server.user('alice'),
    await server.user('merle', { role: 'admin', scopes: 'admin:read' }),
  ];
  const eve = await remote.account('eve');
  const kept = await remote.post(eve);
  expect((await alice.post(`/api/v1/statuses/${kept}/bookmark`)).status).toBe(200);
  const old = await remote.post(eve);
  await remote.post(eve, {}, 2);
  const { uri } = await server.app.db
    .selectFrom('statuses')
    .select('uri')
    .where('id', '=', old)
    .executeTakeFirstOrThrow();
  await edit(server, { accountId: eve, uri });
  await server.drain();
  const path = '/api/v1/fieldfare/admin/retention';
  const estimate = async (query = '') => {
    const { status, json, text } = await staff.get(`${path}${query}`);
    expect(status, text).toBe(200);
    return json.map((item: { days: number; deleted: number; exact: boolean }) => [item.days, item.deleted, item.exact]);
  };
  expect((await staff.get(path)).json.map(({ setting }: { setting: string }) => setting)).toEqual([
    'remote_post_retention_days',
    'remote_edit_retention_days',
    'remote_media_retention_days',
    'notification_retention_days',
  ]);
  const nothing = [0, 0, true];
  expect(await estimate()).toEqual([nothing, nothing, nothing, [365, 0, true]]);
  server.clock.advance(40 * (dayMs / 1_000));
  expect(await estimate('?remote_post_retention_days=50&remote_edit_retention_days=30')).toEqual([
    [50, 1, true],
    [30, 1, true],
    nothing,
    [365, 0, true],
  ]);
  // Bounds of the settings.
  expect((await estimate('?remote_post_retention_days=99999'))[0]).toEqual([3650, 0, true]);
  expect(await countRows(server, 'statuses')).toBe(3);
});

test('old histories of remote posts are deleted, except new, local and reported ones', async () => {
  await using server = await startServer();
  const remote = new RemotePosts(server);
  const alice = await server.user('alice');
  const eve = await remote.account('eve');
  const old = await remote.post(eve, { attachments: [{ url: 'https://far.test/old.png' }] });
  const reported = await remote.post(eve);
  const uriOf = async (id: StatusId): Promise<string> =>
    (await server.app.db.selectFrom('statuses').select('uri').where('id', '=', id).executeTakeFirstOrThrow()).uri;
  await edit(server, {
    accountId: eve,
    uri: await uriOf(old),
    attachments: [{ url: 'https://far.test/new.png' }],
  });
  await edit(server, { accountId: eve, uri: await uriOf(reported) });
  const report = await alice.post('/api/v1/reports', { account_id: eve, status_ids: [reported] });
  expect(report.status, report.text).toBe(200);
  const own = await postBy(alice, { status: 'Typo' });
  expect((await alice.put(`/api/v1/statuses/${own}`, { status: 'Type' })).status).toBe(200);
  await server.drain();
  server.clock.advance(40 * (dayMs / 1_000));
  const recent = await remote.post(eve, {}, 1);
  await edit(server, { accountId: eve, uri: await uriOf(recent) });
  const historyOf = async (id: string): Promise<number> =>
    (await alice.get(`/api/v1/statuses/${id}/history`)).json.length;
  expect(await Promise.all([old, reported, own, recent].map(historyOf))).toEqual([2, 2, 2, 2]);

  await changeSiteSettings(server.app, 'system', { remoteEditRetentionDays: 30 });
  expect((await applyRetentionNow(server.app, { dryRun: true }))[1]).toEqual({ kind: 'edits', days: 30, removed: 1 });
  expect((await applyRetentionNow(server.app, { dryRun: false }))[1]).toEqual({ kind: 'edits', days: 30, removed: 1 });
  expect(await Promise.all([old, reported, own, recent].map(historyOf))).toEqual([1, 2, 2, 2]);
  const { json } = await alice.get(`/api/v1/statuses/${old}`);
  expect(json.content).toBe('<p>Corrected</p>');
  const media = await server.app.db.selectFrom('media_attachments').select('remote_url').execute();
  expect(media).toEqual([{ remote_url: 'https://far.test/new.png' }]);
  // A later edit stores the version before it as the first one.
  await edit(server, { accountId: eve, uri: await uriOf(old), content: '<p>Again</p>' });
  expect(await historyOf(old)).toBe(2);
  await server.drain();
});

test('old notifications and files that nobody viewed are deleted by their settings', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const post = await postBy(alice, { status: 'Hello' });
  expect((await bob.post(`/api/v1/statuses/${post}/favourite`)).status).toBe(200);
  await server.drain();
  const folder = join(server.app.config.dataDir, 'cache', 'media', 'ab');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `ab${'0'.repeat(62)}.png`);
  writeFileSync(file, 'x');
  utimesSync(file, server.clock.now(), server.clock.now());
  server.clock.advance(40 * (dayMs / 1_000));

  await removeOldFiles.run(server.app);
  expect(existsSync(file)).toBe(true);
  await changeSiteSettings(server.app, 'system', { remoteMediaRetentionDays: 30, notificationRetentionDays: 30 });
  const kinds = async (dryRun: boolean) =>
    (await applyRetentionNow(server.app, { dryRun })).map(({ kind, removed }) => [kind, removed]);
  expect((await kinds(true)).slice(2)).toEqual([
    ['files', 1],
    ['notifications', 1],
  ]);
  expect([existsSync(file), await countRows(server, 'notifications')]).toEqual([true, 1]);
  await removeOldFiles.run(server.app);
  expect(existsSync(file)).toBe(false);
  expect((await kinds(false)).slice(2)).toEqual([
    ['files', 0],
    ['notifications', 1],
  ]);
  expect(await countRows(server, 'notifications')).toBe(0);
});

test('a change of the setting ends the removal after the batch in progress', async () => {
  await using server = await startServer();
  const remote = new RemotePosts(server);
  const eve = await remote.account('eve');
  const parent = await remote.post(eve, {}, 1);
  await server.drain();
  // Two batches of old replies.
  await sql`
    insert into statuses (id, account_id, uri, local, visibility, in_reply_to_id, created_at)
    select number, ${eve}::bigint, 'https://far.test/old/' || number, false, 'public', ${parent}::bigint, now()
    from generate_series(1, 600) number`.execute(server.db);
  await sql`insert into status_stats (status_id, replies_count) values (${parent}::bigint, 600)`.execute(server.db);
  await changeSiteSettings(server.app, 'system', { remotePostRetentionDays: 30 });
  const locker = await server.pool.connect();
  try {
    await locker.query('begin read write');
    await locker.query('select from status_stats for update');
    const removal = applyRetentionNow(server.app, { dryRun: false });
    await expect
      .poll(async () => (await sql`select from pg_locks where not granted`.execute(server.app.db)).rows.length)
      .toBeGreaterThan(0);
    await changeSiteSettings(server.app, 'system', { remotePostRetentionDays: 0 });
    await locker.query('rollback');
    expect((await removal)[0]).toEqual({ kind: 'posts', days: 30, removed: 500 });
  } finally {
    locker.release();
  }
  expect(await countRows(server, 'statuses')).toBe(101);
});
