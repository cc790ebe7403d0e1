import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, followLink, sizes, type WebUser } from './web-server.ts';

describeWithServer('operation of a server', (server) => {
  let staff: WebUser;

  beforeAll(async () => {
    staff = await server.createUser('merle', 'owner');
    await server.sql(
      `insert into jobs (queue, name, data, attempts, run_at, last_error, exhausted_at)
       values ('background', 'media.delete_files', '{"keys": []}', 16, now(), 'Error: disk full', now()),
         ('background', 'unknown.job', '{}', 16, now(), 'Error: no such handler', now());
       insert into hosts (domain, software, failures, failing_since, last_failure_at)
       values ('far.example', 'mastodon', 5, now() - interval '8 days', now());`,
    );
  });

  test('staff see failed jobs, run one again and delete another', async () => {
    const page = await server.openClient(staff, '/moderation');
    const sections = page.getByRole('navigation', { name: 'Pages of moderation' });
    await page.getByRole('list', { name: 'What waits' }).getByRole('link', { name: '1 Unreachable servers' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Moderation, 2 waiting' }).waitFor();
    await page.setViewportSize(sizes.phone);
    await page.getByRole('button', { name: 'More, 2 waiting' }).waitFor();
    await page.setViewportSize(sizes.desktop);
    await page.getByRole('link', { name: '2 Failed jobs' }).click();
    await page.getByText('Error: disk full').waitFor();
    expect(await sections.getByRole('link', { name: 'Jobs' }).getAttribute('aria-current')).toBe('page');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove filter State: Given up' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await page.getByRole('button', { name: 'Filters', exact: true }).press('Enter');
    await page.getByRole('combobox', { name: 'State' }).selectOption('Given up');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Filters 1 active' }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?state=exhausted');
    await page.getByRole('button', { name: 'Actions for media.delete_files' }).click();
    await page.getByRole('menuitem', { name: 'Run now' }).click();
    await page.getByText('Failed jobs run now').waitFor();
    await page.getByText('Error: disk full').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions for unknown.job' }).click();
    await page.getByRole('menuitem', { name: 'Delete job' }).click();
    await page.getByText('What this job was to do is then not done.').waitFor();
    await page.getByRole('button', { name: 'Delete job' }).click();
    await page.getByText('No jobs match these filters').waitFor();
    await expect.poll(() => staff.send('GET', '/api/v1/fieldfare/admin/jobs?state=exhausted')).toEqual([]);
    await sections.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: '0 Failed jobs' }).waitFor();
    await page.getByRole('link', { name: 'Moderation', exact: true }).waitFor();
  });

  test('who may only see jobs is shown no actions for them', async () => {
    const role = { name: 'Watcher', position: 5, permissions: ['view_devops'] };
    const { id } = await staff.send<{ id: string }>('POST', '/api/v1/fieldfare/admin/roles', role);
    const watcher = await server.createUser('greta', id);
    await server.sql(`insert into jobs (queue, name, data, attempts, run_at, last_error, exhausted_at)
      values ('background', 'other.job', '{}', 16, now(), 'Error: no such handler', now())`);
    const page = await server.openClient(watcher, '/moderation/jobs');
    await page.getByText('other.job').waitFor();
    expect(await page.getByRole('button', { name: 'Actions for other.job' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Run all failed jobs now' }).count()).toBe(0);
    const owner = await server.openClient(staff, '/moderation/jobs');
    await owner.getByRole('button', { name: 'Actions for other.job' }).waitFor();
    await owner.getByRole('button', { name: 'Run all failed jobs now' }).waitFor();
    await server.sql("delete from jobs where name = 'other.job'");
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
    await followLink(page, '/moderation/audit-log');
    await page.getByText('server.retry').waitFor();
    await page.getByText('job.delete').first().waitFor();
  });

  test('staff pause the deliveries to a server, and resume them', async () => {
    const page = await server.openClient(staff, '/moderation/federation');
    await page.getByRole('button', { name: 'Pause deliveries to a server' }).click();
    const form = page.getByRole('dialog', { name: 'Pause deliveries to a server' });
    await form.getByText('Nothing is sent to the server until you resume').waitFor();
    await form.getByRole('textbox', { name: 'Domain' }).fill('not a domain');
    await form.getByRole('button', { name: 'Pause deliveries' }).click();
    await page.getByText(/“?not a domain/u).waitFor();
    await form.getByRole('textbox', { name: 'Domain' }).fill('https://loud.example/');
    await form.getByRole('button', { name: 'Pause deliveries' }).click();
    await page.getByText('Deliveries to loud.example are paused').waitFor();
    await form.waitFor({ state: 'detached' });
    await page.getByText('Paused since').waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('button', { name: 'Actions for loud.example' }).click();
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual(['Resume deliveries', 'Delete what waits']);
    await page.getByRole('menuitem', { name: 'Resume deliveries' }).click();
    await page.getByText('Deliveries to loud.example start again, oldest first').waitFor();
    await page.getByText('Paused since').waitFor({ state: 'detached' });
    await staff.send('POST', '/api/v1/fieldfare/admin/federation/hosts/loud.example/pause');
    await page.reload();
    await page.getByText('Deliveries paused').waitFor();
    await staff.send('POST', '/api/v1/fieldfare/admin/federation/hosts/loud.example/resume');
    await followLink(page, '/moderation/audit-log');
    await page.getByText('server.pause').first().waitFor();
    await page.getByText('server.resume').first().waitFor();
  });

  test('staff read in the log of a webhook why nothing arrived', async () => {
    const page = await server.openClient(staff, '/moderation/webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByRole('textbox', { name: 'Address' }).fill('https://hooks.far.example/in');
    await page.getByRole('checkbox', { name: 'status.created' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Secret of the webhook' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Actions for https://hooks.far.example/in' }).click();
    await page.getByRole('menuitem', { name: 'Log' }).click();
    await page.getByText('Nothing was sent yet').waitFor();
    await page.keyboard.press('Escape');
    await staff.rest.v1.statuses.create({ status: 'Tell the webhook' });
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Actions for https://hooks.far.example/in' }).click();
        await page.getByRole('menuitem', { name: 'Log' }).click();
        const log = page.getByRole('dialog', { name: 'Log' });
        await log.getByText(/Nothing was sent yet|status\.created/).waitFor();
        const text = await log.innerText();
        if (text.includes('Unreachable')) await expectAccessible(page);
        await page.keyboard.press('Escape');
        await log.waitFor({ state: 'detached' });
        return text;
      })
      .toContain('Unreachable');
  });

  test('staff see the images of a post that is held', async () => {
    await staff.send('POST', '/api/v1/fieldfare/admin/moderation_rules', {
      title: 'Gambling',
      enabled: true,
      conditions: { text: { keywords: ['casino'] } },
      actions: ['hold'],
    });
    const finn = await server.createUser('finn');
    const image = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#a04000' } })
      .png()
      .toBuffer();
    const { id } = await finn.rest.v2.media.create({
      file: new File([new Uint8Array(image)], 'ad.png', { type: 'image/png' }),
      description: 'A roulette table',
    });
    await finn.rest.v1.statuses.create({ status: 'Come to the casino', mediaIds: [id] });
    const page = await server.openClient(staff, '/moderation/held-posts');
    await page.getByText('Come to the casino').waitFor();
    await page.getByRole('img', { name: 'A roulette table' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Post published').waitFor();
    const { id: finnId } = await finn.rest.v1.accounts.verifyCredentials();
    const [published] = await finn.rest.v1.accounts.$select(finnId).statuses.list();
    expect(published?.mediaAttachments).toMatchObject([{ description: 'A roulette table' }]);
  });
});
