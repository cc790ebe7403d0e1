import { expect, test } from 'vitest';
import { createMigratedDatabase } from './database.ts';
import { DatabaseInstallation } from './database-installation.ts';
import { findFreePort } from '../free-port.ts';

/** The members of a status that the test reads. */
interface StatusJson {
  readonly id: string;
  readonly favourites_count: number;
  readonly favourited: boolean;
  readonly account: { readonly id: string; readonly followers_count: number };
}

/** Returns a function that sends requests to the processes of one server by their ports. */
const createCaller = (token: string) => async (port: number, method: string, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as StatusJson;
};

/** Cached entries expire after a minute; a change must show earlier. */
const withinCacheTime = { timeout: 50_000 };

test('a change in one process shows in another on the same database, even if it had cached the old state', async () => {
  await using database = await createMigratedDatabase();
  const [one, other] = [await findFreePort(), await findFreePort()];
  await using installation = new DatabaseInstallation(database, { BASE_URL: `http://localhost:${one}` });
  const links: (string | undefined)[] = [];
  for (const port of [one, other]) {
    const server = installation.run(['serve'], { PORT: String(port) });
    await server.waitForOutput('become its owner');
    links.push(/become its owner, open\n {2}(\S+)/.exec(server.stdout)?.[1]);
  }
  // Both processes print the same link, and it works.
  expect(links[0]).toBe(links[1]);
  for (const link of links) expect((await fetch(link ?? '')).status).toBe(200);
  const createToken = async (name: string): Promise<string> => {
    const scopes = 'read write follow';
    const options = ['--email', `${name}@mail.test`, '--confirmed', '--approved', '--scopes', scopes, '--json'];
    const created = await installation.runToEnd('account', 'create', name, ...options);
    return (JSON.parse(created.stdout.trim().split('\n').at(-1) ?? '') as { access_token: string }).access_token;
  };
  const [alice, bob] = [createCaller(await createToken('alice')), createCaller(await createToken('bob'))];
  const { id, account } = await alice(one, 'POST', '/api/v1/statuses', { status: 'Seen by two', language: 'en' });
  const readCounters = async () => {
    const { favourites_count, favourited, account: author } = await bob(other, 'GET', `/api/v1/statuses/${id}`);
    return { favourites_count, favourited, followers_count: author.followers_count };
  };
  const expectCounters = async (expected: object): Promise<void> => {
    await expect.poll(readCounters, withinCacheTime).toEqual(expected);
  };
  await expectCounters({ favourites_count: 0, favourited: false, followers_count: 0 });
  const favourite = await bob(one, 'POST', `/api/v1/statuses/${id}/favourite`);
  expect(favourite).toMatchObject({ favourites_count: 1, favourited: true });
  await expectCounters({ favourites_count: 1, favourited: true, followers_count: 0 });
  await bob(one, 'POST', `/api/v1/accounts/${account.id}/follow`);
  await expectCounters({ favourites_count: 1, favourited: true, followers_count: 1 });
  await bob(one, 'POST', `/api/v1/statuses/${id}/unfavourite`);
  await expectCounters({ favourites_count: 0, favourited: false, followers_count: 1 });
});

test('two processes on one database count requests together', async () => {
  await using database = await createMigratedDatabase();
  const ports = [await findFreePort(), await findFreePort()];
  await using installation = new DatabaseInstallation(database, { BASE_URL: `http://localhost:${ports[0]}` });
  for (const port of ports)
    await installation.run(['serve'], { PORT: String(port) }).waitForOutput('Fieldfare is ready');
  const request = async (at: number): Promise<number> =>
    (await fetch(`http://127.0.0.1:${ports[at % 2]}/api/v1/accounts/lookup?acct=nobody`)).status;
  const isWindowOver = watchWindow();
  const statuses: number[] = [];
  for (let at = 0; at < 360; at += 4) {
    statuses.push(...(await Promise.all([at, at + 1, at + 2, at + 3].map(request))));
  }
  // A window of five minutes may have ended in the meantime.
  if (!isWindowOver()) expect(statuses.filter((status) => status === 429)).toHaveLength(60);
});

function watchWindow(): () => boolean {
  const windowNow = (): number => Math.floor(Date.now() / 300_000);
  const first = windowNow();
  return () => windowNow() !== first;
}
