import { afterAll, expect, test } from 'vitest';
import { DatabaseInstallation } from './database-installation.ts';
import { openCommandLine } from './command-line.ts';

const commandLine = await openCommandLine({ LOG_LEVEL: 'warn' });
afterAll(() => commandLine[Symbol.asyncDispose]());

/** Runs a command. Returns its exit code and what it prints. */
async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await commandLine.runToEnd(...args);
  return `${code} ${stdout}${stderr}`.trim();
}

test('ADM-07: the command line asks before it blocks very many addresses, and keeps the bounds', async () => {
  const block = ['ip-block', 'add', '10.0.0.0/8', '--severity', 'no_access'];
  expect(await run(...block)).toBe(
    '1 fieldfare: 10.0.0.0/8 has a great many addresses: they can no longer reach this server, except owners who sign in. To confirm, add --yes.',
  );
  await using terminal = new DatabaseInstallation(commandLine.database);
  const declined = await terminal.runAtTerminal(block, 'n\n');
  expect(declined.stdout).toContain('Continue? [y/N]');
  expect([declined.code, declined.stdout]).toEqual([1, expect.stringContaining('Cancelled; nothing was changed.')]);
  expect(await run('ip-block', 'list')).toBe('0 No IP address is blocked.');
  const accepted = await terminal.runAtTerminal(block, 'y\n');
  expect(accepted.stdout).toContain('10.0.0.0/8 is blocked (no_access).');
  expect(await run('ip-block', 'add', '11.0.0.0/16', '--severity', 'no_access')).toContain('0 11.0.0.0/16 is blocked');
  for (const [network, length] of [
    ['0.0.0.0/0', '/8'],
    ['::/0', '/19'],
  ] as const) {
    expect(await run('ip-block', 'add', network, '--severity', 'no_access', '--yes')).toContain(
      `Validation failed: IP is too wide for no_access. The widest network is ${length}`,
    );
  }
});

test('ADM-06: the command line asks before it takes something from everyone, and leaves owners above', async () => {
  const require = ['role', 'update', 'user', '--require-two-factor'];
  expect(await run(...require)).toMatch(/^1 fieldfare: Every user, .+ To confirm, add --yes\.$/);
  expect(await run(...require, '--yes')).toContain("can't be blank");
  expect(await run(...require, '--require-two-factor-from', '2020-01-01', '--yes')).toContain('must be in the future');
  expect(await run(...require, '--require-two-factor-from', '2999-01-01', '--yes')).toBe('0 Changed the role user.');
  expect(await run('role', 'show', 'user')).toMatch(/require_two_factor_from +2999-01-01/);
  expect(await run('role', 'update', 'user', '--no-require-two-factor')).toBe('0 Changed the role user.');
  expect(await run('role', 'update', 'user', '--revoke', 'invite_users')).toBe(
    '1 fieldfare: Every user loses invite_users. To confirm, add --yes.',
  );
  expect(await run('role', 'update', 'owner', '--position', '1')).toContain('of the role of owners cannot be changed');
  expect(await run('role', 'update', 'owner', '--revoke', 'administrator')).toContain('cannot be changed');
  expect(await run('role', 'update', 'owner', '--require-two-factor')).toContain('To confirm, add --yes');
  expect(await run('role', 'create', 'king', '--position', '1000')).toContain('must be below the role of owners');
});

test('the command line changes and confirms e-mail addresses, and sends the link again', async () => {
  await run('account', 'create', 'alice', '--email', 'a@mail.test');
  expect(await run('account', 'resend-confirmation', 'alice')).toBe('0 a@mail.test gets the link again.');
  expect(await run('account', 'confirm', 'alice')).toBe('0 The address of @alice is confirmed.');
  expect(await run('account', 'confirm', 'alice')).toBe('0 The address of @alice was already confirmed.');
  expect(await run('account', 'resend-confirmation', 'alice')).toMatch(/^1 ./);
  expect(await run('account', 'change-email', 'alice', 'b@mail.test')).toBe(
    '0 b@mail.test gets a link that confirms it for @alice.',
  );
  expect(await run('account', 'change-email', 'alice', 'c@mail.test', '--confirmed')).toBe(
    '0 @alice has the address c@mail.test.',
  );
  expect(await run('account', 'show', 'alice')).toContain('c@mail.test');
  expect(await run('account', 'change-email', 'alice', 'nonsense')).toContain('Email is not a valid');
  expect(await run('account', 'change-email', 'nobody', 'd@mail.test')).toContain('Unknown account: nobody');
  const log = await run('audit', 'list', '--json');
  for (const action of ['user.change_email', 'user.confirm_email', 'user.resend_confirmation'])
    expect(log).toContain(action);
});
