import { expect, test } from 'vitest';
import { startServer } from '../server.ts';
import { addRule } from './moderation-rules.ts';

const rules = '/api/v1/fieldfare/admin/moderation_rules';

test('ADM-05: a rule is tried on past posts without any action, and shows counts and samples', async () => {
  await using server = await startServer();
  const staff = await server.user('merle', { role: 'admin', scopes: 'read admin:read admin:write' });
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const post = async (status: string, more: object = {}) =>
    (await alice.post('/api/v1/statuses', { status, ...more })).json.id as string;
  await post('An old casino');
  server.clock.advance(2 * 86_400);
  const expected = [
    await post('The casino'),
    await post('Look', { spoiler_text: 'Casino' }),
    await post('#casino', { visibility: 'direct' }),
    await post('Vote', { poll: { options: ['Casino', 'No'], expires_in: 3_600 } }),
  ];
  await post('Harmless');
  const deleted = await post('Deleted casino');
  await alice.delete(`/api/v1/statuses/${deleted}`);
  await bob.post(`/api/v1/statuses/${expected[0]}/reblog`);
  server.clock.advance(60);

  const { id } = await addRule(server, { enabled: false, actions: ['reject', 'silence'] });
  const path = `${rules}/${id}/trials`;
  const started = await staff.post(path, { days: 1 });
  expect([started.status, started.json]).toMatchObject([200, { examined: 0, finished_at: null }]);
  expect((await staff.post(path)).status).toBe(409);
  await server.drain();
  const [trial] = (await staff.get(path)).json;
  expect(trial).toMatchObject({ examined: 5, matched: 4, finished_at: server.clock.now().toISOString() });
  const ids = (trial.samples as { status_id: string }[]).map(({ status_id: statusId }) => statusId);
  expect(ids).toEqual(expected.toReversed());
  expect(trial.samples.at(-1)).toEqual({ status_id: expected[0], account_id: alice.id, excerpt: 'The casino' });
  expect((await staff.get(`${rules}/${id}/matches`)).json).toEqual([]);
  const actions = await server.app.db
    .selectFrom('audit_log')
    .select('action')
    .where('staff_id', '=', staff.id)
    .execute();
  expect(actions).toEqual([{ action: 'moderation_rule.try' }]);
});

test('ADM-05: a trial counts rates and ages as they were, and goes on until all posts were compared', async () => {
  await using server = await startServer();
  const staff = await server.user('merle', { role: 'admin', scopes: 'read admin:read admin:write' });
  const alice = await server.user('alice');
  for (let at = 0; at < 4; at += 1) await alice.post('/api/v1/statuses', { status: `Post ${at}` });
  await server.pool.query(
    `insert into statuses (id, account_id, uri, local, content, visibility, created_at)
     select id + n * 65536, account_id, uri || n, local, content, visibility, created_at
     from statuses, generate_series(1000, 1500) as n where id = (select min(id) from statuses)`,
  );
  server.clock.advance(7_200);
  await alice.post('/api/v1/statuses', { status: 'Later' });
  server.clock.advance(1);
  const { id } = await addRule(server, {
    enabled: false,
    conditions: { rate: { more_than: 499, seconds: 3_600 }, account_younger_than: 1 },
  });
  await staff.post(`${rules}/${id}/trials`);
  await server.drain();
  const [trial] = (await staff.get(`${rules}/${id}/trials`)).json;
  // 4 posts, then 501; the first 500 of these 505 have fewer earlier ones.
  expect(trial).toMatchObject({ examined: 506, matched: 5, finished_at: expect.any(String) });
  expect(trial.samples).toHaveLength(5);
});

test('ADM-05: only rules for posts can be tried', async () => {
  await using server = await startServer();
  const staff = await server.user('merle', { role: 'admin', scopes: 'read admin:read admin:write' });
  const { id } = await addRule(server, { enabled: false, subject: 'follow' });
  const { status, json } = await staff.post(`${rules}/${id}/trials`);
  expect([status, json.error]).toEqual([422, 'Validation failed: Only rules for posts can be tried']);
  expect((await staff.post(`${rules}/1/trials`)).status).toBe(404);
  expect((await staff.get(`${rules}/1/trials`)).status).toBe(404);
});
