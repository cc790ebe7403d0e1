import { expect, test } from 'vitest';
import { startWorkers } from '../../server/app.ts';
import { cancelRows, reserveRows } from '../../server/platform/work/reserve-rows.ts';
import { RemotePosts } from '../federation/retention/remote-posts.ts';
import { recordJobChanges, type JobChanges } from '../job-changes.ts';
import { recordStatements } from '../record-statements.ts';
import { startServer, type TestServer } from '../server.ts';

const statuses = '/api/v1/statuses';

/** Statements that look for work, which run whether there is any or not, and those that only delimit a transaction. */
const isOverhead =
  /^(?:begin|commit|start transaction|set local|\s*update jobs set leased_until|\s*with (?:heads|claimed) as|select distinct 'jobs:')/;

const countStatements = async (run: () => Promise<unknown>): Promise<number> =>
  (await recordStatements(run)).filter(({ text }) => !isOverhead.test(text)).length;

/** Alice has posted, and Bob has read it: caches are filled. */
async function startScene() {
  const server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const carol = await new RemotePosts(server).account('carol');
  const post = async (): Promise<string> => (await alice.post(statuses, { status: 'Plain' })).json.id;
  const id = await post();
  await bob.get(`${statuses}/${id}`);
  await server.drain();
  return { server, bob, post, carol, id };
}

test('the number of statements of a post, a favourite and the work that they cause is fixed', async () => {
  const { server, bob, post, id } = await startScene();
  await using _server = server;
  const count = async (run: () => Promise<unknown>) => ({
    request: await countStatements(run),
    jobs: await countStatements(() => server.drain()),
  });
  expect(await count(post)).toEqual({ request: 4, jobs: 7 });
  expect(await count(() => bob.post(`${statuses}/${id}/favourite`))).toEqual({ request: 2, jobs: 5 });
  expect(await count(() => bob.post(`${statuses}/${id}/unfavourite`))).toEqual({ request: 2, jobs: 2 });
});

const waitForRoom = ({ app }: TestServer) =>
  expect
    .poll(() =>
      (['default', 'feeds'] as const).every((queue) => {
        const reserved = reserveRows(app, [{ name: 'test', queue, data: {} }]);
        cancelRows(reserved);
        return reserved.length > 0;
      }),
    )
    .toBe(true);

test('rows of a post, a favourite and a received post are inserted and deleted once, and never updated', async () => {
  const { server, bob, post, carol, id } = await startScene();
  await using _server = server;
  const stop = await startWorkers(server.app);
  const takeChanges = await recordJobChanges(server);
  const change = async (run: () => Promise<unknown>): Promise<Omit<JobChanges, 'stored'> & { stored: number }> => {
    await waitForRoom(server);
    await run();
    await expect.poll(() => server.db.selectFrom('jobs').select('id').execute()).toEqual([]);
    const { stored, ...changes } = await takeChanges();
    return { stored: stored.length, ...changes };
  };
  expect(await change(post)).toEqual({ stored: 2, updated: 0, deleted: 2 });
  expect(await change(() => bob.post(`${statuses}/${id}/favourite`))).toEqual({ stored: 1, updated: 0, deleted: 1 });
  expect(await change(() => bob.post(`${statuses}/${id}/unfavourite`))).toEqual({ stored: 1, updated: 0, deleted: 1 });
  const posts = new RemotePosts(server);
  // Its search entry waits in a queue of its own, where those of a second are written together.
  expect(await change(() => posts.post(carol, {}, 0))).toEqual({ stored: 3, updated: 0, deleted: 3 });
  expect(await stop(30_000)).toBe(true);
});
