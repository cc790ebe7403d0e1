import type { Command } from 'commander';
import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { commandGroups } from './command-groups.ts';
import { createProgram } from './program.ts';
import { runCommand } from './run.ts';
import { createShell } from './shell.ts';

const leafCommands = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leafCommands);

const program = await createProgram();

/** Returns what is printed about invalid arguments. */
async function rejectionMessage(...args: string[]): Promise<string> {
  let output = '';
  const print = new Writable({ write: (chunk, _encoding, done) => done(void (output += String(chunk))) });
  const shell = createShell({ env: {}, cwd: '/', stdin: Readable.from([]), stdout: print, stderr: print });
  expect(await runCommand(args, shell)).toBe(1);
  return output;
}

test('the commands match the documentation, and each has a description', () => {
  const names = leafCommands(program).map(
    (command) => `${command.parent?.name() === 'fieldfare' ? '' : `${command.parent?.name()} `}${command.name()}`,
  );
  expect(names.toSorted()).toEqual([
    'account approve',
    'account bookmark-folders',
    'account change-email',
    'account confirm',
    'account create',
    'account cull',
    'account delete',
    'account disable',
    'account disable-2fa',
    'account drafts',
    'account enable',
    'account follow',
    'account link',
    'account linked-sign-ins',
    'account list',
    'account merge',
    'account refresh',
    'account reject',
    'account resend-confirmation',
    'account reset-password',
    'account reset-relationships',
    'account role',
    'account rotate-keys',
    'account sensitize',
    'account sessions',
    'account show',
    'account sign-in-link',
    'account silence',
    'account suspend',
    'account unlink',
    'account unsensitize',
    'account unsilence',
    'account unsuspend',
    'account warn',
    'admin-webhook add',
    'admin-webhook delete',
    'admin-webhook deliveries',
    'admin-webhook disable',
    'admin-webhook edit',
    'admin-webhook enable',
    'admin-webhook list',
    'admin-webhook rotate-secret',
    'announcement add',
    'announcement delete',
    'announcement edit',
    'announcement list',
    'announcement publish',
    'announcement unpublish',
    'appeal approve',
    'appeal list',
    'appeal reject',
    'audit list',
    'backup create',
    'backup restore',
    'backup verify',
    'cards remove',
    'db migrate',
    'db psql',
    'db status',
    'db upgrade',
    'doctor',
    'domain allow',
    'domain block',
    'domain crawl',
    'domain disallow',
    'domain export',
    'domain import',
    'domain list',
    'domain purge',
    'domain unblock',
    'domain-list apply',
    'domain-list except',
    'domain-list fetch',
    'domain-list list',
    'domain-list set',
    'domain-list subscribe',
    'domain-list unsubscribe',
    'email-block add',
    'email-block add-address',
    'email-block list',
    'email-block list-addresses',
    'email-block remove',
    'email-block remove-address',
    'email-block test',
    'emoji add',
    'emoji copy',
    'emoji delete',
    'emoji disable',
    'emoji edit',
    'emoji enable',
    'emoji export',
    'emoji import',
    'emoji list',
    'emoji purge',
    'federation delete',
    'federation pause',
    'federation resume',
    'federation retry',
    'federation status',
    'feeds rebuild',
    'held-post approve',
    'held-post count',
    'held-post list',
    'held-post reject',
    'import gotosocial',
    'import mastodon',
    'invite create',
    'invite expire',
    'invite list',
    'ip-block add',
    'ip-block list',
    'ip-block remove',
    'jobs delete',
    'jobs list',
    'jobs retry',
    'jobs status',
    'maintenance check',
    'measures dimensions',
    'measures retention',
    'measures show',
    'media move',
    'media refresh',
    'media remove',
    'media usage',
    'moderation-rule add',
    'moderation-rule delete',
    'moderation-rule list',
    'moderation-rule matches',
    'moderation-rule set',
    'moderation-rule show',
    'moderation-rule trials',
    'moderation-rule try',
    'moderation-rule undo',
    'preset add',
    'preset delete',
    'preset edit',
    'preset list',
    'registrations',
    'relay add',
    'relay list',
    'relay remove',
    'relay subscribe',
    'relay unsubscribe',
    'report assign',
    'report delete-posts',
    'report forward',
    'report list',
    'report mark-sensitive',
    'report note',
    'report reopen',
    'report resolve',
    'report show',
    'report unassign',
    'report update',
    'retention',
    'role create',
    'role delete',
    'role list',
    'role show',
    'role update',
    'rules add',
    'rules delete',
    'rules edit',
    'rules list',
    'rules move',
    'rules translate',
    'search reindex',
    'self-destruct start',
    'self-destruct status',
    'self-destruct stop',
    'serve',
    'site image',
    'site reset',
    'site reset-image',
    'site set',
    'site show',
    'site terms',
    'statuses remove',
    'strike list',
    'terms discard',
    'terms draft',
    'terms notify',
    'terms publish',
    'terms show',
    'token create',
    'token list',
    'token revoke',
    'username-block add',
    'username-block list',
    'username-block remove',
    'username-block test',
    'webhook delete',
    'webhook list',
  ]);
  for (const command of leafCommands(program)) expect(command.description(), command.name()).toMatch(/^\p{Lu}.{10,}/u);
});

test('every command except serve has --json', () => {
  const mute = leafCommands(program).filter(({ options }) => !options.some(({ long }) => long === '--json'));
  expect(mute.map((command) => command.name()).toSorted()).toEqual(['serve']);
});

test('invalid arguments are rejected before anything is opened', async () => {
  expect(await rejectionMessage('account', 'create', 'dora')).toContain("required option '--email <address>'");
  expect(await rejectionMessage('role', 'create', 'x', '--position', '-1')).toContain(
    'It must be a whole number from 0.',
  );
  expect(await rejectionMessage('registrations', 'maybe')).toContain('Allowed choices are');
  expect(await rejectionMessage('site', 'set', 'colour', 'red')).toContain('Allowed choices are');
  expect(await rejectionMessage('rules', 'add', 'x', '--position', 'first')).toContain('It must be a whole number.');
  expect(await rejectionMessage('domain', 'block', 'bad.test', '--severity', 'nuke')).toContain('Allowed choices are');
  expect(await rejectionMessage('serve', '--roles', 'web,cook')).toContain('Unknown role: cook');
  expect(await rejectionMessage('fly')).toContain("unknown command 'fly'");
});

test('the list of commands shows each group without its code, and a name loads only its own', async () => {
  const list = await createProgram(undefined, []);
  expect(list.helpInformation()).toBe(program.helpInformation());
  const loaded = ({ commands, options }: Command): boolean => commands.length + options.length > 0;
  expect(list.commands.filter(loaded).map((command) => command.name())).toEqual(
    commandGroups.filter(({ isCommand }) => isCommand === true).map(({ name }) => name),
  );
  for (const { name } of commandGroups) {
    const { commands } = await createProgram(undefined, [name]);
    expect(commands.filter(loaded).map((command) => command.name())).toEqual([name]);
  }
});
