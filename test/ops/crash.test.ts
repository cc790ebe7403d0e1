import { generateKeyPairSync } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type pg from 'pg';
import { sha256 } from '../../server/federation/signatures/digests.ts';
import { signRequest } from '../../server/federation/signatures/sign-request.ts';
import { createMigratedDatabase } from './database.ts';
import { DatabaseInstallation } from './database-installation.ts';
import { findFreePort } from '../free-port.ts';
import type { CliProcess, Installation } from './cli-process.ts';

/** Leases expire after two to five minutes; the tests must pass before that. */

/** A host that responds to a number of requests and to no more until told to, and records its requests. */
async function peer(responses = 0) {
  const requests: string[] = [];
  const pending: ServerResponse[] = [];
  let responds = false;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (responds || requests.length <= responses) response.writeHead(request.method === 'POST' ? 202 : 404).end();
    else pending.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    requests,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    startResponding: () => void (responds = true),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Creates an account. Returns an access token. */
async function createAccount(installation: Installation, name: string): Promise<string> {
  const options = [
    '--email',
    `${name}@mail.test`,
    '--confirmed',
    '--approved',
    '--scopes',
    'read write follow',
    '--json',
  ];
  const created = await installation.runToEnd('account', 'create', name, ...options);
  return (JSON.parse(created.stdout.trim().split('\n').at(-1) ?? '') as { access_token: string }).access_token;
}

const createCaller = (port: number, token: string) => async (method: string, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { id: string }[] & { id: string };
};

/** Counts the rows of a table that satisfy a condition. */
const count =
  (client: pg.Client, table: string, condition = 'true') =>
  async (): Promise<number> =>
    (await client.query(`select 1 from ${table} where ${condition}`)).rowCount ?? 0;

test('another process soon repeats the work that a killed process was doing', async () => {
  await using database = await createMigratedDatabase();
  await using host = await peer();
  const port = await findFreePort();
  const settings = { BASE_URL: `http://localhost:${port}`, PORT: String(port) };
  await using installation = new DatabaseInstallation(database, { ...settings, ALLOW_PRIVATE_ADDRESSES: 'on' });
  const first = installation.run(['serve']);
  await first.waitForOutput('Fieldfare is ready');
  await createAccount(installation, 'alice');
  const client = await database.connect();
  await client.query(
    `with activity as (insert into activities (id, sender_account_id, body, digest, created_at)
         select 1, id, '{}', '', now() from accounts where username = 'alice' and domain is null returning id)
       insert into deliveries (activity_id, host, inbox_url, run_at)
       select id, split_part($1, '/', 3), $1, now() from activity`,
    [`${host.origin}/inbox`],
  );
  await client.query(
    `insert into inbox_activities (actor_uri, signer_uri, signer_host, forwarded, body, run_at)
       values ('https://far.test/a', 'https://far.test/b', 'far.test', true, $1, now())`,
    [
      JSON.stringify({
        '@context': 'https://www.w3.org/ns/activitystreams',
        type: 'Create',
        actor: 'https://far.test/a',
        object: `${host.origin}/notes/1`,
      }),
    ],
  );
  await expect.poll(() => host.requests.toSorted()).toEqual(['GET /notes/1', 'POST /inbox']);
  await first.kill('SIGKILL');
  host.startResponding();
  const second = installation.run(['serve']);
  await second.waitForOutput('Fieldfare is ready');
  await expect.poll(count(client, 'deliveries')).toBe(0);
  await expect.poll(count(client, 'inbox_activities')).toBe(0);
  await expect.poll(() => host.requests.length).toBe(4);
  expect(host.requests.slice(2).toSorted()).toEqual(['GET /notes/1', 'POST /inbox']);
});

test('FED-06: deliveries reach every inbox if a process is killed in the middle of them', async () => {
  await using database = await createMigratedDatabase();
  await using host = await peer(20);
  const port = await findFreePort();
  const settings = { BASE_URL: `http://localhost:${port}`, PORT: String(port) };
  await using installation = new DatabaseInstallation(database, { ...settings, ALLOW_PRIVATE_ADDRESSES: 'on' });
  const first = installation.run(['serve']);
  await first.waitForOutput('Fieldfare is ready');
  await createAccount(installation, 'alice');
  const client = await database.connect();
  await client.query(
    `with activity as (insert into activities (id, sender_account_id, body, digest, created_at)
         select 1, id, '{}', '', now() from accounts where username = 'alice' and domain is null returning id)
       insert into deliveries (activity_id, host, inbox_url, run_at)
       select id, split_part($1, '/', 3), $1 || '/users/' || n || '/inbox', now() from activity, generate_series(1, 40) n`,
    [host.origin],
  );
  await expect.poll(() => host.requests.length).toBeGreaterThan(20);
  await first.kill('SIGKILL');
  host.startResponding();
  const second = installation.run(['serve']);
  await second.waitForOutput('Fieldfare is ready');
  await expect.poll(count(client, 'deliveries')).toBe(0);
  await expect.poll(count(client, 'activities')).toBe(0);
  const inboxes = Array.from({ length: 40 }, (_, n) => `POST /users/${n + 1}/inbox`);
  expect([...new Set(host.requests)].toSorted()).toEqual(inboxes.toSorted());
});

test('FED-03: each activity of a batch that a killed process was storing is stored once', async () => {
  await using database = await createMigratedDatabase();
  const port = await findFreePort();
  const settings = { BASE_URL: `http://localhost:${port}`, PORT: String(port) };
  await using installation = new DatabaseInstallation(database, settings);
  const first = installation.run(['serve']);
  await first.waitForOutput('Fieldfare is ready');
  await createAccount(installation, 'alice');
  const [client, locker] = [await database.connect(), await database.connect()];
  const actorUris = Array.from({ length: 60 }, (_, n) => `https://far.test/users/${n}`);
  await storeFollowedActors(client, actorUris);
  const store = (name: string) =>
    client.query(
      `insert into inbox_activities (actor_uri, signer_uri, signer_host, forwarded, body, run_at)
       select actor, actor, 'far.test', false, body, now() from unnest($1::text[], $2::text[]) as activity(actor, body)`,
      [actorUris, actorUris.map((actor) => JSON.stringify(createNote(actor, name)))],
    );
  await store('before');
  await expect.poll(count(client, 'inbox_activities')).toBe(0);
  await locker.query('begin; lock table conversations in access exclusive mode');
  await store('later');
  await expect.poll(count(client, 'pg_locks', 'not granted')).toBeGreaterThan(0);
  await first.kill('SIGKILL');
  await locker.query('commit');
  const second = installation.run(['serve']);
  await second.waitForOutput('Fieldfare is ready');
  await expect.poll(count(client, 'inbox_activities')).toBe(0);
  expect(await count(client, 'statuses')()).toBe(2 * actorUris.length);
  expect(await count(client, 'account_stats', 'account_id > 1000 and statuses_count = 2')()).toBe(actorUris.length);
});

test('FED-03: each activity that a killed process ran without a claim is stored once', async () => {
  await using database = await createMigratedDatabase();
  const port = await findFreePort();
  const baseUrl = `http://localhost:${port}`;
  await using installation = new DatabaseInstallation(database, { BASE_URL: baseUrl, PORT: String(port) });
  const first = installation.run(['serve']);
  await first.waitForOutput('Fieldfare is ready');
  await createAccount(installation, 'alice');
  const [client, locker] = [await database.connect(), await database.connect()];
  const actorUris = Array.from({ length: 100 }, (_, n) => `https://far.test/users/${n}`);
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await storeFollowedActors(client, actorUris, publicKey.export({ type: 'spki', format: 'pem' }).toString());
  const send = async (actor: string): Promise<number> => {
    const body = JSON.stringify(createNote(actor, 'note'));
    const contentType = 'application/activity+json';
    const request = {
      method: 'POST',
      url: `${baseUrl}/inbox`,
      digest: sha256(body),
      contentType,
      now: new Date(),
    } as const;
    const headers = signRequest('cavage', request, { keyId: `${actor}#main-key`, privateKey });
    const response = await fetch(`http://127.0.0.1:${port}/inbox`, { method: 'POST', headers, body });
    return response.status;
  };
  await locker.query('begin; lock table conversations in access exclusive mode');
  // A claim has a lease of five minutes.
  const started = count(client, 'inbox_activities', "leased_until < now() + interval '2 minutes' and attempts = 1");
  // An activity that arrives during a claim waits for the next one.
  const senders: string[] = [];
  while ((await started()) < 20) {
    const sender = actorUris[senders.length] ?? expect.fail('fewer than 20 activities ran without a claim');
    senders.push(sender);
    expect(await send(sender)).toBe(202);
  }
  await expect.poll(count(client, 'pg_locks', 'not granted')).toBeGreaterThan(0);
  await first.kill('SIGKILL');
  await locker.query('commit');
  const second = installation.run(['serve']);
  await second.waitForOutput('Fieldfare is ready');
  await expect.poll(count(client, 'inbox_activities')).toBe(0);
  expect(await count(client, 'statuses')()).toBe(senders.length);
  expect(await count(client, 'account_stats', 'account_id > 1000 and statuses_count = 1')()).toBe(senders.length);
});

/** Stores remote actors that alice follows. */
async function storeFollowedActors(client: pg.Client, actorUris: readonly string[], publicKey = ''): Promise<void> {
  await client.query(
    `with actor as (
       insert into accounts (id, username, domain, uri, inbox_url, fetched_at, created_at, updated_at)
       select 1000 + n, 'eve' || n, 'far.test', uri, uri || '/inbox', now(), now(), now()
       from unnest($1::text[]) with ordinality as actor(uri, n) returning id, uri),
     stats as (insert into account_stats (account_id) select id from actor),
     keys as (
       insert into account_keys (account_id, key_id, public_key_pem) select id, uri || '#main-key', $2 from actor)
     insert into follows (id, account_id, target_account_id, created_at)
     select actor.id, accounts.id, actor.id, now() from actor, accounts where username = 'alice' and domain is null`,
    [actorUris, publicKey],
  );
}

/** Returns the Create of a public post in a conversation. */
function createNote(actor: string, name: string): object {
  const object = {
    id: `${actor}/${name}`,
    type: 'Note',
    attributedTo: actor,
    content: name,
    conversation: `tag:${actor}:${name}`,
    to: ['https://www.w3.org/ns/activitystreams#Public'],
  };
  return {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${object.id}#create`,
    type: 'Create',
    actor,
    object,
  };
}

test('home feeds are complete soon after one of two processes is killed', async () => {
  await using database = await createMigratedDatabase();
  const port = await findFreePort();
  const settings = { BASE_URL: `http://localhost:${port}`, PORT: String(port) };
  await using installation = new DatabaseInstallation(database, settings);
  const web = installation.run(['serve', '--roles', 'web']);
  await web.waitForOutput('Fieldfare is ready');
  const asAlice = createCaller(port, await createAccount(installation, 'alice'));
  const asBob = createCaller(port, await createAccount(installation, 'bob'));
  const me = await asAlice('GET', '/api/v1/accounts/verify_credentials');
  await asBob('POST', `/api/v1/accounts/${me.id}/follow`);
  await asBob('GET', '/api/v1/timelines/home');
  const { id } = await asAlice('POST', '/api/v1/statuses', { status: 'Seen by bob', language: 'en' });

  const [locker, watcher] = [await database.connect(), await database.connect()];
  await locker.query('begin; lock table home_feed in access exclusive mode');
  const worker = (): CliProcess => installation.run(['serve', '--roles', 'worker']);
  const doomed = worker();
  await doomed.waitForOutput('Fieldfare is running jobs');
  await expect.poll(count(watcher, 'pg_locks', "not granted and mode = 'RowExclusiveLock'")).toBeGreaterThan(0);
  const other = worker();
  await other.waitForOutput('Fieldfare is running jobs');
  await doomed.kill('SIGKILL');
  await locker.query('commit');
  await expect
    .poll(async () => (await asBob('GET', '/api/v1/timelines/home')).map((status) => status.id))
    .toEqual([id]);
});
