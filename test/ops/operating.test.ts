import { expect, test } from 'vitest';
import { waitForValue } from '../clients/real-server.ts';
import { findFreePort, Installation } from './cli-process.ts';

const parseLastLine = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');

/** Starts the server of an installation, unless the commands are to run without one. */
async function startIf(running: boolean, installation: Installation): Promise<void> {
  if (running) await installation.run(['serve']).waitForOutput('Fieldfare is ready');
}

/** Returns functions that run a command that succeeds, and one that fails with a message. */
function runner(installation: Installation) {
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await installation.runToEnd(...args);
    expect(code, `${args.join(' ')}: ${stderr}`).toBe(0);
    return stdout;
  };
  return {
    run,
    runJson: async (...args: string[]) => parseLastLine(await run(...args, '--json')),
    refuse: async (args: string[], message: string) => {
      const { code, stderr } = await installation.runToEnd(...args);
      expect([code, stderr.includes(message) || stderr], args.join(' ')).toEqual([1, true]);
    },
  };
}

const newInstallation = async () =>
  new Installation({ PORT: String(await findFreePort()), REGISTRATIONS: 'closed', LOG_LEVEL: 'error' });

test.each([
  ['running', true],
  ['stopped', false],
] as const)(
  'jobs, hosts and feeds are shown and changed from the command line while the server is %s',
  async (_, isRunning) => {
    await using installation = await newInstallation();
    await startIf(isRunning, installation);
    const { run, runJson, refuse } = runner(installation);
    await run('account', 'create', 'alice', '--email', 'a@mail.test', '--confirmed');
    await run(
      'db',
      'psql',
      '--',
      '-c',
      `insert into jobs (queue, name, data, attempts, run_at, last_error, exhausted_at)
       values ('background', 'media.delete_files', '{"keys": []}', 16, now(), 'Error: disk', now()),
         ('background', 'unknown.job', '{}', 16, now(), 'Error: unknown', now());
     insert into hosts (domain, failures, failing_since, last_failure_at) values ('far.test', 5, now(), now());`,
    );
    const failed = (await runJson('jobs', 'list', '--state', 'exhausted')) as { id: string; name: string }[];
    expect(failed.map(({ name }) => name)).toEqual(['unknown.job', 'media.delete_files']);
    expect(await run('jobs', 'status')).toMatch(/background\s+exhausted\s+2/);
    const [unknown, retried] = failed.map(({ id }) => id) as [string, string];
    expect(await runJson('jobs', 'retry', '--all', '--dry-run')).toEqual({ jobs: 2, changed: 0 });
    expect(await run('jobs', 'retry', retried)).toBe('1 job is due now.\n');
    if (isRunning) {
      await waitForValue(async () => {
        const left = (await runJson('jobs', 'list', '--name', 'media.delete_files')) as unknown[];
        return left.length === 0 ? true : undefined;
      });
    } else expect(await runJson('jobs', 'list', '--state', 'retrying')).toMatchObject([{ id: retried, attempts: 0 }]);
    expect(await run('jobs', 'delete', unknown)).toBe('1 job is deleted.\n');
    await refuse(['jobs', 'delete', unknown], `Unknown job: ${unknown}`);
    await refuse(['jobs', 'retry'], 'or --all for all jobs');
    await refuse(['jobs', 'delete', 'x'], 'Not the id of a job: x');

    expect(await run('federation', 'status')).toMatch(/far\.test\s+5/);
    expect(await runJson('federation', 'status', 'far.test')).toMatchObject({ domain: 'far.test', failures: 5 });
    expect(await run('federation', 'retry', 'Far.test')).toContain('0 deliveries');
    expect(await runJson('federation', 'status')).toMatchObject({ hosts: [] });
    expect(await runJson('federation', 'delete', 'far.test')).toEqual({ host: 'far.test', deliveries: 0, received: 0 });
    await refuse(['federation', 'retry', 'nowhere.test'], 'Unknown server: nowhere.test');

    expect(await run('feeds', 'rebuild', 'alice')).toMatch(/^@alice: \d timelines were rebuilt/);
    expect(await runJson('feeds', 'rebuild', '--all', '--dry-run')).toMatchObject({ rebuilt: 0 });
    await refuse(['feeds', 'rebuild'], 'Pass either names of users or --all.');
    const log = (await runJson('audit', 'list')) as { action: string; staff: unknown }[];
    expect(log.map(({ action, staff }) => [action, staff])).toEqual(
      expect.arrayContaining([
        ['job.retry', null],
        ['job.delete', null],
        ['server.retry', null],
        ['server.delete_queue', null],
        ['feed.rebuild', null],
      ]),
    );
  },
);

test.each([
  ['running', true],
  ['stopped', false],
] as const)(
  'remote posts, media and domains are removed from the command line while the server is %s',
  async (_, isRunning) => {
    await using installation = await newInstallation();
    await startIf(isRunning, installation);
    const { run, runJson, refuse } = runner(installation);
    await run('db', 'migrate');
    await run(
      'db',
      'psql',
      '--',
      '-c',
      `insert into accounts (id, username, domain, uri, created_at, updated_at)
       values (1, 'eve', 'far.test', 'https://far.test/users/eve', now(), now());
     insert into account_stats (account_id) values (1);
     insert into statuses (id, account_id, uri, local, visibility, created_at)
       values (5, 1, 'https://far.test/notes/5', false, 'public', now()),
         (6, 1, 'https://far.test/notes/6', false, 'private', now());`,
    );
    expect(await runJson('statuses', 'remove', '--dry-run')).toEqual({ examined: 1, removed: 1 });
    expect(await run('statuses', 'remove', '--days', '30')).toBe('Removed 1 of 1 posts older than 30 days.\n');
    expect(await runJson('media', 'usage')).toMatchObject({ cache: { files: 0, bytes: 0 } });
    expect(await runJson('media', 'remove', '--days', '1')).toEqual({ files: 0, bytes: 0 });
    expect(await runJson('media', 'refresh', '--domain', 'far.test')).toEqual({ files: 0, fetched: 0, failed: 0 });
    await refuse(['media', 'refresh'], 'Pass one of --status, --account and --domain.');
    const data = { domain: 'far.test', accounts: 1, statuses: 1, emojis: 0 };
    expect(await runJson('domain', 'purge', 'Far.test', '--dry-run')).toEqual([{ ...data, queued: false }]);
    await refuse(['domain', 'purge', 'far.test'], 'add --yes: domain purge far.test --yes');
    expect(await runJson('domain', 'purge', 'far.test', '--yes')).toEqual([{ ...data, queued: true }]);
    const jobs = async () => (await runJson('jobs', 'list', '--name', 'federation.delete_domain_data')) as unknown[];
    if (isRunning) {
      await waitForValue(async () => ((await jobs()).length === 0 ? true : undefined));
      await refuse(['domain', 'purge', 'far.test', '--dry-run'], 'Nothing is stored of far.test.');
    } else expect(await jobs()).toHaveLength(1);
    const log = (await runJson('audit', 'list')) as { action: string; staff: unknown }[];
    expect(log.map(({ action }) => action).toSorted()).toEqual([
      'media.refresh',
      'media.remove',
      'server.purge',
      'status.remove_remote',
    ]);
  },
);

test('ACC-14: tokens of a user are listed and revoked from the command line, with immediate effect', async () => {
  const port = await findFreePort();
  await using installation = new Installation({ PORT: String(port), LOG_LEVEL: 'error' });
  await startIf(true, installation);
  const { run, runJson, refuse } = runner(installation);
  const account = ['alice', '--email', 'a@mail.test', '--confirmed', '--scopes', 'read'];
  const created = (await runJson('account', 'create', ...account)) as { access_token: string };
  await run('token', 'create', '@alice', '--scopes', 'read write', '--app', 'Scripts');
  const listed = (await runJson('token', 'list', 'alice')) as { id: string; app: string; scopes: string }[];
  expect(listed).toMatchObject([
    { app: 'Scripts', scopes: 'read write', last_used_ip: null },
    { app: 'Command line', scopes: 'read' },
  ]);
  expect(JSON.stringify(listed)).not.toContain(created.access_token);
  const status = async () =>
    (
      await fetch(`http://127.0.0.1:${port}/api/v1/accounts/verify_credentials`, {
        headers: { authorization: `Bearer ${created.access_token}` },
      })
    ).status;
  expect(await status()).toBe(200);
  const [scripts, own] = listed.map(({ id }) => id) as [string, string];
  expect(await run('token', 'revoke', 'alice', own)).toBe('alice was signed out of 1 app.\n');
  await waitForValue(async () => ((await status()) === 401 ? true : undefined));
  await refuse(['token', 'revoke', 'alice', own], `alice has no token ${own}.`);
  await refuse(['token', 'revoke', 'alice'], 'Pass either the id of a token or --all.');
  await refuse(['token', 'list', 'nobody'], 'Unknown account: nobody');
  expect(await runJson('token', 'list', 'alice')).toMatchObject([{ id: scripts }]);
  expect(await runJson('token', 'revoke', 'alice', '--all')).toEqual({ username: 'alice', revoked: 1 });
  expect(await run('token', 'list', 'alice')).toBe('alice has no tokens.\n');
  const log = (await runJson('audit', 'list', '--action', 'user.revoke_tokens')) as { staff: unknown }[];
  expect(log.map(({ staff }) => staff)).toEqual([null, null]);
});
