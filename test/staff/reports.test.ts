import { expect, test } from 'vitest';
import { deleteAccount } from '../../server/accounts/lifecycle/index.ts';
import { changeUserRole } from '../../server/moderation/index.ts';
import { addRule, deleteRule } from '../../server/site/rules/index.ts';
import { recordStatements } from '../record-statements.ts';
import { startServer, walk, type TestServer, type TestUser } from '../server.ts';
import { standardRoles } from '../../server/users/access/index.ts';

const reports = '/api/v1/admin/reports';
const own = '/api/v1/fieldfare/admin/reports';

async function scene() {
  const server = await startServer();
  const staff = await server.user('merle', { role: 'admin', scopes: 'admin:read admin:write' });
  return { server, staff, alice: await server.user('alice'), bob: await server.user('bob') };
}

async function report(from: TestUser, about: TestUser, more: object = {}): Promise<string> {
  const { status, text, json } = await from.post('/api/v1/reports', { account_id: about.id, ...more });
  expect(status, text).toBe(200);
  return json.id;
}

const postAs = async (user: TestUser, status: string, more: object = {}): Promise<string> =>
  (await user.post('/api/v1/statuses', { status, ...more })).json.id;

const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

const actionsOf = async ({ app }: TestServer): Promise<string[]> => {
  const rows = await app.db.selectFrom('audit_log').select(['action', 'target_label']).orderBy('id').execute();
  return rows.map(({ action, target_label }) => `${action} ${target_label}`);
};

test('ADM-05: staff list reports by state, reporter and account, page by page', async () => {
  const { server, staff, alice, bob } = await scene();
  await using _ = server;
  const carol = await server.user('carol');
  const [first, second, third] = [await report(alice, bob), await report(carol, bob), await report(alice, carol)];
  await staff.post(`${reports}/${second}/resolve`);
  const list = async (query = '') => idsOf((await staff.get(`${reports}${query}`)).json);
  expect(await list()).toEqual([third, first]);
  expect(await list('?resolved=false')).toEqual([third, first]);
  expect(await list('?resolved=true')).toEqual([second]);
  expect(await list('?resolved=true&unresolved=true')).toEqual([third, second, first]);
  expect(await list(`?account_id=${alice.id}`)).toEqual([third, first]);
  expect(await list(`?target_account_id=${bob.id}`)).toEqual([first]);
  expect(await list(`?account_id=${carol.id}&target_account_id=${bob.id}&resolved=1`)).toEqual([second]);
  expect(await list(`?account_id=${carol.id}&target_account_id=${bob.id}`)).toEqual([]);
  const page = await staff.get(`${reports}?limit=1&resolved=true&unresolved=true`);
  expect(idsOf(page.json)).toEqual([third]);
  expect(page.links.next?.search).toContain('resolved=true&unresolved=true');
  expect(idsOf((await staff.get(String(page.links.next))).json)).toEqual([second]);
});

test('ADM-05: staff list reports by category, origin of the account and assignee', async () => {
  const { server, staff, alice, bob } = await scene();
  await using _ = server;
  const [spam, other] = [await report(alice, bob, { category: 'spam' }), await report(bob, alice)];
  await staff.post(`${reports}/${spam}/assign_to_self`);
  const list = async (query: string) => idsOf((await staff.get(`${reports}?${query}`)).json);
  expect(await list('category=spam')).toEqual([spam]);
  expect(await list('category=legal')).toEqual([]);
  expect(await list('origin=local')).toEqual([other, spam]);
  expect(await list('origin=remote')).toEqual([]);
  expect(await list('assigned=me')).toEqual([spam]);
  expect(await list('assigned=nobody')).toEqual([other]);
  expect(await list('assigned=me&category=other')).toEqual([]);
  expect((await staff.get(`${reports}?assigned=all`)).status).toBe(422);
});

test('ADM-05: a list of reports of a rare category, or of an assignee, reads only these', async () => {
  const { server, staff, alice, bob } = await scene();
  await using _ = server;
  await server.pool.query(
    `insert into reports (id, account_id, target_account_id, category, comment, status_ids, collection_ids, forward_domains,
       forwarded, assigned_account_id, action_taken_at, created_at, updated_at)
     select n, $1, $2, case when n % 2000 = 1 then 'legal' else 'spam' end, '', '{}', '{}', '{}', false,
       case when n % 2000 = 2 then $3::bigint end, now(), now(), now()
     from generate_series(1, 20000) n`,
    [alice.id, bob.id, staff.id],
  );
  await server.pool.query('analyze reports');
  const planOf = async (filter: string): Promise<string> => {
    const path = `${reports}?resolved=true&${filter}`;
    const statements = await recordStatements(async () => expect((await staff.get(path)).json).toHaveLength(10));
    const listing = statements.find(({ text }) => text.includes('from "reports"') && text.includes('order by'));
    const client = await server.pool.connect();
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${listing?.text ?? ''}`);
    client.release();
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  expect(await planOf('category=legal')).toContain('reports_category');
  expect(await planOf('assigned=me')).toContain('reports_assigned');
});

test('ADM-05: a page of reports ends early if they name very many posts, and loses none', async () => {
  const { server, staff, alice, bob } = await scene();
  await using _ = server;
  const ids: string[] = [];
  for (let number = 0; number < 5; number += 1) ids.unshift(await report(alice, bob, { comment: `Number ${number}` }));
  // Posts that no longer exist are cheap to store.
  await server.db
    .updateTable('reports')
    .set({ status_ids: Array.from({ length: 400 }, (_item, index) => String(index + 1) as never) })
    .execute();
  expect(idsOf((await staff.get(reports)).json)).toEqual(ids.slice(0, 2));
  expect(idsOf((await walk(staff, reports)) as { id: string }[])).toEqual(ids);
  const upwards = await staff.get(`${reports}?min_id=${ids[4]}`);
  expect(idsOf(upwards.json)).toEqual(ids.slice(2, 4));
});

test('ADM-05: a report shows both accounts, posts and rules; deleted posts, rules and accounts as far as they are kept', async () => {
  const { server, staff, alice, bob } = await scene();
  await using _ = server;
  const [kept, deleted] = [
    await postAs(bob, 'Still here', { visibility: 'private' }),
    await postAs(bob, 'Buy my watches', { spoiler_text: 'Offer', poll: { options: ['a', 'b'], expires_in: 600 } }),
  ];
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  await alice.post(`/api/v1/accounts/${bob.id}/follow`);
  const ruleId = await addRule(server.app, 'system', { text: 'No adverts' });
  const id = await report(alice, bob, { status_ids: [kept, deleted], rule_ids: [ruleId], comment: 'Adverts' });
  await deleteRule(server.app, 'system', ruleId);
  await bob.delete(`/api/v1/statuses/${deleted}`);
  const shown = (await staff.get(`${reports}/${id}`)).json;
  expect(shown).toMatchObject({
    id,
    action_taken: false,
    action_taken_at: null,
    category: 'violation',
    comment: 'Adverts',
    forwarded: false,
    account: { id: alice.id, email: 'alice@mail.test', account: { acct: 'alice' } },
    target_account: { id: bob.id, username: 'bob', domain: null },
    assigned_account: null,
    action_taken_by_account: null,
    statuses: [
      { id: kept, content: '<p>Still here</p>', visibility: 'private' },
      { id: deleted, content: '<p>Buy my watches</p>', spoiler_text: 'Offer', account: { acct: 'bob' } },
    ],
    rules: [{ id: ruleId, text: 'No adverts' }],
  });
  expect((await staff.get(`${own}/${id}/statuses`)).json).toMatchObject([
    { id: kept, deleted: false },
    { id: deleted, deleted: true, poll_options: ['a', 'b'], content: '<p>Buy my watches</p>' },
  ]);

  await deleteAccount(server.app, bob.id);
  await deleteAccount(server.app, alice.id);
  await server.drain();
  const later = (await staff.get(`${reports}/${id}`)).json;
  expect(later).toMatchObject({
    account: { username: 'fieldfare.test', domain: null },
    target_account: { id: bob.id, username: 'bob', email: null, suspended: true, account: { suspended: true } },
    statuses: [{ id: kept }, { id: deleted }],
  });
  expect(idsOf((await staff.get(reports)).json)).toEqual([id]);
  for (const path of [`${reports}/1`, `${own}/1/statuses`, `${own}/1/notes`]) {
    expect((await staff.get(path)).status, path).toBe(404);
  }
});

test('ADM-05: staff change the category with the broken rules, which only a violation has', async () => {
  const { server, staff, alice, bob } = await scene();
  await using _ = server;
  const ruleId = await addRule(server.app, 'system', { text: 'Be kind' });
  const id = await report(alice, bob);
  const change = (body: object) => staff.put(`${reports}/${id}`, body);
  expect((await change({ category: 'violation', rule_ids: [ruleId] })).json).toMatchObject({
    category: 'violation',
    rules: [{ id: ruleId }],
  });
  for (const [body, error] of [
    [{ category: 'spam', rule_ids: [ruleId] }, 'Rule ids can be given only with the category violation'],
    [{ rule_ids: ['99999'] }, 'rule'],
    [{ category: 'boring' }, 'category'],
  ] as const) {
    const { status, json } = await change(body);
    expect([status, json.error]).toEqual([422, expect.stringContaining(error)]);
  }
  expect((await change({})).json).toMatchObject({ category: 'violation', rules: [{ id: ruleId }] });
  expect((await change({ category: 'legal' })).json).toMatchObject({ category: 'legal', rules: [] });
  expect((await staff.put(`${reports}/1`, { category: 'spam' })).status).toBe(404);
  expect(await actionsOf(server)).toEqual(['rule.create Be kind', 'report.update bob', 'report.update bob']);
});

test('ADM-05: staff take on, resolve and reopen reports; repetition changes nothing; the reporter gets no news', async () => {
  const { server, staff, alice, bob } = await scene();
  await using _ = server;
  const id = await report(alice, bob);
  await server.drain();
  const news = (await alice.get('/api/v1/notifications')).json;
  const act = async (action: string) => (await staff.post(`${reports}/${id}/${action}`)).json;
  for (const expected of [{ assigned_account: { id: staff.id } }, { assigned_account: { id: staff.id } }]) {
    expect(await act('assign_to_self')).toMatchObject(expected);
  }
  const resolved = { action_taken: true, action_taken_by_account: { id: staff.id } };
  expect(await act('resolve')).toMatchObject({ ...resolved, action_taken_at: server.clock.now().toISOString() });
  server.clock.advance(60);
  const first = (await staff.get(`${reports}/${id}`)).json.action_taken_at;
  expect((await act('resolve')).action_taken_at).toBe(first);
  for (let round = 0; round < 2; round += 1) {
    expect(await act('reopen')).toMatchObject({ action_taken: false, action_taken_at: null });
    expect(await act('unassign')).toMatchObject({ assigned_account: null });
  }
  for (const action of ['assign_to_self', 'unassign', 'resolve', 'reopen']) {
    expect((await staff.post(`${reports}/1/${action}`)).status, action).toBe(404);
  }
  await server.drain();
  expect((await alice.get('/api/v1/notifications')).json).toEqual(news);
  expect(await actionsOf(server)).toEqual(
    ['assign', 'resolve', 'reopen', 'unassign'].map((verb) => `report.${verb} bob`),
  );
});

test('ADM-05: staff write notes about a report, which only staff see and which stay without a name', async () => {
  const { server, staff, alice, bob } = await scene();
  await using _ = server;
  const id = await report(alice, bob);
  const keeper = await server.user('keeper', { role: 'moderator', scopes: 'admin:read admin:write' });
  const added = await keeper.post(`${own}/${id}/notes`, { content: ' Sells watches\r\n ' });
  expect(added.json).toEqual({
    id: added.json.id,
    content: 'Sells watches',
    created_at: server.clock.now().toISOString(),
    author: { id: keeper.id, username: 'keeper' },
  });
  for (const content of ['', 'x'.repeat(2_001)]) {
    const { status, json } = await staff.post(`${own}/${id}/notes`, { content });
    expect([status, json.error]).toEqual([422, expect.stringContaining('Content')]);
  }
  expect((await staff.post(`${own}/1/notes`, { content: 'x' })).status).toBe(404);
  await deleteAccount(server.app, keeper.id);
  await server.drain();
  expect((await staff.get(`${own}/${id}/notes`)).json).toEqual([{ ...added.json, author: null }]);
  const otherId = await report(bob, alice);
  expect((await staff.delete(`${own}/${otherId}/notes/${added.json.id}`)).status).toBe(404);
  expect((await staff.delete(`${own}/${id}/notes/${added.json.id}`)).json).toEqual({});
  expect((await staff.get(`${own}/${id}/notes`)).json).toEqual([]);
});

test('ADM-05: only reports about remote accounts are forwarded', async () => {
  const { server, staff, alice, bob } = await scene();
  await using _ = server;
  const { status, json } = await staff.post(`${own}/${await report(alice, bob)}/forward`);
  expect([status, json.error]).toEqual([422, 'Validation failed: Account is not remote']);
  expect((await staff.post(`${own}/1/forward`)).status).toBe(404);
});

test('NTF-02: former staff no longer see the reports that they were notified of', async () => {
  const { server, alice, bob } = await scene();
  await using _ = server;
  const keeper = await server.user('keeper', { role: 'moderator' });
  await report(alice, bob);
  await server.drain();
  expect((await keeper.get('/api/v1/notifications')).json).toMatchObject([{ type: 'admin.report' }]);
  await changeUserRole(server.app, 'system', { accountId: keeper.id, roleId: standardRoles.user });
  expect((await keeper.get('/api/v1/notifications')).json).toEqual([]);
});
