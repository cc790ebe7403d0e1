import { expect, test } from 'vitest';
import { waitForValue } from '../clients/real-server.ts';
import { openCommandLine } from './command-line.ts';

const parseLastLine = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');

test('ADM-06: roles are created, assigned, changed and deleted by the command line, and the running server knows at once', async () => {
  await using commandLine = await openCommandLine({ LOG_LEVEL: 'warn' });
  const url = await commandLine.serve();
  const run = async (...args: string[]) => {
    const result = await commandLine.runToEnd(...args);
    expect(result.code, result.stderr).toBe(0);
    return result.stdout;
  };
  const runJson = async (...args: string[]) => parseLastLine(await run(...args, '--json'));
  const refuse = async (...args: string[]) => (await commandLine.runToEnd(...args)).stderr;

  const properties = ['--color', '#595aff', '--position', '7', '--highlighted', '--collection-limit', '4'];
  const permissions = ['--permissions', 'manage_users, manage_reports'];
  const created = await runJson('role', 'create', 'Greeter', ...properties, ...permissions);
  const { id } = created as { id: string };
  expect(await run('role', 'list')).toMatch(/greeter\s+7\s+yes/);
  const account = ['account', 'create', 'alice', '--email', 'a@mail.test', '--confirmed', '--role', 'greeter'];
  const { access_token: token } = (await runJson(...account, '--scopes', 'admin:read')) as { access_token: string };
  const status = async () =>
    (await fetch(`${url}/api/v1/admin/reports`, { headers: { authorization: `Bearer ${token}` } })).status;
  const becomes = (expected: number) => waitForValue(async () => ((await status()) === expected ? true : undefined));
  expect(await status()).toBe(200);
  expect(await run('role', 'update', 'Greeter', '--revoke', 'manage_reports', '--grant', 'view_dashboard')).toBe(
    'Changed the role greeter.\n',
  );
  await becomes(403);
  expect(await runJson('role', 'show', id)).toMatchObject({
    name: 'Greeter',
    color: '#595aff',
    position: 7,
    permissions: ['view_dashboard', 'manage_users'],
    highlighted: true,
    collection_limit: 4,
    require_two_factor: false,
  });
  await run('role', 'update', 'greeter', '--no-highlighted', '--permissions', 'manage_reports');
  await becomes(200);
  expect(await run('account', 'role', 'alice', 'Moderator')).toBe('@alice now has the role moderator.\n');
  expect(await run('account', 'role', 'alice', id)).toBe('@alice now has the role greeter.\n');
  expect(await refuse('account', 'role', 'alice', 'boss')).toBe(
    'fieldfare: Unknown role: boss. See: fieldfare role list\n',
  );
  expect(await refuse('role', 'delete', 'greeter')).toContain('add --yes');
  expect(await refuse('role', 'update', 'greeter', '--permissions', 'fly')).toContain('unknown permission: fly');
  expect(await run('role', 'delete', 'greeter', '--yes')).toBe('Deleted the role greeter.\n');
  await becomes(403);
  expect(await run('account', 'show', 'alice')).toMatch(/role +user/);
  const log = (await runJson('audit', 'list', '--target', 'role')) as { action: string }[];
  expect(log.map(({ action }) => action).toReversed()).toEqual(
    ['create', 'update', 'update', 'delete'].map((verb) => `role.${verb}`),
  );
});
