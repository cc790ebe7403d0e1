import { expect, test } from 'vitest';
import type { Permission } from '../../server/users/access/index.ts';
import { startServer, type TestServer } from '../server.ts';
import { giveRole, ordinaryPermissions } from './staff-roles.ts';

const [jobs, federation] = ['/api/v1/fieldfare/admin/jobs', '/api/v1/fieldfare/admin/federation'];

/** Stores jobs in the states waiting, retrying and exhausted, and one that runs. Returns their ids. */
async function storeJobs({ pool, app }: TestServer): Promise<string[]> {
  const now = app.clock.now();
  const { rows } = await pool.query<{ id: string }>(
    `insert into jobs (queue, name, data, attempts, run_at, last_error, exhausted_at, leased_until, host) values
       ('mail', 'media.delete_files', '{"keys": []}', 0, $1::timestamptz + '1 hour', null, null, null, null),
       ('remote', 'media.delete_files', '{"keys": []}', 2, $1::timestamptz + '1 hour', 'Error: timed out', null, null, 'far.test'),
       ('background', 'media.delete_files', '{"keys": []}', 16, $1, 'Error: disk', $1, null, null),
       ('media', 'media.delete_files', '{"keys": []}', 1, $1, 'Error: once', null, $1::timestamptz + '1 hour', null)
     returning id`,
    [now],
  );
  return rows.map(({ id }) => id);
}

/** A server whose jobs are forgotten at the end: some of them failed on purpose. */
const startWithStaff = async () => {
  const server = await startServer();
  const staff = await server.user('merle', { role: 'owner', scopes: 'admin:read admin:write' });
  const end = async (): Promise<void> => {
    await server.db.deleteFrom('jobs').execute();
    await server[Symbol.asyncDispose]();
  };
  return { server, staff, [Symbol.asyncDispose]: end };
};

test('staff list stored jobs by queue, name and state, and count them', async () => {
  await using scene = await startWithStaff();
  const { server, staff } = scene;
  const [waiting, retrying, exhausted, running] = await storeJobs(server);
  const page = await staff.get(`${jobs}?limit=3`);
  expect(page.json.map(({ id }: { id: string }) => id)).toEqual([running, exhausted, retrying]);
  expect(page.headers['link']).toContain(`max_id=${retrying}>; rel="next"`);
  expect((await staff.get(`${jobs}?max_id=${retrying}`)).json).toEqual([
    {
      id: waiting,
      queue: 'mail',
      name: 'media.delete_files',
      reactions: null,
      state: 'waiting',
      host: null,
      attempts: 0,
      run_at: new Date(server.app.clock.now().getTime() + 3_600_000).toISOString(),
      last_error: null,
    },
  ]);
  for (const [filter, id] of [
    ['state=retrying', retrying],
    ['state=running', running],
    ['queue=background', exhausted],
    ['queue=mail&name=media.delete_files', waiting],
  ] as const)
    expect((await staff.get(`${jobs}?${filter}`)).json).toMatchObject([{ id }]);
  expect((await staff.get(`${jobs}?state=lost`)).status).toBe(422);
  expect((await staff.get(`${jobs}/counts`)).json).toMatchObject([
    { queue: 'background', state: 'exhausted', jobs: 1 },
    { queue: 'mail', state: 'waiting', jobs: 1 },
    { queue: 'media', state: 'running', jobs: 1 },
    { queue: 'remote', state: 'retrying', jobs: 1 },
  ]);
});

test('staff run failed jobs again and delete jobs, but not running ones', async () => {
  await using scene = await startWithStaff();
  const { server, staff } = scene;
  const [waiting, retrying, exhausted, running] = await storeJobs(server);
  expect((await staff.post(`${jobs}/${exhausted}/retry`)).json).toEqual({});
  expect((await staff.get(`${jobs}?queue=background`)).json).toMatchObject([{ state: 'retrying', attempts: 0 }]);
  for (const id of [waiting, running]) {
    const refused = await staff.post(`${jobs}/${id}/retry`);
    expect([refused.status, refused.json.error]).toEqual([409, 'The job is running, or it did not fail']);
  }
  expect((await staff.delete(`${jobs}/${running}`)).status).toBe(409);
  expect((await staff.delete(`${jobs}/${waiting}`)).json).toEqual({});
  expect((await staff.delete(`${jobs}/${waiting}`)).status).toBe(404);
  expect((await staff.post(`${jobs}/1/retry`)).status).toBe(404);
  expect((await staff.post(`${jobs}/retry`, { queue: 'remote' })).json).toEqual({ jobs: 1 });
  expect((await staff.get(`${jobs}?queue=remote`)).json).toMatchObject([
    { id: retrying, attempts: 0, run_at: server.app.clock.now().toISOString() },
  ]);
  expect((await staff.post(`${jobs}/retry`)).json).toEqual({ jobs: 2 });
  const rows = await server.db
    .selectFrom('audit_log')
    .select(['action', 'target_label'])
    .where('target_type', '=', 'job')
    .orderBy('id')
    .execute();
  expect(rows).toEqual([
    { action: 'job.retry', target_label: exhausted },
    { action: 'job.delete', target_label: waiting },
    { action: 'job.retry', target_label: 'remote' },
    { action: 'job.retry', target_label: 'all' },
  ]);
});

test('a role that sees jobs may not change them, and one that changes settings may', async () => {
  await using scene = await startWithStaff();
  const { server } = scene;
  const viewer = await server.user('greta', { scopes: 'admin:read admin:write' });
  const [, , exhausted] = await storeJobs(server);
  await giveRole(server, viewer.id, { position: 50, permissions: ['view_devops'] });
  expect((await viewer.get(jobs)).json).toHaveLength(4);
  for (const refused of [
    viewer.post(`${jobs}/${exhausted}/retry`),
    viewer.post(`${jobs}/retry`),
    viewer.delete(`${jobs}/${exhausted}`),
  ])
    expect((await refused).status).toBe(403);
  expect((await viewer.get(`${jobs}?queue=background`)).json).toMatchObject([{ state: 'exhausted' }]);
  await giveRole(server, viewer.id, { position: 50, permissions: ['manage_settings'] });
  expect((await viewer.delete(`${jobs}/${exhausted}`)).json).toEqual({});
});

test('staff list the servers to which deliveries fail, let them run now and delete them', async () => {
  await using scene = await startWithStaff();
  const { server, staff } = scene;
  const now = server.app.clock.now();
  await server.pool.query(
    `insert into hosts (domain, software, failures, failing_since, last_failure_at, unavailable_until) values
       ('dead.test', 'mastodon', 40, $1::timestamptz - interval '8 days', $1, $1::timestamptz + '1 day'),
       ('far.test:8443', null, 5, $1::timestamptz - interval '1 hour', $1, $1::timestamptz + '1 hour'),
       ('well.test', null, 0, null, null, null)`,
    [now],
  );
  await server.pool.query(
    `insert into inbox_activities (actor_uri, signer_uri, signer_host, body, run_at, attempts, last_error, exhausted_at)
     values ('https://dead.test/users/a', 'https://dead.test/users/a', 'dead.test', '{}', $1, 16, 'Error: broken', $1)`,
    [now],
  );
  const first = await staff.get(`${federation}/hosts?limit=1`);
  expect(first.json).toMatchObject([
    { domain: 'dead.test', software: 'mastodon', failures: 40, dead: true, deliveries: 0, failed_received: 1 },
  ]);
  expect(first.headers['link']).toBe(
    '<https://fieldfare.test/api/v1/fieldfare/admin/federation/hosts?limit=1&after=dead.test>; rel="next"',
  );
  const rest = await staff.get(`${federation}/hosts?after=dead.test`);
  expect(rest.headers['link']).toBeUndefined();
  expect(rest.json).toMatchObject([{ domain: 'far.test:8443', dead: false, last_success_at: null }]);
  expect((await staff.get(`${federation}/queues`)).json).toMatchObject([
    { direction: 'received', state: 'exhausted', activities: 1 },
  ]);

  expect((await staff.get(`${federation}/hosts/Far.test:8443`)).json).toMatchObject({ failures: 5 });
  expect((await staff.post(`${federation}/hosts/far.test:8443/retry`)).json).toEqual({ deliveries: 0, received: 0 });
  expect((await staff.get(`${federation}/hosts/far.test:8443`)).json).toMatchObject({
    failures: 0,
    failing_since: null,
    next_attempt_at: null,
  });
  expect((await staff.delete(`${federation}/hosts/dead.test/queue`)).json).toEqual({ deliveries: 0, received: 1 });
  expect((await staff.post(`${federation}/hosts/nowhere.test/retry`)).status).toBe(404);
  expect((await staff.delete(`${federation}/hosts/nowhere.test/queue`)).status).toBe(404);
});

test('staff pause deliveries to a server and resume them', async () => {
  await using scene = await startWithStaff();
  const { server, staff } = scene;
  const path = `${federation}/hosts/far.test`;
  const paused = await staff.post(`${federation}/hosts/Far.test/pause`);
  expect(paused.json).toMatchObject({
    domain: 'far.test',
    paused_at: server.app.clock.now().toISOString(),
    next_attempt_at: null,
    deliveries: 0,
  });
  expect((await staff.post(`${path}/pause`)).json).toEqual(paused.json);
  expect((await staff.get(`${federation}/hosts`)).json).toEqual([paused.json]);
  const refused = await staff.post(`${path}/retry`);
  expect([refused.status, refused.json.error]).toEqual([409, 'Deliveries to far.test are paused: resume them first']);
  expect((await staff.post(`${path}/resume`)).json).toMatchObject({ paused_at: null });
  expect((await staff.post(`${path}/resume`)).json).toMatchObject({ paused_at: null });
  expect((await staff.get(`${federation}/hosts`)).json).toEqual([]);
  expect((await staff.post(`${federation}/hosts/nowhere.test/resume`)).status).toBe(404);
  const own = await staff.post(`${federation}/hosts/fieldfare.test/pause`);
  expect([own.status, own.json.error]).toEqual([422, expect.stringContaining('fieldfare.test')]);
  const log = await server.db.selectFrom('audit_log').select(['action', 'target_label']).orderBy('id').execute();
  expect(log).toEqual([
    { action: 'server.pause', target_label: 'far.test' },
    { action: 'server.resume', target_label: 'far.test' },
  ]);
});

test('staff count what waits for them, and see only the numbers that their role may see', async () => {
  await using scene = await startWithStaff();
  const { server, staff } = scene;
  const path = '/api/v1/fieldfare/admin/counts';
  const nothing = { reports: 0, held_posts: 0, sign_ups: 0, appeals: 0, trends: 0, failed_jobs: 0, failing_hosts: 0 };
  expect((await staff.get(path)).json).toEqual(nothing);
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  for (const comment of ['Spam', 'More spam']) {
    const report = { account_id: bob.id, comment };
    expect((await alice.post('/api/v1/reports', report)).status).toBe(200);
    server.clock.advance(2 * 3_600_000);
  }
  const waiting = await server.user('wendy');
  const gone = await server.user('gustav');
  await server.pool.query('update users set approved = false where account_id = any($1)', [[waiting.id, gone.id]]);
  await server.pool.query('update accounts set deleted_at = now() where id = $1', [gone.id]);
  expect((await staff.post(`/api/v1/admin/accounts/${alice.id}/action`, { type: 'sensitive' })).status).toBe(200);
  const [strike] = (await alice.get('/api/v1/fieldfare/strikes')).json;
  expect((await alice.post(`/api/v1/fieldfare/strikes/${strike.id}/appeal`, { text: 'Why?' })).status).toBe(200);
  await storeJobs(server);
  await server.pool.query(
    `insert into hosts (domain, failures, failing_since) values ('dead.test', 40, $1), ('well.test', 0, null)`,
    [server.app.clock.now()],
  );
  const all = { ...nothing, reports: 2, sign_ups: 1, appeals: 1, failed_jobs: 1, failing_hosts: 1 };
  expect((await staff.get(path)).json).toEqual(all);

  const visible: Readonly<Partial<Record<Permission, readonly (keyof typeof all)[]>>> = {
    manage_reports: ['reports', 'held_posts'],
    manage_users: ['sign_ups'],
    manage_appeals: ['appeals'],
    manage_taxonomies: ['trends'],
    view_devops: ['failed_jobs'],
    manage_federation: ['failing_hosts'],
  };
  const helper = await server.user('greta', { scopes: 'admin:read' });
  for (const permission of ordinaryPermissions) {
    await giveRole(server, helper.id, { position: 50, permissions: [permission] });
    const { status, json } = await helper.get(path);
    const names = visible[permission];
    expect(status, permission).toBe(names === undefined ? 403 : 200);
    if (names !== undefined)
      expect(json, permission).toEqual(
        Object.fromEntries(
          Object.entries(all).map(([name, count]) => [name, names.some((one) => one === name) ? count : null]),
        ),
      );
  }
});
