import { expect, test } from 'vitest';
import {
  disableUser,
  silenceAccount,
  suspendAccount,
  unsilenceAccount,
  warnUser,
} from '../../server/moderation/index.ts';
import { Browser } from '../browser.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';

const strikes = '/api/v1/fieldfare/strikes';
const appeals = '/api/v1/fieldfare/admin/appeals';

const createStaff = (server: TestServer): Promise<TestUser> =>
  server.user('merle', { role: 'admin', scopes: 'admin:read admin:write' });

async function appeal(user: TestUser, strikeId: string, text = 'It was satire'): Promise<void> {
  const { status, text: answer } = await user.post(`${strikes}/${strikeId}/appeal`, { text });
  expect(status, answer).toBe(200);
}

const list = async (user: TestUser, path: string) => {
  const { status, text, json } = await user.get(path);
  expect(status, text).toBe(200);
  return json;
};

const isSilenced = async (staff: TestUser, { id }: TestUser): Promise<boolean> =>
  (await list(staff, `/api/v1/admin/accounts/${id}`)).silenced;

test('ADM-02, ACC-14: the data of a suspended account is not deleted while an appeal is open', async () => {
  await using server = await startServer();
  const [staff, alice, bob] = [await createStaff(server), await server.user('alice'), await server.user('bob')];
  for (const { id: accountId } of [alice, bob]) await suspendAccount(server.app, 'system', { accountId });
  const [strike] = await list(alice, strikes);
  await appeal(alice, strike.id);
  const purge = async (): Promise<string[]> => {
    await server.runSchedule('moderation.delete_long_suspended');
    await server.drain();
    const kept = server.db.selectFrom('accounts').select('username').where('deleted_at', 'is', null);
    const names = (await kept.where('id', 'in', [alice.id, bob.id]).execute()).map(({ username }) => username);
    return names.toSorted();
  };
  server.clock.advance(29 * 86_400);
  expect(await purge()).toEqual(['alice', 'bob']);
  server.clock.advance(2 * 86_400);
  expect(await purge()).toEqual(['alice']);
  const [pending] = await list(staff, appeals);
  expect((await staff.post(`${appeals}/${pending.id}/reject`)).status).toBe(200);
  expect(await purge()).toEqual([]);
});

test('ADM-02: a suspended user reads the decision and appeals it, and the approval undoes it', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  const alice = await server.user('alice');
  await suspendAccount(server.app, 'system', { accountId: alice.id, text: 'Spam' });
  await server.drain();
  server.outbox.splice(0);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(403);
  const [strike] = await list(alice, strikes);
  expect(strike).toMatchObject({ action: 'suspend', text: 'Spam', appeal: null });
  const appealed = await alice.post(`${strikes}/${strike.id}/appeal`, { text: ' It was satire ' });
  expect(appealed.json).toMatchObject({ id: strike.id, appeal: { text: 'It was satire', state: 'pending' } });
  await server.drain();
  expect(server.outbox).toMatchObject([{ to: 'merle@mail.test', subject: expect.stringContaining('@alice') }]);
  expect(server.outbox.splice(0)[0]?.text).toContain('It was satire');

  const [pending, ...others] = await list(staff, appeals);
  expect(others).toEqual([]);
  expect(pending).toMatchObject({ state: 'pending', decided_at: null, strike: { id: strike.id } });
  const approved = await staff.post(`${appeals}/${pending.id}/approve`);
  expect(approved.json).toMatchObject({ state: 'approved', decided_at: server.clock.now().toISOString() });
  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(200);
  expect(await list(staff, appeals)).toEqual([]);
  expect(await list(staff, `${appeals}?state=approved`)).toHaveLength(1);
  await server.drain();
  expect(server.outbox).toMatchObject([{ to: 'alice@mail.test', subject: expect.stringContaining('approved') }]);
  for (const action of ['approve', 'reject']) {
    expect((await staff.post(`${appeals}/${pending.id}/${action}`)).status).toBe(403);
    expect((await staff.post(`${appeals}/1/${action}`)).status).toBe(404);
  }
  const [entry] = await server.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).execute();
  expect(entry).toMatchObject({
    action: 'appeal.approve',
    target_label: 'alice',
    before: { state: 'pending', suspended: true },
    after: { state: 'approved', suspended: false },
  });
});

test('ADM-02: an appeal is refused if it is late, repeated, blank, too long or about someone else', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  for (const text of ['first', 'second']) await warnUser(server.app, 'system', { accountId: alice.id, text });
  await server.drain();
  const [second, first] = await list(alice, strikes);
  const send = async (user: TestUser, id: string, text: string) =>
    (await user.post(`${strikes}/${id}/appeal`, { text })).status;
  expect(await send(alice, first.id, '  ')).toBe(422);
  expect(await send(alice, first.id, 'x'.repeat(2001))).toBe(422);
  expect(await send(bob, first.id, 'no')).toBe(404);
  expect(await send(alice, '1', 'no')).toBe(404);
  expect((await server.anonymous.get(strikes)).status).toBe(401);
  expect((await (await server.withScopes(alice, 'write')).get(strikes)).status).toBe(403);
  expect(
    (await (await server.withScopes(alice, 'read')).post(`${strikes}/${first.id}/appeal`, { text: 'no' })).status,
  ).toBe(403);
  server.clock.advance(20 * 86_400);
  expect(await send(alice, first.id, 'x'.repeat(2000))).toBe(200);
  expect(await send(alice, first.id, 'again')).toBe(422);
  server.clock.advance(1);
  expect(await send(alice, second.id, 'late')).toBe(422);
  expect(await list(bob, strikes)).toEqual([]);
  await server.drain();
});

test('ADM-02: an approved appeal undoes only what its decision changed', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  const alice = await server.user('alice');
  const decide = async (strikeId: string): Promise<void> => {
    await appeal(alice, strikeId);
    const [pending] = await list(staff, appeals);
    expect((await staff.post(`${appeals}/${pending.id}/approve`)).status).toBe(200);
  };
  // The second decision stands when the first one falls, and has limited the account from then on.
  for (const text of ['first', 'second']) await silenceAccount(server.app, 'system', { accountId: alice.id, text });
  const [second, first] = await list(alice, strikes);
  await decide(first.id);
  expect(await isSilenced(staff, alice)).toBe(true);
  await decide(second.id);
  expect(await isSilenced(staff, alice)).toBe(false);
  // A decision that staff lifted before has nothing left to undo.
  await silenceAccount(server.app, 'system', { accountId: alice.id, text: 'third' });
  await unsilenceAccount(server.app, 'system', { accountId: alice.id });
  await silenceAccount(server.app, 'system', { accountId: alice.id, text: 'fourth' });
  const [, third] = await list(alice, strikes);
  await decide(third.id);
  expect(await isSilenced(staff, alice)).toBe(true);
  expect(await list(staff, `/api/v1/fieldfare/admin/accounts/${alice.id}/strikes`)).toHaveLength(4);
  await server.drain();
});

test('ADM-02: a rejected appeal leaves the decision, and the user gets a mail', async () => {
  await using server = await startServer();
  const staff = await createStaff(server);
  const alice = await server.user('alice');
  await silenceAccount(server.app, 'system', { accountId: alice.id, notify: false });
  const [strike] = await list(alice, strikes);
  await appeal(alice, strike.id);
  await server.drain();
  server.outbox.splice(0);
  const [pending] = await list(staff, appeals);
  expect((await staff.post(`${appeals}/${pending.id}/reject`)).json).toMatchObject({ state: 'rejected' });
  expect(await isSilenced(staff, alice)).toBe(true);
  await server.drain();
  expect(server.outbox).toMatchObject([{ to: 'alice@mail.test', subject: expect.stringContaining('rejected') }]);
  expect((await list(alice, strikes))[0]).toMatchObject({ appeal: { state: 'rejected' } });
});

test('ADM-02: a disabled user sees the decision on a page, in their language, and appeals it there', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await disableUser(server.app, 'system', { accountId: alice.id, text: 'Spam <b>' });
  await server.drain();
  const browser = new Browser(server);
  await browser.open('/settings/strikes');
  expect(browser.path).toMatch(/^\/auth\/sign_in/u);
  await browser.signIn('alice');
  await browser.open('/settings/strikes');
  expect(browser.status).toBe(200);
  expect(browser.text).toContain('Your account was disabled');
  expect(browser.text).toContain('Spam &lt;b&gt;');
  const [strike] = await list(alice, strikes);
  const action = `/settings/strikes/${strike.id}/appeal`;
  await browser.submit(action, { text: 'It was <i>satire</i>' });
  expect([browser.path, browser.status]).toEqual(['/settings/strikes', 200]);
  expect(browser.text).toContain('It was &lt;i&gt;satire&lt;/i&gt;');
  expect(browser.text).not.toContain(action);
  await server.drain();
});
