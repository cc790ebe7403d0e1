import { expect, test } from 'vitest';
import { workerQueues } from '../../server/app.ts';
import { countQueueProcesses } from '../../server/platform/work/queue-processes.ts';
import { findFreePort } from '../free-port.ts';
import { startServer } from '../server.ts';
import { DatabaseInstallation } from './database-installation.ts';
import { createMigratedDatabase } from './database.ts';

const parse = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');

test('workers do the work of the queues that they are given, and the doctor names those that have none', async () => {
  await using database = await createMigratedDatabase();
  await using installation = new DatabaseInstallation(database, { BASE_URL: 'https://social.test' });
  const mailer = installation.run(['serve', '--roles', 'worker', '--queues', 'mail, push']);
  await mailer.waitForOutput('Fieldfare is running jobs');
  // They do nothing, because there is neither such a user nor such a file.
  await database.query(`insert into jobs (queue, name, data, run_at) values
    ('mail', 'user.send_confirmation', '{"userId":"1"}', now()), ('media', 'media.process_upload', '{"mediaId":"1"}', now())`);
  const waiting = async (): Promise<string[]> => {
    const client = await database.connect();
    const { rows } = await client.query<{ queue: string }>(
      `select queue from jobs where name in ('user.send_confirmation', 'media.process_upload') order by queue`,
    );
    await client.end();
    return rows.map(({ queue }) => queue);
  };
  await expect.poll(waiting).toEqual(['media']);
  const finding = async () =>
    (parse((await installation.runToEnd('doctor', '--json')).stdout) as { subject: string; detail: string }[]).find(
      ({ detail }) => detail.startsWith('no process does the work of'),
    );
  const detail = (await finding())?.detail ?? '';
  expect(detail).toMatch(/ inbox, /);
  expect(detail).not.toMatch(/ (?:mail|push)\b/);

  const others = installation.run(['serve', '--roles', 'worker', '--except', 'mail,push']);
  await others.waitForOutput('Fieldfare is running jobs');
  await expect.poll(waiting).toEqual([]);
  expect(await finding()).toBeUndefined();
  await mailer.kill('SIGKILL');
  await expect.poll(async () => (await finding())?.detail).toBe('no process does the work of mail, push');
});

test('queues that are not known, or are given to a process that is no worker, are refused', async () => {
  await using database = await createMigratedDatabase();
  await using installation = new DatabaseInstallation(database);
  const refuse = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await installation.runToEnd('serve', ...args);
    expect(code).toBe(1);
    return stderr;
  };
  expect(await refuse('--queues', 'post')).toMatch(/Unknown queue: post\. Known ones: default, feeds, .*, deliveries/);
  expect(await refuse('--roles', 'web', '--except', 'mail')).toContain('--queues and --except need the role worker.');
  expect(await refuse('--queues', 'mail', '--except', 'mail')).toContain('cannot be used with');
});

test('a worker without queues, and a process without roles, are refused: they would do nothing', async () => {
  await using database = await createMigratedDatabase();
  await using installation = new DatabaseInstallation(database);
  for (const args of [
    ['--queues', ' , '],
    ['--except', workerQueues.join(',')],
  ])
    expect(await installation.runToEnd('serve', '--roles', 'worker', ...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No queue is left for this worker. Queues: default, ') as string,
    });
  expect((await installation.runToEnd('serve', '--roles', ',')).stderr).toContain(
    'at least one role of web, streaming',
  );
});

test('the doctor misses workers while other processes run, and nothing while all are stopped', async () => {
  await using database = await createMigratedDatabase();
  await using installation = new DatabaseInstallation(database, {
    BASE_URL: 'https://social.test',
    PORT: String(await findFreePort()),
  });
  const finding = async () =>
    (parse((await installation.runToEnd('doctor', '--json')).stdout) as { detail: string }[]).filter(
      ({ detail }) => detail === 'no worker runs',
    ).length;
  expect(await finding()).toBe(0);
  const web = installation.run(['serve', '--roles', 'web']);
  await web.waitForOutput('Fieldfare is ready');
  expect(await finding()).toBe(1);
  const worker = installation.run(['serve', '--roles', 'worker']);
  await worker.waitForOutput('Fieldfare is running jobs');
  expect(await finding()).toBe(0);
});

test('a process without a list of queues does the work of all, until it is dead', async () => {
  await using server = await startServer();
  const { app, pool } = server;
  const count = async () => new Set((await countQueueProcesses(app, workerQueues, { timeoutMs: 5_000 })).values());
  expect(await count()).toEqual(new Set([0]));
  await pool.query(`insert into lease_holders (id, beat_at) values (gen_random_uuid(), 'infinity')`);
  expect(await count()).toEqual(new Set([1]));
  await pool.query(`update lease_holders set beat_at = now() - interval '1 minute'`);
  expect(await count()).toEqual(new Set([0]));
});
