import { expect, test } from 'vitest';
import { fetchDueLists } from '../../server/moderation/domain-lists/fetch-list.ts';
import { blockDomain, listBlockedDomains, unblockDomain } from '../../server/site/domains/index.ts';
import { Network } from '../network.ts';
import type { TestServer, TestUser } from '../server.ts';

const path = '/api/v1/fieldfare/admin/domain_lists';
const url = 'https://lists.test/blocks.csv';

interface Scene extends AsyncDisposable {
  readonly a: TestServer;
  readonly staff: TestUser;
  readonly network: Network;
  /** What the host of the list answers. */
  readonly list: { status: number; body: string };
  readonly setList: (...lines: string[]) => void;
}

async function listScene(): Promise<Scene> {
  const network = new Network();
  const a = await network.start('a.test');
  const list = { status: 200, body: '' };
  network.addHost('lists.test', () => ({ status: list.status, body: Buffer.from(list.body) }));
  return {
    a,
    network,
    list,
    setList: (...lines) => {
      list.body = ['#domain,#severity,#reject_media,#reject_reports,#public_comment', ...lines].join('\n');
    },
    staff: await a.user('chief', { role: 'admin', scopes: 'read admin:read admin:write' }),
    [Symbol.asyncDispose]: () => network[Symbol.asyncDispose](),
  };
}

async function refresh({ a, network }: Scene): Promise<void> {
  network.clock.advance(25 * 3_600);
  await fetchDueLists.run(a.app);
  await a.drain();
}

const severitiesOf = async ({ a }: Scene) =>
  Object.fromEntries((await listBlockedDomains(a.app)).map(({ domain, severity }) => [domain, severity]));

test('ADM-03: a subscribed list becomes a draft, which staff see and apply; what it no longer has is undone', async () => {
  await using scene = await listScene();
  const { a, staff, setList } = scene;
  await blockDomain(a.app, 'system', { domain: 'ours.test', severity: 'silence' });
  setList('one.test,suspend,true,true,spam', 'two.test,silence,false,false,', 'ours.test,suspend,true,true,');
  const { json: list } = await staff.post(path, { url });
  expect(list).toMatchObject({ url, automatic: false, fetched_at: null, last_error: null });
  await a.drain();
  const draft = async () =>
    (await staff.get(`${path}/${list.id}/changes`)).json.map(({ domain, change }: Record<string, string>) => [
      domain,
      change,
    ]);
  expect(await draft()).toEqual([
    ['one.test', 'create'],
    ['ours.test', 'keep'],
    ['two.test', 'create'],
  ]);
  expect(await severitiesOf(scene)).toEqual({ 'ours.test': 'silence' });
  expect((await staff.post(`${path}/${list.id}/apply`)).json).toEqual({ applied: 2 });
  expect(await severitiesOf(scene)).toEqual({ 'one.test': 'suspend', 'two.test': 'silence', 'ours.test': 'silence' });
  expect((await staff.post(`${path}/${list.id}/apply`)).json).toEqual({ applied: 0 });

  setList('two.test,suspend,true,true,', 'ours.test,suspend,true,true,');
  await refresh(scene);
  expect(await draft()).toEqual([
    ['one.test', 'remove'],
    ['ours.test', 'keep'],
    ['two.test', 'update'],
  ]);
  expect((await staff.post(`${path}/${list.id}/apply`)).json).toEqual({ applied: 2 });
  expect(await severitiesOf(scene)).toEqual({ 'two.test': 'suspend', 'ours.test': 'silence' });

  // What staff change or remove is theirs.
  await blockDomain(a.app, 'system', { domain: 'two.test', severity: 'noop' });
  setList('ours.test,suspend,true,true,');
  await refresh(scene);
  expect(await draft()).toEqual([['ours.test', 'keep']]);
  await a.drain();
});

test('ADM-03: an automatic list is applied after each fetch, without exceptions, and ends with its blocks', async () => {
  await using scene = await listScene();
  const { a, staff, setList } = scene;
  setList('one.test,suspend,,,', 'two.test,suspend,,,', 'three.test,silence,,,');
  const { json: list } = await staff.post(path, { url, automatic: true });
  await a.drain();
  expect(Object.keys(await severitiesOf(scene))).toEqual(['one.test', 'three.test', 'two.test']);
  const exceptions = `${path}/${list.id}/exceptions`;
  expect((await staff.post(exceptions, { domain: 'two.test' })).json).toEqual({});
  expect((await staff.post(exceptions, { domain: 'other.test' })).status).toBe(404);
  await unblockDomain(a.app, 'system', 'three.test');
  await refresh(scene);
  // Staff removed one themselves, which the list does not create again.
  expect(Object.keys(await severitiesOf(scene))).toEqual(['one.test']);
  expect((await staff.delete(exceptions, { domain: 'two.test' })).json).toEqual({});
  await refresh(scene);
  expect(Object.keys(await severitiesOf(scene))).toEqual(['one.test', 'two.test']);
  expect((await staff.put(`${path}/${list.id}`, { automatic: false })).json.automatic).toBe(false);
  expect((await staff.delete(`${path}/${list.id}`, { undo: true })).json).toEqual({});
  expect(await severitiesOf(scene)).toEqual({});
  expect((await staff.get(path)).json).toEqual([]);
  const entries = await a.app.db
    .selectFrom('audit_log')
    .select('action')
    .where('target_type', '=', 'domain_list')
    .orderBy('id')
    .execute();
  expect(entries.map(({ action }) => action)).toEqual([
    'domain_list.create',
    'domain_list.except',
    'domain_list.include',
    'domain_list.update',
    'domain_list.delete',
  ]);
  await a.drain();
});

test('ADM-03: a list that fails, is no list or loses most of its entries changes nothing, and says why', async () => {
  await using scene = await listScene();
  const { a, staff, setList, list: host } = scene;
  setList('one.test,suspend,,,', 'two.test,suspend,,,', 'three.test,silence,,,');
  const { json: list } = await staff.post(path, { url, automatic: true });
  await a.drain();
  const errorOf = async () => (await staff.get(`${path}/${list.id}`)).json.last_error;
  const before = await severitiesOf(scene);
  setList('one.test,suspend,,,');
  await refresh(scene);
  expect(await errorOf()).toContain('only 1 of 3 entries');
  host.status = 500;
  await refresh(scene);
  expect(await errorOf()).toContain('500');
  host.status = 200;
  host.body = '<html><p>Moved';
  await refresh(scene);
  expect(await errorOf()).toContain('no domains');
  host.body = 'x'.repeat(1_100_000);
  expect((await staff.post(`${path}/${list.id}/fetch`)).status).toBe(200);
  await a.drain();
  expect(await errorOf()).toContain('too large');
  expect(await severitiesOf(scene)).toEqual(before);
  await a.drain();
});

test('ADM-03: a list with several kinds of line end loses no line, and lines that are no block are named', async () => {
  await using scene = await listScene();
  const { a, staff, list: host } = scene;
  host.body =
    '\uFEFF#domain,#severity\r\none.test,suspend\rtwo.test,silence\nnot a domain,silence\u2028three.test,noop';
  const { json: list } = await staff.post(path, { url, automatic: true });
  await a.drain();
  expect(await severitiesOf(scene)).toEqual({ 'one.test': 'suspend', 'two.test': 'silence', 'three.test': 'noop' });
  const errorOf = async () => (await staff.get(`${path}/${list.id}`)).json.last_error;
  expect(await errorOf()).toMatch(/^Line 4 was skipped: .*not a domain/);
  host.body = '#domain,#severity\none.test,suspend\ntwo.test,"silence\nthree.test,noop\n';
  await refresh(scene);
  expect(await errorOf()).toContain('not CSV from line 3 on');
  expect(Object.keys(await severitiesOf(scene))).toHaveLength(3);
  await a.drain();
});

test('ADM-03, ADM-04: files that staff import lose no line, whatever ends it, and lines that are no domain are named', async () => {
  await using scene = await listScene();
  const { staff } = scene;
  const importFile = async (kind: string, csv: string) =>
    (await staff.post(`/api/v1/fieldfare/admin/${kind}/import`, { csv, dry_run: true })).json;
  const header = '#domain,#severity';
  for (const [first, second, third] of [
    ['\r\n', '\n', '\n'],
    ['\n', '\r\n', '\r'],
    ['\r', '\r', '\r'],
    ['\u2028', '\u2029', '\u0085'],
    ['\r\n', `\r\n\uFEFF${header}\n`, '\n\n\r\r'],
  ]) {
    const csv = `${header}${first}c.test,suspend${second}b.test,suspend${third}no domain`;
    const blocks = await importFile('domain_blocks', csv);
    expect(blocks.blocks.map(({ domain }: { domain: string }) => domain)).toEqual(['c.test', 'b.test']);
    const allows = await importFile('domain_allows', csv);
    expect(allows.domains.map(({ domain }: { domain: string }) => domain)).toEqual(['c.test', 'b.test']);
    for (const { rejected } of [blocks, allows]) expect(rejected).toMatchObject([{ domain: 'no domain' }]);
  }
  const bare = await importFile('domain_blocks', '# Blocks\nc.test\rb.test\r\n');
  expect([bare.blocks.length, bare.rejected]).toEqual([2, [expect.objectContaining({ line: 1, domain: '# Blocks' })]]);
  expect(await importFile('domain_allows', 'c.test\n"b.test')).toMatchObject({
    error: expect.stringContaining('not CSV from line 2 on'),
  });
});

test('lists with invalid or known addresses are refused', async () => {
  await using scene = await listScene();
  const { a, staff } = scene;
  const { json: list } = await staff.post(path, { url });
  const refused = async (body: object) => {
    const { status, json } = await staff.post(path, body);
    return [status, json.error];
  };
  expect(await refused({ url })).toEqual([422, expect.stringContaining('subscribed already')]);
  expect(await refused({ url: 'file:///etc/passwd' })).toEqual([422, expect.stringContaining('URL must be an https')]);
  expect(await refused({ url: `https://x.test/${'y'.repeat(2_000)}` })).toEqual([422, expect.stringContaining('long')]);
  expect((await staff.post(path, {})).status).toBe(400);
  await a.drain();
  expect((await staff.delete(`${path}/${list.id}`)).status).toBe(200);
  for (const response of [
    await staff.get(`${path}/${list.id}`),
    await staff.get(`${path}/${list.id}/changes`),
    await staff.put(`${path}/${list.id}`, { automatic: true }),
    await staff.post(`${path}/${list.id}/apply`),
    await staff.post(`${path}/${list.id}/fetch`),
    await staff.delete(`${path}/${list.id}`),
  ])
    expect(response.status).toBe(404);
});
