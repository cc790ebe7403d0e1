import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { transaction } from '../../../server/platform/write/transaction.ts';
import type { StatusId } from '../../../server/platform/ids.ts';
import { loadThreadReplies, maxThreadReplies, replyCache } from '../../../server/statuses/read/thread-replies.ts';
import { purgeRemoteStatuses } from '../../../server/statuses/remote/index.ts';
import { postBy } from '../../feeds.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const statuses = '/api/v1/statuses';

async function listThread(user: TestUser, id: string): Promise<string[]> {
  const { status, json } = await user.get(`${statuses}/${id}/context`);
  return status === 200 ? json.descendants.map((post: { id: string }) => post.id) : [String(status)];
}

interface Scene {
  readonly server: TestServer;
  readonly rootId: string;
  readonly posts: { readonly id: string; readonly by: TestUser }[];
}

type Act = (scene: Scene, actor: TestUser, chosen: Scene['posts'][number] | undefined) => Promise<unknown>;

const replyAs =
  (visibility: string): Act =>
  async ({ rootId, posts }, by, chosen) => {
    const body = { status: '@alice @bob @carol Hello', visibility, in_reply_to_id: chosen?.id ?? rootId };
    const { status, json } = await by.post(statuses, body);
    if (status === 200) posts.push({ id: json.id, by });
  };

const acts = {
  'public reply': replyAs('public'),
  'private reply': replyAs('private'),
  'direct reply': replyAs('direct'),
  delete: async (_scene, _actor, chosen) => chosen?.by.delete(`${statuses}/${chosen.id}`),
  edit: async (_scene, _actor, chosen) => chosen?.by.put(`${statuses}/${chosen.id}`, { status: 'Edited' }),
  // A purge takes only remote posts.
  purge: async ({ server }, _actor, chosen) => {
    if (chosen === undefined) return;
    const id = chosen.id as StatusId;
    await server.db.updateTable('statuses').set({ local: false }).where('id', '=', id).execute();
    await transaction(server.app, (tx) => purgeRemoteStatuses(tx, [id]));
  },
  'run jobs': ({ server }) => server.drain(),
} satisfies Record<string, Act>;

test('STA-20: a cached thread is what the database has, whatever happens between two reads', async () => {
  await using server = await startServer();
  const users = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const [alice] = users as [TestUser];
  const names = Object.keys(acts) as (keyof typeof acts)[];
  const step = fc.record({ name: fc.constantFrom(...names), actor: fc.nat(users.length - 1), back: fc.nat(5) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      const scene: Scene = { server, rootId: await postBy(alice, 'What a day!'), posts: [] };
      for (const { name, actor, back } of steps) {
        const by = users[actor] ?? alice;
        const act: Act = acts[name];
        await act(scene, by, scene.posts.at(-1 - back));
        for (const id of [scene.rootId, scene.posts[0]?.id ?? scene.rootId]) {
          const cached = await listThread(alice, id);
          replyCache.clear(server.app);
          expect(cached, name).toEqual(await listThread(alice, id));
        }
      }
      await server.drain();
    }),
    { numRuns: 12 },
  );
});

test('a thread that is read again takes no statement, also after a reply was read alone', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const root = await postBy(alice, 'one');
  const first = await postBy(bob, { status: 'two', in_reply_to_id: root });
  const second = await postBy(alice, { status: 'three', in_reply_to_id: first });
  await server.drain();
  expect(await listThread(bob, root)).toEqual([first, second]);
  expect(await server.countWarmQueries(() => listThread(bob, root))).toBe(0);
  expect(await server.countQueries(() => listThread(bob, second))).toBeGreaterThan(0);
  const third = await postBy(alice, { status: 'four', in_reply_to_id: first });
  expect(await listThread(bob, root)).toEqual([first, second, third]);
});

test('STA-20: a thread with too many replies shows as many as the limit allows', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const root = (await postBy(alice, 'one')) as StatusId;
  const reply = (await postBy(alice, { status: 'two', in_reply_to_id: root })) as StatusId;
  await sql`
    insert into statuses
    select (jsonb_populate_record(s, jsonb_build_object('id', s.id + n, 'uri', s.uri || n))).*
    from statuses s cross join generate_series(1, ${maxThreadReplies}::int) n where s.id = ${reply}`.execute(server.db);
  replyCache.clear(server.app);
  for (let read = 0; read < 2; read += 1)
    expect(await loadThreadReplies(server.app, root)).toHaveLength(maxThreadReplies);
});
