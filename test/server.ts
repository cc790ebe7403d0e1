import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { pino, type Logger } from 'pino';
import { expect, inject } from 'vitest';
import { closeApp, createApp, createHttp, routes, schedules, workers } from '../server/app.ts';
import { createApplication, createToken, type CreatedApplication } from '../server/oauth/index.ts';
import type { App } from '../server/platform/app.ts';
import { LocalBus } from '../server/platform/bus/bus.ts';
import { ManualClock } from '../server/platform/clock.ts';
import { parseConfig } from '../server/platform/config.ts';
import { startTracing } from '../server/platform/tracing/start-tracing.ts';
import { openPool, type Connection, type PoolTimeouts } from '../server/platform/wire/pool.ts';
import type { Tables } from '../server/platform/database/tables.ts';
import type { AccountId, UserId } from '../server/platform/ids.ts';
import type { Worker } from '../server/platform/work/worker-loop.ts';
import type { MailMessage } from '../server/platform/mail.ts';
import type { Outgoing } from '../server/platform/outgoing/outgoing.ts';
import { OutgoingError } from '../server/platform/outgoing/outgoing.ts';
import type { ResolveMx } from '../server/platform/outgoing/resolve-mx.ts';
import { createUser } from '../server/users/sign-up/index.ts';
import { standardRoles, type StandardRole } from '../server/users/access/roles.ts';
import { Client } from './client.ts';
import { lend, returnDatabase, takeDatabase, type TestDatabase } from './databases.ts';
import { recordRoutes, storeIn } from './record-routes.ts';
import { unfinishedServers } from './unfinished-servers.ts';

export { Client, form, multipart, walk, walkByMinId, type TestResponse } from './client.ts';

/** A client with an account on a test server and a token with all common scopes. */
export class TestUser extends Client {
  readonly id: AccountId;
  readonly userId: UserId;
  readonly username: string;

  constructor(http: FastifyInstance, fields: { id: AccountId; userId: UserId; username: string; token: string }) {
    super(http, fields.token);
    this.id = fields.id;
    this.userId = fields.userId;
    this.username = fields.username;
  }
}

export interface ServerOptions {
  /** Settings by their names in the environment. */
  readonly settings?: Record<string, string>;
  /** Domain of the server, which has the URL https://<domain>. */
  readonly domain?: string;
  readonly clock?: ManualClock;
  /** Sends requests to other hosts. Without it, every host is unreachable. */
  readonly outgoing?: Outgoing;
  /** Queries the mail servers of domains. Without it, no domain has any. */
  readonly resolveMx?: ResolveMx;
  /** Connection to the PostgreSQL of this run, if not the default one, such as that of a DatabaseProxy. */
  readonly connection?: Connection;
  readonly poolTimes?: PoolTimeouts;
  readonly log?: Logger;
  /** A loop calls every route of this server, so its successes do not count as route coverage. */
  readonly sweep?: boolean;
}

export interface UserOptions {
  readonly scopes?: string;
  readonly role?: StandardRole;
  readonly confirmed?: boolean;
  readonly approved?: boolean;
  readonly email?: string;
  readonly password?: string;
}

const declared = routes.map(({ method, path, options: { access, singleMethod } }) => ({
  method,
  path,
  access,
  exactMethod: singleMethod,
}));
const storeRoutes = storeIn(inject('routeRecords'));

const unreachableNetwork: Outgoing = {
  request: (url) => Promise.reject(new OutgoingError('unreachable', `no host answers at ${url}`)),
  close: async () => {},
};

/** A job that failed. */
interface Failure {
  readonly name: string;
  readonly error: unknown;
}

type Leftover = 'failed' | 'pending' | 'undelivered';

/** Work that a test intends to leave behind. */
interface Expectation {
  readonly kind: Leftover;
  readonly name: string | RegExp;
  isMet: boolean;
}

/** A complete server with a database of its own. Jobs run in `drain` and at the end. Tests advance the clock. */
export class TestServer implements AsyncDisposable {
  readonly app: App;
  /** Writable connections for direct changes by tests, because `app.db` is read-only. */
  readonly pool: pg.Pool;
  /** The same connections, for typed statements. */
  readonly db: Kysely<Tables>;
  readonly http: FastifyInstance;
  readonly clock: ManualClock;
  /** All mail that was sent. */
  readonly outbox: MailMessage[];
  readonly anonymous: Client;
  readonly #failures: Failure[];
  readonly #expected: Expectation[] = [];
  #hasDatabase = true;
  readonly #stop: () => Promise<void>;
  #application: Promise<CreatedApplication> | undefined;

  constructor(parts: {
    app: App;
    pool: pg.Pool;
    clock: ManualClock;
    outbox: MailMessage[];
    failures: Failure[];
    stop: () => Promise<void>;
    sweep: boolean | undefined;
  }) {
    this.app = parts.app;
    this.pool = parts.pool;
    this.db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: parts.pool }) });
    this.clock = parts.clock;
    this.outbox = parts.outbox;
    this.#failures = parts.failures;
    this.#stop = parts.stop;
    this.http = recordRoutes(() => createHttp(parts.app), { declared, store: storeRoutes, sweep: parts.sweep });
    this.anonymous = new Client(this.http, undefined);
    unfinishedServers.set(this, expect.getState().currentTestName ?? 'a hook of the file');
  }

  /** Creates a user with an account and a token, by default confirmed and approved. */
  async user(username: string, options: UserOptions = {}): Promise<TestUser> {
    const { accountId, userId } = await createUser(this.app, {
      username,
      email: options.email ?? `${username}@mail.test`,
      password: options.password ?? 'correct horse battery',
      agreement: true,
      confirmed: options.confirmed ?? true,
      approved: options.approved ?? true,
      ...(options.role !== undefined && { roleId: standardRoles[options.role] }),
    });
    const token = await this.token(userId, options.scopes ?? 'read write follow push profile');
    return new TestUser(this.http, { id: accountId, userId, username, token });
  }

  /** Returns the same user with a token that has only these scopes. */
  async withScopes(user: TestUser, scopes: string): Promise<TestUser> {
    const { id, userId, username } = user;
    return new TestUser(this.http, { id, userId, username, token: await this.token(userId, scopes) });
  }

  /** Returns a client with an app token of the client-credentials grant. */
  async appToken(scopes = 'read write'): Promise<Client> {
    return new Client(this.http, await this.token(null, scopes));
  }

  /** Creates a token with these scopes. All tokens of a server belong to the same app. */
  async token(userId: UserId | null, scopes: string): Promise<string> {
    this.#application ??= createApplication(this.app, {
      name: 'Test app',
      redirectUris: ['urn:ietf:wg:oauth:2.0:oob'],
      scopes: ['read', 'write', 'follow', 'push', 'profile'],
      website: 'https://app.test',
    });
    const { id } = await this.#application;
    return createToken(this.app, { userId, applicationId: id, scopes: scopes.split(' ') });
  }

  /** Runs all due work until none is left, and returns how many items ran. Throws if a job failed unexpectedly. */
  async drain(): Promise<number> {
    let total = 0;
    for (let round = 0; ; round += 1) {
      if (round > 1_000) throw new Error('the server never runs out of work');
      let count = 0;
      for (const worker of await this.#workersWithRows()) count += await worker.run(this.app);
      const [failure] = this.#failures.splice(0).filter(({ name }) => !this.#isExpected('failed', name));
      if (failure !== undefined) throw new Error(`the job ${failure.name} failed`, { cause: failure.error });
      if (count === 0) return total;
      total += count;
    }
  }

  /** Returns the workers that have stored work, due or not. The others would claim in vain, with 40 statements. */
  async #workersWithRows(): Promise<Worker[]> {
    const { rows } = await this.pool.query<{ name: string }>(
      `select distinct 'jobs:' || queue as name from jobs
       union all select 'inbox' where exists (select from inbox_activities)
       union all select 'deliveries' where exists (select from deliveries)`,
    );
    const names = new Set(rows.map(({ name }) => name));
    return workers.filter(({ name }) => names.has(name));
  }

  /** Waits until no connection is in use. The recording of the last use of a token, for example, outlives its request. */
  async waitForStatements(): Promise<void> {
    const { pool } = this.app;
    while (pool.idleCount < pool.totalCount) await setImmediate();
  }

  /** Returns how many statements `run` sends. Those of earlier work in the background are not counted. */
  async countQueries(run: () => Promise<unknown>): Promise<number> {
    await this.waitForStatements();
    const { queries } = this.app;
    const before = queries.count;
    await run();
    return queries.count - before;
  }

  /**
   * Runs `run` to fill the caches and returns how many statements it sends then: the smaller of two counts, because a
   * busy server may be notified of an earlier change between them and load a cache again.
   */
  async countWarmQueries(run: () => Promise<unknown>): Promise<number> {
    await run();
    return Math.min(await this.countQueries(run), await this.countQueries(run));
  }

  /** Declares that jobs with these names fail in this test, so that `drain` and the end of the test do not throw. */
  expectFailedJobs(...names: readonly string[]): void {
    this.#expect('failed', names);
  }

  /** Declares that jobs with these names are still due when the test ends. */
  expectPendingJobs(...names: readonly string[]): void {
    this.#expect('pending', names);
  }

  /** Declares that deliveries to these hosts are still pending when the test ends. */
  expectUndelivered(...hosts: readonly (string | RegExp)[]): void {
    this.#expect('undelivered', hosts);
  }

  #expect(kind: Leftover, names: readonly (string | RegExp)[]): void {
    this.#expected.push(...names.map((name) => ({ kind, name, isMet: false })));
  }

  #isExpected(kind: Leftover, name: string): boolean {
    const expectation = this.#expected.find(
      (one) => one.kind === kind && (typeof one.name === 'string' ? one.name === name : one.name.test(name)),
    );
    if (expectation === undefined) return false;
    expectation.isMet = true;
    return true;
  }

  /** Declares that the database is unreachable when the test ends, so that stored work cannot run. */
  expectNoDatabase(): void {
    this.#hasDatabase = false;
  }

  /**
   * Runs all due work and returns the problems: undeclared failed jobs, work that is still due, undelivered activities,
   * and declarations that were not met. Work that is scheduled for later is no problem.
   */
  async finish(): Promise<string[]> {
    unfinishedServers.delete(this);
    if (!this.#hasDatabase) return [];
    const problems = await this.drain().then(
      (): string[] => [],
      (error: Error) => [`${error.message}: ${String(error.cause)}`],
    );
    const { rows } = await this.pool.query<{ kind: Leftover; name: string; reason: string | null }>(
      `select case when last_error is null then 'pending' else 'failed' end as kind,
           unnest(coalesce(subscribers, array[name])) as name, last_error as reason from jobs
         where last_error is not null or run_at <= $1
       union all select case when last_error is null then 'pending' else 'failed' end, 'inbox', last_error
         from inbox_activities where last_error is not null or run_at <= $1
       union all select 'undelivered', host, last_error from deliveries where attempts > 0 or run_at <= $1`,
      [this.clock.now()],
    );
    for (const { kind, name, reason } of rows) {
      if (!this.#isExpected(kind, name)) problems.push(`${kind}: ${name}${reason === null ? '' : ` (${reason})`}`);
    }
    for (const { kind, name, isMet } of this.#expected) {
      if (!isMet) problems.push(`declared as ${kind}, but is not: ${String(name)}`);
    }
    return [...new Set(problems)];
  }

  /** Runs a schedule by its name. */
  async runSchedule(name: string): Promise<void> {
    const schedule = schedules.find((item) => item.name === name);
    if (schedule === undefined) throw new Error(`no schedule is named ${name}`);
    await schedule.run(this.app);
  }

  /** Stops the server and throws if the test left undeclared work behind. */
  async [Symbol.asyncDispose](): Promise<void> {
    const problems = await this.finish();
    await this.close();
    assertNoProblems(problems);
  }

  /** Stops the server, even if work is left. */
  async close(): Promise<void> {
    await this.http.close();
    await this.#stop();
  }
}

/** Throws if `finish` returned problems. */
export function assertNoProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`the test left work behind:\n${problems.join('\n')}`);
}

/** Starts a server for one test. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const database = await takeDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'ff-data-'));
  const clock = options.clock ?? new ManualClock();
  const config = parseConfig({
    BASE_URL: `https://${options.domain ?? 'fieldfare.test'}`,
    DATA_DIR: dataDir,
    NODE_ENV: 'test',
    RATE_LIMITS: 'off',
    WEB_CLIENT_DIR: 'none',
    ...options.settings,
  });
  const failures: Failure[] = [];
  const outbox: MailMessage[] = [];
  const log = options.log ?? pino({ level: process.env['LOG_LEVEL'] ?? 'silent' });
  const app = createApp({
    config,
    clock,
    pool: openServerPool(database, options),
    tracing: await startTracing(config, log),
    directConnection: { ...(options.connection ?? inject('connection')), database: database.name },
    log,
    bus: new LocalBus(),
    outgoing: options.outgoing ?? unreachableNetwork,
    resolveMx: options.resolveMx ?? (async () => []),
    mail: {
      send: async (message) => void outbox.push(message),
      close: async () => {},
    },
    reportJobFailure: (name, error) => failures.push({ name, error }),
  });
  const pool = lend(database.testPool);
  return new TestServer({
    app,
    pool,
    clock,
    outbox,
    failures,
    sweep: options.sweep,
    stop: async () => {
      await Promise.all([closeApp(app), pool.end()]);
      rmSync(dataDir, { recursive: true, force: true });
      await returnDatabase(database);
    },
  });
}

/** Opens a pool with settings of its own if a test asks for them. */
function openServerPool(database: TestDatabase, { connection, poolTimes }: ServerOptions): pg.Pool {
  if (connection === undefined && poolTimes === undefined) return lend(database.serverPool);
  const options = poolTimes && { timeouts: poolTimes };
  return openPool({ ...(connection ?? inject('connection')), database: database.name }, 6, options);
}
