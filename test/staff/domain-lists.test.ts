import fc from 'fast-check';
import { expect, test } from 'vitest';
import { followAccount, acceptFollowRequest } from '../../server/relationships/follow/index.ts';
import { storeRemoteAccount } from '../../server/accounts/remote/index.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { blockDomain, listBlockedDomains } from '../../server/site/domains/index.ts';
import { startServer, type TestServer, type TestUser } from '../server.ts';

const blocks = '/api/v1/fieldfare/admin/domain_blocks';
const allows = '/api/v1/fieldfare/admin/domain_allows';

const staffOf = (server: TestServer) => server.user('chief', { role: 'admin', scopes: 'admin:read admin:write' });

const list = [
  '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate',
  'New.example,suspend,true,true,"spam, and worse",true',
  'strict.example,silence,false,false,,false',
  'mild.example,suspend,false,false,,false',
  'same.example,silence,false,false,,false',
  'no domain,suspend,,,,',
  'fieldfare.test,suspend,,,,',
  'odd.example,harsh,,,,',
].join('\n');

async function followFrom(server: TestServer, user: TestUser, domain: string): Promise<void> {
  const id = await transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, {
      uri: `https://${domain}/users/eve`,
      username: 'eve',
      domain,
      inboxUrl: `https://${domain}/inbox`,
    }),
  );
  await followAccount(server.app, user.id, id);
  await acceptFollowRequest(server.app, id, user.id);
}

async function prepareBlocks(server: TestServer): Promise<void> {
  await blockDomain(server.app, 'system', { domain: 'strict.example', severity: 'suspend' });
  await blockDomain(server.app, 'system', { domain: 'mild.example', severity: 'silence', publicComment: 'ours' });
  await blockDomain(server.app, 'system', { domain: 'same.example', severity: 'silence' });
  await server.drain();
}

const severitiesOf = async (server: TestServer) =>
  Object.fromEntries((await listBlockedDomains(server.app)).map(({ domain, severity }) => [domain, severity]));

test('ADM-03: an import of blocks is previewed with the follows that it would cut, and changes nothing until it is applied', async () => {
  await using server = await startServer();
  server.expectUndelivered(/\.example$/u);
  const staff = await staffOf(server);
  const alice = await server.user('alice');
  await prepareBlocks(server);
  for (const domain of ['new.example', 'sub.new.example:8443', 'notnew.example'])
    await followFrom(server, alice, domain);
  const before = await severitiesOf(server);

  const preview = await staff.post(`${blocks}/import`, { csv: list, dry_run: true });
  expect(preview.json).toMatchObject({
    applied: 0,
    blocks: [
      { domain: 'new.example', change: 'create', existing: null, lost_following: 2, lost_followers: 0 },
      {
        domain: 'strict.example',
        change: 'weaken',
        listed: { severity: 'silence' },
        existing: { severity: 'suspend' },
      },
      { domain: 'mild.example', change: 'strengthen', lost_following: 0 },
      { domain: 'same.example', change: 'none' },
    ],
    rejected: [
      { line: 6, domain: 'no domain', error: expect.stringContaining('not a valid domain') },
      { line: 7, domain: 'fieldfare.test', error: expect.stringContaining('this server') },
      { line: 8, domain: 'odd.example', error: expect.stringContaining('Unknown severity: harsh') },
    ],
  });
  expect(await severitiesOf(server)).toEqual(before);

  expect((await staff.post(`${blocks}/import`, { csv: list })).json.applied).toBe(2);
  expect(await severitiesOf(server)).toEqual({
    'new.example': 'suspend',
    'strict.example': 'suspend',
    'mild.example': 'suspend',
    'same.example': 'silence',
  });
  const stored = await listBlockedDomains(server.app);
  expect(stored.find(({ domain }) => domain === 'new.example')).toMatchObject({
    public_comment: 'spam, and worse',
    reject_media: true,
    obfuscate: true,
  });
  expect(stored.find(({ domain }) => domain === 'mild.example')?.public_comment).toBe('ours');
  expect((await staff.post(`${blocks}/import`, { csv: list, weaken: true })).json.applied).toBe(1);
  expect((await severitiesOf(server))['strict.example']).toBe('silence');
  const entries = await server.app.db
    .selectFrom('audit_log')
    .select('action')
    .where('staff_id', '=', staff.id)
    .execute();
  expect(entries.map(({ action }) => action).toSorted()).toEqual([
    'domain_block.create',
    'domain_block.update',
    'domain_block.update',
  ]);
  await server.drain();
});

test('ADM-03: a bare list of domains suspends them, and what is not CSV, or too long, is refused', async () => {
  await using server = await startServer();
  const staff = await staffOf(server);
  expect((await staff.post(`${blocks}/import`, { csv: 'a.example\nb.example\na.example\n' })).json).toMatchObject({
    applied: 2,
    blocks: [
      { domain: 'a.example', listed: { severity: 'suspend', reject_media: true, reject_reports: true } },
      { domain: 'b.example' },
    ],
  });
  const refused = await staff.post(`${blocks}/import`, { csv: '#domain\n"a.example' });
  expect([refused.status, refused.json.error]).toEqual([422, 'Validation failed: The list is not CSV from line 2 on']);
  const long = Array.from({ length: 5_001 }, (_, index) => `d${index}.example`).join('\n');
  expect((await staff.post(`${blocks}/import`, { csv: long })).json.error).toContain('more than 5000 lines');
  await server.drain();
});

test('ADM-03: an export is imported again without a change, whatever the blocks are', async () => {
  await using server = await startServer();
  const staff = await staffOf(server);
  const block = fc.record({
    severity: fc.constantFrom('noop', 'silence', 'suspend'),
    rejectMedia: fc.boolean(),
    rejectReports: fc.boolean(),
    obfuscate: fc.boolean(),
    publicComment: fc.stringMatching(/^[=+\-@\t']{0,2}[\w ,"'\n;#=]{0,30}$/),
  });
  for (const [index, changes] of fc.sample(block, 20).entries()) {
    await blockDomain(server.app, 'system', { domain: `d${index}.example`, ...changes });
  }
  const exported = await staff.get(`${blocks}/export`);
  expect(exported.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(exported.text.split('\n')[0]).toBe(
    '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate',
  );
  expect(exported.text).not.toMatch(/^d\d+\.example,\w+,\w+,\w+,"?[=+\-@\t]/mu);
  const { json } = await staff.post(`${blocks}/import`, { csv: exported.text, dry_run: true });
  expect(json.blocks).toHaveLength(20);
  for (const { change, listed, existing } of json.blocks) expect([change, listed]).toEqual(['none', existing]);
  await server.drain();
});

test('ADM-04: allowed domains are exported and imported with a preview', async () => {
  await using server = await startServer();
  const staff = await staffOf(server);
  const csv = '#domain\ngood.example\nBÜCHER.example\n..\n';
  expect((await staff.post(`${allows}/import`, { csv, dry_run: true })).json).toMatchObject({
    applied: 0,
    domains: [
      { domain: 'good.example', change: 'create' },
      { domain: 'xn--bcher-kva.example', change: 'create' },
    ],
    rejected: [{ line: 4, domain: '..' }],
  });
  expect((await staff.get(`${allows}/export`)).text).toBe('#domain\n');
  expect((await staff.post(`${allows}/import`, { csv })).json.applied).toBe(2);
  expect((await staff.get(`${allows}/export`)).text).toBe('#domain\ngood.example\nxn--bcher-kva.example\n');
  expect((await staff.post(`${allows}/import`, { csv })).json).toMatchObject({
    applied: 0,
    domains: [{ change: 'none' }, { change: 'none' }],
  });
  await server.drain();
});
