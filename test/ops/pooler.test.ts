import pg from 'pg';
import { expect, test } from 'vitest';
import { queryUntilAborted } from '../../server/platform/database/query-until-aborted.ts';
import { storeRoleSettings } from '../../server/platform/database/role-settings.ts';
import { openPool, runAlone } from '../../server/platform/wire/pool.ts';
import { findFreePort } from '../free-port.ts';
import { requirePooler } from '../programs.ts';
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
    expect(created.stderr).toBe('');
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
  // As operators do after a change of its configuration.
  await pooler.command('RELOAD');
  await Promise.all(posts);
  // As they do for settings of sessions. If it opens a connection then, requests fail for a second.
  await pooler.command('RECONNECT');
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

  await using sessionPooler = await Pooler.start(postgres.port, {
    replacements: {
      'pool_mode = transaction': 'pool_mode = session',
      'default_pool_size = 10': 'default_pool_size = 20',
    },
  });
  const sessionMode = { DATABASE_URL: postgres.url(sessionPooler.port) };
  const whole = installation.run(['serve'], sessionMode);
  await whole.waitForOutput('Fieldfare is ready');
  await call(alice, 'POST', '/api/v1/statuses', { status: 'Through a session for @bob', language: 'en' });
  await expect.poll(() => lengths('/api/v1/notifications?limit=80')).toBe(41);
  const withSession = installation.run(['doctor', '--json'], sessionMode);
  expect(JSON.parse((await withSession.exited).stdout)).toContainEqual(settingsArrived);
  expect((await whole.kill('SIGTERM')).stderr).toBe('');

  // A session that was opened before the settings were stored.
  await postgres.query(`alter role server in database fieldfare reset all;
    select pg_terminate_backend(pid) from pg_stat_activity where usename = 'server'`);
  await pooler.query('select 1');
  const finding = (await diagnose(installation)).find(({ state }) => state === 'fail');
  expect(finding?.detail).toMatch(/^a session of the pooler has not the settings of servers: .*statement_timeout/);
});

test('behind a pooler statements go on after a migration, and are cancelled', async (context) => {
  requirePooler(context);
  await using postgres = await PostgresServer.start();
  // Fewer than are used: PgBouncer prepares them again.
  const replacements = { 'max_prepared_statements = 2000': 'max_prepared_statements = 2' };
  await using pooler = await Pooler.start(postgres.port, { replacements });
  await using connections = new AsyncDisposableStack();
  const pool = connections.adopt(
    openPool({ connectionString: postgres.url(pooler.port) }, 8, { isPooled: true }),
    (open) => open.end(),
  );
  await postgres.query(`create table things as select 1 as number; grant select on things to server`);
  // At the same time, so that each has a session of its own.
  const readAll = () =>
    Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const statement = {
          text: 'select things.*, pg_sleep(0.1) is null as slept from things where $1::int > 0',
          values: [1],
        };
        const { rows } = await (at % 2 === 0 ? pool.query(statement) : runAlone(pool, 'begin read only', statement));
        return rows[0] as Record<string, unknown>;
      }),
    );
  for (const expected of [{ number: 1 }, { number: 1, name: 'a' }]) {
    for (let round = 0; round < 4; round += 1)
      expect(await readAll()).toEqual(Array.from({ length: 8 }, () => ({ ...expected, slept: false })));
    for (const value of [1, 2, 3]) expect((await pool.query(`select $1::int + ${value} as sum`, [1])).rowCount).toBe(1);
    await postgres.query(`alter table things add column if not exists name text default 'a'`);
  }

  const controller = new AbortController();
  const text = 'select pg_sleep(600)';
  const running = queryUntilAborted({ pool, queries: { count: 0 } }, { text, values: [] }, controller.signal);
  const countRunning = async () =>
    (await postgres.query(`select 1 from pg_stat_activity where query = '${text}' and state = 'active'`)).length;
  await expect.poll(countRunning).toBe(1);
  controller.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  await expect.poll(countRunning).toBe(0);
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
    'DATABASE_URL and DATABASE_DIRECT_URL must lead to the same database, as the same user.',
  );
  await postgres.query(`create role second login password 'secret'; grant create on schema public to second`);
  const asSecond = direct.replace(/\/\/.*@/, '//second:secret@');
  expect(await refuse({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: asSecond })).toContain('as the same user.');
  expect(
    await refuse({ DATABASE_URL: `${pooled}?options=-c%20work_mem%3D5MB`, DATABASE_DIRECT_URL: direct }),
  ).toContain('Remove `options` from DATABASE_URL: a connection pooler does not take it.');
  // A setting of many poolers.
  const ignoring = { '[pgbouncer]\n': '[pgbouncer]\nignore_startup_parameters = extra_float_digits,options\n' };
  await using ignorant = await Pooler.start(postgres.port, { replacements: ignoring });
  const ignored = postgres.url(ignorant.port);
  expect(await refuse({ DATABASE_URL: ignored })).toContain('DATABASE_URL leads to a connection pooler.');
  expect(await refuse({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: ignored })).toContain(
    'DATABASE_DIRECT_URL leads to a connection pooler.',
  );
  const forgetful = { 'max_prepared_statements = 2000': 'max_prepared_statements = 0' };
  await using losing = await Pooler.start(postgres.port, { replacements: forgetful });
  expect(await refuse({ DATABASE_URL: postgres.url(losing.port), DATABASE_DIRECT_URL: direct })).toContain(
    'The pooler of DATABASE_URL lends its connections for a transaction, and loses prepared statements:',
  );
  const perStatement = { 'pool_mode = transaction': 'pool_mode = statement' };
  await using hasty = await Pooler.start(postgres.port, { replacements: perStatement });
  expect(await refuse({ DATABASE_URL: postgres.url(hasty.port), DATABASE_DIRECT_URL: direct })).toContain(
    'transaction blocks not allowed in statement pooling mode',
  );
  // Sessions of a client of its own keep its statements.
  const perSession = { ...forgetful, 'pool_mode = transaction': 'pool_mode = session' };
  await using own = await Pooler.start(postgres.port, { replacements: perSession });
  const settings = { DATABASE_URL: postgres.url(own.port), DATABASE_DIRECT_URL: direct };
  expect((await installation.run(['db', 'migrate'], settings).exited).code).toBe(0);
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
