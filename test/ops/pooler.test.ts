import pg from 'pg';
import { expect, test, type TestContext } from 'vitest';
import { findPooler } from '../../bin/test-programs.mjs';
import { storeRoleSettings } from '../../server/platform/database/role-settings.ts';
import { findFreePort } from '../free-port.ts';
import { Installation } from './cli-process.ts';
import { Pooler } from '../../bench/cluster/pooler.ts';
import { PostgresServer } from '../../bench/cluster/postgres-server.ts';

interface Finding {
  readonly subject: string;
  readonly state: string;
  readonly detail: string;
}

const parseLastLine = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');

async function diagnose(installation: Installation): Promise<Finding[]> {
  const { stdout, stderr } = await installation.runToEnd('doctor', '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Finding[];
}

const settingsArrived = {
  subject: 'database',
  state: 'ok',
  detail: 'sessions of the pooler have the settings of servers',
};

test('servers reach PostgreSQL through PgBouncer, which lends its connections for a transaction or a session', async (context) => {
  requirePooler(context);
  await using postgres = await PostgresServer.start();
  await using pooler = await Pooler.start(postgres.port);
  const direct = { DATABASE_DIRECT_URL: postgres.url() };
  const port = await findFreePort();
  await using installation = new Installation({
    ...direct,
    DATABASE_URL: postgres.url(pooler.port),
    BASE_URL: `http://localhost:${port}`,
    PORT: String(port),
  });
  const web = installation.run(['serve', '--roles', 'web,streaming']);
  await web.waitForOutput('Fieldfare is ready');
  const worker = installation.run(['serve', '--roles', 'worker']);
  await worker.waitForOutput('Fieldfare is running jobs');
  const createUser = async (name: string): Promise<string> => {
    const options = ['--email', `${name}@mail.test`, '--confirmed', '--approved', '--scopes', 'read write follow'];
    const created = await installation.runToEnd('account', 'create', name, ...options, '--json');
    return (parseLastLine(created.stdout) as { access_token: string }).access_token;
  };
  const [alice, bob] = [await createUser('alice'), await createUser('bob')];
  const call = async (token: string, method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([response.status, path]).toEqual([200, path]);
    return response.json();
  };
  const { id } = (await call(alice, 'GET', '/api/v1/accounts/verify_credentials')) as { id: string };
  await call(bob, 'POST', `/api/v1/accounts/${id}/follow`);
  // More than the pooler has connections, at the same time.
  const posts = Array.from({ length: 40 }, (_, at) =>
    call(alice, 'POST', '/api/v1/statuses', { status: `Post ${at} for @bob #birds`, language: 'en' }),
  );
  await Promise.all(posts);
  const lengths = async (path: string): Promise<number> => ((await call(bob, 'GET', path)) as unknown[]).length;
  await expect.poll(() => lengths('/api/v1/timelines/home?limit=40')).toBe(40);
  // The worker runs the jobs of notifications.
  await expect.poll(() => lengths('/api/v1/notifications?limit=80')).toBe(40);
  expect(await lengths('/api/v1/timelines/tag/birds?limit=40')).toBe(40);

  expect(await diagnose(installation)).toContainEqual(settingsArrived);
  const [sessions] = await postgres.query<{ lent: number; own: number }>(
    `select count(*) filter (where application_name not in ('fieldfare leases', 'fieldfare bus'))::int as lent,
      count(*) filter (where application_name in ('fieldfare leases', 'fieldfare bus'))::int as own
     from pg_stat_activity where usename = 'server'`,
  );
  // One for the notifications of each process, and one for its lease.
  expect(sessions?.own).toBe(4);
  expect(sessions?.lent).toBeLessThanOrEqual(10);
  const wrote = await installation.runToEnd('db', 'psql', '-c', 'create table planted (); drop table planted');
  expect([wrote.code, wrote.stderr]).toEqual([0, '']);
  for (const server of [web, worker]) expect((await server.kill('SIGTERM')).stderr).toBe('');

  await using sessionPooler = await Pooler.start(postgres.port, 'session');
  const withSession = installation.run(['doctor', '--json'], { DATABASE_URL: postgres.url(sessionPooler.port) });
  expect(JSON.parse((await withSession.exited).stdout)).toContainEqual(settingsArrived);

  // A session that was opened before the settings were stored.
  await postgres.query(`alter role server in database fieldfare reset all;
    select pg_terminate_backend(pid) from pg_stat_activity where usename = 'server'`);
  await pooler.query('select 1');
  const finding = (await diagnose(installation)).find(({ state }) => state === 'fail');
  expect(finding?.detail).toMatch(/^a session of the pooler has not the settings of servers: .*statement_timeout/);
});

test('processes that start at the same time store the settings of their sessions', async () => {
  await using postgres = await PostgresServer.start();
  const clients = Array.from({ length: 12 }, () => new pg.Client({ connectionString: postgres.url() }));
  await Promise.all(clients.map((client) => client.connect()));
  await Promise.all(clients.map((client) => storeRoleSettings(client)));
  await Promise.all(clients.map((client) => client.end()));
  const [row] = await postgres.query<{ settings: string[] }>('select setconfig as settings from pg_db_role_setting');
  expect(row?.settings).toContain('default_transaction_read_only=on');
  expect(row?.settings).toHaveLength(6);
});

test('addresses of a pooler that do not fit are refused in one line', async (context) => {
  requirePooler(context);
  await using postgres = await PostgresServer.start();
  await using pooler = await Pooler.start(postgres.port);
  await postgres.query('create database other owner server');
  await using installation = new Installation();
  const refuse = async (settings: Record<string, string>): Promise<string> => {
    const { code, stderr } = await installation.run(['serve'], settings).exited;
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    return stderr;
  };
  const [pooled, direct] = [postgres.url(pooler.port), postgres.url()];
  expect(await refuse({ DATABASE_URL: pooled })).toContain(
    'DATABASE_URL leads to a connection pooler. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
  );
  expect(await refuse({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct.replace('/fieldfare', '/other') })).toContain(
    'DATABASE_URL and DATABASE_DIRECT_URL must lead to the same database.',
  );
  expect(
    await refuse({ DATABASE_URL: `${pooled}?options=-c%20work_mem%3D5MB`, DATABASE_DIRECT_URL: direct }),
  ).toContain('Remove `options` from DATABASE_URL: a connection pooler does not take it.');
  expect(await refuse({ DATABASE_URL: direct, DATABASE_DIRECT_URL: pooled })).toContain(
    'DATABASE_DIRECT_URL leads to a connection pooler.',
  );
  expect(await refuse({ DATABASE_DIRECT_URL: direct })).toContain(
    'DATABASE_DIRECT_URL must be set together with DATABASE_URL',
  );
  expect(await refuse({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: 'mysql://x' })).toContain(
    'DATABASE_DIRECT_URL must',
  );
});

function requirePooler(context: TestContext): void {
  if (findPooler() === undefined)
    context.skip('PgBouncer 1.21 or newer is not installed: node bin/install-test-programs.mjs');
}
