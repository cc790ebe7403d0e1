import { afterEach, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, type WebUser } from './web-server.ts';

describeWithServer('jobs and federation', (server) => {
  let staff: WebUser;

  beforeAll(async () => {
    staff = await server.createUser('merle', 'owner');
    await server.installation.runToEnd(
      'db',
      'psql',
      '--',
      '-c',
      `insert into jobs (queue, name, data, attempts, run_at, last_error, exhausted_at)
       values ('background', 'media.delete_files', '{"keys": []}', 16, now(), 'Error: disk full', now()),
         ('background', 'unknown.job', '{}', 16, now(), 'Error: no such handler', now());
       insert into hosts (domain, software, failures, failing_since, last_failure_at)
       values ('far.example', 'mastodon', 5, now() - interval '8 days', now());`,
    );
  });
  afterEach(() => server.closeWindows());

  test('staff see failed jobs, run one again and delete another', async () => {
    const page = await server.openClient(staff, '/moderation');
    await page.getByRole('link', { name: /^Jobs/ }).first().click();
    await page.getByText('Error: disk full').waitFor();
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'State' }).selectOption('Given up');
    await page.getByRole('button', { name: 'Actions for media.delete_files' }).click();
    await page.getByRole('menuitem', { name: 'Run now' }).click();
    await page.getByText('Failed jobs run now').waitFor();
    await page.getByText('Error: disk full').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions for unknown.job' }).click();
    await page.getByRole('menuitem', { name: 'Delete job' }).click();
    await page.getByText('What this job was to do is then not done.').waitFor();
    await page.getByRole('button', { name: 'Delete job' }).click();
    await page.getByText('No jobs match these filters').waitFor();
    const left = await server.installation.runToEnd('jobs', 'list', '--state', 'exhausted', '--json');
    expect(JSON.parse(left.stdout)).toEqual([]);
  });

  test('staff see which servers cannot be reached, and try again', async () => {
    const page = await server.openClient(staff, '/moderation/federation', { size: 'phone', colorScheme: 'dark' });
    await page.getByText('far.example').waitFor();
    await page.getByText('Gets nothing new').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Actions for far.example' }).click();
    await page.getByRole('menuitem', { name: 'Try again now' }).click();
    await page.getByText('Deliveries to far.example start now').waitFor();
    await page.getByText('All servers can be reached').waitFor();
    await page.goto(`${server.url}/moderation/audit-log`);
    await page.getByText('server.retry').waitFor();
    await page.getByText('job.delete').waitFor();
  });
});
