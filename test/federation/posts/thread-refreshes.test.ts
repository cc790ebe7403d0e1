import { expect, test } from 'vitest';
import { queueThreadRefresh } from '../../../server/statuses/remote/queue-thread-refresh.ts';
import type { StatusId } from '../../../server/platform/ids.ts';
import { Network } from '../../network.ts';
import type { TestResponse, TestUser } from '../../server.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { resolveStatusOn } from '../two-servers.ts';

const contextOf = (viewer: TestUser, id: StatusId | undefined) => viewer.get(`/api/v1/statuses/${id}/context`);
const old = { published: '2020-01-01T00:00:00Z' };

/** Returns the parts of the header by which clients follow a refresh. */
function parseRefresh(response: TestResponse): { id: string; retry: number; resultCount: number | undefined } {
  const header = String(response.headers['mastodon-async-refresh']);
  const [, id = '', retry, resultCount] = /^id="([^"]+)", retry=(\d+)(?:, result_count=(\d+))?$/.exec(header) ?? [];
  return { id, retry: Number(retry), resultCount: resultCount === undefined ? undefined : Number(resultCount) };
}

async function showRefresh(user: TestUser, id: string) {
  return (await user.get(`/api/v1_alpha/async_refreshes/${id}`)).json.async_refresh;
}

/** Returns a function that serves a post whose `replies` are the given ids of posts by the same actor. */
const noteServer =
  (peer: Peer, actor: PeerActor) =>
  (id: string, replies: readonly string[], members: object = {}): string => {
    const items = replies.map((reply) => `${actor.uri}/notes/${reply}`);
    const note = actor.note(id, { ...members, ...(items.length > 0 && { replies: { type: 'Collection', items } }) });
    peer.serve(note);
    return String(note['id']);
  };

async function startThread() {
  const network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const fay = peer.actor('fay');
  return { network, server, peer, fay, alice: await server.user('alice'), serveNote: noteServer(peer, fay) };
}

test('FED-01: clients follow the fetch of a remote thread to its end, by the header of its context', async () => {
  const { network, server, fay, alice, serveNote } = await startThread();
  await using _ = network;
  const root = serveNote('root', ['1', '2', 'gone'], old);
  serveNote('1', ['3'], { inReplyTo: root });
  serveNote('2', [], { inReplyTo: root });
  serveNote('3', [], { inReplyTo: `${fay.uri}/notes/1` });
  const id = await resolveStatusOn(server, root);
  expect((await server.anonymous.get(`/api/v1/statuses/${id}/context`)).headers).not.toHaveProperty(
    'mastodon-async-refresh',
  );
  const started = parseRefresh(await contextOf(alice, id));
  expect(started).toEqual({ id: expect.stringMatching(/^[\w.-]+$/), retry: 3, resultCount: 0 });
  expect(await showRefresh(alice, started.id)).toEqual({ id: started.id, status: 'running', result_count: 0 });
  // Another viewer follows the same refresh, also in another process.
  const other = { ...server.app };
  expect(await queueThreadRefresh(other, id ?? ('' as StatusId))).toEqual({
    'mastodon-async-refresh': `id="${started.id}", retry=3, result_count=0`,
  });
  const { rows } = await server.pool.query(
    `select count(*)::int as count from jobs where name = 'status.fetch_thread'`,
  );
  expect(rows).toEqual([{ count: 1 }]);
  await server.drain();
  const finished = await showRefresh(alice, started.id);
  expect(finished.status).toBe('finished');
  expect(finished.result_count).toBeGreaterThanOrEqual(1);
  const { headers, json } = await contextOf(alice, id);
  expect(headers).not.toHaveProperty('mastodon-async-refresh');
  expect(json.descendants).toHaveLength(3);
  network.clock.advance(15 * 60);
  expect(parseRefresh(await contextOf(alice, id))).toEqual(started);
  await server.drain();
  expect(await showRefresh(alice, started.id)).toEqual({ id: started.id, status: 'finished', result_count: 0 });
});

test('a refresh is shown to users with the scope read, until an hour after its end', async () => {
  const { network, server, alice, serveNote } = await startThread();
  await using _ = network;
  const id = await resolveStatusOn(server, serveNote('root', [], old));
  const { id: refresh } = parseRefresh(await contextOf(alice, id));
  const path = `/api/v1_alpha/async_refreshes/${refresh}`;
  expect((await server.anonymous.get(path)).status).toBe(401);
  expect((await (await server.appToken()).get(path)).status).toBe(422);
  expect((await (await server.withScopes(alice, 'read:statuses')).get(path)).status).toBe(403);
  expect((await (await server.withScopes(alice, 'read')).get(path)).status).toBe(200);
  const forged = Buffer.from('context:1').toString('base64url');
  for (const unknown of ['x', `${forged}.x`, `${forged}.${refresh.split('.')[1]}`, `${refresh}.x`, '%00'])
    expect((await alice.get(`/api/v1_alpha/async_refreshes/${unknown}`)).status, unknown).toBe(404);
  await server.drain();
  expect((await showRefresh(alice, refresh)).status).toBe('finished');
  network.clock.advance(3_601);
  expect((await alice.get(path)).status).toBe(404);
  await server.runSchedule('refresh.clean_up');
  expect(await server.app.db.selectFrom('async_refreshes').selectAll().execute()).toEqual([]);
});

test('FED-03: the refresh of a thread that is deleted meanwhile finishes', async () => {
  const { network, server, alice, serveNote } = await startThread();
  await using _ = network;
  const id = await resolveStatusOn(server, serveNote('root', [], old));
  const { id: refresh } = parseRefresh(await contextOf(alice, id));
  await server.pool.query('update statuses set deleted_at = now() where id = $1', [id]);
  await server.drain();
  expect((await showRefresh(alice, refresh)).status).toBe('finished');
});

test('FED-03: a walk of a thread goes on after its job runs again, and ends after ten minutes', async () => {
  const { network, server, peer, fay, alice } = await startThread();
  await using _ = network;
  network.addHost('slow.test', () => {
    network.clock.advance(5);
    return { status: 500 };
  });
  const lures = Array.from({ length: 400 }, (_each, index) => `https://slow.test/${index}`);
  const third = new Peer(network, 'third.test');
  const otto = third.actor('otto');
  const items = [...lures, `${otto.uri}/notes/reply`];
  const root = fay.note('root', { ...old, replies: { type: 'Collection', items } });
  peer.serve(root);
  third.serve(otto.note('reply', { inReplyTo: root['id'] }));
  const id = await resolveStatusOn(server, String(root['id']));
  const { id: refresh } = parseRefresh(await contextOf(alice, id));
  const { rows } = await server.pool.query(`select data from jobs where name = 'status.fetch_thread'`);
  await server.pool.query(
    `insert into jobs (queue, name, data, run_at) values ('remote', 'status.fetch_thread', $1, $2)`,
    [rows[0].data, network.clock.now()],
  );
  await server.drain();
  expect(await showRefresh(alice, refresh)).toMatchObject({ status: 'finished', result_count: 1 });
  const slow = network.requests.filter(({ url }) => url.includes('slow.test'));
  expect(slow.length).toBeGreaterThan(10);
  expect(slow.length).toBeLessThan(200);
  expect(third.requestedPaths.filter((path) => path.endsWith('/reply'))).toHaveLength(1);
  expect((await contextOf(alice, id)).json.descendants).toHaveLength(1);
});

test('FED-03: a chain of replies is followed to a depth', async () => {
  const { network, server, fay, alice, serveNote } = await startThread();
  await using _ = network;
  const root = serveNote('0', ['1'], old);
  for (let depth = 1; depth < 80; depth += 1)
    serveNote(String(depth), [String(depth + 1)], { inReplyTo: `${fay.uri}/notes/${depth - 1}` });
  const id = await resolveStatusOn(server, root);
  await contextOf(alice, id);
  await server.drain();
  const { descendants } = (await contextOf(alice, id)).json;
  expect(descendants.length).toBeGreaterThanOrEqual(60);
  expect(descendants.length).toBeLessThan(70);
});
