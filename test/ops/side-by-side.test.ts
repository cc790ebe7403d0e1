import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { sha256 } from '../../server/federation/signatures/digests.ts';
import { signRequest } from '../../server/federation/signatures/sign-request.ts';
import { findFreePort } from '../free-port.ts';
import { skipUnlessCi } from '../programs.ts';
import type { CliProcess, Installation } from './cli-process.ts';
import { DatabaseInstallation } from './database-installation.ts';
import { createEmptyDatabase, type EmptyDatabase } from './database.ts';
import { LastRelease } from './last-release.ts';

const root = join(import.meta.dirname, '..', '..');

// Here and not in a test, because it may install packages.
const release = LastRelease.checkOut();
afterAll(() => release?.[Symbol.dispose]());
/** A checkout of a newer version: this one with two migrations more. */
class NewerVersion implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'ff-newer-'));

  constructor() {
    for (const part of ['server', 'locales', 'package.json'])
      cpSync(join(root, part), join(this.folder, part), { recursive: true });
    for (const part of ['node_modules', 'web']) symlinkSync(join(root, part), join(this.folder, part));
    const write = (name: string, sql: string): void =>
      writeFileSync(join(this.folder, 'server', 'platform', 'database', 'migrations', `${name}.sql`), sql);
    const tables = ['accounts', 'statuses', 'status_stats', 'users', 'jobs', 'notifications'];
    const alter = (change: string): string => tables.map((table) => `alter table ${table} ${change};`).join('\n');
    // The statements that the older processes have prepared return more columns then.
    write('9001-add', `-- expand\n${alter('add column colour text')}\n`);
    write('9002-remove', `-- contract\n${alter('drop column colour')}\n`);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface StatusJson {
  readonly id: string;
  readonly content: string;
  readonly favourites_count: number;
}

/** Sends requests of a user to the process at a port. */
const createCaller =
  (token: string) =>
  async <Result>(port: number, method: string, path: string, body?: object): Promise<Result> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Result;
  };

async function createToken(installation: Installation, folder: string, name: string): Promise<string> {
  const options = [
    '--email',
    `${name}@mail.test`,
    '--confirmed',
    '--approved',
    '--scopes',
    'read write follow',
    '--json',
  ];
  const { stdout } = await installation.runCheckout(folder, ['account', 'create', name, ...options]).exited;
  return (JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { access_token: string }).access_token;
}

/** Opens a user stream. Returns what it shows. */
async function openStream(port: number, token: string): Promise<string[]> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/streaming?stream=user`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const events: string[] = [];
  socket.on('message', (data: Buffer) => events.push((JSON.parse(data.toString()) as { event: string }).event));
  await once(socket, 'open');
  return events;
}

/** A remote author of posts that alice follows. */
class RemoteAuthor {
  readonly #uri = 'https://far.test/users/eve';
  readonly #privateKey: KeyObject;

  private constructor(privateKey: KeyObject) {
    this.#privateKey = privateKey;
  }

  static async store(database: EmptyDatabase): Promise<RemoteAuthor> {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const author = new RemoteAuthor(privateKey);
    const uri = author.#uri;
    await database.query(`with actor as (
        insert into accounts (id, username, domain, uri, inbox_url, fetched_at, created_at, updated_at)
        values (1000, 'eve', 'far.test', '${uri}', '${uri}/inbox', now(), now(), now()) returning id),
      stats as (insert into account_stats (account_id) select id from actor),
      keys as (insert into account_keys (account_id, key_id, public_key_pem)
        select id, '${uri}#main-key', '${publicKey.export({ type: 'spki', format: 'pem' }).toString()}' from actor)
      insert into follows (id, account_id, target_account_id, created_at)
      select 1000, accounts.id, actor.id, now() from actor, accounts where username = 'alice' and domain is null`);
    return author;
  }

  /** Sends a post to the process at a port. */
  async post(baseUrl: string, port: number, text: string): Promise<void> {
    const actor = this.#uri;
    const to = ['https://www.w3.org/ns/activitystreams#Public'];
    const object = { id: `${actor}/${text}`, type: 'Note', attributedTo: actor, content: text, to };
    const activity = {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: `${object.id}#c`,
      type: 'Create',
      actor,
    };
    const body = JSON.stringify({ ...activity, object, to });
    const request = {
      method: 'POST',
      url: `${baseUrl}/inbox`,
      digest: sha256(body),
      contentType: 'application/activity+json',
      now: new Date(),
    } as const;
    const headers = signRequest('cavage', request, { keyId: `${actor}#main-key`, privateKey: this.#privateKey });
    const response = await fetch(`http://127.0.0.1:${port}/inbox`, { method: 'POST', headers, body });
    expect(response.status).toBe(202);
  }
}

test(
  `processes of ${release?.tag ?? 'the last release'} and a newer version serve one instance; the newer contracts the database when the older is gone`,
  { timeout: 400_000 },
  async (context) => {
    if (release === undefined)
      return skipUnlessCi(context, 'this clone has no commit of the last release: git fetch --unshallow');
    using newer = new NewerVersion();
    await using database = await createEmptyDatabase();
    const [oldPort, newPort] = [await findFreePort(), await findFreePort()];
    const baseUrl = `http://localhost:${oldPort}`;
    await using installation = new DatabaseInstallation(database, { BASE_URL: baseUrl, RATE_LIMITS: 'off' });
    const runOlder = (args: readonly string[], settings = {}): CliProcess =>
      installation.runCheckout(release.folder, args, settings);
    // It creates the tables.
    const oldWeb = runOlder(['serve', '--roles', 'web,streaming'], { PORT: String(oldPort) });
    await oldWeb.waitForOutput('Fieldfare is ready');
    const oldWorker = runOlder(['serve', '--roles', 'worker']);
    await oldWorker.waitForOutput('Fieldfare is running jobs');
    const tokenOf = (name: string): Promise<string> => createToken(installation, release.folder, name);
    const [aliceToken, bobToken] = [await tokenOf('alice'), await tokenOf('bob')];
    const [alice, bob] = [createCaller(aliceToken), createCaller(bobToken)];
    const eve = await RemoteAuthor.store(database);
    const home = async (port: number): Promise<string[]> =>
      (await alice<StatusJson[]>(port, 'GET', '/api/v1/timelines/home')).map(({ content }) => content);

    // Statements that read whole rows are prepared now.
    await alice(oldPort, 'POST', '/api/v1/statuses', { status: 'Before the newer one' });
    await home(oldPort);

    const newWeb = installation.runCheckout(newer.folder, ['serve', '--roles', 'web,streaming'], {
      PORT: String(newPort),
    });
    await newWeb.waitForOutput('Fieldfare is ready');
    expect(newWeb.stdout).toMatch(
      /9002-remove will be applied when no older process is left\. Running: process \d+ of/,
    );

    const [oldStream, newStream] = [await openStream(oldPort, bobToken), await openStream(newPort, aliceToken)];
    const { id: aliceId } = await alice<{ id: string }>(newPort, 'GET', '/api/v1/accounts/verify_credentials');
    await bob(oldPort, 'POST', `/api/v1/accounts/${aliceId}/follow`);
    // A job of the old worker notifies alice, who is streaming from the new process.
    await expect.poll(() => newStream).toContain('notification');
    const post = await alice<StatusJson>(newPort, 'POST', '/api/v1/statuses', { status: 'From the newer one' });
    await expect.poll(() => oldStream).toContain('update');
    // Both have it in their caches, which a change in the other one evicts.
    const favourites = (port: number) => async (): Promise<number> =>
      (await bob<StatusJson>(port, 'GET', `/api/v1/statuses/${post.id}`)).favourites_count;
    expect([await favourites(oldPort)(), await favourites(newPort)()]).toEqual([0, 0]);
    await bob(oldPort, 'POST', `/api/v1/statuses/${post.id}/favourite`);
    await expect.poll(favourites(newPort)).toBe(1);
    await bob(newPort, 'POST', `/api/v1/statuses/${post.id}/unfavourite`);
    await expect.poll(favourites(oldPort)).toBe(0);
    await eve.post(baseUrl, newPort, 'received-by-the-newer');
    await expect.poll(() => home(oldPort)).toContain('received-by-the-newer');

    // Now the workers change places.
    const newWorker = installation.runCheckout(newer.folder, ['serve', '--roles', 'worker']);
    await newWorker.waitForOutput('Fieldfare is running jobs');
    await oldWorker.kill('SIGTERM');
    await eve.post(baseUrl, oldPort, 'received-by-the-older');
    await expect.poll(() => home(newPort)).toContain('received-by-the-older');
    newStream.length = 0;
    await bob(oldPort, 'POST', '/api/v1/statuses', { status: '@alice From the older one' });
    await expect.poll(() => newStream).toContain('notification');

    const migrateNewer = () => installation.runCheckout(newer.folder, ['db', 'migrate']).exited;
    expect((await migrateNewer()).stdout).toContain('9002-remove will be applied when no older process is left');
    await oldWeb.kill('SIGTERM');
    // The schedule of the worker may have been first.
    expect((await migrateNewer()).stdout).toMatch(/(?:applied 9002-remove|The database is up to date\.)\n$/);
    const late = await runOlder(['serve']).exited;
    expect([late.code, late.stderr]).toEqual([
      1,
      expect.stringMatching(/The database has the migration \S+, which this version does not know/),
    ]);
    expect(await home(newPort)).toContain('received-by-the-older');
  },
);
