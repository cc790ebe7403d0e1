import { expect, test } from 'vitest';
import { hashTerm, propertyTerm, reindexBatch } from '../../../server/search/index.ts';
import { Network } from '../../network.ts';
import { followingScene, isoTime } from '../../federation/peer-scene.ts';
import { resolveStatusOn } from '../../federation/two-servers.ts';
import { startServer, type TestServer, type TestUser } from '../../server.ts';

const maxBigint = '9223372036854775807';

async function find(user: TestUser, q: string): Promise<string[]> {
  const { json } = await user.get(`/api/v2/search?type=statuses&q=${encodeURIComponent(q)}`);
  return json.statuses.map(({ id }: { id: string }) => id);
}

const hasTerm = async (server: TestServer, id: string, term: number): Promise<boolean> => {
  const { rows } = await server.pool.query(
    'select from status_search where status_id = $1 and terms @> array[$2::int]',
    [id, term],
  );
  return rows.length > 0;
};

/** Runs `meanwhile` between the moment at which indexing has read the statuses and that at which it writes. */
async function indexWhile(server: TestServer, meanwhile: () => Promise<void>): Promise<void> {
  const client = await server.pool.connect();
  await client.query('begin; lock table status_search in share mode');
  const indexing = reindexBatch(server.app, maxBigint);
  await expect
    .poll(async () => {
      const { rows } = await server.pool.query(
        `select from pg_locks where relation = 'status_search'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length;
    })
    .toBe(1);
  await meanwhile();
  await client.query('rollback');
  client.release();
  await indexing;
}

test('SRC-02: a post that is edited while it is indexed is found by its new text', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json } = await alice.post('/api/v1/statuses', { status: 'a heron' });
  await indexWhile(server, async () => {
    await alice.put(`/api/v1/statuses/${json.id}`, { status: 'an egret' });
  });
  expect(await hasTerm(server, json.id, hashTerm('heron'))).toBe(false);
  expect(await hasTerm(server, json.id, hashTerm('egret'))).toBe(true);
  await server.drain();
  expect(await find(alice, 'egret')).toEqual([json.id]);
});

test('SRC-02: a post that is deleted while it is indexed gets no entry', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json } = await alice.post('/api/v1/statuses', { status: 'a heron' });
  await indexWhile(server, async () => {
    await alice.delete(`/api/v1/statuses/${json.id}`);
  });
  expect(await hasTerm(server, json.id, hashTerm('heron'))).toBe(false);
  await server.drain();
});

/** Two servers. carol@there.test has a post that alice@here.test sees but may not search. */
async function startWithRemotePost(network: Network) {
  const [here, there] = [await network.start('here.test'), await network.start('there.test')];
  const [alice, carol] = [await here.user('alice'), await there.user('carol')];
  const account = (await alice.get('/api/v2/search?q=carol@there.test&resolve=true')).json.accounts[0];
  await alice.post(`/api/v1/accounts/${account.id}/follow`);
  await network.drain();
  await carol.post('/api/v1/statuses', { status: 'a plover' });
  await network.drain();
  const [{ id }] = (await alice.get(`/api/v1/accounts/${account.id}/statuses`)).json;
  return { here, alice, carol, id: id as string };
}

test('SRC-02: a post that is favourited while its entry is deleted is found', async () => {
  await using network = new Network();
  const { here, alice, id } = await startWithRemotePost(network);
  await here.pool.query(`insert into status_search (status_id, terms) values ($1, '{1}')`, [id]);
  await indexWhile(here, async () => {
    await alice.post(`/api/v1/statuses/${id}/favourite`);
    await here.drain();
  });
  expect(await find(alice, 'plover')).toEqual([id]);
  await network.drain();
});

test('SRC-02: only a change of indexable makes the posts of a remote account be indexed again', async () => {
  await using network = new Network();
  const { here, alice, carol, id } = await startWithRemotePost(network);
  await here.pool.query(`create table seen_jobs as select name from jobs limit 0;
    create function record_job() returns trigger language plpgsql as
      $$ begin insert into seen_jobs values (new.name); return null; end $$;
    create trigger record_job after insert on jobs for each row execute function record_job()`);
  const countSeen = async (): Promise<number> => {
    const { rows } = await here.pool.query(`select from seen_jobs where name = 'search.reindex_updated_account'`);
    return rows.length;
  };
  await carol.patch('/api/v1/accounts/update_credentials', { display_name: 'Carol' });
  await network.drain();
  expect(await countSeen()).toBe(0);
  await carol.patch('/api/v1/accounts/update_credentials', { indexable: true });
  await network.drain();
  expect(await countSeen()).toBe(1);
  expect(await find(alice, 'plover')).toEqual([id]);
});

test('SRC-02: is:quote finds a remote post that got its quote later', async () => {
  await using scene = await followingScene();
  const { a, alice, eve } = scene;
  const receive = async (type: 'Create' | 'Update', number: number, members: object = {}): Promise<string> => {
    const note = eve.note(number, { content: '<p>a plover</p>', published: isoTime(a), ...members });
    await eve.send(a, eve.activity(type, note));
    await a.drain();
    return (await resolveStatusOn(a, `${eve.uri}/notes/${number}`)) ?? '';
  };
  await receive('Create', 1);
  const id = await receive('Create', 2);
  await alice.post(`/api/v1/statuses/${id}/favourite`);
  await scene.network.drain();
  expect(await find(alice, 'plover')).toEqual([id]);
  expect(await hasTerm(a, id, propertyTerm.is('quote'))).toBe(false);
  await receive('Update', 2, { quote: `${eve.uri}/notes/1` });
  expect((await alice.get(`/api/v1/statuses/${id}`)).json).toMatchObject({
    quote: { state: 'accepted' },
    edited_at: null,
  });
  expect(await find(alice, 'plover is:quote')).toEqual([id]);
});
