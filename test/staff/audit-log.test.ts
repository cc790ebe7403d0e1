import { expect, test } from 'vitest';
import { deleteAccountAsStaff, disableUser, suspendAccount } from '../../server/moderation/index.ts';
import { startServer } from '../server.ts';

const path = '/api/v1/fieldfare/admin/audit_log';

test('ADM-01: the audit log names who changed what, with the state before and after, and is filtered', async () => {
  await using server = await startServer();
  const staff = await server.user('merle', { role: 'moderator', scopes: 'admin:read' });
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await disableUser(server.app, staff.id, { accountId: alice.id });
  await suspendAccount(server.app, 'system', { accountId: bob.id });
  // Changes nothing, so nothing is recorded.
  await suspendAccount(server.app, staff.id, { accountId: bob.id });

  expect((await staff.get(path)).json).toMatchObject([
    {
      action: 'account.suspend',
      staff: null,
      target: { type: 'account', id: bob.id, label: 'bob' },
      before: { suspended: false },
      after: { suspended: true },
    },
    {
      action: 'account.disable',
      staff: { id: staff.id, username: 'merle' },
      target: { type: 'account', id: alice.id, label: 'alice' },
      before: { disabled: false },
      after: { disabled: true },
      created_at: server.clock.now().toISOString(),
    },
  ]);
  const labels = async (query: string) =>
    (await staff.get(`${path}?${query}`)).json.map((entry: { target: { label: string } }) => entry.target.label);
  expect(await labels(`staff_id=${staff.id}`)).toEqual(['alice']);
  expect(await labels('action=account.suspend')).toEqual(['bob']);
  expect(await labels(`target_type=account&target_id=${alice.id}`)).toEqual(['alice']);
  expect(await labels('target_type=domain_block')).toEqual([]);
});

test('ADM-06: staff act only on accounts with a lower role, and a refused action leaves nothing behind', async () => {
  await using server = await startServer();
  const staff = await server.user('merle', { role: 'moderator' });
  const [equal, owner] = [
    await server.user('equal', { role: 'moderator' }),
    await server.user('chief', { role: 'owner' }),
  ];
  for (const { id } of [equal, owner, staff]) {
    await expect(disableUser(server.app, staff.id, { accountId: id })).rejects.toMatchObject({ status: 403 });
  }
  await disableUser(server.app, owner.id, { accountId: staff.id });
  const rows = await server.app.db.selectFrom('audit_log').select(['action', 'target_label']).execute();
  expect(rows).toEqual([{ action: 'account.disable', target_label: 'merle' }]);
});

test('the audit log keeps the names of deleted accounts and nothing else about them', async () => {
  await using server = await startServer();
  const owner = await server.user('chief', { role: 'owner', scopes: 'admin:read' });
  const staff = await server.user('merle', { role: 'moderator' });
  const alice = await server.user('alice');
  await disableUser(server.app, staff.id, { accountId: alice.id });
  await deleteAccountAsStaff(server.app, owner.id, { accountId: alice.id });
  await deleteAccountAsStaff(server.app, owner.id, { accountId: staff.id });
  await server.drain();
  expect((await owner.get(`${path}?target_id=${alice.id}`)).json).toMatchObject([
    { action: 'account.delete', staff: { id: owner.id, username: 'chief' }, before: null, after: null },
    { action: 'account.disable', staff: { id: null, username: 'merle' }, target: { label: 'alice' }, before: null },
  ]);
});
