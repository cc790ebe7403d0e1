import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type pg from 'pg';
import { createEmptyDatabase } from './database.ts';
import { findFreePort, Installation, type CliProcess } from './cli-process.ts';

/** Leases end by themselves after two to five minutes: that must not be why the work goes on. */

/** A host that hangs until it is told to answer, and counts who asks. */
async function peer() {
  const asked: string[] = [];
  const hanging: ServerResponse[] = [];
  let answers = false;
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (answers) response.writeHead(request.method === 'POST' ? 202 : 404).end();
    else hanging.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    asked,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: () => void (answers = true),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Makes an account. Returns a token of it. */
async function accountOn(place: Installation, name: string): Promise<string> {
  const facts = [
    '--email',
    `${name}@mail.test`,
    '--confirmed',
    '--approved',
    '--scopes',
    'read write follow',
    '--json',
  ];
  const made = await place.runToEnd('account', 'create', name, ...facts);
  return (JSON.parse(made.stdout.trim().split('\n').at(-1) ?? '') as { access_token: string }).access_token;
}

const createCaller = (port: number, token: string) => async (method: string, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { id: string }[] & { id: string };
};

/** Returns how many rows of a table satisfy a condition. */
const count =
  (client: pg.Client, table: string, condition = 'true') =>
  async (): Promise<number> =>
    (await client.query(`select 1 from ${table} where ${condition}`)).rowCount ?? 0;

test('what a process was working on when it was killed, another one does soon after its start', async () => {
  await using database = await createEmptyDatabase();
  await using host = await peer();
  const port = await findFreePort();
  const settings = { DATABASE_URL: database.url, BASE_URL: `http://localhost:${port}`, PORT: String(port) };
  await using place = new Installation({ ...settings, ALLOW_PRIVATE_ADDRESSES: 'on' });
  const first = place.run(['serve']);
  await first.waitForOutput('Fieldfare is ready');
  await accountOn(place, 'alice');
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
  await expect.poll(() => host.asked.toSorted()).toEqual(['GET /notes/1', 'POST /inbox']);
  await first.kill('SIGKILL');
  host.answer();
  const second = place.run(['serve']);
  await second.waitForOutput('Fieldfare is ready');
  await expect.poll(count(client, 'deliveries')).toBe(0);
  await expect.poll(count(client, 'inbox_activities')).toBe(0);
  await expect.poll(() => host.asked.length).toBe(4);
  expect(host.asked.slice(2).toSorted()).toEqual(['GET /notes/1', 'POST /inbox']);
});

test("followers' homes are complete soon after one of two processes is killed", async () => {
  await using database = await createEmptyDatabase();
  const port = await findFreePort();
  const settings = { DATABASE_URL: database.url, BASE_URL: `http://localhost:${port}`, PORT: String(port) };
  await using place = new Installation(settings);
  const web = place.run(['serve', '--roles', 'web']);
  await web.waitForOutput('Fieldfare is ready');
  const asAlice = createCaller(port, await accountOn(place, 'alice'));
  const asBob = createCaller(port, await accountOn(place, 'bob'));
  const me = await asAlice('GET', '/api/v1/accounts/verify_credentials');
  await asBob('POST', `/api/v1/accounts/${me.id}/follow`);
  await asBob('GET', '/api/v1/timelines/home');
  const { id } = await asAlice('POST', '/api/v1/statuses', { status: 'Seen by bob', language: 'en' });

  const [locker, watcher] = [await database.connect(), await database.connect()];
  await locker.query('begin; lock table home_feed in access exclusive mode');
  const worker = (): CliProcess => place.run(['serve', '--roles', 'worker']);
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
