import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../server/accounts/remote/index.ts';
import { approveSignUp, disableUser, enableUser } from '../../server/moderation/index.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import type { AccountId } from '../../server/platform/ids.ts';
import { acceptFollowRequest, followAccount } from '../../server/relationships/follow/index.ts';
import { blockDomain as blockDomainAsStaff, unblockDomain } from '../../server/site/domains/index.ts';
import { setOwnStaffMails } from '../../server/users/mails/index.ts';
import { confirmEmail } from '../../server/users/sign-up/index.ts';
import { follow } from '../feeds.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';

const path = '/api/v1/notifications';

interface NotificationJson {
  readonly id: string;
  readonly type: string;
  readonly group_key: string;
  readonly account: { readonly acct: string };
  readonly event?: Record<string, unknown>;
  readonly moderation_warning?: Record<string, unknown>;
}

async function list(server: TestServer, user: TestUser): Promise<NotificationJson[]> {
  await server.drain();
  const { status, text, json } = await user.get(path);
  expect(status, text).toBe(200);
  return json as NotificationJson[];
}

const storeRemote = (server: TestServer, name: string, domain: string): Promise<AccountId> =>
  transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, {
      uri: `https://${domain}/users/${name}`,
      username: name,
      domain,
      inboxUrl: `https://${domain}/users/${name}/inbox`,
    }),
  );

async function followRemote(server: TestServer, user: TestUser, target: AccountId): Promise<void> {
  await followAccount(server.app, user.id, target);
  await acceptFollowRequest(server.app, target, user.id);
}

test('NTF-02, UDB-01: an account that blocks a domain is notified of the follows that it cuts', async () => {
  await using server = await startServer();
  server.expectUndelivered(/\.test$/u);
  const [alice, carol] = [await server.user('alice'), await server.user('carol')];
  const [bob, dave] = [await storeRemote(server, 'bob', 'far.test'), await storeRemote(server, 'dave', 'far.test')];
  await followRemote(server, alice, bob);
  await followRemote(server, alice, dave);
  await followRemote(server, carol, dave);
  await followAccount(server.app, bob, alice.id);
  await alice.post('/api/v1/domain_blocks', { domain: 'far.test' });
  const [notification, ...others] = await list(server, alice);
  expect(others).toEqual([]);
  expect(notification).toMatchObject({
    type: 'severed_relationships',
    account: { acct: 'alice' },
    event: {
      type: 'user_domain_block',
      target_name: 'far.test',
      purged: false,
      followers_count: 1,
      following_count: 2,
    },
  });
  expect(notification?.group_key).toBe(`ungrouped-${notification?.id}`);
  expect(notification?.event).toHaveProperty('id');
  const { notification_groups: groups } = (await alice.get('/api/v2/notifications')).json;
  expect(groups[0]).toMatchObject({ type: 'severed_relationships', event: notification?.event });
  expect(await list(server, carol)).toEqual([]);
  await alice.delete('/api/v1/domain_blocks', { domain: 'far.test' });
  await alice.post('/api/v1/domain_blocks', { domain: 'far.test' });
  await alice.post('/api/v1/domain_blocks', { domain: 'empty.test' });
  expect(await list(server, alice)).toHaveLength(1);
});

test('NTF-02: local accounts are notified of the follows that the block of a domain by staff cuts', async () => {
  await using server = await startServer();
  server.expectUndelivered(/\.test$/u);
  const [alice, carol, erin] = [await server.user('alice'), await server.user('carol'), await server.user('erin')];
  const bob = await storeRemote(server, 'bob', 'sub.far.test');
  await followRemote(server, alice, bob);
  await followAccount(server.app, bob, alice.id);
  await followAccount(server.app, bob, carol.id);
  await follow(server, erin, carol);
  const seen = (await list(server, carol)).length;
  await blockDomainAsStaff(server.app, 'system', { domain: 'far.test', severity: 'silence' });
  expect(await list(server, carol)).toHaveLength(seen);
  await blockDomainAsStaff(server.app, 'system', { domain: 'far.test', severity: 'suspend' });
  const event = { type: 'domain_block', target_name: 'sub.far.test' };
  const [forAlice] = await list(server, alice);
  expect(forAlice).toMatchObject({
    type: 'severed_relationships',
    event: { ...event, followers_count: 1, following_count: 1 },
  });
  const [forCarol] = await list(server, carol);
  expect(forCarol).toMatchObject({ event: { ...event, followers_count: 1, following_count: 0 } });
  expect(await list(server, erin)).toEqual([]);
  // A change of the block that suspends nobody is no news.
  await blockDomainAsStaff(server.app, 'system', { domain: 'far.test', publicComment: 'spam' });
  expect((await list(server, alice)).filter(({ type }) => type === 'severed_relationships')).toHaveLength(1);
  await unblockDomain(server.app, 'system', 'far.test');
  await server.drain();
});

test('NTF-02: staff who manage users are notified of sign-ups, in groups', async () => {
  await using server = await startServer();
  const admin = await server.user('boss', { role: 'admin' });
  const moderator = await server.user('keeper', { role: 'moderator' });
  const user = await server.user('alice');
  const pending = await server.user('bob', { approved: false });
  const unconfirmed = await server.user('carol', { confirmed: false });
  expect(await list(server, moderator)).toEqual([]);
  await approveSignUp(server.app, 'system', { accountId: pending.id, notify: false });
  await server.drain();
  const token = /confirmation_token=([\w-]+)/u.exec(server.outbox.at(-1)?.text ?? '')?.[1] ?? '';
  await confirmEmail(server.app, token);
  for (const staff of [admin, moderator]) {
    const notifications = await list(server, staff);
    expect(notifications.map(({ type, account }) => [type, account.acct])).toEqual([
      ['admin.sign_up', 'carol'],
      ['admin.sign_up', 'bob'],
    ]);
    expect(notifications[0]?.group_key).toMatch(/^admin\.sign_up-\d+$/u);
    const { notification_groups: groups } = (await staff.get('/api/v2/notifications')).json;
    expect(groups).toMatchObject([
      { type: 'admin.sign_up', notifications_count: 2, sample_account_ids: [unconfirmed.id, pending.id] },
    ]);
  }
  expect(await list(server, user)).toEqual([]);
});

test('NTF-02: users are notified of what staff decided about them, without the name of the staff member', async () => {
  await using server = await startServer();
  const moderator = await server.user('keeper', { role: 'moderator' });
  const alice = await server.user('alice');
  await disableUser(server.app, moderator.id, { accountId: alice.id, text: 'Please stop <b>this</b>' });
  await server.drain();
  expect((await alice.get(path)).status).toBe(403);
  await enableUser(server.app, moderator.id, { accountId: alice.id });
  const [notification, ...others] = await list(server, alice);
  expect(others).toEqual([]);
  expect(notification).toMatchObject({
    type: 'moderation_warning',
    account: { acct: 'alice' },
    moderation_warning: {
      action: 'disable',
      text: 'Please stop <b>this</b>',
      status_ids: null,
      appeal: null,
      target_account: { id: alice.id, acct: 'alice' },
    },
  });
  const { notification_groups: groups } = (await alice.get('/api/v2/notifications')).json;
  expect(groups[0]).toMatchObject({ moderation_warning: notification?.moderation_warning });
  const withFallback = (await alice.get(`${path}/${notification?.id}?supported_types[]=mention`)).json;
  expect(withFallback.fallback.title).toBe('Moderation warning');
  await disableUser(server.app, moderator.id, { accountId: alice.id, notify: false });
  await enableUser(server.app, moderator.id, { accountId: alice.id });
  expect(await list(server, alice)).toHaveLength(1);
  await server.db.deleteFrom('account_warnings').execute();
  expect(await list(server, alice)).toEqual([]);
  expect((await alice.get(`${path}/${notification?.id}`)).status).toBe(404);
});

test('NTF-02: staff who manage reports are notified of each report, with its text', async () => {
  await using server = await startServer();
  const moderator = await server.user('keeper', { role: 'moderator' });
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const report = await alice.post('/api/v1/reports', { account_id: bob.id, comment: 'spam "again"', category: 'spam' });
  expect(report.status, report.text).toBe(200);
  const [notification, ...others] = await list(server, moderator);
  expect(others).toEqual([]);
  expect(notification).toMatchObject({
    type: 'admin.report',
    account: { acct: 'alice' },
    report: { id: report.json.id, comment: 'spam "again"', category: 'spam', target_account: { acct: 'bob' } },
  });
  const { notification_groups: groups } = (await moderator.get('/api/v2/notifications')).json;
  expect(groups[0]).toMatchObject({ type: 'admin.report', report: { id: report.json.id } });
  for (const user of [alice, bob]) expect(await list(server, user)).toEqual([]);
});

test('REG-01: staff who manage users are mailed about a confirmed sign-up that waits, unless they turned it off', async () => {
  await using server = await startServer();
  const keeper = await server.user('keeper', { role: 'moderator' });
  const boss = await server.user('boss', { role: 'admin' });
  await setOwnStaffMails(server.app, boss.id, ['reports', 'trends', 'appeals']);
  const signUp = async (username: string, reason: string) => {
    const body = {
      username,
      reason,
      email: `${username}@mail.test`,
      password: 'correct horse battery',
      agreement: true,
    };
    const client = await server.appToken();
    expect((await client.post('/api/v1/accounts', body)).status).toBe(200);
    await server.drain();
    return /confirmation_token=([\w-]+)/u.exec(server.outbox.splice(0).at(-1)?.text ?? '')?.[1] ?? '';
  };
  const token = await signUp('robin', 'I like birds');
  await confirmEmail(server.app, token);
  await server.drain();
  const [mail, ...others] = server.outbox.splice(0);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: 'keeper@mail.test', subject: 'A sign-up on fieldfare.test waits for approval' });
  expect(mail?.text).toContain('@robin (robin@mail.test) would like to join fieldfare.test.');
  expect(mail?.text).toContain('I like birds');
  expect(mail?.text).toContain('/settings/staff_mails');

  const early = await signUp('wren', 'Me too');
  const wren = await server.db
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', 'wren')
    .executeTakeFirstOrThrow();
  await confirmEmail(server.app, early);
  await approveSignUp(server.app, keeper.id, { accountId: wren.id, notify: false });
  await server.drain();
  expect(server.outbox.splice(0)).toEqual([]);
});
