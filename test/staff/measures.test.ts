import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { storeRemoteAccount } from '../../server/accounts/remote/index.ts';
import { ManualClock } from '../../server/platform/clock.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { newId, type AccountId, type UserId } from '../../server/platform/ids.ts';
import { storeRemoteStatus } from '../../server/statuses/remote/index.ts';
import { touchUser } from '../../server/users/index.ts';
import { multipart, startServer, type TestServer, type TestUser } from '../server.ts';

const measures = '/api/v1/admin/measures';
const dimensions = '/api/v1/admin/dimensions';
const retention = '/api/v1/admin/retention';
const daySeconds = 86_400;
const range = { start_at: '2026-03-09T10:00:00Z', end_at: '2026-03-10' };

/** Starts a server on 2026-03-10 at noon. */
const startOnTenth = () => startServer({ clock: new ManualClock(new Date('2026-03-10T12:00:00Z')) });
const createStaff = (server: TestServer) => server.user('merle', { role: 'admin', scopes: 'admin:read' });
const count = (server: TestServer) => server.runSchedule('measures.count_today');

const storeRemote = (server: TestServer, username: string): Promise<AccountId> => {
  const uri = `https://far.test/users/${username}`;
  const account = { uri, username, domain: 'far.test', inboxUrl: `${uri}/inbox` };
  return transaction(server.app, (tx) => storeRemoteAccount(tx, server.app, account));
};

interface MeasureJson {
  readonly key: string;
  readonly total: string;
  readonly previous_total?: string;
  readonly data: readonly { readonly value: string }[];
}

/** Returns the total, the previous total and the values by day of each measure. */
async function load(staff: TestUser, body: object) {
  const { status, text, json } = await staff.post(measures, { ...range, ...body });
  expect(status, text).toBe(200);
  return Object.fromEntries(
    (json as MeasureJson[]).map(({ key, total, previous_total: previous, data }) => [
      key,
      [total, previous, ...data.map(({ value }) => value)],
    ]),
  );
}

/** Returns names and values of a dimension. */
async function loadDimension(staff: TestUser, key: string, more: object = {}) {
  const { status, text, json } = await staff.post(dimensions, { keys: [key], ...range, ...more });
  expect(status, text).toBe(200);
  const [{ data }] = json as [{ data: { key: string; value: string }[] }];
  return data.map((item) => [item.key, item.value]);
}

test('ADM-07: measures, dimensions: users, interactions and reports are counted by day', async () => {
  await using server = await startOnTenth();
  const staff = await createStaff(server);
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const { id } = (await alice.post('/api/v1/statuses', { status: 'Hello' })).json;
  await alice.post('/api/v1/statuses', { status: 'More', in_reply_to_id: id });
  await bob.post('/api/v1/statuses', { status: 'Welcome', in_reply_to_id: id });
  await bob.post(`/api/v1/statuses/${id}/favourite`);
  await bob.post(`/api/v1/statuses/${id}/reblog`);
  await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  const poll = (
    await alice.post('/api/v1/statuses', {
      status: '?',
      poll: { options: ['a', 'b'], expires_in: 600, multiple: true },
    })
  ).json.poll;
  await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0, 1] });
  const first = (await alice.post('/api/v1/reports', { account_id: bob.id })).json.id;
  await bob.post('/api/v1/reports', { account_id: alice.id });
  await server.db.updateTable('reports').set({ action_taken_at: server.clock.now() }).where('id', '=', first).execute();
  await count(server);
  const keys = [
    'new_users',
    'active_users',
    'interactions',
    'opened_reports',
    'resolved_reports',
    'unknown',
    'new_users',
  ];
  const expected = {
    new_users: ['3', '0', '0', '3'],
    active_users: ['3', '0', '0', '3'],
    interactions: ['5', '0', '0', '5'],
    opened_reports: ['2', '0', '0', '2'],
    resolved_reports: ['1', '0', '0', '1'],
  };
  expect(await load(staff, { keys })).toEqual(expected);
  // Counting again changes nothing.
  await count(server);
  expect(await load(staff, { keys })).toEqual(expected);
  expect(await load(staff, { keys: ['new_users'], start_at: '2026-03-11', end_at: '2026-03-12' })).toEqual({
    new_users: ['0', '3', '0', '0'],
  });
  const { json } = await staff.post(measures, { keys: ['new_users'], ...range });
  expect(json).toEqual([
    {
      key: 'new_users',
      unit: null,
      total: '3',
      previous_total: '0',
      data: [
        { date: '2026-03-09T00:00:00.000Z', value: '0' },
        { date: '2026-03-10T00:00:00.000Z', value: '3' },
      ],
    },
  ]);

  await server.db.updateTable('users').set({ locale: 'de' }).where('id', '=', alice.userId).execute();
  const app = await server.db.selectFrom('oauth_applications').select('id').executeTakeFirstOrThrow();
  await server.db
    .updateTable('users')
    .set({ created_by_application_id: app.id })
    .where('id', '=', bob.userId)
    .execute();
  // Users are counted once an hour.
  server.clock.advance(3_600);
  await count(server);
  expect(await loadDimension(staff, 'languages')).toEqual([
    ['en', '2'],
    ['de', '1'],
  ]);
  for (const limit of [1, -1]) {
    expect(await loadDimension(staff, 'languages', { limit })).toEqual([['en', '2']]);
  }
  expect(await loadDimension(staff, 'languages', { limit: 0 })).toEqual([]);
  expect(await loadDimension(staff, 'sources')).toEqual([
    ['web', '2'],
    ['Test app', '1'],
  ]);
  expect(await loadDimension(staff, 'sources', { end_at: '2026-03-09' })).toEqual([]);
});

test('ADM-07: measures, dimensions: servers are counted with their posts, accounts, follows, reports and media', async () => {
  await using server = await startOnTenth();
  const staff = await createStaff(server);
  const [far, quiet] = [await storeRemote(server, 'far'), await storeRemote(server, 'quiet')];
  const post = (name: string, language: string | null, publishedAt: string) =>
    storeRemoteStatus(server.app, {
      uri: `https://far.test/posts/${name}`,
      accountId: far,
      content: '<p>hello</p>',
      visibility: 'public',
      publishedAt: new Date(publishedAt),
      language,
    });
  await post('1', 'fr', '2026-03-09T23:59:59Z');
  await post('2', null, '2026-03-10T00:00:00Z');
  await post('3', 'fr', '2026-03-10T01:00:00Z');
  const posted = (await staff.post('/api/v1/statuses', { status: 'Hello' })).status;
  expect(posted).toBe(403);
  const alice = await server.user('alice');
  const { id } = (await alice.post('/api/v1/statuses', { status: 'Hello', language: 'en' })).json;
  const now = server.clock.now();
  const follow = { show_reblogs: true, notify: false, languages: null, uri: null, created_at: now };
  const ids = () => newId<'row'>(server.clock.now());
  await server.db
    .insertInto('follows')
    .values([
      { ...follow, id: ids(), account_id: alice.id, target_account_id: far },
      { ...follow, id: ids(), account_id: quiet, target_account_id: alice.id },
      { ...follow, id: ids(), account_id: far, target_account_id: alice.id },
    ])
    .execute();
  await server.db
    .updateTable('account_stats')
    .set({ local_followers_count: 1 })
    .where('account_id', '=', far)
    .execute();
  await server.pool.query(
    `insert into media_attachments (id, account_id, type, file_size, created_at) values ($1, $2, 'image', 1536, $3)`,
    [ids(), far, now],
  );
  await alice.post('/api/v1/reports', { account_id: far, forward: false });
  await count(server);
  await server.runSchedule('measures.count_past');
  await server.runSchedule('measures.rank_accounts');

  const keys = ['accounts', 'statuses', 'follows', 'followers', 'reports', 'media_attachments'].map(
    (name) => `instance_${name}`,
  );
  const named = (domain: string) => Object.fromEntries(keys.map((key) => [key, { domain }]));
  expect(await load(staff, { keys, ...named('FAR.test') })).toEqual({
    instance_accounts: ['2', undefined, '0', '2'],
    instance_statuses: ['3', undefined, '1', '2'],
    instance_follows: ['1', undefined, '0', '1'],
    instance_followers: ['2', undefined, '0', '2'],
    instance_reports: ['1', undefined, '0', '1'],
    instance_media_attachments: ['1536', undefined, '0', '1536'],
  });
  expect(await load(staff, { keys: keys.slice(1, 4), ...named('fieldfare.test') })).toEqual({
    instance_statuses: ['1', undefined, '0', '1'],
    instance_follows: ['2', undefined, '0', '2'],
    instance_followers: ['1', undefined, '0', '1'],
  });
  expect(await load(staff, { keys: keys.slice(0, 1), ...named('unknown.test') })).toEqual({
    instance_accounts: ['0', undefined, '0', '0'],
  });
  const media = await staff.post(measures, { keys: keys.slice(5), ...named('far.test'), ...range });
  expect(media.json[0]).toMatchObject({ unit: 'bytes', human_value: '1.5 kB' });

  expect(await loadDimension(staff, 'servers')).toEqual([
    ['far.test', '3'],
    ['fieldfare.test', '1'],
  ]);
  const ofFar = { instance_accounts: { domain: 'far.test' }, instance_languages: { domain: 'far.test' } };
  expect(await loadDimension(staff, 'instance_languages', ofFar)).toEqual([
    ['fr', '2'],
    ['und', '1'],
  ]);
  expect(await loadDimension(staff, 'instance_accounts', ofFar)).toEqual([
    ['far', '1'],
    ['quiet', '0'],
  ]);
  expect(await loadDimension(staff, 'instance_accounts', { ...ofFar, limit: 1 })).toEqual([['far', '1']]);

  const space = (await staff.post(dimensions, { keys: ['space_usage', 'software_versions'] })).json;
  expect(space).toMatchObject([
    {
      key: 'space_usage',
      data: [
        { key: 'postgresql', unit: 'bytes' },
        { key: 'media', value: '1536', human_value: '1.5 kB' },
      ],
    },
    {
      key: 'software_versions',
      data: [{ key: 'fieldfare' }, { key: 'node', value: process.versions.node }, { key: 'postgresql' }],
    },
  ]);

  const image = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();
  const avatar = new File([Uint8Array.from(image)], 'image.png', { type: 'image/png' });
  await alice.patch('/api/v1/accounts/update_credentials', await multipart({ avatar }));
  await server.app.storage.put('archives/aa/one.tgz', Buffer.from('archive'), 'application/gzip');
  await server.runSchedule('measures.measure_sizes');
  const [measured] = (await staff.post(dimensions, { keys: ['space_usage'] })).json;
  expect(measured.data.map(({ key }: { key: string }) => key)).toEqual([
    'postgresql',
    'media',
    'profile_images',
    'emojis',
    'site_images',
    'archives',
    'media_cache',
  ]);
  expect(measured.data[2]).toMatchObject({ human_key: 'Avatars and headers', value: expect.stringMatching(/^[1-9]/) });
  expect(measured.data[3]).toMatchObject({ value: '0', unit: 'bytes' });
  expect(measured.data[5]).toMatchObject({ human_key: 'Archives of accounts', value: '7' });

  // A deleted post leaves the counts of its day, today or when that day is counted again.
  await alice.delete(`/api/v1/statuses/${id}`);
  await server.db
    .updateTable('statuses')
    .set({ deleted_at: now })
    .where('uri', '=', 'https://far.test/posts/1')
    .execute();
  await count(server);
  await server.runSchedule('measures.count_past');
  expect(await loadDimension(staff, 'servers')).toEqual([['far.test', '2']]);
  server.expectUndelivered('far.test');
});

test('ADM-07: measures, dimensions: hashtags are counted by account, server and language', async () => {
  await using server = await startOnTenth();
  const staff = await createStaff(server);
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const far = await storeRemote(server, 'far');
  const status = 'Look at the #birds';
  const { id } = (await alice.post('/api/v1/statuses', { status, language: 'en' })).json;
  await bob.post('/api/v1/statuses', { status, language: 'de', visibility: 'unlisted' });
  await bob.post('/api/v1/statuses', { status, visibility: 'private' });
  await storeRemoteStatus(server.app, {
    uri: 'https://far.test/posts/1',
    accountId: far,
    content: '<p>far #birds</p>',
    visibility: 'public',
    tags: ['birds'],
    publishedAt: new Date('2026-03-09T10:00:00Z'),
    language: 'en',
  });
  server.clock.advance(daySeconds);
  await alice.post('/api/v1/statuses', { status, language: 'en' });
  await count(server);
  await server.runSchedule('measures.count_past');
  const tag = await server.app.db.selectFrom('tags').select('id').where('name', '=', 'birds').executeTakeFirstOrThrow();
  const keys = ['tag_accounts', 'tag_uses', 'tag_servers'];
  const params = { ...Object.fromEntries([...keys, 'tag_languages'].map((key) => [key, tag])), end_at: '2026-03-11' };
  expect(await load(staff, { keys, ...params })).toEqual({
    tag_accounts: ['3', '0', '1', '2', '1'],
    tag_uses: ['4', '0', '1', '2', '1'],
    tag_servers: ['2', '0', '1', '1', '1'],
  });
  expect(await loadDimension(staff, 'tag_servers', params)).toEqual([
    ['fieldfare.test', '3'],
    ['far.test', '1'],
  ]);
  expect(await loadDimension(staff, 'tag_languages', params)).toEqual([
    ['en', '3'],
    ['de', '1'],
  ]);
  // After an edit without the hashtag, its day is counted again.
  await alice.put(`/api/v1/statuses/${id}`, { status: 'Nothing to see' });
  await server.runSchedule('measures.count_past');
  await server.runSchedule('measures.count_past');
  expect((await load(staff, { keys, ...params }))['tag_uses']).toEqual(['3', '0', '1', '1', '1']);
});

test('ADM-07: active users of a range are different people, however often each was active', async () => {
  const activity = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 5 })), { minLength: 6, maxLength: 6 });
  await using server = await startOnTenth();
  const staff = await createStaff(server);
  const users: UserId[] = [];
  for (let index = 0; index < 6; index += 1) users.push((await server.user(`user${index}`)).userId);
  const isActive = async (userId: UserId): Promise<void> => {
    touchUser(server.app, { userId });
    await vi.waitFor(async () => {
      const { rows } = await server.pool.query('select last_active_at as at from users where id = $1', [userId]);
      expect(rows[0].at).toEqual(server.clock.now());
    });
  };
  await fc.assert(
    fc.asyncProperty(activity, fc.nat(5), fc.nat(5), async (days, a, b) => {
      server.clock.advance(daySeconds);
      const first = server.clock.now().getTime();
      for (const indexes of days) {
        for (const index of indexes) await isActive(users[index] ?? staff.userId);
        server.clock.advance(daySeconds);
      }
      // The staff member is active today, after those days.
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      const dayOf = (index: number) => new Date(first + index * daySeconds * 1000).toISOString();
      const { active_users: found = [] } = await load(staff, {
        keys: ['active_users'],
        start_at: dayOf(from),
        end_at: dayOf(to),
      });
      const shown = days.slice(from, to + 1);
      expect([found[0], ...found.slice(2)]).toEqual([
        String(new Set(shown.flat()).size),
        ...shown.map((indexes) => String(indexes.length)),
      ]);
    }),
    { numRuns: 4 },
  );
});

test('ADM-07: retention has the users of each period who were active in or after the later ones', async () => {
  await using server = await startServer({ clock: new ManualClock(new Date('2026-01-30T12:00:00Z')) });
  const staff = await createStaff(server);
  const users = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const set = (index: number, lastActive: string | null) =>
    server.db
      .updateTable('users')
      .set({ last_active_at: lastActive === null ? null : new Date(lastActive) })
      .where('id', '=', users[index]?.userId ?? staff.userId)
      .execute();
  await set(0, '2026-03-01T00:00:00Z');
  await set(1, '2026-02-01T00:00:00Z');
  await set(2, null);
  server.clock.advance(2 * daySeconds);
  await server.user('dora');
  await count(server);
  const load = async (body: object) => {
    const { status, text, json } = await staff.post(retention, body);
    expect(status, text).toBe(200);
    return json;
  };
  const time = (day: string) => `${day}T00:00:00.000Z`;
  expect(await load({ start_at: '2026-01-30', end_at: '2026-03-05', frequency: 'month' })).toEqual([
    {
      period: time('2026-01-01'),
      frequency: 'month',
      data: [
        { date: time('2026-01-01'), rate: 0.75, value: '3' },
        { date: time('2026-02-01'), rate: 0.5, value: '2' },
        { date: time('2026-03-01'), rate: 0.25, value: '1' },
      ],
    },
    {
      period: time('2026-02-01'),
      frequency: 'month',
      data: [
        { date: time('2026-02-01'), rate: 1, value: '1' },
        { date: time('2026-03-01'), rate: 0, value: '0' },
      ],
    },
    { period: time('2026-03-01'), frequency: 'month', data: [{ date: time('2026-03-01'), rate: 0, value: '0' }] },
  ]);
  const byDay = await load({ start_at: '2026-01-30T08:00:00+01:00', end_at: '2026-02-01', frequency: 'day' });
  expect(byDay.map(({ data }: { data: { value: string }[] }) => data.map(({ value }) => value))).toEqual([
    ['3', '2', '2'],
    ['0', '0'],
    ['1'],
  ]);
});

test('ADM-07: invalid parameters are refused and named, after the permission was checked', async () => {
  await using server = await startOnTenth();
  const staff = await createStaff(server);
  const cases: readonly (readonly [path: string, body: object, status: number, error: string])[] = [
    [measures, range, 400, 'keys'],
    [measures, { keys: ['new_users'], end_at: '2026-03-10' }, 400, 'start_at'],
    [measures, { keys: ['new_users'], start_at: '2026-03-10' }, 400, 'end_at'],
    [
      measures,
      { keys: ['new_users'], start_at: 'soon', end_at: '2026-03-10' },
      422,
      'Start at is not a date such as 2026-12-31: soon',
    ],
    [measures, { keys: ['new_users'], start_at: '2026-03-10', end_at: '2026-13-45' }, 422, 'End at is not a date'],
    [
      measures,
      { keys: ['new_users'], start_at: '2026-03-10', end_at: '2026-03-09' },
      422,
      'End at must be after the start',
    ],
    [
      measures,
      { keys: Array.from({ length: 51 }, () => 'new_users'), ...range },
      422,
      'Keys are too many (maximum is 50)',
    ],
    [measures, { keys: ['tag_uses'], ...range }, 400, 'tag_uses[id]'],
    [measures, { keys: ['tag_uses'], tag_uses: { id: '1' }, ...range }, 404, 'Record not found'],
    [measures, { keys: ['tag_uses'], tag_uses: { id: 'birds' }, ...range }, 404, 'Record not found'],
    [measures, { keys: ['instance_accounts'], ...range }, 400, 'instance_accounts[domain]'],
    [
      measures,
      { keys: ['instance_accounts'], instance_accounts: { domain: 'no domain' }, ...range },
      422,
      'Domain is not a valid domain name',
    ],
    [dimensions, range, 400, 'keys'],
    [dimensions, { keys: ['servers'], end_at: 'soon' }, 422, 'is not a date'],
    [dimensions, { keys: ['tag_servers'] }, 400, 'tag_servers[id]'],
    [dimensions, { keys: ['tag_languages'], tag_languages: { id: '1' } }, 404, 'Record not found'],
    [dimensions, { keys: ['instance_languages'] }, 400, 'instance_languages[domain]'],
    [retention, { ...range }, 400, 'frequency'],
    [retention, { frequency: 'day', end_at: '2026-03-10' }, 400, 'start_at'],
    [retention, { frequency: 'day', start_at: '2026-03-10' }, 400, 'end_at'],
    [retention, { ...range, frequency: 'week' }, 422, 'frequency must be one of day, month'],
    [
      retention,
      { frequency: 'day', start_at: '2026-01-01', end_at: '2026-04-03' },
      422,
      'End at must be at most 92 days after the start',
    ],
    [
      retention,
      { frequency: 'month', start_at: '2024-01-01', end_at: '2026-01-02' },
      422,
      'End at must be at most 731 days',
    ],
  ];
  for (const [path, body, status, error] of cases) {
    const response = await staff.post(path, body);
    expect([response.status, response.json.error], JSON.stringify(body)).toEqual([
      status,
      expect.stringContaining(error),
    ]);
  }
  // Longer ranges are clipped.
  const long = await staff.post(measures, { keys: ['new_users'], start_at: '1990-01-01', end_at: '2026-03-10' });
  expect(long.json[0].data).toHaveLength(731);
  expect(long.json[0].data.at(-1).date).toBe('2026-03-10T00:00:00.000Z');

  // Nothing is parsed for callers without the permission, and nothing is counted for invalid parameters.
  const user = await server.user('alice', { scopes: 'admin:read' });
  for (const path of [measures, dimensions, retention]) {
    const body = { frequency: 'week', start_at: 'soon', end_at: '9999999-01-01' };
    expect((await server.anonymous.post(path, body)).status).toBe(401);
    expect((await user.post(path, body)).status).toBe(403);
  }
});

test('ADM-07: counts of active users are deleted after four years', async () => {
  await using server = await startOnTenth();
  await createStaff(server);
  await server.pool.query(
    `insert into active_user_counts (day, previous_day, number) values ('2022-03-01', '-infinity', 2), ('2022-04-01', '2022-03-01', 1)`,
  );
  await server.runSchedule('user.clean_up_active_counts');
  const { rows } = await server.pool.query('select day::text, number from active_user_counts order by day');
  expect(rows).toEqual([
    { day: '2022-04-01', number: 1 },
    { day: '2026-03-10', number: 1 },
  ]);
});
