import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { commandLine } from './index.ts';

const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);

/** What commander says about arguments that it does not take. */
function refusal(...args: string[]): string {
  const program = commandLine();
  let said = '';
  const quiet = (command: Command): void => {
    command.configureOutput({ writeErr: (text) => (said += text) }).exitOverride();
    command.commands.forEach(quiet);
  };
  quiet(program);
  expect(() => program.parse(args, { from: 'user' })).toThrow();
  return said;
}

test('the commands are those that the documentation promises, and each says what it does', () => {
  const names = leaves(commandLine()).map(
    (command) => `${command.parent?.name() === 'fieldfare' ? '' : `${command.parent?.name()} `}${command.name()}`,
  );
  expect(names.toSorted()).toEqual([
    'account approve',
    'account create',
    'account delete',
    'account disable',
    'account enable',
    'account list',
    'account reject',
    'account role',
    'account show',
    'account suspend',
    'account unsuspend',
    'db migrate',
    'db psql',
    'db status',
    'demo seed',
    'doctor',
    'domain allow',
    'domain block',
    'domain disallow',
    'domain list',
    'domain unblock',
    'emoji add',
    'emoji disable',
    'emoji enable',
    'emoji import',
    'emoji list',
    'emoji remove',
    'registrations',
    'rules add',
    'rules delete',
    'rules edit',
    'rules list',
    'serve',
    'site reset',
    'site set',
    'site show',
    'site terms',
    'token create',
  ]);
  for (const command of leaves(commandLine())) expect(command.description(), command.name()).toMatch(/^\p{Lu}.{10,}/u);
});

test('all but the server can speak JSON', () => {
  const mute = leaves(commandLine()).filter(({ options }) => !options.some(({ long }) => long === '--json'));
  expect(mute.map((command) => command.name()).toSorted()).toEqual(['serve']);
});

test('arguments that cannot be are refused before anything is opened', () => {
  expect(refusal('account', 'create', 'dora')).toContain("required option '--email <address>'");
  expect(refusal('account', 'create', 'dora', '--email', 'd@mail.test', '--role', 'king')).toContain(
    'Allowed choices are',
  );
  expect(refusal('account', 'role', 'dora', 'king')).toContain('Allowed choices are');
  expect(refusal('registrations', 'maybe')).toContain('Allowed choices are');
  expect(refusal('site', 'set', 'colour', 'red')).toContain('Allowed choices are');
  expect(refusal('rules', 'add', 'x', '--position', 'first')).toContain('It must be a whole number.');
  expect(refusal('domain', 'block', 'bad.test', '--severity', 'nuke')).toContain('Allowed choices are');
  expect(refusal('serve', '--roles', 'web,cook')).toContain('There is no role cook.');
  expect(refusal('demo', 'seed', '--accounts', '0', '--statuses', '10')).toContain(
    'It must be a whole number from 1 on.',
  );
  expect(refusal('fly')).toContain("unknown command 'fly'");
});
