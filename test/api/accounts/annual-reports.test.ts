import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import { chooseArchetype } from '../../../server/annual-reports/build-report.ts';
import { clearCaches } from '../../../server/platform/write/publish.ts';
import { ManualClock } from '../../../server/platform/clock.ts';
import { changeSiteSettings } from '../../../server/site/index.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const reports = '/api/v1/annual_reports';
const year = 2030;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ clock: new ManualClock(new Date(`${year}-12-01T12:00:00Z`)) });
});
afterAll(() => server[Symbol.asyncDispose]());

const postAs = async (user: TestUser, status: string, more: object = {}): Promise<string> => {
  server.clock.advance(1);
  const response = await user.post('/api/v1/statuses', { status, ...more });
  expect(response.status, response.text).toBe(200);
  return response.json.id;
};

const stateOf = async (user: TestUser, of: number | string = year): Promise<string> =>
  (await user.get(`${reports}/${of}/state`)).json.state;

/** Moves the clock to a time of the campaign's December. */
function goTo(time: string): void {
  server.clock.advance((Date.parse(`${year}-12-${time}Z`) - server.clock.now().getTime()) / 1000);
}

test('a report can be generated from 10 December on, by users who posted in public and used a hashtag', async () => {
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  await postAs(alice, 'first #Birds');
  await postAs(bob, 'no tag');
  await postAs(carol, 'private #birds', { visibility: 'private' });
  expect((await alice.post(`${reports}/${year}/generate`)).json).toEqual({});
  const wrapstodon = async () => {
    // Instance data may be a minute old.
    clearCaches(server.app);
    return (await server.anonymous.get('/api/v2/instance')).json.wrapstodon;
  };
  expect([await stateOf(alice), await wrapstodon()]).toEqual(['ineligible', null]);
  goTo('10T00:00:00');
  expect([await stateOf(alice), await stateOf(bob), await stateOf(carol)]).toEqual([
    'eligible',
    'ineligible',
    'ineligible',
  ]);
  expect(await wrapstodon()).toBe(year);
  for (const other of [year - 1, year + 1, 'x', '20300', '-1']) {
    expect(await stateOf(alice, other), String(other)).toBe('ineligible');
    expect((await alice.post(`${reports}/${other}/generate`)).json).toEqual({});
    expect((await alice.get(`${reports}/${other}`)).status).toBe(404);
    expect((await alice.post(`${reports}/${other}/read`)).status).toBe(404);
  }
  await changeSiteSettings(server.app, 'system', { annualReports: false });
  expect([await stateOf(alice), await wrapstodon()]).toEqual(['ineligible', null]);
  expect((await alice.post(`${reports}/${year}/generate`)).status).toBe(200);
  await changeSiteSettings(server.app, 'system', { annualReports: null });
  expect(await server.app.db.selectFrom('annual_reports').selectAll().execute()).toEqual([]);
});

test('the hashtag of a report is that of public and unlisted posts', async () => {
  const greta = await server.user('greta');
  goTo('11T12:00:00');
  for (const visibility of ['private', 'direct', 'private']) await postAs(greta, 'about #illness', { visibility });
  await postAs(greta, 'one #garden', { visibility: 'unlisted' });
  await postAs(greta, 'two #garden');
  await greta.post(`${reports}/${year}/generate`);
  await server.drain();
  const { json } = await greta.get(`${reports}/${year}`);
  expect(json.annual_reports[0].data.top_hashtags).toEqual([{ name: expect.stringMatching(/^garden$/i), count: 2 }]);
  expect(json.annual_reports[0].data.time_series).toMatchObject([{ statuses: 5 }]);
});

test('a report has the totals, the archetype, the hashtag and the post of the year', async () => {
  const [dora, erin] = [await server.user('dora'), await server.user('erin')];
  goTo('11T12:00:00');
  await erin.post(`/api/v1/accounts/${dora.id}/follow`);
  await postAs(dora, 'one #Birds');
  const liked = await postAs(dora, 'two #birds #cats');
  const hidden = await postAs(dora, 'three', { visibility: 'private' });
  await postAs(dora, '@erin four', { in_reply_to_id: await postAs(erin, 'hello') });
  await postAs(dora, 'five', { in_reply_to_id: liked });
  await dora.post(`/api/v1/statuses/${await postAs(erin, 'mine')}/reblog`);
  await erin.post(`/api/v1/statuses/${liked}/reblog`);
  await server.drain();
  const started = await dora.post(`${reports}/${year}/generate`);
  const header = String(started.headers['mastodon-async-refresh']);
  expect([started.status, started.text, header]).toEqual([202, '', expect.stringMatching(/^id="[\w.-]+", retry=2$/)]);
  const again = await dora.post(`${reports}/${year}/generate`);
  expect([again.status, again.headers['mastodon-async-refresh']]).toEqual([202, header]);
  const generating = await dora.get(`${reports}/${year}/state`);
  expect([generating.json, generating.headers['mastodon-async-refresh']]).toEqual([{ state: 'generating' }, header]);
  const refresh = async () =>
    (await dora.get(`/api/v1_alpha/async_refreshes/${header.split('"')[1]}`)).json.async_refresh.status;
  expect(await refresh()).toBe('running');
  // Jobs may run twice.
  await server.pool.query(
    `insert into jobs (queue, name, data, run_at) select queue, name, data, run_at from jobs where name = 'annual_report.generate'`,
  );
  await server.drain();
  expect([await refresh(), await stateOf(dora)]).toEqual(['finished', 'available']);
  expect((await dora.post(`${reports}/${year}/generate`)).status).toBe(200);
  const { json } = await dora.get(`${reports}/${year}`);
  const shareUrl = json.annual_reports[0].share_url as string;
  expect(json.annual_reports).toEqual([
    {
      year,
      data: {
        archetype: 'lurker',
        time_series: [{ month: 12, statuses: 6, followers: 1 }],
        top_hashtags: [{ name: expect.stringMatching(/^birds$/i), count: 2 }],
        top_statuses: { by_reblogs: liked, by_favourites: null, by_replies: null },
      },
      schema_version: 2,
      share_url: expect.stringMatching(/^https:\/\/fieldfare\.test\/@dora\/wrapstodon\/2030\/[0-9a-f]{24}$/),
      account_id: dora.id,
    },
  ]);
  expect(json.accounts).toEqual([expect.objectContaining({ id: dora.id, acct: 'dora' })]);
  expect(json.statuses).toEqual([expect.objectContaining({ id: liked, favourited: false })]);
  expect(JSON.stringify(json)).not.toContain(hidden);

  // It is listed until it is marked as seen.
  expect((await dora.get(reports)).json).toEqual(json);
  expect((await erin.get(reports)).json).toEqual({ annual_reports: [], accounts: [], statuses: [] });
  expect((await erin.get(`${reports}/${year}`)).status).toBe(404);
  for (let round = 0; round < 2; round += 1) expect((await dora.post(`${reports}/${year}/read`)).json).toEqual({});
  expect((await dora.get(reports)).json.annual_reports).toEqual([]);
  expect((await dora.get(`${reports}/${year}`)).json).toEqual(json);

  // Its page can be seen with the link only, and without a post that was deleted since.
  const path = new URL(shareUrl).pathname;
  const page = await server.anonymous.get(path);
  expect(page.status).toBe(200);
  expect(page.text).toContain('6 posts &middot;\n  1 new follower &middot;');
  expect(page.text).toContain('two');
  expect((await server.anonymous.get(path.slice(0, -1))).status).toBe(404);
  expect((await server.anonymous.get(path.replace(String(year), String(year - 1)))).status).toBe(404);
  expect((await server.anonymous.get(path.replace('dora', 'erin'))).status).toBe(404);
  await dora.delete(`/api/v1/statuses/${liked}`);
  const { annual_reports: after, statuses } = (await dora.get(`${reports}/${year}`)).json;
  expect([after[0].data.top_statuses.by_reblogs, statuses]).toEqual([null, []]);
  expect((await server.anonymous.get(path)).text).not.toContain('two');
  await deleteAccount(server.app, dora.id);
  await server.drain();
  expect((await server.anonymous.get(path)).status).toBe(404);
});

test('a report that is requested just before an account is deleted is not stored', async () => {
  const fred = await server.user('fred');
  goTo('12T12:00:00');
  await fred.post(`${reports}/${year}/generate`);
  await deleteAccount(server.app, fred.id);
  await server.drain();
  const rows = await server.app.db
    .selectFrom('annual_reports')
    .select('year')
    .where('account_id', '=', fred.id)
    .execute();
  expect(rows).toEqual([]);
});

test('reports are read and changed with the scopes of accounts', async () => {
  const gina = await server.user('gina');
  goTo('13T12:00:00');
  const calls: ['get' | 'post', string, string][] = [
    ['get', reports, 'read:statuses'],
    ['get', `${reports}/${year}`, 'read:statuses'],
    ['get', `${reports}/${year}/state`, 'read:statuses'],
    ['post', `${reports}/${year}/generate`, 'write:statuses'],
    ['post', `${reports}/${year}/read`, 'write:statuses'],
  ];
  for (const [method, path, scope] of calls) {
    const app = await server.appToken();
    const [other, right] = [
      await server.withScopes(gina, scope),
      await server.withScopes(gina, scope.replace('statuses', 'accounts')),
    ];
    const statuses = [server.anonymous, app, other].map(async (caller) => (await caller[method](path)).status);
    expect([path, ...(await Promise.all(statuses))]).toEqual([path, 401, 422, 403]);
    expect([200, 202, 404]).toContain((await right[method](path)).status);
  }
  await server.drain();
});

test('the campaign ends with the year', async () => {
  const hugo = await server.user('hugo');
  await postAs(hugo, '#birds');
  goTo('31T23:59:59');
  expect(await stateOf(hugo)).toBe('eligible');
  server.clock.advance(1);
  expect([await stateOf(hugo), await stateOf(hugo, year + 1)]).toEqual(['ineligible', 'ineligible']);
  expect((await hugo.post(`${reports}/${year}/generate`)).status).toBe(200);
});

test('the archetype follows what an account posted most', () => {
  const none = { standalone: 0, replies: 0, reblogs: 0, polls: 0 };
  expect(chooseArchetype({ ...none, standalone: 112 })).toBe('lurker');
  expect(chooseArchetype({ ...none, standalone: 113 })).toBe('oracle');
  expect(chooseArchetype({ ...none, standalone: 50, reblogs: 101 })).toBe('booster');
  expect(chooseArchetype({ ...none, standalone: 100, reblogs: 100, polls: 11 })).toBe('pollster');
  expect(chooseArchetype({ ...none, standalone: 100, replies: 201, polls: 10 })).toBe('replier');
  const count = fc.nat(10_000);
  fc.assert(
    fc.property(fc.record({ standalone: count, replies: count, reblogs: count, polls: count }), (counts) => {
      const isLurker = counts.standalone + counts.replies + counts.reblogs < 113;
      return (chooseArchetype(counts) === 'lurker') === isLurker;
    }),
  );
});
