import { expect, test } from 'vitest';
import { openCommandLine } from './command-line.ts';

test('ADM-07: measures, dimensions and retention are shown by the command line', async () => {
  await using commandLine = await openCommandLine({ LOG_LEVEL: 'error' });
  const run = (...args: string[]) => commandLine.runToEnd('measures', ...args);
  const runJson = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args, '--json');
    expect(code, `${args.join(' ')}: ${stderr}`).toBe(0);
    return JSON.parse(stdout);
  };
  const days = ['--from', '2026-11-01', '--to', '2026-11-03'];
  const [users, statuses] = await runJson('show', 'new_users', 'instance_statuses', '--domain', 'far.test', ...days);
  expect(users).toMatchObject({ key: 'new_users', total: '0', previous_total: '0' });
  expect(users.data.map(({ date }: { date: string }) => date.slice(0, 10))).toEqual([
    '2026-11-01',
    '2026-11-02',
    '2026-11-03',
  ]);
  expect(statuses).toMatchObject({ key: 'instance_statuses', total: '0' });
  expect((await run('show', 'new_users')).stdout).toMatch(/^key +total +the days before\nnew_users +0 +0\n/);
  expect(await runJson('dimensions', 'software_versions', 'servers')).toMatchObject([
    { key: 'software_versions', data: [{ key: 'fieldfare' }, { key: 'node', value: process.versions.node }, {}] },
    { key: 'servers', data: [] },
  ]);
  expect((await run('dimensions', 'software_versions')).stdout).toContain('  Node.js: ');
  const cohorts = await runJson('retention', '--frequency', 'month', '--from', '2026-09-01', '--to', '2026-11-03');
  expect(cohorts.map(({ period }: { period: string }) => period.slice(0, 7))).toEqual([
    '2026-09',
    '2026-10',
    '2026-11',
  ]);
  for (const [args, message] of [
    [['show', 'birds'], 'Unknown key: birds'],
    [['show', 'tag_uses', '--tag', 'birds'], 'Unknown hashtag: birds'],
    [['show', 'new_users', '--to', 'soon'], 'soon'],
  ] as const) {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  }
});
