import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deleteAccountAsStaff, suspendAccount, unsuspendAccount } from '../../server/moderation/index.ts';
import { canonicalEmail } from '../../server/users/email-blocks/canonical-email.ts';
import { createCanonicalEmailBlock, createEmailDomainBlock } from '../../server/users/email-blocks/index.ts';
import { Browser } from '../browser.ts';
import { startServer, type ServerOptions, type TestServer } from '../server.ts';

const domainBlocks = '/api/v1/admin/email_domain_blocks';
const addressBlocks = '/api/v1/admin/canonical_email_blocks';
const password = 'correct horse battery';

const startWithStaff = async (options: ServerOptions = {}) => {
  const server = await startServer({ ...options, settings: { REGISTRATIONS: 'open' } });
  const staff = await server.user('merle', { role: 'admin', scopes: 'admin:read admin:write' });
  return { server, staff };
};

let count = 0;
async function signUp(server: TestServer, email: string) {
  count += 1;
  const body = { username: `robin${count}`, email, password, agreement: true };
  return (await server.appToken()).post('/api/v1/accounts', body);
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

async function isApproved({ app }: TestServer, email: string): Promise<boolean | undefined> {
  const row = await app.db.selectFrom('users').select('approved').where('email', '=', email).executeTakeFirst();
  return row?.approved;
}

test('ADM-07: staff block e-mail domains; invalid and repeated ones are 422 and name the field', async () => {
  const { server, staff } = await startWithStaff();
  await using _ = server;
  const created = await staff.post(domainBlocks, { domain: ' SPAM.Test. ', allow_with_approval: 'true' });
  expect([created.status, created.json]).toMatchObject([200, { domain: 'spam.test', allow_with_approval: true }]);
  expect(created.json.history).toHaveLength(7);
  const { id } = created.json;
  expect((await staff.get(`${domainBlocks}/${id}`)).json).toEqual(created.json);
  expect((await staff.post(domainBlocks, { domain: '@bücher.test' })).json).toMatchObject({
    domain: 'xn--bcher-kva.test',
    allow_with_approval: false,
  });
  for (const [domain, error] of [
    ['', "Domain can't be blank"],
    ['no domain', 'Domain is not a valid domain name'],
    ['Spam.test', 'Domain has already been taken'],
  ]) {
    const { status, json } = await staff.post(domainBlocks, { domain });
    expect([status, json.error]).toEqual([422, `Validation failed: ${error}`]);
  }
  expect((await staff.delete(`${domainBlocks}/${id}`)).json).toEqual({});
  expect((await staff.delete(`${domainBlocks}/${id}`)).status).toBe(404);
  expect((await staff.get(`${domainBlocks}/${id}`)).status).toBe(404);
});

test('ADM-07, REG-01: a blocked e-mail domain refuses sign-ups, with case, subdomain and punycode', async () => {
  const { server, staff } = await startWithStaff();
  await using _ = server;
  for (const domain of ['spam.test', 'bücher.test']) await createEmailDomainBlock(server.app, 'system', { domain });
  for (const email of ['a@spam.test', 'a@SPAM.Test', 'a@deep.sub.spam.test', 'a@Bücher.test', 'a@xn--bcher-kva.test']) {
    const { status, json } = await signUp(server, email);
    expect([status, json.details?.email], email).toMatchObject([422, [{ error: 'ERR_BLOCKED' }]]);
  }
  for (const email of ['a@notspam.test', 'a@spam.test.mail.test']) {
    expect((await signUp(server, email)).status, email).toBe(200);
  }
  const listed = (await staff.get(domainBlocks)).json;
  expect(listed.map((block: { history: unknown[] }) => block.history[0])).toMatchObject([
    { accounts: '1', uses: '2' },
    { accounts: '1', uses: '3' },
  ]);
  server.clock.advance(8 * 86_400);
  await server.runSchedule('user.clean_up_email_block_attempts');
  expect(await server.app.db.selectFrom('email_domain_block_attempts').selectAll().execute()).toEqual([]);
});

test('ADM-07, REG-01: a blocked e-mail domain refuses the page to sign up, a change and a correction of the address', async () => {
  const { server } = await startWithStaff();
  await using _ = server;
  await createEmailDomainBlock(server.app, 'system', { domain: 'spam.test' });
  await createEmailDomainBlock(server.app, 'system', { domain: 'slow.test', allowWithApproval: true });
  const browser = new Browser(server);
  await browser.open('/auth/sign_up');
  server.clock.advance(10);
  const form = { username: 'finch', email: 'finch@spam.test', password, agreement: '1' };
  await browser.submit('/auth/sign_up', form);
  expect([browser.status, browser.text]).toEqual([422, expect.stringContaining('e-mail provider that is not allowed')]);

  const alice = await server.user('alice');
  const settings = new Browser(server);
  await settings.signIn('alice');
  for (const [email, status] of [
    ['alice@spam.test', 422],
    ['alice@slow.test', 200],
  ] as const) {
    await settings.open('/auth/edit');
    await settings.submit('/auth/edit/email', { email, current_password: password });
    expect(settings.status, email).toBe(status);
  }
  const unconfirmed = await server.app.db
    .selectFrom('users')
    .select(['unconfirmed_email', 'approved'])
    .where('account_id', '=', alice.id)
    .executeTakeFirst();
  expect(unconfirmed).toEqual({ unconfirmed_email: 'alice@slow.test', approved: true });

  const token = (await signUp(server, 'wren@mail.test')).json.access_token as string;
  const headers = { authorization: `Bearer ${token}` };
  const correct = (email: string) => server.anonymous.post('/api/v1/emails/confirmations', { email }, { headers });
  expect((await correct('wren@spam.test')).status).toBe(422);
  expect((await correct('wren@slow.test')).status).toBe(200);
  expect(await isApproved(server, 'wren@slow.test')).toBe(false);
});

test('ADM-07: blocks count for the mail servers of a domain; while those are unknown, staff decide', async () => {
  const hosts: Record<string, string[]> = { 'shop.test': ['mx1.spam.test'], 'club.test': ['mx.slow.test'] };
  const asked: string[] = [];
  const { server } = await startWithStaff({
    resolveMx: async (domain) => {
      asked.push(domain);
      if (domain === 'dead.test') throw new Error('queryMx ETIMEOUT dead.test');
      return hosts[domain] ?? [];
    },
  });
  await using _ = server;
  expect((await signUp(server, 'a@dead.test')).status).toBe(200);
  expect(await isApproved(server, 'a@dead.test')).toBe(true);
  expect(asked).toEqual([]);
  await createEmailDomainBlock(server.app, 'system', { domain: 'spam.test' });
  await createEmailDomainBlock(server.app, 'system', { domain: 'slow.test', allowWithApproval: true });
  expect((await signUp(server, 'a@shop.test')).json.details.email).toMatchObject([{ error: 'ERR_BLOCKED' }]);
  for (const [email, approved] of [
    ['a@club.test', false],
    ['b@dead.test', false],
    ['a@good.test', true],
  ] as const) {
    expect((await signUp(server, email)).status, email).toBe(200);
    expect(await isApproved(server, email), email).toBe(approved);
  }
  expect(asked).toEqual(['shop.test', 'club.test', 'dead.test', 'good.test']);
});

test('ADM-07: staff block e-mail addresses by address or hash, and test addresses', async () => {
  const { server, staff } = await startWithStaff();
  await using _ = server;
  const hash = hashOf('johndoe@mail.test');
  const created = await staff.post(addressBlocks, { email: 'John.Doe+news@Mail.test', canonical_email_hash: 'x' });
  expect([created.status, created.json]).toEqual([200, { id: created.json.id, canonical_email_hash: hash }]);
  expect((await staff.get(`${addressBlocks}/${created.json.id}`)).json).toEqual(created.json);
  const other = await staff.post(addressBlocks, { canonical_email_hash: hashOf('b@mail.test').toUpperCase() });
  expect(other.json.canonical_email_hash).toBe(hashOf('b@mail.test'));
  for (const [body, field] of [
    [{}, 'Canonical email hash'],
    [{ email: 'nobody' }, 'Email'],
    [{ canonical_email_hash: 'abc' }, 'Canonical email hash'],
    [{ email: 'johndoe@mail.test' }, 'Canonical email hash has already been taken'],
  ] as const) {
    const { status, json } = await staff.post(addressBlocks, body);
    expect([status, json.error]).toEqual([422, expect.stringContaining(field)]);
  }
  expect((await staff.post(`${addressBlocks}/test`, { email: 'j.o.h.n.doe@mail.test' })).json).toEqual([created.json]);
  expect((await staff.post(`${addressBlocks}/test`, { email: 'jane@mail.test' })).json).toEqual([]);
  expect((await staff.post(`${addressBlocks}/test`)).status).toBe(400);

  const refused = await signUp(server, 'JohnDoe+again@mail.test');
  expect([refused.status, refused.json.details?.email]).toMatchObject([422, [{ error: 'ERR_TAKEN' }]]);
  expect((await staff.delete(`${addressBlocks}/${created.json.id}`)).json).toEqual({});
  expect((await staff.delete(`${addressBlocks}/${created.json.id}`)).status).toBe(404);
  expect((await staff.get(`${addressBlocks}/${created.json.id}`)).status).toBe(404);
  expect((await signUp(server, 'JohnDoe+again@mail.test')).status).toBe(200);
});

test('ADM-07: the address of a suspended account is blocked until it is unsuspended, also after its deletion', async () => {
  const { server, staff } = await startWithStaff();
  await using _ = server;
  const [alice, bob] = [
    await server.user('alice', { email: 'alice@mail.test' }),
    await server.user('bob', { email: 'bob@mail.test' }),
  ];
  for (const { id } of [alice, bob]) await suspendAccount(server.app, staff.id, { accountId: id, notify: false });
  expect((await signUp(server, 'Alice+2@mail.test')).status).toBe(422);
  await unsuspendAccount(server.app, staff.id, { accountId: alice.id });
  expect((await signUp(server, 'Alice+2@mail.test')).status).toBe(200);
  await deleteAccountAsStaff(server.app, 'system', { accountId: bob.id });
  await server.drain();
  expect((await signUp(server, 'b.ob@mail.test')).status).toBe(422);
});

test('ADM-07: a suspension keeps the block that staff created for the same address', async () => {
  const { server } = await startWithStaff();
  await using _ = server;
  const alice = await server.user('alice', { email: 'alice@mail.test' });
  await createCanonicalEmailBlock(server.app, 'system', { email: 'alice@mail.test' });
  await suspendAccount(server.app, 'system', { accountId: alice.id, notify: false });
  await unsuspendAccount(server.app, 'system', { accountId: alice.id });
  expect((await signUp(server, 'alice+2@mail.test')).status).toBe(422);
});

test('ADM-07: the canonical form of an address does not depend on case, dots or a tag, and is stable', () => {
  const local = fc.stringMatching(/^[a-z0-9]{1,12}$/);
  fc.assert(
    fc.property(local, local, fc.nat(11), (name, tag, at) => {
      const dotted = `${name.slice(0, at)}.${name.slice(at)}`.toUpperCase();
      const canonical = canonicalEmail(`${name}@mail.test`);
      expect(canonicalEmail(`${dotted}+${tag}@Mail.Test`)).toBe(canonical);
      expect(canonicalEmail(canonical)).toBe(canonical);
    }),
  );
  expect(canonicalEmail('a.b@bücher.test')).toBe('ab@xn--bcher-kva.test');
});
