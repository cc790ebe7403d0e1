import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRestAPIClient } from 'masto';
import type pg from 'pg';
import { pino } from 'pino';
import { expect, inject, type TestContext } from 'vitest';
import { schedules } from '../../server/app.ts';
import type { RunningFieldfare } from '../../server/cli/serve/serve-options.ts';
import { startServer } from '../../server/cli/serve/start-server.ts';
import { createApplication, createToken } from '../../server/oauth/index.ts';
import type { App } from '../../server/platform/app.ts';
import { parseConfig } from '../../server/platform/config.ts';
import type { RoleId } from '../../server/platform/ids.ts';
import { standardRoles, type StandardRole } from '../../server/users/access/roles.ts';
import { createUser } from '../../server/users/sign-up/index.ts';
import { EncodedBody, type Client, type TestResponse } from '../client.ts';
import { TestDatabase } from '../databases.ts';
import { findFreePort } from '../free-port.ts';
import type * as web from '../web/real-server.mjs';

const password = 'correct horse battery';
const scopes = ['read', 'write', 'follow', 'push', 'admin:read', 'admin:write'];

/**
 * A server as `fieldfare serve` starts it, in this process: on a free port, with its own database and data folder, with
 * jobs, schedules and the clock of the system. It may reach other servers on this machine.
 */
export class RealServer implements Pick<Client, 'call'>, web.RealServer {
  url = '';
  readonly #host: string;
  readonly #settings: Record<string, string>;
  #pool: pg.Pool | undefined;
  #running: RunningFieldfare | undefined;
  #application: ReturnType<typeof createApplication> | undefined;

  constructor(settings: Record<string, string> = {}, host = '127.0.0.1') {
    this.#settings = settings;
    this.#host = host;
  }

  async start(): Promise<void> {
    const port = await findFreePort();
    this.url = `http://${this.#host}:${port}`;
    const dataDir = mkdtempSync(join(tmpdir(), 'ff-data-'));
    const config = parseConfig({
      PORT: String(port),
      BASE_URL: this.url,
      DATA_DIR: dataDir,
      DATABASE_POOL: '6',
      ALLOW_PRIVATE_ADDRESSES: 'on',
      RATE_LIMITS: 'off',
      REGISTRATIONS: 'open',
      WEB_CLIENT_DIR: 'none',
      ...this.#settings,
    });
    const database = await TestDatabase.create();
    const close = async (): Promise<void> => {
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    };
    const log = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' });
    const connection = { ...inject('connection'), database: database.name };
    this.#pool = database.testPool;
    this.#running = await startServer(
      { config, roles: new Set(['web', 'streaming', 'worker']), log, report: () => {} },
      {
        connection,
        directConnection: connection,
        isPooled: false,
        kind: 'started',
        died: new Promise(() => {}),
        close,
      },
    );
  }

  get app(): App {
    if (this.#running === undefined) throw new Error('the server is not started');
    return this.#running.app;
  }

  get host(): string {
    return new URL(this.url).host;
  }

  async createUser(username: string, role: string = 'user', { approved = true } = {}): Promise<web.RealUser> {
    const email = `${username}@mail.example`;
    const { userId } = await createUser(this.app, {
      username,
      email,
      password,
      confirmed: true,
      approved,
      allowReserved: true,
      roleId: isStandardRole(role) ? standardRoles[role] : (role as RoleId),
    });
    this.#application ??= createApplication(this.app, {
      name: 'Test app',
      redirectUris: ['urn:ietf:wg:oauth:2.0:oob'],
      scopes,
      website: 'https://app.test',
    });
    const { id: applicationId } = await this.#application;
    const accessToken = await createToken(this.app, { userId, applicationId, scopes });
    const rest = createRestAPIClient({ url: this.url, accessToken });
    const send = (method: string, path: string, body?: object) => this.#send(accessToken, { method, path, body });
    return { username, email, password, accessToken, rest, send: send as web.RealUser['send'] };
  }

  async #send(accessToken: string, request: { method: string; path: string; body: object | undefined }) {
    const { method, path, body } = request;
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
    const response = await fetch(this.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  async sql(statement: string): Promise<void> {
    await this.#pool?.query(statement);
  }

  async lockTable(name: string): Promise<() => Promise<void>> {
    const client = await this.#pool?.connect();
    await client?.query(`begin; lock table ${name} in exclusive mode`);
    return async () => {
      await client?.query('commit');
      client?.release();
    };
  }

  async runSchedule(name: string): Promise<void> {
    const schedule = schedules.find((each) => each.name === name);
    if (schedule === undefined) throw new Error(`no schedule is named ${name}`);
    await schedule.run(this.app);
  }

  async call(...args: Parameters<Client['call']>): Promise<TestResponse> {
    return callServer(this.url, ...args);
  }

  /** Returns the link to `path` in the mail to `address`, or undefined if none was sent yet. */
  findMailedLink(address: string, path: string): string | undefined {
    const folder = join(this.app.config.dataDir, 'mail');
    for (const file of listFolder(folder)) {
      const text = readFileSync(join(folder, file), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '=');
      const start = text.indexOf(this.url + path);
      if (text.includes(`To: ${address}`) && start >= 0) return /^[^\s"<>]+/.exec(text.slice(start))?.[0];
    }
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running?.stop();
  }
}

/** Sends a request without following redirects. */
export async function callServer(
  url: string,
  ...[method, path, body, options = {}]: Parameters<Client['call']>
): Promise<TestResponse> {
  const response = await fetch(new URL(path, url), {
    method,
    redirect: 'manual',
    headers: { ...(body instanceof EncodedBody && { 'content-type': body.contentType }), ...options.headers },
    ...(body instanceof EncodedBody && { body: new Uint8Array(body.payload) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: { ...Object.fromEntries(response.headers), 'set-cookie': response.headers.getSetCookie() },
    text,
    get json() {
      return JSON.parse(text) as unknown;
    },
    links: {},
  };
}

const isStandardRole = (role: string): role is StandardRole => Object.hasOwn(standardRoles, role);

/** Returns a stack that is disposed after the test, also if the test times out. */
export function disposedAfter(onTestFinished: TestContext['onTestFinished']): AsyncDisposableStack {
  const stack = new AsyncDisposableStack();
  onTestFinished(() => stack.disposeAsync());
  return stack;
}

/** Starts a server. Disposing `stack` stops it. */
export async function startRealServer(
  stack: AsyncDisposableStack,
  ...[settings, host]: ConstructorParameters<typeof RealServer>
): Promise<RealServer> {
  const server = stack.use(new RealServer(settings, host));
  await server.start();
  return server;
}

/** Polls until `load` returns a value, for results of background work. Rate limits need a long `interval`. */
export async function waitForValue<Value>(
  load: () => Promise<Value | undefined> | Value | undefined,
  options: { readonly interval?: number } = {},
): Promise<Value> {
  let value: Value | undefined;
  await expect.poll(async () => (value = await load()), options).toBeDefined();
  return value as Value;
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
