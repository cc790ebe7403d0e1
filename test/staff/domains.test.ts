import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { startServer, type TestServer } from '../server.ts';

const blocks = '/api/v1/admin/domain_blocks';
const allows = '/api/v1/admin/domain_allows';

const staffOf = (server: TestServer) => server.user('chief', { role: 'admin', scopes: 'admin:read admin:write' });
const auditOf = async ({ app }: TestServer) =>
  app.db.selectFrom('audit_log').select(['action', 'target_label as label', 'before', 'after']).orderBy('id').execute();

test('ADM-03: domain blocks are created, shown, changed and deleted, with an entry in the audit log for each change', async () => {
  await using server = await startServer();
  const staff = await staffOf(server);
  const fields = { severity: 'suspend', reject_media: true, public_comment: 'spam', private_comment: 'see #1' };
  const created = await staff.post(blocks, { domain: 'Bücher.Example', ...fields });
  const domain = 'xn--bcher-kva.example';
  const block = {
    id: expect.any(String),
    domain,
    digest: createHash('sha256').update(domain).digest('hex'),
    created_at: server.clock.now().toISOString(),
    ...fields,
    reject_reports: false,
    obfuscate: false,
  };
  expect([created.status, created.json]).toEqual([200, block]);
  const path = `${blocks}/${created.json.id}`;
  expect((await staff.get(path)).json).toEqual(block);
  expect((await staff.get(blocks)).json).toEqual([block]);

  const changed = await staff.put(path, {
    severity: 'silence',
    obfuscate: true,
    public_comment: '',
    domain: 'x.example',
  });
  expect(changed.json).toEqual({ ...block, severity: 'silence', obfuscate: true, public_comment: null });
  // Nothing changes, so nothing is recorded.
  expect((await staff.put(path, { severity: 'silence' })).status).toBe(200);
  expect((await staff.delete(path)).json).toEqual({});
  for (const response of [await staff.get(path), await staff.put(path, {}), await staff.delete(path)]) {
    expect(response.status).toBe(404);
  }
  expect(await auditOf(server)).toMatchObject([
    { action: 'domain_block.create', label: domain, before: null, after: { severity: 'suspend', reject_media: true } },
    {
      action: 'domain_block.update',
      before: { severity: 'suspend', obfuscate: false, public_comment: 'spam' },
      after: { severity: 'silence', obfuscate: true, public_comment: null },
    },
    { action: 'domain_block.delete', before: { severity: 'silence', private_comment: 'see #1' }, after: null },
  ]);
});

test('ADM-03: a block of a domain that is blocked already, itself or by a parent, is refused with the existing block', async () => {
  await using server = await startServer();
  const staff = await staffOf(server);
  const { json: existing } = await staff.post(blocks, {
    domain: 'bad.example',
    severity: 'silence',
    reject_reports: true,
  });
  const post = (domain: string, body: object = {}) => staff.post(blocks, { domain, ...body });
  for (const [domain, body] of [
    ['bad.example', { severity: 'suspend' }],
    ['HTTPS://BAD.example/', {}],
    ['sub.bad.example', { severity: 'noop' }],
    ['a.sub.bad.example', { severity: 'silence', reject_reports: true }],
  ] as const) {
    const response = await post(domain, body);
    expect([response.status, response.json], domain).toEqual([
      422,
      {
        error: 'This domain is blocked already, by the block of bad.example',
        existing_domain_block: existing,
      },
    ]);
  }
  // Stricter than the parent, and a name that only ends with the same letters.
  expect((await post('sub.bad.example', { severity: 'silence', reject_media: true })).status).toBe(200);
  expect((await post('other.bad.example', { severity: 'suspend' })).status).toBe(200);
  expect((await post('notbad.example', { severity: 'noop' })).status).toBe(200);
  for (const [domain, error] of [
    ['no domain', 'Validation failed: Domain is not a valid domain name: no domain'],
    ['fieldfare.test', /belongs to this server/],
  ] as const) {
    const response = await post(domain);
    expect([response.status, response.json.error]).toEqual([422, expect.stringMatching(error)]);
  }
  expect((await staff.post(blocks, {})).status).toBe(400);
  expect((await post('odd.example', { severity: 'harsh' })).status).toBe(422);
  expect((await post('odd.example', { public_comment: 'x'.repeat(5_001) })).json.error).toMatch(/Public comment/);
  expect((await staff.get(blocks)).json).toHaveLength(4);
});

test('ADM-04: domains are allowed once, shown and disallowed, and each change is in the audit log', async () => {
  await using server = await startServer();
  const staff = await staffOf(server);
  const { json: allow } = await staff.post(allows, { domain: 'good.example' });
  expect(allow).toEqual({
    id: expect.any(String),
    domain: 'good.example',
    created_at: server.clock.now().toISOString(),
  });
  const again = await staff.post(allows, { domain: 'GOOD.example' });
  expect([again.status, again.json]).toEqual([200, allow]);
  expect((await staff.get(`${allows}/${allow.id}`)).json).toEqual(allow);
  expect((await staff.get(allows)).json).toEqual([allow]);
  expect((await staff.post(allows, { domain: '..' })).status).toBe(422);
  expect((await staff.delete(`${allows}/${allow.id}`)).json).toEqual({});
  for (const response of [await staff.get(`${allows}/${allow.id}`), await staff.delete(`${allows}/${allow.id}`)]) {
    expect(response.status).toBe(404);
  }
  expect(await auditOf(server)).toMatchObject([
    { action: 'domain_allow.create', label: 'good.example' },
    { action: 'domain_allow.delete', label: 'good.example' },
  ]);
});
