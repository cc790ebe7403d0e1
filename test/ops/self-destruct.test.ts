import { expect, test } from 'vitest';
import { openCommandLine } from './command-line.ts';

test('an instance ends only after its domain was typed, and continues where it stopped', async () => {
  await using commandLine = await openCommandLine({ BASE_URL: 'http://birds.test', LOG_LEVEL: 'error' });
  await commandLine.runToEnd('account', 'create', 'alice', '--email', 'a@mail.test', '--confirmed', '--approved');
  const start = async (input: string, ...args: string[]) =>
    commandLine.runWith({ stdin: input }, 'self-destruct', 'start', ...args);
  for (const input of ['', 'yes\n', 'other.test\n']) {
    const { code, stderr } = await start(input);
    expect([code, stderr], input).toEqual([1, expect.stringContaining('Nothing was done: the domain is birds.test.')]);
  }
  const left = { accounts: 1, deliveries: 0 };
  expect(JSON.parse((await start('', '--dry-run', '--json')).stdout)).toEqual({ job: null, ...left });
  expect((await start('Birds.test\n')).stdout).toContain('Keep the server running.\n1 accounts');
  const status = await commandLine.runToEnd('self-destruct', 'status', '--json');
  expect(JSON.parse(status.stdout)).toEqual({ job: 'waiting', ...left });
  expect((await commandLine.runToEnd('self-destruct', 'stop')).stdout).toContain('No more accounts are deleted.');
  const stopped = await commandLine.runToEnd('self-destruct', 'stop', '--json');
  expect(JSON.parse(stopped.stdout)).toEqual({ stopped: false, job: null, ...left });
  const confirmed = await start('', '--confirm', 'birds.test', '--json');
  expect(JSON.parse(confirmed.stdout)).toEqual({ job: 'waiting', ...left });
});
