import { clearCaches } from '../../../server/platform/write/publish.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { StatusId } from '../../../server/platform/ids.ts';
import { blockAccount, muteAccount } from '../../../server/relationships/hide/index.ts';
import { follow, postBy, reblogBy } from '../../feeds.ts';
import { startServer, walk, type TestServer, type TestUser } from '../../server.ts';

const publicTimeline = '/api/v1/timelines/public';
const idsOf = (response: { json: { id: string }[] }): string[] => response.json.map(({ id }) => id);

/** Turns an account and its posts into remote ones. */
async function makeRemote(server: TestServer, user: TestUser, domain: string): Promise<void> {
  const { db } = server;
  await db.updateTable('accounts').set({ domain }).where('id', '=', user.id).execute();
  await db.updateTable('statuses').set({ local: false }).where('account_id', '=', user.id).execute();
  clearCaches(server.app);
}

test('TML-01: the public timeline has public posts, without boosts and replies to others', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const post = await postBy(alice, 'hello world');
  await postBy(alice, { status: 'quietly', visibility: 'unlisted' });
  await postBy(alice, { status: 'for followers', visibility: 'private' });
  await postBy(alice, { status: '@bob just you', visibility: 'direct' });
  await postBy(bob, { status: '@alice an answer', in_reply_to_id: post });
  const thread = await postBy(alice, { status: 'my thread', in_reply_to_id: post });
  await reblogBy(bob, post);
  await server.drain();
  for (const reader of [server.anonymous, alice, bob, await server.appToken()]) {
    expect(idsOf(await reader.get(publicTimeline))).toEqual([thread, post]);
  }
});

test('TML-01: local, remote and only_media filter the public timeline', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const far = await postBy(bob, 'from afar');
  await makeRemote(server, bob, 'far.test');
  const near = await postBy(alice, 'from here');
  const withMedia = await postBy(alice, 'with an image');
  await server.db
    .updateTable('statuses')
    .set({ has_media: true })
    .where('id', '=', withMedia as StatusId)
    .execute();
  const get = async (query: string) => idsOf(await alice.get(`${publicTimeline}?${query}`));
  expect(await get('')).toEqual([withMedia, near, far]);
  expect(await get('local=true')).toEqual([withMedia, near]);
  expect(await get('remote=1')).toEqual([far]);
  expect(await get('only_media=true')).toEqual([withMedia]);
  expect(await get('only_media=true&remote=true')).toEqual([]);
  expect(await get('local=false&remote=0&only_media=off')).toEqual([withMedia, near, far]);
});

test('TML-02: without public preview, public timelines are 401 for anonymous viewers', async () => {
  await using server = await startServer({ settings: { PUBLIC_PREVIEW: 'off' } });
  const alice = await server.user('alice');
  const post = await postBy(alice, 'hello #world');
  for (const url of [publicTimeline, `${publicTimeline}?local=true`, '/api/v1/timelines/tag/world']) {
    expect((await server.anonymous.get(url)).status).toBe(401);
    expect(idsOf(await alice.get(url))).toEqual([post]);
  }
});

test('BLK-01, MUT-01: public timelines omit blocked and muted authors, and pages are still full', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const dave = await server.user('dave');
  const shown: string[] = [];
  for (let count = 0; count < 8; count += 1) {
    shown.unshift(await postBy(dave, `shown #all ${count}`));
    for (const user of [bob, carol]) for (let more = 0; more < 3; more += 1) await postBy(user, `#all ${more}`);
  }
  await muteAccount(server.app, alice.id, bob.id);
  await blockAccount(server.app, carol.id, alice.id);
  for (const url of [publicTimeline, '/api/v1/timelines/tag/all']) {
    expect(idsOf(await alice.get(`${url}?limit=5`))).toEqual(shown.slice(0, 5));
    expect((await walk(alice, `${url}?limit=3`)).map(({ id }) => id)).toEqual(shown);
    expect(idsOf(await alice.get(`${url}?limit=3&min_id=${shown[7]}`))).toEqual(shown.slice(4, 7));
    expect((await server.anonymous.get(`${url}?limit=40`)).json).toHaveLength(40);
  }
});

test('public timelines omit silenced and suspended authors', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await postBy(bob, '#quiet');
  await postBy(carol, '#gone');
  const post = await postBy(alice, 'here');
  const { db, clock } = server;
  await db.updateTable('accounts').set({ silenced_at: clock.now() }).where('id', '=', bob.id).execute();
  await db.updateTable('accounts').set({ suspended_at: clock.now() }).where('id', '=', carol.id).execute();
  clearCaches(server.app);
  expect(idsOf(await server.anonymous.get(publicTimeline))).toEqual([post]);
  expect(idsOf(await alice.get(publicTimeline))).toEqual([post]);
  expect((await server.anonymous.get('/api/v1/timelines/tag/quiet')).json).toEqual([]);
  expect((await server.anonymous.get('/api/v1/timelines/tag/gone')).json).toEqual([]);
});

test('TML-01: a hashtag timeline supports any, all and none, and includes replies to others', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const red = await postBy(alice, '#Red');
  const blue = await postBy(bob, '#blue');
  const both = await postBy(alice, '#red and #blue');
  const reply = await postBy(bob, { status: '@alice #RED #green', in_reply_to_id: red });
  await postBy(alice, { status: '#red', visibility: 'unlisted' });
  const get = async (path: string) => idsOf(await server.anonymous.get(`/api/v1/timelines/tag/${path}`));
  expect(await get('red')).toEqual([reply, both, red]);
  expect(await get('%23Red')).toEqual([reply, both, red]);
  expect(await get('red?any[]=blue')).toEqual([reply, both, blue, red]);
  expect(await get('red?any=blue')).toEqual([reply, both, blue, red]);
  expect(await get('red?all[]=blue')).toEqual([both]);
  expect(await get('red?all[]=blue&all[]=unknown')).toEqual([]);
  expect(await get('red?none[]=blue&none[]=unknown')).toEqual([reply, red]);
  expect(await get('red?any[]=blue&none[]=green')).toEqual([both, blue, red]);
  expect(await get('red?local=true')).toEqual([reply, both, red]);
  expect(await get('red?remote=true')).toEqual([]);
  expect(await get('unknown')).toEqual([]);
  expect(await get('unknown?any[]=blue')).toEqual([both, blue]);
});

test('PAG-02, PAG-03: links keep the other parameters and lead to older and newer posts', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const posts: string[] = [];
  for (let count = 0; count < 6; count += 1) posts.unshift(await postBy(alice, `#a #b ${count}`));
  const url = '/api/v1/timelines/tag/a?any[]=b&local=true&limit=2';
  const first = await server.anonymous.get(url);
  expect(idsOf(first)).toEqual(posts.slice(0, 2));
  expect(first.headers['link']).toBe(
    `<https://fieldfare.test/api/v1/timelines/tag/a?any[]=b&local=true&limit=2&max_id=${posts[1]}>; rel="next", ` +
      `<https://fieldfare.test/api/v1/timelines/tag/a?any[]=b&local=true&limit=2&min_id=${posts[0]}>; rel="prev"`,
  );
  const second = await server.anonymous.get(first.links.next?.href ?? '');
  expect(idsOf(second)).toEqual(posts.slice(2, 4));
  expect(idsOf(await server.anonymous.get(second.links.prev?.href ?? ''))).toEqual(posts.slice(0, 2));
  expect(idsOf(await server.anonymous.get(`${url}&since_id=${posts[5]}`))).toEqual(posts.slice(0, 2));
  expect(idsOf(await server.anonymous.get(`${url}&min_id=${posts[5]}`))).toEqual(posts.slice(3, 5));
  expect((await server.anonymous.get(`${url}&since_id=${posts[0]}`)).headers['link']).toBeUndefined();
  expect((await server.anonymous.get(`${publicTimeline}?max_id=abc`)).status).toBe(404);
});

test('PAG-05: paging visits every post of a public timeline once while posts are added and deleted', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  for (let count = 0; count < 30; count += 1) await postBy(alice, `#busy ${count}`);
  const urls = fc.constantFrom(
    publicTimeline,
    `${publicTimeline}?local=true`,
    '/api/v1/timelines/tag/busy',
    '/api/v1/timelines/tag/x?any[]=busy',
  );
  await fc.assert(
    fc.asyncProperty(
      urls,
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.boolean(), { maxLength: 5 }),
      async (base, limit, plan) => {
        const before = (await walk(alice, `${base}${base.includes('?') ? '&' : '?'}limit=40`)).map(({ id }) => id);
        const seen: string[] = [];
        const deleted = new Set<string>();
        for (
          let url: string | undefined = `${base}${base.includes('?') ? '&' : '?'}limit=${limit}`;
          url !== undefined;
        ) {
          const response = await bob.get(url);
          seen.push(...idsOf(response));
          url = response.links.next?.href;
          const step = plan.shift();
          if (step === true) await postBy(alice, '#busy meanwhile');
          const victim = before[before.length - 1 - deleted.size];
          if (step === false && victim !== undefined) {
            deleted.add(victim);
            await alice.delete(`/api/v1/statuses/${victim}`);
          }
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(before.filter((id) => !deleted.has(id)).every((id) => seen.includes(id))).toBe(true);
        await server.drain();
      },
    ),
    { numRuns: 15 },
  );
});

test('each variant of the public timeline is read from a matching index', async () => {
  await using server = await startServer();
  const { db } = server;
  const plan = async (condition: string) => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select id from statuses where id < 5 and visibility = 'public' and reblog_of_id is null
        and not is_reply and deleted_at is null ${sql.raw(condition)} order by id desc limit 20`.execute(db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  expect(await plan('and local')).toContain('statuses_public_local on statuses');
  expect(await plan('and not local')).toContain('statuses_public_remote on statuses');
  expect(await plan('and has_media')).toContain('statuses_public_media on statuses');
});

test('STA-23: the removed timeline of direct posts is 404', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const response = await alice.get('/api/v1/timelines/direct');
  expect(response.status).toBe(404);
  expect(response.json).toHaveProperty('error');
});

test('TML-03: markers store the last read id with a version', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const url = '/api/v1/markers';
  expect((await alice.get(url)).json).toEqual({});
  expect((await alice.get(`${url}?timeline[]=home`)).json).toEqual({});
  const set = await alice.post(url, { home: { last_read_id: '103' } });
  expect(set.json).toEqual({
    home: { last_read_id: '103', version: 0, updated_at: server.clock.now().toISOString() },
  });
  await alice.post(url, { home: { last_read_id: '99' }, notifications: { last_read_id: '7' } });
  const both = (await alice.get(`${url}?timeline[]=home&timeline[]=notifications&timeline[]=other`)).json;
  expect(both.home).toMatchObject({ last_read_id: '99', version: 1 });
  expect(both.notifications).toMatchObject({ last_read_id: '7', version: 0 });
  expect((await alice.post(url, { home: { last_read_id: 'abc' } })).status).toBe(404);
  const many = await Promise.all(
    Array.from({ length: 6 }, (_, index) => alice.post(url, { home: { last_read_id: String(200 + index) } })),
  );
  const succeeded = many.filter(({ status }) => status === 200).length;
  expect(many.every(({ status }) => status === 200 || status === 409)).toBe(true);
  expect((await alice.get(`${url}?timeline[]=home`)).json.home.version).toBe(1 + succeeded);
  expect((await server.anonymous.get(url)).status).toBe(401);
  expect((await (await server.withScopes(alice, 'read')).post(url, { home: { last_read_id: '1' } })).status).toBe(403);
});

test('TML-03: a concurrent update of a marker is 409 and does not overwrite it', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const url = '/api/v1/markers';
  await alice.post(url, { home: { last_read_id: '100' }, notifications: { last_read_id: '1' } });
  const { db } = server;
  const pending = await db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('markers')
      .set({ last_read_id: '300', version: 1 })
      .where('account_id', '=', alice.id)
      .where('timeline', '=', 'home')
      .execute();
    const stale = alice.post(url, { home: { last_read_id: '200' }, notifications: { last_read_id: '2' } });
    for (let waiting = 0; waiting === 0;) {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      waiting = rows.length;
    }
    return { stale };
  });
  const { status, json } = await pending.stale;
  expect([status, json]).toEqual([409, { error: 'Conflict during update, please try again' }]);
  const { home, notifications } = (await alice.get(`${url}?timeline[]=home&timeline[]=notifications`)).json;
  expect(home).toMatchObject({ last_read_id: '300', version: 1 });
  expect(notifications).toMatchObject({ last_read_id: '1', version: 0 });
  const next = await alice.post(url, { home: { last_read_id: '200' } });
  expect(next.json.home).toMatchObject({ last_read_id: '200', version: 2 });
});

test('the number of queries for a page of a public timeline does not depend on its length', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  await follow(server, alice, bob);
  for (let count = 0; count < 45; count += 1) await postBy(bob, `#many ${count}`);
  const countQueries = (url: string) => server.countWarmQueries(() => alice.get(url));
  for (const url of [publicTimeline, '/api/v1/timelines/tag/many']) {
    expect(await countQueries(`${url}?limit=40`)).toBe(await countQueries(`${url}?limit=2`));
  }
  expect(await countQueries(publicTimeline)).toBeLessThanOrEqual(2);
});
