import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reindexBatch } from '../../../server/search/index.ts';
import { Network } from '../../network.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id);
const maxBigint = '9223372036854775807';

async function find(user: TestUser, q: string): Promise<string[]> {
  const { json } = await user.get(`/api/v2/search?type=statuses&q=${encodeURIComponent(q)}`);
  return ids(json.statuses);
}

const indexed = async (server: TestServer): Promise<string[]> => {
  const { rows } = await server.pool.query<{ status_id: string }>(
    'select status_id from status_search order by status_id desc',
  );
  return rows.map((row) => row.status_id);
};

test('SRC-02: words, phrases, hashtags, polls and image descriptions are found in any script', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const post = async (status: string, more: object = {}): Promise<string> =>
    (await alice.post('/api/v1/statuses', { status, ...more })).json.id;
  const japanese = await post('今日は東京都でカワセミを見ました。猫はいません。');
  const korean = await post('오늘 학교에서 새를 보았다');
  const thai = await post('วันนี้ฉันเห็นนกกระเต็น');
  const french = await post("L'oiseau s'envole — d'où vient-il ?");
  const tagged = await post('a walk #birds #Zürich');
  const plain = await post('birds in Zürich');
  const poll = await post('Which?', { poll: { options: ['Kingfisher', 'Egret'], expires_in: 600 } });
  await server.drain();

  expect(await find(alice, '東京')).toEqual([japanese]);
  expect(await find(alice, '東京都')).toEqual([japanese]);
  expect(await find(alice, '京都')).toEqual([japanese]);
  expect(await find(alice, 'カワセミ')).toEqual([japanese]);
  expect(await find(alice, 'カワ 猫')).toEqual([japanese]);
  expect(await find(alice, '都東')).toEqual([]);
  expect(await find(alice, '見猫')).toEqual([]);
  expect(await find(alice, '학교')).toEqual([korean]);
  expect(await find(alice, 'นก')).toEqual([thai]);
  expect(await find(alice, 'oiseau')).toEqual([french]);
  expect(await find(alice, "d'ou vient")).toEqual([french]);
  expect(await find(alice, '#birds')).toEqual([tagged]);
  expect(await find(alice, '#ZÜRICH -#crows')).toEqual([tagged]);
  expect(await find(alice, 'birds')).toEqual([plain, tagged]);
  expect(await find(alice, 'birds -#birds')).toEqual([plain]);
  expect(await find(alice, 'kingfisher')).toEqual([poll]);
  expect(await find(alice, '"kingfisher egret"')).toEqual([]);
  expect(await find(alice, 'の')).toEqual([]);
});

test('SRC-02: edits and deletions change the index', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json } = await alice.post('/api/v1/statuses', { status: 'a heron' });
  await server.drain();
  expect(await find(alice, 'heron')).toEqual([json.id]);
  await alice.put(`/api/v1/statuses/${json.id}`, { status: 'an egret' });
  await server.drain();
  expect(await find(alice, 'heron')).toEqual([]);
  expect(await find(alice, 'egret')).toEqual([json.id]);
  await alice.delete(`/api/v1/statuses/${json.id}`);
  await server.drain();
  expect(await indexed(server)).toEqual([]);
});

test('SRC-02: remote posts are indexed if their author is indexable or a local account uses them', async () => {
  await using network = new Network();
  const here = await network.start('here.test');
  const there = await network.start('there.test');
  const [alice, carol] = [await here.user('alice'), await there.user('carol')];
  const account = (await alice.get('/api/v2/search?q=carol@there.test&resolve=true')).json.accounts[0];
  await alice.post(`/api/v1/accounts/${account.id}/follow`);
  await network.drain();
  const post = async (status: string, more: object = {}): Promise<void> => {
    await carol.post('/api/v1/statuses', { status, ...more });
    await network.drain();
  };
  for (const name of ['plain', 'liked', 'saved', 'boosted']) await post(`${name} plover`);
  await post('plover?', { poll: { options: ['yes', 'no'], expires_in: 600 } });
  await post('@alice@here.test named plover', { visibility: 'private' });
  const { json: timeline } = await alice.get(`/api/v1/accounts/${account.id}/statuses`);
  const [named, poll, boosted, saved, liked, plain] = ['named', 'plover?', 'boosted', 'saved', 'liked', 'plain'].map(
    (word) => timeline.find(({ content }: { content: string }) => content.includes(word)),
  );
  const newestFirst = (posts: { id: string }[]): string[] =>
    ids(posts).toSorted((a, b) => Number(BigInt(b) - BigInt(a)));
  expect(await indexed(here)).toEqual([named.id]);
  await alice.post(`/api/v1/statuses/${liked.id}/favourite`);
  await alice.post(`/api/v1/statuses/${saved.id}/bookmark`);
  await alice.post(`/api/v1/statuses/${boosted.id}/reblog`);
  await alice.post(`/api/v1/polls/${poll.poll.id}/votes`, { choices: [0] });
  await network.drain();
  expect(await find(alice, 'plover')).toEqual(newestFirst([named, poll, boosted, saved, liked]));
  await carol.patch('/api/v1/accounts/update_credentials', { indexable: true });
  await network.drain();
  expect(await find(alice, 'plover')).toEqual(newestFirst([named, poll, boosted, saved, liked, plain]));
  await carol.patch('/api/v1/accounts/update_credentials', { indexable: false });
  await network.drain();
  expect(await indexed(here)).toEqual(newestFirst([named, poll, boosted, saved, liked]));
});

test('SRC-02: the index is built again in batches', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (let number = 0; number < 3; number += 1)
    await alice.post('/api/v1/statuses', { status: `${number} herons`, language: 'en' });
  await server.drain();
  const before = await indexed(server);
  await server.pool.query('delete from status_search');
  expect(await find(alice, 'heron')).toEqual([]);
  const last = await reindexBatch(server.app, maxBigint);
  expect(last).toBe(before.at(-1));
  expect(await reindexBatch(server.app, last ?? '')).toBeUndefined();
  expect(await indexed(server)).toEqual(before);
  expect(await find(alice, 'heron')).toEqual(before);
});

test('SRC-02: a batch of the index that runs again after a crash does not store the next one twice', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.pool.query(
    `insert into statuses (id, account_id, uri, local, text, visibility, created_at)
     select n, $1, 'https://fieldfare.test/' || n, true, 'a heron', 'public', now() from generate_series(1, 501) n`,
    [alice.id],
  );
  const runBatch = () =>
    server.app.subscriptions.job('search.reindex_statuses')?.run(server.app, { before: maxBigint });
  for (let run = 0; run < 2; run += 1) await runBatch();
  const { rows } = await server.pool.query(`select data from jobs where name = 'search.reindex_statuses'`);
  expect(rows).toEqual([{ data: { before: '2' } }]);
  await server.drain();
  expect(await indexed(server)).toHaveLength(501);
});

test('SRC-01: walking through the pages of a search visits each post once', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const expected: string[] = [];
  for (let number = 0; number < 12; number += 1) {
    // Half of them may not be found, and some are in other windows of time.
    const author = number % 2 === 0 ? alice : bob;
    const { json } = await author.post('/api/v1/statuses', { status: `plover ${number} "grey ${number % 3}"` });
    if (author === alice) expected.unshift(json.id);
    server.clock.advance(number * 3_000_000);
  }
  await server.drain();
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom('plover', '"plover"', 'from:me'),
      async (limit, q) => {
        const seen: string[] = [];
        let path: string | undefined = `/api/v2/search?type=statuses&q=${encodeURIComponent(q)}&limit=${limit}`;
        for (let pages = 0; path !== undefined && pages < 20; pages += 1) {
          const { json, links } = await alice.get(path);
          seen.push(...ids(json.statuses));
          path = links.next === undefined ? undefined : `${links.next.pathname}${links.next.search}`;
        }
        expect(seen).toEqual(expected);
        const upwards: string[] = [];
        for (let minId = '0'; ;) {
          const { json } = await alice.get(
            `/api/v2/search?type=statuses&q=${encodeURIComponent(q)}&limit=${limit}&min_id=${minId}`,
          );
          if (json.statuses.length === 0) break;
          upwards.unshift(...ids(json.statuses));
          minId = json.statuses[0].id;
        }
        expect(upwards).toEqual(expected);
        const byOffset = await alice.get(
          `/api/v2/search?type=statuses&q=${encodeURIComponent(q)}&limit=2&offset=${limit}`,
        );
        expect(ids(byOffset.json.statuses)).toEqual(expected.slice(limit, limit + 2));
      },
    ),
    { numRuns: 8 },
  );
});
