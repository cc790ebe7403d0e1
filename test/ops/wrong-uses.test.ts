import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCommandLine } from './command-line.ts';
import { listUsedCommands, type UsedCommand } from './command-uses.ts';
import { createMigratedDatabase } from './database.ts';
import { OpenApps } from './open-apps.ts';
import { runInProcess, type CommandResult } from './run-in-process.ts';

/** Not of the right form for anything, or unknown. */
const nonsense = ['nonsense', '', '99999999999', '99999999999999999999', 'ö'.repeat(3_000)];
/** Started by other tests: they do not end by themselves, or are for a terminal. */
const endless = ['serve', 'db psql'];
/** Options without which a command asks a person. */
const answers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'self-destruct start': { '--confirm': 'nonsense' },
};

const commandLine = await openCommandLine({ BASE_URL: 'https://social.test' });
const apps = new OpenApps(commandLine.env);
const textFile = join(commandLine.folder, 'text.txt');

beforeAll(async () => {
  writeFileSync(textFile, 'Only text');
  await commandLine.run('account', 'create', 'alice', '--email', 'alice@mail.test', '--confirmed');
});
afterAll(async () => {
  await apps[Symbol.asyncDispose]();
  await commandLine[Symbol.asyncDispose]();
});

const run = (...args: string[]): Promise<CommandResult> => commandLine.runToEnd(...args);

/** Returns a value of the right form for an argument or option, which mostly names nothing that exists. */
function sample(command: string, name: string): string {
  if (/^(?:id|ids|--report|--preset|--post|--status|--rule|--before)$/.test(name)) return '109';
  if (/name|^--(?:user|account|target|staff)$/i.test(name)) return 'alice';
  if (/domain|host|start/.test(name)) return 'other.invalid';
  if (/email/.test(name)) return 'someone@mail.test';
  if (/file|path|template|changelog/.test(name)) return textFile;
  if (/url/.test(name)) return 'https://other.invalid/list';
  if (name === 'network') return '192.0.2.0/24';
  if (name === '--severity') return 'sign_up_block';
  if (name === '--scopes') return 'read';
  if (name === 'mode') return 'closed';
  if (name === 'keys') return command === 'measures dimensions' ? 'languages' : 'new_users';
  if (/^--(?:accounts|statuses)$|place/.test(name)) return '1';
  return 'something';
}

const commands = (await listUsedCommands(sample)).filter(({ name }) => !endless.includes(name));

/** Returns what is wrong with the answer to a use of a command. */
function problemOf({ code, stdout, stderr }: CommandResult): string | undefined {
  if (/^ +at /m.test(stderr) || /^ +at /m.test(stdout)) return `a stack: ${stderr}`;
  if (code !== 0 && stderr.trim() === '' && stdout.trim() === '') return 'no message';
  if (/Record not found/.test(stderr)) return `does not name what is unknown: ${stderr}`;
  if (stdout.trim() === '') return undefined;
  try {
    JSON.parse(stdout);
  } catch {
    return `not one JSON value: ${stdout}`;
  }
  return undefined;
}

/** Runs a command with an App that other commands have used. */
const runInOpenApp = (use: readonly string[]): Promise<CommandResult> =>
  runInProcess(use, { env: commandLine.env, cwd: commandLine.folder, apps });

async function findProblems(
  uses: Iterable<readonly string[]>,
  runUse: (use: readonly string[]) => Promise<CommandResult>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const use of uses) {
    const problem = problemOf(await runUse(use));
    if (problem !== undefined) problems.push(`${use.join(' ').slice(0, 200)}: ${problem.slice(0, 600)}`);
  }
  return problems;
}

/** Returns uses of a command in which one thing is wrong, each once: without what is optional, they are all the same. */
const wrongUses = (command: UsedCommand): MapIterator<string[]> =>
  new Map([...listWrongUses(command)].map((use) => [JSON.stringify(use), use])).values();

function* listWrongUses(command: UsedCommand): Generator<string[]> {
  const use = (replaced: Readonly<Record<string, string | undefined>> = {}): string[] =>
    command.use({ ...answers[command.name], ...replaced });
  yield use();
  for (const name of [
    ...command.arguments.map((argument) => argument.name()),
    ...command.options.filter(({ required }) => required).map(({ long = '' }) => long),
  ]) {
    if (answers[command.name] === undefined) yield use({ [name]: undefined });
    for (const value of nonsense) yield use({ [name]: value });
  }
}

test.for(commands.map((command) => ({ name: command.name, command })))(
  '$name explains wrong uses without a stack',
  async ({ command }) => {
    expect(await findProblems(wrongUses(command), runInOpenApp)).toEqual([]);
  },
);

test('paths in arguments are relative to the working directory of the command', async () => {
  await commandLine.run('backup', 'create', 'relative.tar');
  expect(existsSync(join(commandLine.folder, 'relative.tar'))).toBe(true);
  expect(['relative.tar', ...nonsense].filter((name) => name !== '' && existsSync(name))).toEqual([]);
});

/** Uses each command once, with all that it needs, and with other settings. */
const findProblemsWith = (settings: Record<string, string>): Promise<string[]> =>
  findProblems(
    commands.map((command) => command.use(answers[command.name])),
    (use) => commandLine.runWith(settings, ...use),
  );

test('every command explains that the database cannot be reached', async () => {
  const unreachable = { DATABASE_URL: 'postgres://127.0.0.1:1/nothing' };
  expect(await findProblemsWith(unreachable)).toEqual([]);
  const { code, stderr } = await commandLine.runWith(unreachable, 'account', 'list');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^fieldfare: The database at .* cannot be reached/)]);
});

test('every command explains that the user of the database lacks rights', async () => {
  await using denied = await createMigratedDatabase();
  const client = await denied.connect();
  const role = `stranger_${process.pid}`;
  await client.query(`create role ${role}`);
  // Whoever connects has the rights of this role, which are none.
  await client.query(`do $$ begin
    execute format('alter role %I in database %I set role = ${role}', current_user, current_database());
  end $$`);
  expect(await findProblemsWith({ DATABASE_URL: denied.url })).toEqual([]);
  const { code, stderr } = await commandLine.runWith({ DATABASE_URL: denied.url }, 'rules', 'list');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^fieldfare: The database refuses it: permission denied/)]);
  await client.query(`drop role ${role}`);
  await client.end();
});

test('every command explains that its folder cannot be used, and which settings are invalid', async () => {
  expect(await findProblemsWith({ DATA_DIR: join(textFile, 'data') })).toEqual([]);
  expect(await findProblemsWith({ DATABASE_POOL: 'many' })).toEqual([]);
});

test.for([
  ['audit list --action nonsense', 'It must be a target and a verb, such as domain_block.create. Targets: account,'],
  ['audit list --action domain_block.nonsense', 'nonsense is no verb. Verbs: announce,'],
  ['audit list --action domain_block.create.more', 'create is no verb. Verbs: announce,'],
  ['audit list --target nonsense', 'Allowed choices are account,'],
  ['email-block test nonsense', 'Not an e-mail address: nonsense. Pass one such as alice@example.org.'],
  ['announcement add Hello --starts-at tomorrow', 'It must be a day or time such as 2026-12-31'],
  ['announcement add Hello --ends-at 2026-02-30', 'It must be a day or time such as 2026-12-31'],
  ['announcement edit 109 --scheduled-at 2026-13-01T00:00Z', 'It must be a day or time such as 2026-12-31'],
  ['terms publish --effective tomorrow', 'It must be a day such as 2026-12-31.'],
  ['terms notify tomorrow', 'It must be a day such as 2026-12-31.'],
  ['measures show new_users --from 2026-02-30', 'It must be a day such as 2026-12-31.'],
  ['measures retention --to tomorrow', 'It must be a day such as 2026-12-31.'],
  ['jobs list --queue nonsense', 'Allowed choices are default, feeds, mail'],
  ['jobs list --before nonsense', 'It must be an id, as the list shows it.'],
  ['role create judge --permissions nonsense', 'It has an unknown permission: nonsense. Known ones: administrator,'],
  ['token create alice --scopes nonsense', 'Unknown scope: nonsense. Known ones: '],
  ['site set local-live-feed-access nonsense', 'must be one of public, authenticated, disabled'],
  ['serve --roles cook', 'Unknown role: cook. Known ones: web, streaming, worker.'],
  ['serve --port nonsense', 'PORT must be a whole number from 0 to 65535'],
  ['appeal approve 109', 'Unknown appeal: 109'],
  ['media refresh --domain not/a/domain', 'Not a domain: not/a/domain'],
  ['site set remote-post-retention-days soon', 'The value must be a whole number, not soon'],
  ['site set remote-post-retention-days 4000', 'must be a number from 0 to 3650'],
  ['statuses remove --days 99999999999', 'It must be at most'],
  ['account show alice bob', 'too many arguments'],
  ['account show --colour', 'unknown option'],
] as const)('%s is explained', async ([line, message]) => {
  const { code, stdout, stderr } = await run(...line.split(' '));
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(message);
});

test('--json prints one value for one name, and one list for several, also if one of them fails', async () => {
  for (const name of ['bob', 'cleo'])
    await run('account', 'create', name, '--email', `${name}@mail.test`, '--confirmed');
  const resultsOf = async (...names: string[]): Promise<unknown> =>
    JSON.parse((await run('account', 'silence', ...names, '--json')).stdout);
  expect(await resultsOf('bob')).toMatchObject({ account: 'bob', changed: true });
  expect(await resultsOf('bob', 'cleo')).toMatchObject([
    { account: 'bob', changed: false },
    { account: 'cleo', changed: true },
  ]);
  const failed = await run('account', 'warn', 'bob', '--report', '109', '--json');
  expect([failed.code, failed.stdout]).toEqual([1, '']);
});

test('account create --json prints one object, with the password that it chose', async () => {
  const create = async (name: string, ...more: string[]): Promise<Record<string, unknown>> => {
    const args = ['account', 'create', name, '--email', `${name}@mail.test`, '--json', ...more];
    return JSON.parse((await run(...args)).stdout) as Record<string, unknown>;
  };
  expect(await create('dora')).toEqual({
    id: expect.stringMatching(/^\d+$/),
    username: 'dora',
    password: expect.stringMatching(/^.{12,}$/),
    access_token: null,
  });
  expect(Object.keys(await create('emil', '--password', 'correct horse battery', '--scopes', 'read'))).toEqual([
    'id',
    'username',
    'access_token',
  ]);
});
