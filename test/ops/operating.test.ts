import { expect, test } from 'vitest';
import { waitForValue } from '../clients/real-server.ts';
import { openCommandLine } from './command-line.ts';

const settings = { REGISTRATIONS: 'closed', LOG_LEVEL: 'error' };

test.each([
  ['running', true],
  ['stopped', false],
] as const)(
  'jobs, hosts and feeds are shown and changed from the command line while the server is %s',
  async (_, isRunning) => {
    await using commandLine = await openCommandLine(settings);
    if (isRunning) await commandLine.serve();
    await commandLine.run('account', 'create', 'alice', '--email', 'a@mail.test', '--confirmed');
    await commandLine.database.query(`insert into jobs (queue, name, data, attempts, run_at, last_error, exhausted_at)
       values ('background', 'media.delete_files', '{"keys": []}', 16, now(), 'Error: disk', now()),
         ('background', 'unknown.job', '{}', 16, now(), 'Error: unknown', now());
     insert into hosts (domain, failures, failing_since, last_failure_at) values ('far.test', 5, now(), now());`);
    const failed = (await commandLine.runJson('jobs', 'list', '--state', 'exhausted')) as {
      id: string;
      name: string;
    }[];
    expect(failed.map(({ name }) => name)).toEqual(['unknown.job', 'media.delete_files']);
    expect(await commandLine.run('jobs', 'status')).toMatch(/background\s+exhausted\s+2/);
    const [unknown, retried] = failed.map(({ id }) => id) as [string, string];
    expect(await commandLine.runJson('jobs', 'retry', '--all', '--dry-run')).toEqual({ jobs: 2, changed: 0 });
    expect(await commandLine.run('jobs', 'retry', retried)).toBe('1 job is due now.\n');
    if (isRunning) {
      await waitForValue(async () => {
        const left = (await commandLine.runJson('jobs', 'list', '--name', 'media.delete_files')) as unknown[];
        return left.length === 0 ? true : undefined;
      });
    } else
      expect(await commandLine.runJson('jobs', 'list', '--state', 'retrying')).toMatchObject([
        { id: retried, attempts: 0 },
      ]);
    expect(await commandLine.run('jobs', 'delete', unknown)).toBe('1 job is deleted.\n');
    await commandLine.refuse(['jobs', 'delete', unknown], `Unknown job: ${unknown}`);
    await commandLine.refuse(['jobs', 'retry'], 'or --all for all jobs');
    await commandLine.refuse(['jobs', 'delete', 'x'], 'Not the id of a job: x');

    expect(await commandLine.run('federation', 'status')).toMatch(/far\.test\s+5/);
    expect(await commandLine.runJson('federation', 'status', 'far.test')).toMatchObject({
      domain: 'far.test',
      failures: 5,
    });
    expect(await commandLine.run('federation', 'retry', 'Far.test')).toContain('0 deliveries');
    expect(await commandLine.runJson('federation', 'status')).toMatchObject({ hosts: [] });
    expect(await commandLine.runJson('federation', 'delete', 'far.test')).toEqual({
      host: 'far.test',
      deliveries: 0,
      received: 0,
    });
    await commandLine.refuse(['federation', 'retry', 'nowhere.test'], 'Unknown server: nowhere.test');

    expect(await commandLine.run('feeds', 'rebuild', 'alice')).toMatch(/^@alice: \d timelines were rebuilt/);
    expect(await commandLine.runJson('feeds', 'rebuild', '--all', '--dry-run')).toMatchObject({ rebuilt: 0 });
    await commandLine.refuse(['feeds', 'rebuild'], 'Pass either names of users or --all.');
    const log = (await commandLine.runJson('audit', 'list')) as { action: string; staff: unknown }[];
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
    await using commandLine = await openCommandLine(settings);
    if (isRunning) await commandLine.serve();
    await commandLine.database.query(`insert into accounts (id, username, domain, uri, created_at, updated_at)
       values (1, 'eve', 'far.test', 'https://far.test/users/eve', now(), now());
     insert into account_stats (account_id) values (1);
     insert into statuses (id, account_id, uri, local, visibility, created_at)
       values (5, 1, 'https://far.test/notes/5', false, 'public', now()),
         (6, 1, 'https://far.test/notes/6', false, 'private', now());`);
    expect(await commandLine.runJson('statuses', 'remove', '--dry-run')).toEqual({ examined: 1, removed: 1 });
    expect(await commandLine.run('statuses', 'remove', '--days', '30')).toBe(
      'Removed 1 of 1 posts older than 30 days.\n',
    );
    expect(await commandLine.runJson('media', 'usage')).toMatchObject({ cache: { files: 0, bytes: 0 } });
    expect(await commandLine.runJson('media', 'remove', '--days', '1')).toEqual({ files: 0, bytes: 0 });
    expect(await commandLine.runJson('media', 'refresh', '--domain', 'far.test')).toEqual({
      files: 0,
      fetched: 0,
      failed: 0,
    });
    await commandLine.refuse(['media', 'refresh'], 'Pass one of --status, --account and --domain.');
    const data = { domain: 'far.test', accounts: 1, statuses: 1, emojis: 0 };
    expect(await commandLine.runJson('domain', 'purge', 'Far.test', '--dry-run')).toEqual([{ ...data, queued: false }]);
    await commandLine.refuse(['domain', 'purge', 'far.test'], 'add --yes: domain purge far.test --yes');
    expect(await commandLine.runJson('domain', 'purge', 'far.test', '--yes')).toEqual([{ ...data, queued: true }]);
    const jobs = async () =>
      (await commandLine.runJson('jobs', 'list', '--name', 'federation.delete_domain_data')) as unknown[];
    if (isRunning) {
      await waitForValue(async () => ((await jobs()).length === 0 ? true : undefined));
      await commandLine.refuse(['domain', 'purge', 'far.test', '--dry-run'], 'Nothing is stored of far.test.');
    } else expect(await jobs()).toHaveLength(1);
    const log = (await commandLine.runJson('audit', 'list')) as { action: string; staff: unknown }[];
    expect(log.map(({ action }) => action).toSorted()).toEqual([
      'media.refresh',
      'media.remove',
      'server.purge',
      'status.remove_remote',
    ]);
  },
);

test('ACC-14: tokens of a user are listed and revoked from the command line, with immediate effect', async () => {
  await using commandLine = await openCommandLine({ LOG_LEVEL: 'error' });
  const url = await commandLine.serve();
  const account = ['alice', '--email', 'a@mail.test', '--confirmed', '--scopes', 'read'];
  const created = (await commandLine.runJson('account', 'create', ...account)) as { access_token: string };
  await commandLine.run('token', 'create', '@alice', '--scopes', 'read write', '--app', 'Scripts');
  const listed = (await commandLine.runJson('token', 'list', 'alice')) as { id: string; app: string; scopes: string }[];
  expect(listed).toMatchObject([
    { app: 'Scripts', scopes: 'read write', last_used_ip: null },
    { app: 'Command line', scopes: 'read' },
  ]);
  expect(JSON.stringify(listed)).not.toContain(created.access_token);
  const status = async () =>
    (
      await fetch(`${url}/api/v1/accounts/verify_credentials`, {
        headers: { authorization: `Bearer ${created.access_token}` },
      })
    ).status;
  expect(await status()).toBe(200);
  const [scripts, own] = listed.map(({ id }) => id) as [string, string];
  expect(await commandLine.run('token', 'revoke', 'alice', own)).toBe('alice was signed out of 1 app.\n');
  await waitForValue(async () => ((await status()) === 401 ? true : undefined));
  await commandLine.refuse(['token', 'revoke', 'alice', own], `alice has no token ${own}.`);
  await commandLine.refuse(['token', 'revoke', 'alice'], 'Pass either the id of a token or --all.');
  await commandLine.refuse(['token', 'list', 'nobody'], 'Unknown account: nobody');
  expect(await commandLine.runJson('token', 'list', 'alice')).toMatchObject([{ id: scripts }]);
  expect(await commandLine.runJson('token', 'revoke', 'alice', '--all')).toEqual({ username: 'alice', revoked: 1 });
  expect(await commandLine.run('token', 'list', 'alice')).toBe('alice has no tokens.\n');
  const log = (await commandLine.runJson('audit', 'list', '--action', 'user.revoke_tokens')) as { staff: unknown }[];
  expect(log.map(({ staff }) => staff)).toEqual([null, null]);
});
