import { expect, test } from 'vitest';
import { createIpBlock } from '../../server/users/ip-blocks/index.ts';
import { Browser } from '../browser.ts';
import { startServer, type TestServer } from '../server.ts';
import { TestSocket } from '../streams.ts';
import { giveRole } from './staff-roles.ts';

const path = '/api/v1/admin/ip_blocks';
const settings = { TRUSTED_PROXIES: '127.0.0.1', REGISTRATIONS: 'open' };
const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
const scopes = 'read write follow push admin:read admin:write';

async function createBlocker(server: TestServer) {
  const staff = await server.user('merle', { scopes });
  await giveRole(server, staff.id, { position: 20, permissions: ['manage_blocks'] });
  return staff;
}

test.for([
  ['0.0.0.0/0', 'wide'],
  ['::/0', 'wide'],
  ['128.0.0.0/1', 'wide'],
  ['192.0.0.0/7', 'wide'],
  ['::ffff:0:0/96', 'wide'],
  ['::ffff:192.0.0.0/103', 'wide'],
  ['2000::/3', 'wide'],
  ['2001::/18', 'wide'],
  ['198.51.100.7', 'own'],
  ['198.0.0.0/8', 'own'],
  ['::ffff:198.51.100.7', 'own'],
  ['::ffff:198.0.0.0/104', 'own'],
  ['192.0.0.0/8', 'allowed'],
  ['2001::/19', 'allowed'],
  ['::/19', 'allowed'],
  ['198.51.100.8/32', 'allowed'],
] as const)('ADM-07: no_access for %s is %s, by a new block and by a change of one', async ([ip, expected]) => {
  await using server = await startServer({ settings });
  const staff = await createBlocker(server);
  const error = {
    wide: expect.stringMatching(/IP is too wide for no_access/),
    own: 'Validation failed: IP must not include your own address',
    allowed: undefined,
  }[expected];
  const status = error === undefined ? 200 : 422;
  // The same client with IPv4, and as a server without IPv6 of its own reports it.
  for (const client of [from('198.51.100.7'), from('::ffff:198.51.100.7')]) {
    const created = await staff.post(path, { ip, severity: 'no_access' }, client);
    expect([created.status, created.json.error]).toEqual([status, error]);
    if (created.status === 200) await staff.delete(`${path}/${created.json.id}`, client);
    const { json: block } = await staff.post(path, { ip, severity: 'sign_up_block' }, client);
    const stricter = await staff.put(`${path}/${block.id}`, { severity: 'no_access' }, client);
    expect([stricter.status, stricter.json.error]).toEqual([status, error]);
    await staff.delete(`${path}/${block.id}`, client);
    const { json: small } = await staff.post(path, { ip: '203.0.113.1', severity: 'no_access' }, client);
    const wider = await staff.put(`${path}/${small.id}`, { ip }, client);
    expect([wider.status, wider.json.error]).toEqual([status, error]);
    await staff.delete(`${path}/${small.id}`, client);
  }
  expect(await server.db.selectFrom('ip_blocks').select('ip').execute()).toEqual([]);
});

test('ADM-07: an address of IPv6 is not blocked by the request that comes from it', async () => {
  await using server = await startServer({ settings });
  const staff = await createBlocker(server);
  for (const ip of ['2001:db8::7', '2001:db8::/32', '2001:c00::/22', '2001::/19']) {
    const { status, json } = await staff.post(path, { ip, severity: 'no_access' }, from('2001:db8::7'));
    expect([status, json.error], ip).toEqual([422, 'Validation failed: IP must not include your own address']);
  }
  expect((await staff.post(path, { ip: '2001:db9::/32', severity: 'no_access' }, from('2001:db8::7'))).status).toBe(
    200,
  );
});

test('ADM-07: a note about a block of another time is changed, although its network is too wide today', async () => {
  await using server = await startServer({ settings });
  const staff = await createBlocker(server);
  const now = server.clock.now();
  await server.db
    .insertInto('ip_blocks')
    .values({
      id: '77' as never,
      ip: '10.0.0.0/7',
      severity: 'no_access',
      comment: '',
      created_at: now,
      updated_at: now,
    })
    .execute();
  expect((await staff.put(`${path}/77`, { comment: 'Old' })).json.comment).toBe('Old');
  expect((await staff.put(`${path}/77`, { expires_in: 60 })).status).toBe(422);
  expect((await staff.put(`${path}/77`, { ip: '10.0.0.0/8' })).status).toBe(200);
});

test('ADM-07: owners sign in from a blocked address, and undo the block by pages and the API; others are refused', async () => {
  await using server = await startServer({ settings });
  const owner = await server.user('olga', { role: 'owner', scopes });
  const admin = await server.user('anna', { role: 'admin', scopes });
  await createIpBlock(server.app, 'system', { ip: '192.0.2.0/24', severity: 'no_access' });
  const blocked = from('192.0.2.7');

  const socket = await TestSocket.open(server, owner, 'stream=user', blocked);
  for (const url of [path, '/api/v1/accounts/verify_credentials', '/api/v1/timelines/home', '/api/v2/instance']) {
    expect((await owner.get(url, blocked)).status, url).toBe(200);
    expect((await admin.get(url, blocked)).status, url).toBe(403);
    expect((await server.anonymous.get(url, blocked)).status, url).toBe(403);
  }
  for (const token of ['nonsense', '']) {
    const headers = { ...blocked.headers, authorization: `Bearer ${token}` };
    expect((await server.anonymous.get('/api/v2/instance', { headers })).status).toBe(403);
  }
  const { json: block } = await owner.post(path, { ip: '192.0.3.0/24', severity: 'no_access' }, blocked);
  await socket.flush();
  expect(socket.socket.readyState).toBe(socket.socket.OPEN);
  socket.socket.close();

  const open = (name: string) => signInFrom(server, name, '192.0.2.7');
  const browser = await open('olga');
  expect([browser.status, browser.path]).toEqual([200, '/']);
  await browser.open('/settings/two_factor');
  expect(browser.status).toBe(200);
  const refused = await open('anna');
  expect(refused.status).toBe(403);
  expect(refused.cookies.has('__Host-session')).toBe(false);
  expect(await server.db.selectFrom('sessions').select('ip').where('ip', '=', '192.0.2.7').execute()).toHaveLength(1);
  for (const url of ['/assets/pages.css', '/assets/passkeys.js', '/auth/sign_in'])
    expect((await server.anonymous.get(url, blocked)).status, url).toBe(200);
  expect((await owner.delete(`${path}/${block.id}`, blocked)).status).toBe(200);
});

async function signInFrom(server: TestServer, name: string, ip: string): Promise<Browser> {
  const call: TestServer['anonymous']['call'] = (method, url, body, options) =>
    server.anonymous.call(method, url, body, { ...options, headers: { ...options?.headers, 'x-forwarded-for': ip } });
  const browser = new Browser({ call });
  await browser.signIn(name);
  return browser;
}
