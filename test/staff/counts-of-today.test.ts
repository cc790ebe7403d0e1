import { expect, test } from 'vitest';
import { transaction } from '../../server/platform/write/transaction.ts';
import { storeRemoteAccount } from '../../server/accounts/remote/index.ts';
import { ManualClock } from '../../server/platform/clock.ts';
import { storeRemoteStatus } from '../../server/statuses/remote/index.ts';
import { startServer, type TestServer } from '../server.ts';

const count = (server: TestServer) => server.runSchedule('measures.count_today');

/** Cohorts and languages of users are counted once an hour. */
async function loadCounts({ pool }: TestServer) {
  const { rows: counts } = await pool.query(
    `select kind, key, day::text, part, value from daily_counts
      where kind not like 'user\\_%' order by kind, key, day, part`,
  );
  const { rows: tags } = await pool.query(
    `select tag_id, dimension, day::text, part, uses from tag_daily_uses order by tag_id, dimension, day, part`,
  );
  return { counts, tags };
}

const findValue = ({ counts }: Awaited<ReturnType<typeof loadCounts>>, kind: string, key = '') =>
  counts.find((row) => row.kind === kind && row.key === key)?.value;

test('ADM-07: rows of today are counted once, and all of them again in the next hour', async () => {
  await using server = await startServer({ clock: new ManualClock(new Date('2026-03-10T12:10:00Z')) });
  const { app, clock } = server;
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const uri = 'https://far.test/users/far';
  const farAccount = { uri, username: 'far', domain: 'far.test', inboxUrl: `${uri}/inbox` };
  const far = await transaction(app, (tx) => storeRemoteAccount(tx, app, farAccount));
  const storeRemote = (number: number, publishedAt: Date) =>
    storeRemoteStatus(app, {
      uri: `${uri}/posts/${number}`,
      accountId: far,
      content: '<p>#birds</p>',
      visibility: 'public',
      tags: ['birds'],
      publishedAt,
      language: 'en',
    });
  const act = async (): Promise<string> => {
    const { id } = (await alice.post('/api/v1/statuses', { status: 'Look at the #birds', language: 'en' })).json;
    await bob.post(`/api/v1/statuses/${id}/favourite`);
    await bob.post(`/api/v1/statuses/${id}/reblog`);
    await bob.post('/api/v1/statuses', { status: 'Indeed #birds', in_reply_to_id: id });
    await bob.post('/api/v1/reports', { account_id: alice.id, comment: 'Twice' });
    return id;
  };
  const first = await act();
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  await storeRemote(1, clock.now());
  await count(server);
  expect(findValue(await loadCounts(server), 'statuses')).toBe('3');

  clock.advance(300);
  await act();
  await server.user('carol');
  await storeRemote(2, clock.now());
  await alice.delete(`/api/v1/statuses/${first}`);
  await storeRemote(3, new Date('2026-03-10T09:00:00Z'));
  await count(server);
  const added = await loadCounts(server);
  // The deleted post and its boost are still counted, the one that arrived late is not yet.
  expect([findValue(added, 'statuses'), findValue(added, 'statuses', 'far.test')]).toEqual(['6', '2']);
  // Another run finds nothing to add.
  await count(server);
  expect(await loadCounts(server)).toEqual(added);

  await server.pool.query('update statuses set deleted_at = null');
  await server.pool.query('delete from statuses where uri = $1', [`${uri}/posts/3`]);
  const { rows } = await server.pool.query('select id from statuses where local');
  clock.advance(3_600);
  await count(server);
  expect([rows.length, await loadCounts(server)]).toEqual([6, added]);

  await storeRemote(4, new Date('2026-03-10T09:00:00Z'));
  clock.advance(3_600);
  await count(server);
  expect(findValue(await loadCounts(server), 'statuses', 'far.test')).toBe('3');
});
