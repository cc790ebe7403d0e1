import { afterAll, beforeAll, expect, test } from 'vitest';
import { instanceActorId } from '../../../server/accounts/index.ts';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import { addRule, deleteRule } from '../../../server/site/rules/index.ts';
import { workers } from '../../../server/app.ts';
import { loadOwnStaffMails, setOwnStaffMails } from '../../../server/users/mails/index.ts';
import { Browser } from '../../browser.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const reports = '/api/v1/reports';

let server: TestServer;
let alice: TestUser;
let bob: TestUser;
let carol: TestUser;

beforeAll(async () => {
  server = await startServer();
  alice = await server.user('alice');
  bob = await server.user('bob');
  carol = await server.user('carol');
  await server.user('marge', { role: 'moderator', email: 'marge@mail.test' });
  await server.user('olga', { role: 'owner', email: 'olga@mail.test' });
  const { userId } = await server.user('former', { role: 'admin' });
  await server.pool.query('update users set disabled = true where id = $1', [userId]);
});
afterAll(() => server[Symbol.asyncDispose]());

const postAs = async (user: TestUser, status: string, more: object = {}): Promise<string> =>
  (await user.post('/api/v1/statuses', { status, ...more })).json.id;

async function report(user: TestUser, body: object) {
  const response = await user.post(reports, body);
  expect(response.status, response.text).toBe(200);
  return response.json;
}

const copiesOf = async (id: string) =>
  (await server.pool.query('select * from reported_statuses where report_id = $1 order by status_id', [id])).rows;

test('ADM-05: a report has its posts, collections, rules and comment, and the staff are mailed once', async () => {
  const statusId = await postAs(bob, 'Buy my watches', {
    spoiler_text: 'Offer',
    poll: { options: ['a', 'b'], expires_in: 600 },
  });
  const collectionId = (await bob.post('/api/v1/collections', { name: 'Shops' })).json.collection.id;
  const ruleId = await addRule(server.app, 'system', { text: 'No adverts' });
  await deleteRule(server.app, 'system', ruleId);
  const sent = await report(alice, {
    account_id: bob.id,
    status_ids: [statusId, statusId],
    collection_ids: [collectionId],
    comment: ' Adverts\r\nagain ',
    category: 'spam',
    rule_ids: [ruleId],
    forward: true,
  });
  expect(sent).toEqual({
    id: expect.any(String),
    action_taken: false,
    action_taken_at: null,
    category: 'violation',
    comment: 'Adverts\nagain',
    forwarded: false,
    created_at: server.clock.now().toISOString(),
    status_ids: [statusId],
    collection_ids: [collectionId],
    rule_ids: [ruleId],
    target_account: expect.objectContaining({ id: bob.id, acct: 'bob' }),
  });
  expect(await copiesOf(sent.id)).toMatchObject([
    { status_id: statusId, content: '<p>Buy my watches</p>', spoiler_text: 'Offer', poll_options: ['a', 'b'] },
  ]);
  await server.drain();
  const mails = server.outbox.splice(0);
  expect(mails.map(({ to }) => to).toSorted()).toEqual(['marge@mail.test', 'olga@mail.test']);
  expect(mails[0]?.subject).toBe('New report about @bob on fieldfare.test');
  expect(mails[0]?.text).toContain(
    '@alice reported @bob (breaks a rule of the server).\nThe report names 1 post.\nThey wrote: Adverts',
  );

  const second = await report(carol, { account_id: bob.id, category: 'legal' });
  expect(second).toMatchObject({ category: 'legal', rule_ids: null, status_ids: [], comment: '' });
  await server.drain();
  expect(server.outbox).toEqual([]);
  await server.pool.query('update reports set action_taken_at = now() where target_account_id = $1', [bob.id]);
  expect((await report(carol, { account_id: bob.id })).category).toBe('other');
  await server.drain();
  expect(server.outbox.splice(0)).toHaveLength(2);
});

test('a report of posts needs an audience with the reporter, but no block or deletion hides them', async () => {
  const [open, secret, direct, followersOnly] = [
    await postAs(bob, 'open'),
    await postAs(bob, 'secret', { visibility: 'private' }),
    await postAs(bob, '@alice psst', { visibility: 'direct' }),
    await postAs(bob, 'followers', { visibility: 'private' }),
  ];
  const other = await postAs(carol, 'not by bob');
  for (const id of [secret, other, '1']) {
    expect((await alice.post(reports, { account_id: bob.id, status_ids: [open, id] })).status).toBe(404);
  }
  await carol.post(`/api/v1/accounts/${bob.id}/follow`);
  expect((await report(carol, { account_id: bob.id, status_ids: [followersOnly] })).status_ids).toEqual([
    followersOnly,
  ]);
  expect((await carol.post(reports, { account_id: bob.id, status_ids: [direct] })).status).toBe(404);
  await bob.delete(`/api/v1/statuses/${open}`);
  await bob.post(`/api/v1/accounts/${alice.id}/block`);
  const sent = await report(alice, { account_id: bob.id, status_ids: [open, direct] });
  expect((await copiesOf(sent.id)).map(({ status_id: id }) => id)).toEqual([open, direct]);
  await bob.post(`/api/v1/accounts/${alice.id}/unblock`);
  const collectionId = (await carol.post('/api/v1/collections', { name: 'Hers' })).json.collection.id;
  expect((await alice.post(reports, { account_id: bob.id, collection_ids: [collectionId] })).status).toBe(404);
});

test('invalid reports are refused', async () => {
  const refusals: [object, number, string?][] = [
    [{}, 404],
    [{ account_id: '1' }, 404],
    [{ account_id: instanceActorId }, 404],
    [{ account_id: bob.id, collection_ids: ['1'] }, 404],
    [{ account_id: alice.id }, 422, 'Validation failed: Target account must not be your own'],
    [
      { account_id: bob.id, comment: 'x'.repeat(1_001) },
      422,
      'Validation failed: Comment is too long (maximum is 1000 characters)',
    ],
    [{ account_id: bob.id, rule_ids: ['999'] }, 422, 'Validation failed: Rule ids does not reference valid rules'],
    [{ account_id: bob.id, rule_ids: ['x'] }, 422, 'Validation failed: Rule ids does not reference valid rules'],
    [{ account_id: bob.id, category: 'boring' }, 422],
    [{ account_id: bob.id, status_ids: Array.from({ length: 101 }, (_, index) => String(index + 1)) }, 422],
    [{ account_id: bob.id, collection_ids: Array.from({ length: 101 }, (_, index) => String(index + 1)) }, 422],
  ];
  for (const [body, status, error] of refusals) {
    const response = await alice.post(reports, body);
    expect([response.status, error === undefined || response.json.error], JSON.stringify(body)).toEqual([
      status,
      error ?? true,
    ]);
  }
  const body = { account_id: bob.id };
  expect((await server.anonymous.post(reports, body)).status).toBe(401);
  expect((await (await server.appToken()).post(reports, body)).status).toBe(422);
  expect((await (await server.withScopes(alice, 'read write:blocks')).post(reports, body)).status).toBe(403);
  expect((await (await server.withScopes(alice, 'write:reports')).post(reports, body)).status).toBe(200);
});

test('a repeated report is the first one for an hour, also when both arrive together', async () => {
  const body = { account_id: carol.id, comment: 'rude', forward_to_domains: ['x.test'] };
  const [one, two] = await Promise.all([report(alice, body), report(alice, body)]);
  expect(two.id).toBe(one.id);
  expect((await report(alice, { ...body, comment: 'very rude' })).id).not.toBe(one.id);
  expect((await report(bob, body)).id).not.toBe(one.id);
  server.clock.advance(3_601);
  expect((await report(alice, body)).id).not.toBe(one.id);
});

test('STA-07: copies of reported posts outlive the posts, and go a month after the report was resolved', async () => {
  const statusId = await postAs(carol, 'Soon gone');
  const { id } = await report(alice, { account_id: carol.id, status_ids: [statusId] });
  await carol.delete(`/api/v1/statuses/${statusId}`);
  server.clock.advance(31 * 86_400);
  await server.runSchedule('status.clean_up_deleted');
  await server.runSchedule('report.clean_up_statuses');
  expect(await copiesOf(id)).toMatchObject([{ content: '<p>Soon gone</p>' }]);
  await server.pool.query('update reports set action_taken_at = $1 where id = $2', [server.clock.now(), id]);
  server.clock.advance(31 * 86_400);
  await server.runSchedule('report.clean_up_statuses');
  expect(await copiesOf(id)).toEqual([]);
});

test('reports by a deleted account are anonymous, those about it stay for three months', async () => {
  const [dave, erin] = [await server.user('dave'), await server.user('erin')];
  const statusId = await postAs(dave, 'Bad');
  const by = await report(dave, { account_id: erin.id });
  const about = await report(erin, { account_id: dave.id, status_ids: [statusId] });
  await deleteAccount(server.app, dave.id);
  await server.drain();
  const { rows } = await server.pool.query(
    'select id, account_id, target_account_id from reports where id = any($1) order by id',
    [[by.id, about.id]],
  );
  expect(rows).toEqual([
    { id: by.id, account_id: instanceActorId, target_account_id: erin.id },
    { id: about.id, account_id: erin.id, target_account_id: dave.id },
  ]);
  await server.runSchedule('report.clean_up_statuses');
  expect(await copiesOf(about.id)).toHaveLength(1);
  expect((await erin.post(reports, { account_id: dave.id })).status).toBe(404);
  server.clock.advance(91 * 86_400);
  await server.runSchedule('report.clean_up_statuses');
  expect(await copiesOf(about.id)).toEqual([]);
});

test('ADM-05: a member of the staff turns off the mails about reports, also those that wait', async () => {
  await server.drain();
  server.outbox.splice(0);
  const browser = new Browser(server);
  await browser.signIn('marge');
  await browser.open('/auth/edit');
  expect(browser.text).toContain('href="/settings/staff_mails"');
  await browser.open('/settings/staff_mails');
  expect(browser.text.match(/value="reports" checked/)).not.toBeNull();
  expect(await reportOnNewAccount('first')).toEqual(['marge@mail.test', 'olga@mail.test']);

  await report(alice, { account_id: (await server.user('second')).id });
  await workers.find(({ name }) => name === 'jobs:default')?.run(server.app);
  await browser.submit('/settings/staff_mails');
  expect(browser.text).toMatch(/value="reports" *\/>/);
  await server.drain();
  expect(server.outbox.splice(0).map(({ to }) => to)).toEqual(['olga@mail.test']);
  expect(await reportOnNewAccount('third')).toEqual(['olga@mail.test']);
  await browser.submit('/settings/staff_mails', { 'on[]': 'reports' });
  expect(await reportOnNewAccount('fourth')).toEqual(['marge@mail.test', 'olga@mail.test']);

  const user = new Browser(server);
  await user.signIn('alice');
  await user.open('/auth/edit');
  expect(user.text).not.toContain('staff_mails');
  await user.open('/settings/staff_mails');
  expect(user.status).toBe(404);
  await expect(setOwnStaffMails(server.app, alice.id, [])).rejects.toThrow('Record not found');
});

test('ADM-05: a member of the staff turns off only mails of the own role, and has those of a later role', async () => {
  const paul = await server.user('paul', { email: 'paul@mail.test' });
  // A role with the permission manage_reports only.
  await server.pool.query(`insert into roles (id, name, position, permissions) values (77, 'Reporter', 1, 16)`);
  const setRole = (id: number) => server.pool.query('update users set role_id = $1 where id = $2', [id, paul.userId]);
  await setRole(77);
  await setOwnStaffMails(server.app, paul.id, []);
  expect(await loadOwnStaffMails(server.app, paul.id)).toEqual([
    { kind: 'held_posts', isOn: false },
    { kind: 'reports', isOn: false },
  ]);
  await setRole(1);
  expect(await loadOwnStaffMails(server.app, paul.id)).toEqual([
    { kind: 'held_posts', isOn: false },
    { kind: 'reports', isOn: false },
    { kind: 'sign_ups', isOn: true },
    { kind: 'trends', isOn: true },
  ]);
});

/** Reports a new account and returns who is mailed. */
async function reportOnNewAccount(name: string): Promise<string[]> {
  await report(alice, { account_id: (await server.user(name)).id });
  await server.drain();
  return server.outbox
    .splice(0)
    .map(({ to }) => to)
    .toSorted();
}
