import { expect, test } from 'vitest';
import { openCommandLine } from './command-line.ts';

const parseLastLine = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');

test('ADM-02: users are warned by the command line, appeal, and the appeals are decided there', async () => {
  await using commandLine = await openCommandLine({ LOG_LEVEL: 'warn' });
  const url = await commandLine.serve();
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await commandLine.runToEnd(...args);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const runJson = async (...args: string[]): Promise<unknown> => parseLastLine(await run(...args, '--json'));
  const alice = (await runJson(
    'account',
    'create',
    'alice',
    '--email',
    'alice@mail.test',
    '--confirmed',
    '--scopes',
    'read write',
  )) as { access_token: string };
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${alice.access_token}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(200);
    return response.json();
  };

  expect(await run('strike', 'list', 'alice')).toBe('There are no decisions about @alice.\n');
  expect(await run('account', 'warn', 'alice', '--text', 'Please be kind', '--no-notify')).toBe('@alice is warned.\n');
  expect(await run('account', 'sensitize', 'alice', '--no-notify')).toBe('@alice is marked as sensitive.\n');
  const strikes = (await runJson('strike', 'list', 'alice')) as { id: string; action: string; text: string }[];
  expect(strikes.map(({ action, text }) => [action, text])).toEqual([
    ['sensitive', ''],
    ['none', 'Please be kind'],
  ]);
  expect(await runJson('strike', 'list', 'alice', '--limit', '1')).toHaveLength(1);
  expect((await commandLine.runToEnd('account', 'warn', 'nobody')).code).toBe(1);

  for (const { id } of strikes) {
    await call('POST', `/api/v1/fieldfare/strikes/${id}/appeal`, { text: 'It was a joke' });
  }
  const pending = (await runJson('appeal', 'list')) as { id: string; strike: { action: string } }[];
  expect(pending.map(({ strike }) => strike.action)).toEqual(['none', 'sensitive']);
  const idOf = (action: string) => pending.find(({ strike }) => strike.action === action)?.id ?? '';
  expect(await run('appeal', 'reject', idOf('none'))).toBe('The appeal is rejected.\n');
  expect(await run('appeal', 'approve', idOf('sensitive'))).toBe('The appeal is approved.\n');
  expect(await run('appeal', 'list')).toBe('There are no pending appeals.\n');
  expect(await run('appeal', 'list', '--state', 'approved')).toMatch(/alice\s+sensitive\s+It was a joke/);
  // The approval undid the decision.
  expect(await run('account', 'unsensitize', 'alice')).toBe('@alice was not marked as sensitive.\n');
  const again = await commandLine.runToEnd('appeal', 'approve', idOf('none'));
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('decided before')]);
  const invalid = await commandLine.runToEnd('appeal', 'approve', 'x');
  expect(invalid.stderr).toBe('fieldfare: Invalid id: x. See appeal list.\n');
  expect(await run('strike', 'list', 'alice')).toMatch(/sensitive\s+approved/);
  const log = (await runJson('audit', 'list', '--target', 'appeal')) as { action: string }[];
  expect(log.map(({ action }) => action).toSorted()).toEqual(['appeal.approve', 'appeal.reject']);
});
