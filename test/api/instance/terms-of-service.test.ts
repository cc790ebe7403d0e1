import { expect, test } from 'vitest';
import {
  announceTermsOfService,
  discardTermsDraft,
  findTermsDraft,
  publishTermsDraft,
  publishTermsOfService,
  saveTermsDraft,
} from '../../../server/site/terms/index.ts';
import { disableUser } from '../../../server/moderation/index.ts';
import { startServer, type TestServer } from '../../server.ts';

const terms = '/api/v1/instance/terms_of_service';
const today = (server: TestServer): string => server.clock.now().toISOString().slice(0, 10);

test('INS-01: a draft of the terms of service is hidden until it is published', async () => {
  await using server = await startServer();
  const { app } = server;
  await expect(publishTermsDraft(app, 'system')).rejects.toThrow('Record not found');
  await expect(discardTermsDraft(app, 'system')).rejects.toThrow('Record not found');
  await saveTermsDraft(app, 'system', { content: '<p>One</p>', changelog: 'First', effectiveDate: '2999-01-01' });
  await saveTermsDraft(app, 'system', {
    content: '<p>Two</p><script>x</script>',
    changelog: ' Second\n\n<b>Third</b> ',
  });
  expect(await findTermsDraft(app)).toEqual({
    content: '<p>Two</p>',
    changelog: 'Second\n\n<b>Third</b>',
    effectiveDate: null,
  });
  expect((await server.anonymous.get(terms)).status).toBe(404);
  expect(await publishTermsDraft(app, 'system')).toBe(today(server));
  expect(await findTermsDraft(app)).toBeUndefined();
  expect((await server.anonymous.get(terms)).json).toEqual({
    effective_date: today(server),
    effective: true,
    content: '<p>Two</p>',
    succeeded_by: null,
  });
  const page = await server.anonymous.get(`/terms-of-service/${today(server)}`);
  expect(page.text).toContain('<p>Second</p>');
  expect(page.text).toContain('<p>&lt;b&gt;Third&lt;/b&gt;</p>');
  expect((await server.anonymous.get('/terms-of-service/2001-01-01')).status).toBe(404);
  await saveTermsDraft(app, 'system', { content: '<p>Three</p>', effectiveDate: '2999-12-31' });
  expect(await publishTermsDraft(app, 'system', '2999-01-01')).toBe('2999-01-01');
  expect((await server.anonymous.get('/terms-of-service')).text).toContain('href="/terms-of-service/2999-01-01"');
  await saveTermsDraft(app, 'system', { content: '<p>Four</p>' });
  await discardTermsDraft(app, 'system');
  expect(await findTermsDraft(app)).toBeUndefined();
});

test('a draft that cannot be published is refused, or kept', async () => {
  await using server = await startServer();
  const { app } = server;
  const save = (content: string, changelog?: string, effectiveDate?: string) =>
    saveTermsDraft(app, 'system', { content, changelog, effectiveDate });
  await expect(save(' ')).rejects.toThrow("Content can't be blank");
  await expect(save('x', 'y'.repeat(10_001))).rejects.toThrow('Changelog is too long');
  await expect(save('x', '', '2001-01-01')).rejects.toThrow('Effective date must not be in the past');
  await save('<p>x</p>', '', today(server));
  server.clock.advance(86_400);
  await expect(publishTermsDraft(app, 'system')).rejects.toThrow('Effective date must not be in the past');
  expect(await findTermsDraft(app)).toMatchObject({ content: '<p>x</p>' });
});

test('INS-01: active users are notified once of new terms of service, with what changes, in batches', async () => {
  await using server = await startServer();
  const { app } = server;
  const first = await server.user('first');
  for (const name of ['unconfirmed', 'waiting', 'asleep', 'deleted']) await server.user(name);
  const { id: disabled } = await server.user('disabled');
  await server.pool.query(`update users set confirmed_at = null where email = 'unconfirmed@mail.test'`);
  await server.pool.query(`update users set approved = false where email = 'waiting@mail.test'`);
  await disableUser(app, 'system', { accountId: disabled });
  await server.pool.query(`update users set last_active_at = $1, created_at = $1 where email = 'asleep@mail.test'`, [
    new Date(server.clock.now().getTime() - 400 * 86_400_000),
  ]);
  await server.pool.query(`update accounts set suspended_at = now() where username = 'deleted'`);
  await server.drain();
  server.outbox.length = 0;
  const effectiveDate = await publishTermsOfService(app, 'system', {
    content: '<p>x</p>',
    changelog: 'You may bring <one> bird.\n\nNo cats.',
    effectiveDate: '2999-01-01',
  });
  await expect(announceTermsOfService(app, 'system', '2999-01-02')).rejects.toThrow('Record not found');
  await announceTermsOfService(app, 'system', effectiveDate);
  await expect(announceTermsOfService(app, 'system', effectiveDate)).rejects.toThrow(
    'already been notified of this version',
  );
  // Jobs may run twice; users are mailed once all the same.
  await server.pool.query(
    `insert into jobs (queue, name, data, run_at) select queue, name, data, run_at from jobs where name = 'user.announce_terms'`,
  );
  await server.drain();
  server.clock.advance(31);
  await server.drain();
  expect(server.outbox.map(({ to }) => to)).toEqual(['first@mail.test']);
  const [mail] = server.outbox;
  expect(mail?.subject).toContain('terms of service');
  expect(mail?.text).toContain('change on January 1, 2999.');
  expect(mail?.text).toContain('You may bring <one> bird.');
  expect(mail?.text).toContain('https://fieldfare.test/terms-of-service/2999-01-01');
  expect(mail?.html).toContain('You may bring &lt;one&gt; bird.');
  expect(first.username).toBe('first');
  // A new text of the same day is another version.
  await publishTermsOfService(app, 'system', { content: '<p>y</p>', effectiveDate });
  await announceTermsOfService(app, 'system', effectiveDate);
  await server.drain();
  expect(server.outbox).toHaveLength(2);
});

test('a batch of notices follows after a pause, so that other mail does not wait', async () => {
  await using server = await startServer();
  const { app } = server;
  await server.user('template');
  await server.pool.query(`
    with copies as (
      insert into accounts (id, username, domain, uri, activated, created_at, updated_at)
      select 1000 + n, 'copy' || n, null, 'https://fieldfare.test/users/copy' || n, true, now(), now() from generate_series(1, 150) n returning id, username
    )
    insert into users (id, account_id, email, password_hash, confirmed_at, approved, settings, created_at, updated_at)
    select copies.id, copies.id, username || '@mail.test', 'x', now(), true, '{}', now(), now() from copies`);
  await server.pool.query('update users set created_at = $1', [server.clock.now()]);
  await server.drain();
  server.outbox.length = 0;
  const effectiveDate = await publishTermsOfService(app, 'system', { content: '<p>x</p>' });
  await announceTermsOfService(app, 'system', effectiveDate);
  await server.drain();
  expect(server.outbox).toHaveLength(100);
  server.clock.advance(31);
  await server.drain();
  expect(new Set(server.outbox.map(({ to }) => to)).size).toBe(151);
  server.clock.advance(31);
  await server.drain();
  expect(server.outbox).toHaveLength(151);
});

test('staff see how a text about the site will be shown, written as HTML or as Markdown', async () => {
  await using server = await startServer();
  const owner = await server.user('olga', { role: 'owner', scopes: 'admin:read' });
  const path = '/api/v1/fieldfare/admin/site_texts/preview';
  const preview = async (body: object) => (await owner.post(path, body)).json;
  const html = '<h2>Rules</h2><p onclick="x()">Be <em>kind</em>.</p><script>x</script>';
  expect(await preview({ content: html })).toEqual({
    content: '<p><strong>Rules</strong></p><p>Be <em>kind</em>.</p>',
  });
  expect(await preview({ content: '# Rules\n\nBe *kind*.', content_type: 'text/markdown' })).toEqual({
    content: '<p><strong>Rules</strong></p><p>Be <em>kind</em>.</p>',
  });
  expect((await owner.post(path, { content: 'x', content_type: 'text/plain' })).status).toBe(422);
  expect((await owner.post(path, {})).status).toBe(400);
  const user = await server.user('alice');
  expect((await user.post(path, { content: 'x' })).status).toBe(403);
  expect((await server.anonymous.post(path, { content: 'x' })).status).toBe(401);
});
