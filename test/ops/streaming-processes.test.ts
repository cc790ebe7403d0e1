import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ValkeyServer } from '../valkey-server.ts';
import { createMigratedDatabase, type EmptyDatabase } from './database.ts';
import { DatabaseInstallation } from './database-installation.ts';
import { findFreePort } from '../free-port.ts';
import type { Installation } from './cli-process.ts';

/** Lost connections are replaced within seconds, but the machine may be busy. */
const patient = { timeout: 50_000 };

interface Client {
  readonly id: string;
  readonly token: string;
}

/** Two processes of one server: one for requests and jobs, one for streams. */
class TwoProcesses implements AsyncDisposable {
  readonly #place: Installation;
  readonly #ports: { readonly web: number; readonly streaming: number };

  private constructor(place: Installation, ports: { web: number; streaming: number }) {
    this.#place = place;
    this.#ports = ports;
  }

  static async start(database: EmptyDatabase, settings: Record<string, string> = {}): Promise<TwoProcesses> {
    const ports = { web: await findFreePort(), streaming: await findFreePort() };
    const place = new DatabaseInstallation(database, {
      BASE_URL: `http://localhost:${ports.web}`,
      STREAMING_BASE_URL: `ws://localhost:${ports.streaming}`,
      RATE_LIMITS: 'off',
      ...settings,
    });
    await place
      .run(['serve', '--roles', 'web,worker'], { PORT: String(ports.web) })
      .waitForOutput('Fieldfare is ready');
    const streams = place.run(['serve', '--roles', 'streaming'], { PORT: String(ports.streaming) });
    await streams.waitForOutput('Fieldfare is ready');
    return new TwoProcesses(place, ports);
  }

  async account(name: string): Promise<Client> {
    const facts = ['--email', `${name}@mail.test`, '--confirmed', '--approved', '--scopes', 'read write', '--json'];
    const made = await this.#place.runToEnd('account', 'create', name, ...facts);
    const { access_token: token } = JSON.parse(made.stdout.trim().split('\n').at(-1) ?? '') as { access_token: string };
    const { id } = (await this.call({ id: '', token }, 'GET', '/api/v1/accounts/verify_credentials')) as { id: string };
    return { id, token };
  }

  /** Calls the process that serves requests. */
  async call({ token }: Client, method: string, path: string, body?: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`http://127.0.0.1:${this.#ports.web}${path}`, init);
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  run(...args: string[]) {
    return this.#place.runToEnd(...args);
  }

  /** Requests a path of either process without following redirects. */
  request(port: 'web' | 'streaming', path: string): Promise<Response> {
    const host = port === 'web' ? `localhost:${this.#ports.web}` : `localhost:${this.#ports.streaming}`;
    return fetch(`http://${host}${path}`, { redirect: 'manual' });
  }

  /** Opens a user stream of the process that serves streams. */
  async stream({ token }: Client): Promise<{ events: string[]; closed: Promise<unknown> }> {
    const socket = new WebSocket(`ws://127.0.0.1:${this.#ports.streaming}/api/v1/streaming?stream=user`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const events: string[] = [];
    socket.on('message', (data: Buffer) => {
      const { event, payload } = JSON.parse(data.toString()) as { event: string; payload: string };
      events.push(`${event} ${event === 'delete' ? payload : (JSON.parse(payload) as { id: string }).id}`);
    });
    const closed = once(socket, 'close').then(([code]: unknown[]) => code);
    await once(socket, 'open');
    return { events, closed };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#place[Symbol.asyncDispose]();
  }
}

const post = async (processes: TwoProcesses, author: Client, status: string): Promise<string> =>
  ((await processes.call(author, 'POST', '/api/v1/statuses', { status })) as { id: string }).id;

/** Posts until a stream shows a post: messages between the processes may be lost until both are connected again. */
async function postUntilStreamed(processes: TwoProcesses, author: Client, events: readonly string[]): Promise<void> {
  const before = events.length;
  await expect
    .poll(async () => {
      await post(processes, author, 'Is anyone there?');
      return events.length;
    }, patient)
    .toBeGreaterThan(before);
}

async function checkStreams(processes: TwoProcesses): Promise<{ alice: Client; bob: Client; events: string[] }> {
  const [alice, bob] = [await processes.account('alice'), await processes.account('bob')];
  await processes.call(bob, 'POST', `/api/v1/accounts/${alice.id}/follow`);
  const { events } = await processes.stream(bob);
  const id = await post(processes, alice, 'Across processes');
  await expect.poll(() => events, patient).toEqual([`update ${id}`]);
  await processes.call(alice, 'DELETE', `/api/v1/statuses/${id}`);
  await expect.poll(() => events, patient).toEqual([`update ${id}`, `delete ${id}`]);
  await processes.call(bob, 'POST', `/api/v1/statuses/${await post(processes, alice, 'Mine')}/favourite`);
  return { alice, bob, events };
}

test('STR-01: a process streams what another one does, by PostgreSQL, also after the messages failed', async () => {
  await using database = await createMigratedDatabase();
  await using processes = await TwoProcesses.start(database);
  const { alice, bob, events } = await checkStreams(processes);
  const admin = await database.connect();
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await postUntilStreamed(processes, alice, events);
  const { closed } = await processes.stream(bob);
  await processes.run('account', 'disable', 'bob');
  expect(await closed).toBe(1008);
  await admin.end();
});

test('STR-01: a process streams what another one does, by Valkey, also after Valkey was away', async () => {
  await using database = await createMigratedDatabase();
  await using valkey = new ValkeyServer();
  await valkey.start();
  await using processes = await TwoProcesses.start(database, { VALKEY_URL: valkey.url });
  const { alice, bob, events } = await checkStreams(processes);
  await valkey.stop();
  await post(processes, alice, 'Perhaps lost');
  await valkey.start();
  await expect.poll(() => valkey.subscriptions, patient).toBe(2);
  await postUntilStreamed(processes, alice, events);
  const { closed } = await processes.stream(bob);
  await processes.run('account', 'disable', 'bob');
  expect(await closed).toBe(1008);
});

test('STR-03: a process without the role redirects streams, and one with only this role serves nothing else', async () => {
  await using database = await createMigratedDatabase();
  await using processes = await TwoProcesses.start(database);
  const redirected = await processes.request('web', '/api/v1/streaming/user?a=1');
  expect([redirected.status, redirected.headers.get('location')]).toEqual([
    301,
    (await processes.request('streaming', '/')).url.replace(/\/$/, '/api/v1/streaming/user?a=1'),
  ]);
  expect((await processes.request('streaming', '/api/v1/streaming/health')).status).toBe(200);
  expect((await processes.request('streaming', '/api/v1/streaming/user')).status).toBe(401);
  expect((await processes.request('streaming', '/api/v1/instance')).status).toBe(404);
});
