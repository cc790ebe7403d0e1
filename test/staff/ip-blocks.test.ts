import { expect, test } from 'vitest';
import { createIpBlock } from '../../server/users/ip-blocks/index.ts';
import { Browser } from '../browser.ts';
import { startServer, type TestServer } from '../server.ts';
import { TestEventSource, TestSocket } from '../streams.ts';

const path = '/api/v1/admin/ip_blocks';
const fromProxy = { settings: { TRUSTED_PROXIES: '127.0.0.1', REGISTRATIONS: 'open' } };
const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
const person = { username: 'robin', email: 'robin@mail.test', password: 'correct horse battery', agreement: true };

const signUp = async (server: TestServer, ip: string, more: object = {}) =>
  (await server.appToken()).post('/api/v1/accounts', { ...person, ...more }, from(ip));

async function isApproved({ app }: TestServer, email: string): Promise<boolean | undefined> {
  const row = await app.db.selectFrom('users').select('approved').where('email', '=', email).executeTakeFirst();
  return row?.approved;
}

test('ADM-07: staff create, show, change and remove IP blocks; invalid values are 422 and name the field', async () => {
  await using server = await startServer();
  const staff = await server.user('merle', { role: 'admin', scopes: 'admin:read admin:write' });
  const created = await staff.post(path, {
    ip: '192.0.2.9/24',
    severity: 'sign_up_block',
    comment: ' Bots ',
    expires_in: 3_600,
  });
  const now = server.clock.now();
  const block = {
    id: created.json.id,
    ip: '192.0.2.0/24',
    severity: 'sign_up_block',
    comment: 'Bots',
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + 3_600_000).toISOString(),
  };
  expect([created.status, created.json]).toEqual([200, block]);
  expect((await staff.get(`${path}/${block.id}`)).json).toEqual(block);
  const changes = { severity: 'no_access', expires_in: '', ip: '2001:DB8::/32' };
  const changed = { ...block, severity: 'no_access', expires_at: null, ip: '2001:db8::/32' };
  expect((await staff.put(`${path}/${block.id}`, changes)).json).toEqual(changed);
  // Changes nothing, so nothing is recorded.
  expect((await staff.put(`${path}/${block.id}`, changes)).json).toEqual(changed);

  for (const [body, error] of [
    [{ severity: 'no_access' }, "IP can't be blank"],
    [{ ip: '192.0.2', severity: 'no_access' }, 'IP is not an IP address or a network'],
    [{ ip: '192.0.2.0' }, "Severity can't be blank"],
    [{ ip: '192.0.2.0', severity: 'ban' }, 'severity'],
    [{ ip: '192.0.2.0', severity: 'no_access', expires_in: 'soon' }, 'Expires in'],
    [{ ip: '192.0.2.0', severity: 'no_access', comment: 'x'.repeat(5_001) }, 'Comment is too long'],
    [{ ip: '2001:db8::7/32', severity: 'no_access' }, 'IP has already been taken'],
  ] as const) {
    const { status, json } = await staff.post(path, body);
    expect([status, json.error]).toEqual([422, expect.stringContaining(error)]);
  }
  const { id: otherId } = (await staff.post(path, { ip: '198.51.100.1', severity: 'no_access' })).json;
  expect((await staff.put(`${path}/${otherId}`, { ip: '2001:db8::/32' })).status).toBe(422);
  expect((await staff.put(`${path}/${otherId}`, { ip: 'nowhere' })).status).toBe(422);
  expect((await staff.delete(`${path}/${block.id}`)).json).toEqual({});
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    expect((await staff.call(method, `${path}/${block.id}`, method === 'PUT' ? {} : undefined)).status).toBe(404);
  }
  const actions = await server.app.db.selectFrom('audit_log').select('action').orderBy('id').execute();
  expect(actions.map(({ action }) => action)).toEqual([
    'ip_block.create',
    'ip_block.update',
    'ip_block.create',
    'ip_block.delete',
  ]);
});

test('ADM-07: no_access refuses every request of the real address, and ends at its time; health stays open', async () => {
  await using server = await startServer(fromProxy);
  const alice = await server.user('alice');
  const call = (url: string, ip: string, headers: Record<string, string> = {}) =>
    alice.get(url, { headers: { ...from(ip).headers, ...headers } });
  await createIpBlock(server.app, 'system', { ip: '192.0.2.0/24', severity: 'no_access', expiresIn: 60 });
  await createIpBlock(server.app, 'system', { ip: '2001:db8::/32', severity: 'no_access' });
  const urls = ['/api/v1/timelines/home', '/', '/@alice', '/users/alice', '/nowhere', '/inbox', '/auth/sign_up'];
  for (const url of urls) {
    for (const ip of ['192.0.2.77', '::ffff:192.0.2.77', '2001:db8:1::1']) {
      expect((await call(url, ip, { accept: 'text/html' })).status, `${url} from ${ip}`).toBe(403);
    }
    expect((await call(url, '192.0.3.1')).status, url).not.toBe(403);
  }
  const refused = await call('/', '192.0.2.77', { accept: 'text/html', 'accept-language': 'de' });
  expect(refused.json).toEqual({ error: 'Deine IP-Adresse ist gesperrt' });
  expect((await call('/health', '192.0.2.77')).status).toBe(200);
  server.clock.advance(61);
  expect((await call('/api/v1/timelines/home', '192.0.2.77')).status).toBe(200);
  expect((await call('/api/v1/timelines/home', '2001:db8:1::1')).status).toBe(403);
  await server.runSchedule('user.clean_up_ip_blocks');
  const rest = await server.app.db.selectFrom('ip_blocks').select('ip').execute();
  expect(rest).toEqual([{ ip: '2001:db8::/32' }]);
});

test('ADM-07: a forwarded address of a client that is no trusted proxy does not count', async () => {
  await using server = await startServer({ settings: { TRUSTED_PROXIES: '198.51.100.1' } });
  await createIpBlock(server.app, 'system', { ip: '192.0.2.1', severity: 'no_access' });
  expect((await server.anonymous.get('/api/v2/instance', from('192.0.2.1'))).status).toBe(200);
});

test('ADM-07: no_access ends open streams of the address at once, and refuses new ones', async () => {
  await using server = await startServer(fromProxy);
  const alice = await server.user('alice');
  const socket = await TestSocket.open(server, alice, 'stream=user', from('192.0.2.1'));
  const source = await TestEventSource.open(server, alice, '/user');
  await createIpBlock(server.app, 'system', { ip: '192.0.2.1', severity: 'no_access' });
  expect(await socket.ended).toBe(1008);
  expect((await alice.get('/api/v1/streaming/user', from('192.0.2.1'))).status).toBe(403);
  await source.take();
  source.close();
});

test('ADM-07, REG-01: sign-ups of a blocked address are refused by the API and by pages', async () => {
  await using server = await startServer(fromProxy);
  for (const [ip, severity] of [
    ['192.0.2.0/24', 'sign_up_block'],
    ['198.51.100.0/24', 'sign_up_requires_approval'],
  ] as const) {
    await createIpBlock(server.app, 'system', { ip, severity });
  }
  expect((await signUp(server, '192.0.2.1')).status).toBe(403);
  expect(await isApproved(server, person.email)).toBeUndefined();
  expect((await signUp(server, '198.51.100.1')).status).toBe(200);
  expect(await isApproved(server, person.email)).toBe(false);
  expect((await signUp(server, '203.0.113.1', { username: 'wren', email: 'wren@mail.test' })).status).toBe(200);
  expect(await isApproved(server, 'wren@mail.test')).toBe(true);

  await createIpBlock(server.app, 'system', { ip: '127.0.0.1', severity: 'sign_up_block' });
  const browser = new Browser(server);
  await browser.open('/auth/sign_up');
  server.clock.advance(10);
  await browser.submit('/auth/sign_up', { ...person, username: 'finch', email: 'finch@mail.test', agreement: '1' });
  expect(browser.status).toBe(403);
  expect(await isApproved(server, 'finch@mail.test')).toBeUndefined();
});
