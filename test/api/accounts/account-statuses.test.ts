import { clearCaches } from '../../../server/platform/write/publish.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { storeRemoteAccount } from '../../../server/accounts/remote/index.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { storeRemoteStatus } from '../../../server/statuses/remote/index.ts';
import { startServer, walk, type TestUser } from '../../server.ts';

async function post(user: TestUser, status: string, more: object = {}) {
  const response = await user.post('/api/v1/statuses', { status, ...more });
  if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
  return response.json.id as string;
}

const statusesOf = (user: { id: string }, query = '') => `/api/v1/accounts/${user.id}/statuses?${query}`;

const idsAt = async (client: { get: TestUser['get'] }, url: string): Promise<string[]> =>
  (await client.get(url)).json.map(({ id }: { id: string }) => id);

test('ACC-09: replies to others, reblogs and direct statuses can be excluded, and a hashtag selected', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const other = await post(bob, 'other');
  const plain = await post(alice, 'plain #One');
  const self = await post(alice, 'to myself #two', { in_reply_to_id: plain });
  const reply = await post(alice, 'to bob', { in_reply_to_id: other });
  const direct = await post(alice, '@bob', { visibility: 'direct' });
  const wrapper = (await alice.post(`/api/v1/statuses/${other}/reblog`)).json.id;
  const all = [wrapper, direct, reply, self, plain];
  expect(await idsAt(alice, statusesOf(alice))).toEqual(all);
  expect(await idsAt(alice, statusesOf(alice, 'exclude_replies=true'))).toEqual([wrapper, direct, self, plain]);
  expect(await idsAt(alice, statusesOf(alice, 'exclude_reblogs=1'))).toEqual([direct, reply, self, plain]);
  expect(await idsAt(alice, statusesOf(alice, 'exclude_direct=true'))).toEqual([wrapper, reply, self, plain]);
  expect(await idsAt(alice, statusesOf(alice, 'exclude_direct=true&exclude_replies=on&exclude_reblogs=t'))).toEqual([
    self,
    plain,
  ]);
  expect(await idsAt(alice, statusesOf(alice, 'exclude_replies=false'))).toEqual(all);
  expect(await idsAt(alice, statusesOf(alice, 'tagged=ONE'))).toEqual([plain]);
  expect(await idsAt(alice, statusesOf(alice, 'tagged=unheard'))).toEqual([]);
  expect(await idsAt(alice, statusesOf(alice, 'only_media=true'))).toEqual([]);
});

test('ACC-09: only_media returns the statuses with attachments', async () => {
  await using server = await startServer();
  const uri = 'https://far.test/users/zoe';
  const zoe = await transaction(server.app, (tx) =>
    storeRemoteAccount(tx, server.app, { uri, username: 'zoe', domain: 'far.test', inboxUrl: `${uri}/inbox` }),
  );
  const store = (name: string, attachments: { url: string }[], tags: string[] = []) =>
    storeRemoteStatus(server.app, {
      uri: `https://far.test/${name}`,
      accountId: zoe,
      content: name,
      visibility: 'public',
      attachments,
      tags,
      publishedAt: server.clock.now(),
    });
  await store('text', [], ['birds']);
  const image = await store('image', [{ url: 'https://far.test/a.png' }]);
  const tagged = await store('tagged', [{ url: 'https://far.test/b.png' }], ['birds']);
  const found = await idsAt(server.anonymous, statusesOf({ id: zoe }, 'only_media=true'));
  expect(found.toSorted()).toEqual([image, tagged].toSorted());
  expect(await idsAt(server.anonymous, statusesOf({ id: zoe }, 'only_media=true&tagged=birds'))).toEqual([tagged]);
});

test('ACC-09: a profile lists only the statuses that the viewer may see', async () => {
  await using server = await startServer();
  const [alice, follower, bob] = [await server.user('alice'), await server.user('follower'), await server.user('bob')];
  await follower.post(`/api/v1/accounts/${alice.id}/follow`);
  const ids: Record<string, string> = {};
  for (const visibility of ['public', 'unlisted', 'private', 'direct'])
    ids[visibility] = await post(alice, '@bob', { visibility });
  const open = [ids['unlisted'], ids['public']];
  const everything = [ids['direct'], ids['private'], ...open];
  expect(await idsAt(server.anonymous, statusesOf(alice))).toEqual(open);
  expect(await idsAt(await server.user('stranger'), statusesOf(alice))).toEqual(open);
  expect(await idsAt(follower, statusesOf(alice))).toEqual([ids['private'], ...open]);
  expect(await idsAt(bob, statusesOf(alice))).toEqual(everything);
  expect(await idsAt(alice, statusesOf(alice))).toEqual(everything);
  await bob.post(`/api/v1/accounts/${alice.id}/block`);
  expect(await idsAt(bob, statusesOf(alice))).toEqual(everything);
  await alice.post(`/api/v1/accounts/${follower.id}/block`);
  expect(await idsAt(follower, statusesOf(alice))).toEqual([]);
  expect((await bob.get(statusesOf({ id: '12345' }))).status).toBe(404);
  await server.db
    .updateTable('accounts')
    .set({ suspended_at: server.clock.now() })
    .where('id', '=', alice.id)
    .execute();
  clearCaches(server.app);
  expect(await idsAt(bob, statusesOf(alice))).toEqual([]);
});

test('ACC-09: a profile leaves out reblogs of accounts that the viewer mutes or that block the viewer', async () => {
  await using server = await startServer();
  const [alice, bob, viewer] = [await server.user('alice'), await server.user('bob'), await server.user('viewer')];
  const other = await post(bob, 'other');
  await alice.post(`/api/v1/statuses/${other}/reblog`);
  expect(await idsAt(viewer, statusesOf(alice))).toHaveLength(1);
  await bob.post(`/api/v1/accounts/${viewer.id}/block`);
  expect(await idsAt(viewer, statusesOf(alice))).toEqual([]);
  await bob.post(`/api/v1/accounts/${viewer.id}/unblock`);
  expect(await idsAt(viewer, statusesOf(alice))).toHaveLength(1);
  await viewer.post(`/api/v1/accounts/${bob.id}/mute`);
  expect(await idsAt(viewer, statusesOf(alice))).toEqual([]);
});

test('PAG-02: max_id returns older statuses, min_id the next newer ones, since_id the newest ones', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const ids: string[] = [];
  for (let index = 0; index < 10; index += 1) ids.unshift(await post(alice, String(index)));
  expect(await idsAt(alice, statusesOf(alice, `max_id=${ids[3]}&limit=3`))).toEqual(ids.slice(4, 7));
  expect(await idsAt(alice, statusesOf(alice, `min_id=${ids[6]}&limit=3`))).toEqual(ids.slice(3, 6));
  expect(await idsAt(alice, statusesOf(alice, `since_id=${ids[6]}&limit=3`))).toEqual(ids.slice(0, 3));
  expect(await idsAt(alice, statusesOf(alice, `max_id=${ids[2]}&min_id=${ids[6]}`))).toEqual(ids.slice(3, 6));
  expect((await alice.get(statusesOf(alice, 'max_id=abc'))).status).toBe(404);
});

test('PAG-03: the Link header has absolute URLs that keep the other parameters', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (let index = 0; index < 4; index += 1) await post(alice, `${index} #a`);
  const response = await alice.get(statusesOf(alice, 'tagged=a&exclude_replies=true&limit=2'));
  const ids = response.json.map(({ id }: { id: string }) => id);
  const base = `https://fieldfare.test/api/v1/accounts/${alice.id}/statuses?tagged=a&exclude_replies=true&limit=2`;
  expect(response.headers['link']).toBe(
    `<${base}&max_id=${ids[1]}>; rel="next", <${base}&min_id=${ids[0]}>; rel="prev"`,
  );
  expect((await alice.get(statusesOf(await server.user('bob')))).headers['link']).toBeUndefined();
});

test('PAG-06: a limit over the maximum counts as the maximum, a negative one as its absolute value', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  for (let index = 0; index < 42; index += 1) await post(alice, String(index));
  const count = async (limit: string) => (await idsAt(alice, statusesOf(alice, `limit=${limit}`))).length;
  expect(await Promise.all(['500', '40', '7', '0', '-3', 'many', ''].map(count))).toEqual([40, 40, 7, 0, 3, 20, 20]);
});

test('PAG-05: paging forward and back returns each status exactly once, even while statuses are added', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const other = await post(bob, 'other');
  await bob.post(`/api/v1/accounts/${(await server.user('carol')).id}/block`);
  const ids: string[] = [];
  for (let index = 0; index < 25; index += 1) {
    if (index === 9) ids.unshift((await alice.post(`/api/v1/statuses/${other}/reblog`)).json.id);
    else ids.unshift(await post(alice, String(index)));
  }
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.boolean(), async (limit, adds) => {
      const start = statusesOf(alice, `limit=${limit}`);
      const added: string[] = [];
      const seen: string[] = [];
      let oldest = start;
      for (let next: string | undefined = start; next !== undefined;) {
        const response = await alice.get(next);
        seen.push(...response.json.map(({ id }: { id: string }) => id));
        if (response.json.length > 0) oldest = next;
        next = response.links.next?.href;
        if (adds && added.length < 2) added.unshift(await post(alice, 'meanwhile'));
      }
      expect(seen).toEqual(ids);
      ids.unshift(...added);
      const last = await alice.get(oldest);
      const back: string[] = last.json.map(({ id }: { id: string }) => id);
      for (let prev = last.links.prev?.href; prev !== undefined;) {
        const response = await alice.get(prev);
        back.unshift(...response.json.map(({ id }: { id: string }) => id));
        prev = response.links.prev?.href;
      }
      expect(back).toEqual(ids);
    }),
    { numRuns: 12 },
  );
  expect((await walk(alice, statusesOf(alice, 'limit=7'))).map(({ id }) => id)).toEqual(ids);
});
