import { expect, test } from 'vitest';
import { startServer } from '../../test/server.ts';
import { percentile, renderFanOut } from './fan-out-report.ts';
import { seedFollowers } from './seed-followers.ts';

test('a post to seeded followers is stored once for each host, not for each follower', async () => {
  await using server = await startServer();
  server.expectUndelivered(/\.peers\.test:7$/);
  const author = await server.user('author');
  await seedFollowers(server.app, author.id, { followers: 120, hosts: 8, port: 7 });
  expect((await author.get(`/api/v1/accounts/${author.id}`)).json.followers_count).toBe(120);
  await author.post('/api/v1/statuses', { status: 'Hello' });
  await server.drain();
  const { rows } = await server.pool.query('select inbox_url, host from deliveries order by host');
  expect(rows).toEqual(
    Array.from({ length: 8 }, (_, host) => ({
      inbox_url: `https://h${host}.peers.test:7/inbox`,
      host: `h${host}.peers.test:7`,
    })),
  );
  expect((await server.pool.query('select count(*)::int from activities')).rows).toEqual([{ count: 1 }]);
});

test('the report has medians of the rounds, and times of others in all rounds', () => {
  const base = {
    firstMs: 1,
    received: 8,
    rows: 8,
    turnBefore: 1,
    turnDuring: 2,
    gcBefore: 0.05,
    gcDuring: 0.1,
    hostsShare: 0.3,
    postgresMs: 8,
    memoryBytes: 2e7,
  };
  const times = { homeBefore: [10], homeDuring: [12], postBefore: [20], postDuring: [50] };
  const results = [100, 300, 200].map((lastMs) => ({ ...base, ...times, lastMs, requestMs: lastMs / 10, nodeMs: 16 }));
  const report = renderFanOut('npm run bench -- fan-out', { followers: 120, hosts: 8 }, [{ name: 'post', results }]);
  expect(report).toContain('A post to 120 followers on 8 hosts');
  expect(report).toContain('| last delivery | 10,000 ms | 200 ms |');
  expect(report).toContain('| home of others, p95 | × 1.3 | 10.0 → 12.0 ms (× 1.20) |');
  expect(report).toContain('| CPU of Node for a host |  | 2.00 ms |');
  expect(percentile([3, 1, 2], 0.5)).toBe(2);
  expect(percentile([], 0.5)).toBe(0);
});
