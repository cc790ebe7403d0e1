import { expect, test } from 'vitest';
import { instanceActorId } from '../../server/accounts/index.ts';
import { ensureInstanceActor } from '../../server/accounts/keys/index.ts';
import { storeRemoteAccount } from '../../server/accounts/remote/index.ts';
import { silenceAccount, suspendAccount, unsilenceAccount, unsuspendAccount } from '../../server/moderation/index.ts';
import { blockDomain, unblockDomain } from '../../server/site/domains/index.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import type { AccountId } from '../../server/platform/ids.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';

const path = '/api/v1/admin/accounts';

const moderator = (server: TestServer): Promise<TestUser> =>
  server.user('merle', { role: 'admin', scopes: 'read write admin:read admin:write' });

const storeRemote = (server: TestServer, username: string, domain: string): Promise<AccountId> =>
  transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, {
      uri: `https://${domain}/users/${username}`,
      username,
      domain,
      inboxUrl: `https://${domain}/users/${username}/inbox`,
    }),
  );

const report = async (user: TestUser, target: string, more: object = {}): Promise<string> => {
  const { status, json, text } = await user.post('/api/v1/reports', { account_id: target, ...more });
  expect(status, text).toBe(200);
  return json.id;
};

const openReports = async ({ db }: TestServer): Promise<string[]> =>
  (await db.selectFrom('reports').select('id').where('action_taken_at', 'is', null).orderBy('id').execute()).map(
    ({ id }) => id,
  );

const strikesOf = ({ db }: TestServer) =>
  db
    .selectFrom('account_warnings')
    .select(['action', 'text', 'status_ids', 'effective', 'lifted_at'])
    .orderBy('id')
    .execute();

test('ADM-02: actions change the state, and their reversals restore it', async () => {
  await using server = await startServer();
  const staff = await moderator(server);
  const alice = await server.user('alice');
  const pairs = [
    ['sensitive', 'sensitized', 'unsensitive'],
    ['silence', 'silenced', 'unsilence'],
    ['disable', 'disabled', 'enable'],
    ['suspend', 'suspended', 'unsuspend'],
  ] as const;
  for (const [type, state, reversal] of pairs) {
    const response = await staff.post(`${path}/${alice.id}/action`, { type });
    expect([response.status, response.json], type).toEqual([200, {}]);
    expect((await staff.get(`${path}/${alice.id}`)).json, type).toMatchObject({ [state]: true });
    const restored = await staff.post(`${path}/${alice.id}/${reversal}`);
    expect(restored.json, reversal).toMatchObject({ id: alice.id, [state]: false });
    // Again changes nothing. As in Mastodon, only an account that is suspended can be unsuspended.
    const again = await staff.post(`${path}/${alice.id}/${reversal}`);
    expect(again.status, reversal).toBe(reversal === 'unsuspend' ? 403 : 200);
    if (reversal === 'unsuspend') expect(again.json).toEqual({ error: 'The account is not suspended' });
  }
  expect(await strikesOf(server)).toMatchObject(
    pairs.map(([type]) => ({ action: type, effective: true, lifted_at: server.clock.now() })),
  );
  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(200);
});

test('ADM-02: actions resolve the reports of the account, none only the given one', async () => {
  await using server = await startServer();
  const staff = await moderator(server);
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const { id: statusId } = (await alice.post('/api/v1/statuses', { status: 'spam' })).json;
  const reports = [
    await report(bob, alice.id, { status_ids: [statusId] }),
    await report(carol, alice.id),
    await report(carol, bob.id),
  ];
  const act = (body: object) => staff.post(`${path}/${alice.id}/action`, body);
  expect((await act({ type: 'none', text: 'Careful' })).status).toBe(200);
  expect(await openReports(server)).toEqual(reports);
  expect((await act({ type: 'none', report_id: reports[0] })).status).toBe(200);
  expect(await openReports(server)).toEqual(reports.slice(1));
  expect((await act({ type: 'silence', report_id: reports[2] })).status).toBe(404);
  expect((await act({ type: 'silence' })).status).toBe(200);
  expect(await openReports(server)).toEqual(reports.slice(2));
  expect(await strikesOf(server)).toMatchObject([
    { action: 'none', text: 'Careful', status_ids: null, effective: false },
    { action: 'none', text: '', status_ids: [statusId] },
    { action: 'silence', status_ids: null, effective: true },
  ]);
  const resolved = await server.db
    .selectFrom('reports')
    .select('action_taken_by_account_id')
    .where('id', '=', reports[0] as never)
    .execute();
  expect(resolved).toEqual([{ action_taken_by_account_id: staff.id }]);
  const [entry] = await server.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).execute();
  expect(entry).toMatchObject({
    action: 'account.silence',
    before: { silenced: false },
    after: { silenced: true, resolved_reports: [reports[1]] },
  });
});

test('ADM-02: the user is notified by mail and in the app unless staff say otherwise, with the text of a preset', async () => {
  await using server = await startServer();
  const staff = await moderator(server);
  const alice = await server.user('alice');
  await server.db
    .insertInto('warning_presets')
    .values({
      id: '7' as never,
      title: 'Spam',
      text: 'No advertising.',
      created_at: new Date(),
      updated_at: new Date(),
    })
    .execute();
  await staff.post(`${path}/${alice.id}/action`, { type: 'silence', warning_preset_id: '7', text: 'Second time.' });
  await server.drain();
  expect(server.outbox).toMatchObject([{ to: 'alice@mail.test', subject: expect.stringContaining('limited') }]);
  expect(server.outbox[0]?.text).toContain('No advertising.\n\nSecond time.');
  expect(server.outbox[0]?.text).toContain('/settings/strikes');
  const [notification] = (await alice.get('/api/v1/notifications')).json;
  expect(notification).toMatchObject({
    type: 'moderation_warning',
    moderation_warning: { action: 'silence', text: 'No advertising.\n\nSecond time.', appeal: null },
  });
  await staff.post(`${path}/${alice.id}/action`, { type: 'sensitive', send_email_notification: false });
  await server.drain();
  expect(server.outbox).toHaveLength(1);
  expect((await alice.get('/api/v1/notifications')).json).toHaveLength(1);
});

test('ADM-02: invalid actions are refused, and leave nothing behind', async () => {
  await using server = await startServer();
  const staff = await moderator(server);
  const alice = await server.user('alice');
  const remote = await storeRemote(server, 'far', 'far.test');
  const act = async (id: string, body: object) => (await staff.post(`${path}/${id}/action`, body)).status;
  expect(await act(alice.id, { type: 'ban' })).toBe(422);
  expect(await act(alice.id, {})).toBe(400);
  expect(await act(alice.id, { type: 'silence', text: 'x'.repeat(5001) })).toBe(422);
  expect(await act(alice.id, { type: 'silence', warning_preset_id: '1' })).toBe(404);
  expect(await act(alice.id, { type: 'silence', report_id: '1' })).toBe(404);
  expect(await act('1', { type: 'silence' })).toBe(404);
  expect(await act(remote, { type: 'disable' })).toBe(403);
  await ensureInstanceActor(server.app);
  for (const type of ['silence', 'sensitive', 'suspend']) expect(await act(instanceActorId, { type }), type).toBe(403);
  expect(await strikesOf(server)).toEqual([]);
  expect(await server.db.selectFrom('audit_log').select('id').execute()).toEqual([]);
  for (const action of ['enable', 'approve', 'reject']) {
    expect((await staff.post(`${path}/${remote}/${action}`)).status, action).toBe(403);
  }
  for (const action of ['approve', 'reject']) {
    expect((await staff.post(`${path}/${alice.id}/${action}`)).status, action).toBe(403);
    expect((await staff.post(`${path}/1/${action}`)).status, action).toBe(404);
  }
  for (const action of ['enable', 'unsilence', 'unsuspend', 'unsensitive']) {
    expect((await staff.post(`${path}/1/${action}`)).status, action).toBe(404);
  }
  expect((await staff.delete(`${path}/${alice.id}`)).status).toBe(403);
  expect((await staff.delete(`${path}/1`)).status).toBe(404);
});

test('ADM-01, REG-01: staff approve and reject sign-ups, and delete suspended accounts', async () => {
  await using server = await startServer();
  const staff = await moderator(server);
  const [alice, bob, carol] = [
    await server.user('alice', { approved: false }),
    await server.user('bob', { approved: false }),
    await server.user('carol'),
  ];
  expect((await staff.post(`${path}/${alice.id}/approve`)).json).toMatchObject({ username: 'alice', approved: true });
  expect((await staff.post(`${path}/${alice.id}/approve`)).status).toBe(403);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(200);
  const rejected = await staff.post(`${path}/${bob.id}/reject`);
  expect([rejected.status, rejected.json]).toEqual([200, {}]);
  expect((await staff.get(`${path}/${bob.id}`)).status).toBe(404);
  await server.user('bob');
  await suspendAccount(server.app, 'system', { accountId: carol.id, notify: false });
  const deleted = await staff.delete(`${path}/${carol.id}`);
  expect([deleted.status, deleted.json]).toEqual([200, {}]);
  expect((await staff.get(`${path}/${carol.id}`)).status).toBe(404);
  expect((await staff.delete(`${path}/${carol.id}`)).status).toBe(404);
  await server.drain();
});

test('ADM-02, ADM-03: lifting what staff decided leaves the limit of the domain, and the reverse', async () => {
  await using server = await startServer();
  const staff = await moderator(server);
  const id = await storeRemote(server, 'far', 'far.test');
  const state = async () => {
    const { silenced, suspended } = (await staff.get(`${path}/${id}`)).json;
    return { silenced, suspended };
  };
  const block = async (severity: 'silence' | 'suspend') => {
    await blockDomain(server.app, 'system', { domain: 'far.test', severity });
    await server.drain();
  };
  await block('silence');
  expect(await unsilenceAccount(server.app, staff.id, { accountId: id })).toBe(false);
  expect(await state()).toEqual({ silenced: true, suspended: false });
  await silenceAccount(server.app, staff.id, { accountId: id });
  await unsilenceAccount(server.app, staff.id, { accountId: id });
  expect(await state()).toEqual({ silenced: true, suspended: false });
  await unblockDomain(server.app, 'system', 'far.test');
  await server.drain();
  expect(await state()).toEqual({ silenced: false, suspended: false });
  // The limit by staff outlives the block of the domain.
  await silenceAccount(server.app, staff.id, { accountId: id });
  await block('silence');
  await unblockDomain(server.app, 'system', 'far.test');
  await server.drain();
  expect(await state()).toEqual({ silenced: true, suspended: false });
  await unsilenceAccount(server.app, staff.id, { accountId: id });
  // A suspension by staff gives way to that of the domain.
  await suspendAccount(server.app, staff.id, { accountId: id });
  await block('suspend');
  expect(await unsuspendAccount(server.app, staff.id, { accountId: id })).toBe(true);
  expect(await state()).toEqual({ silenced: false, suspended: true });
  expect((await staff.post(`${path}/${id}/unsuspend`)).status).toBe(403);
  await unblockDomain(server.app, 'system', 'far.test');
  await server.drain();
  expect(await state()).toEqual({ silenced: false, suspended: false });
});
