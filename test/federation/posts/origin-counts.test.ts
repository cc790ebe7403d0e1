import fc from 'fast-check';
import { expect, test } from 'vitest';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { deleteStatus } from '../../../server/statuses/post/index.ts';
import { purgeRemoteStatuses, storeOriginCounts } from '../../../server/statuses/remote/index.ts';
import type { StatusId } from '../../../server/platform/ids.ts';
import { Network } from '../../network.ts';
import { clearCaches } from '../../../server/platform/write/publish.ts';
import type { TestServer, TestUser } from '../../server.ts';
import { TestSocket } from '../../streams.ts';
import { Peer, type PeerActor } from '../peer.ts';
import { followAcross, postStatus, resolveAccountOn, resolveStatusOn, twoServers } from '../two-servers.ts';
import { RemotePosts } from '../retention/remote-posts.ts';

const quarterOfAnHour = 15 * 60;
const old = '2020-01-01T00:00:00Z';

interface Totals {
  readonly replies?: unknown;
  readonly shares?: unknown;
  readonly likes?: unknown;
}

/** Returns the collections of a post with these totals. */
const collectionsOf = (totals: Totals): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(totals).map(([name, totalItems]) => [
      name,
      { id: `https://far.test/${name}`, type: 'Collection', totalItems },
    ]),
  );

interface Scene extends AsyncDisposable {
  readonly network: Network;
  readonly server: TestServer;
  readonly alice: TestUser;
  readonly peer: Peer;
  readonly fay: PeerActor;
}

async function scene(settings: Record<string, string> = {}): Promise<Scene> {
  const network = new Network();
  const server = await network.start('a.test', { settings });
  const peer = new Peer(network, 'far.test');
  const [alice, fay] = [await server.user('alice'), peer.actor('fay')];
  return { network, server, alice, peer, fay, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

/** Serves a post by fay with these totals, and returns its uri. */
function serveNote({ peer, fay }: Scene, id: string, totals: Totals, members: Record<string, unknown> = {}): string {
  const note = fay.note(id, { published: old, ...collectionsOf(totals), ...members });
  peer.serve(note);
  return String(note['id']);
}

/** The replies, reblogs and favourites of a status, whether some are those of its server only, from caches and database. */
async function countsOf({ server, alice }: Scene, id: StatusId | undefined): Promise<[number[], boolean]> {
  const read = async (): Promise<[number[], boolean]> => {
    const { json } = await alice.get(`/api/v1/statuses/${id}`);
    return [[json.replies_count, json.reblogs_count, json.favourites_count], json.counts_from_origin ?? false];
  };
  const cached = await read();
  clearCaches(server.app);
  expect(await read()).toEqual(cached);
  return cached;
}

const fetchesOf = ({ peer }: Scene, id: string): number =>
  peer.requestedPaths.filter((path) => path.endsWith(`/notes/${id}`)).length;

async function viewThread({ server, alice }: Scene, id: StatusId | undefined): Promise<void> {
  expect((await alice.get(`/api/v1/statuses/${id}/context`)).status).toBe(200);
  await server.drain();
}

test('FED-01: a remote post shows the counts of its server, and local reactions change them at once', async () => {
  await using all = await scene();
  const { server, alice } = all;
  const id = await resolveStatusOn(server, serveNote(all, '1', { replies: 3, shares: 5, likes: 7 }));
  expect(await countsOf(all, id)).toEqual([[3, 5, 7], true]);
  const act = async (path: string) => expect((await alice.post(`/api/v1/statuses/${id}/${path}`)).status).toBe(200);
  await act('favourite');
  await act('favourite');
  expect(await countsOf(all, id)).toEqual([[3, 5, 8], true]);
  await act('reblog');
  const reply = await postStatus(alice, { status: 'yes', in_reply_to_id: id });
  await postStatus(alice, { status: 'secretly', in_reply_to_id: id, visibility: 'direct' });
  expect(await countsOf(all, id)).toEqual([[4, 6, 8], true]);
  await act('unfavourite');
  await act('unreblog');
  await alice.delete(`/api/v1/statuses/${reply.id}`);
  expect(await countsOf(all, id)).toEqual([[3, 5, 7], true]);
  const unmarked = await resolveStatusOn(server, serveNote(all, '2', { replies: 0, shares: 0, likes: 0 }));
  expect(await countsOf(all, unmarked)).toEqual([[0, 0, 0], false]);
});

test('FED-03: counts that are no plausible numbers are ignored', async () => {
  await using all = await scene();
  const hostile = [-1, 1.5, '7', null, true, [7], {}, 1e300, 100_000_001, 2 ** 53];
  for (const [index, value] of hostile.entries()) {
    const uri = serveNote(all, `bad${index}`, { replies: value, shares: value, likes: value });
    const id = await resolveStatusOn(all.server, uri);
    expect(await countsOf(all, id), JSON.stringify(value)).toEqual([[0, 0, 0], false]);
  }
  const bare = { replies: 7, shares: ['x', 'y'], likes: 'https://far.test/likes' };
  const bareId = await resolveStatusOn(all.server, serveNote(all, 'bare', {}, bare));
  expect(await countsOf(all, bareId)).toEqual([[0, 0, 0], false]);
  const highest = await resolveStatusOn(all.server, serveNote(all, 'highest', { likes: 100_000_000, shares: -1 }));
  expect(await countsOf(all, highest)).toEqual([[0, 0, 100_000_000], true]);
  await all.alice.post(`/api/v1/statuses/${highest}/favourite`);
  expect(await countsOf(all, highest)).toEqual([[0, 0, 100_000_001], true]);
  // A bad count later does not replace a good one.
  serveNote(all, 'highest', { likes: '3', replies: 2 });
  all.network.clock.advance(quarterOfAnHour);
  await viewThread(all, highest);
  expect(await countsOf(all, highest)).toEqual([[2, 0, 100_000_001], true]);
});

test('FED-01: a signed-in view of a thread or profile refreshes the counts once in 15 minutes', async () => {
  await using all = await scene();
  const { network, server, alice, peer } = all;
  const root = serveNote(all, 'root', { likes: 1 });
  const answer = serveNote(all, 'answer', { likes: 2 }, { inReplyTo: root });
  const [rootId, answerId] = [await resolveStatusOn(server, root), await resolveStatusOn(server, answer)];
  await viewThread(all, answerId);
  network.clock.advance(quarterOfAnHour - 1);
  peer.requestedPaths = [];
  await viewThread(all, answerId);
  expect(peer.requestedPaths).toEqual([]);
  network.clock.advance(1);
  serveNote(all, 'root', { likes: 10, shares: 4 });
  serveNote(all, 'answer', { likes: 20 }, { inReplyTo: root });
  await server.anonymous.get(`/api/v1/statuses/${answerId}/context`);
  await server.drain();
  expect(peer.requestedPaths).toEqual([]);
  // The walk below the answer fetches it, the refresh its parent.
  const bob = await server.user('bob');
  await Promise.all([alice, bob, alice].map((viewer) => viewer.get(`/api/v1/statuses/${answerId}/context`)));
  await server.drain();
  expect([fetchesOf(all, 'root'), fetchesOf(all, 'answer')]).toEqual([1, 1]);
  expect(await countsOf(all, rootId)).toEqual([[1, 4, 10], true]);
  expect(await countsOf(all, answerId)).toEqual([[0, 0, 20], true]);

  const account = await resolveAccountOn(server, 'fay@far.test');
  const viewProfile = async (viewer: Pick<TestUser, 'get'>, query = '') => {
    await viewer.get(`/api/v1/accounts/${account}/statuses${query}`);
    await server.drain();
  };
  await viewProfile(alice);
  network.clock.advance(quarterOfAnHour);
  peer.requestedPaths = [];
  serveNote(all, 'root', { likes: 11 });
  await viewProfile(server.anonymous);
  await viewProfile(alice, '?only_media=true');
  expect(fetchesOf(all, 'root')).toBe(0);
  await viewProfile(alice);
  await viewProfile(alice);
  expect([fetchesOf(all, 'root'), fetchesOf(all, 'answer')]).toEqual([1, 1]);
  expect(await countsOf(all, rootId)).toEqual([[1, 4, 11], true]);
});

test('FED-01: a reblog refreshes its original; posts for followers are not refreshed, and a setting turns all off', async () => {
  await using all = await scene();
  const { network, server, alice, peer, fay } = all;
  const account = await resolveAccountOn(server, 'fay@far.test');
  await alice.post(`/api/v1/accounts/${account}/follow`);
  await server.drain();
  await fay.send(server, fay.activity('Accept', peer.received[0]?.activity));
  const secret = fay.note('secret', { to: [`${fay.uri}/followers`], cc: [], ...collectionsOf({ likes: 6 }) });
  await fay.send(server, fay.create(secret));
  const third = new Peer(network, 'third.test');
  const song = third.actor('otto').note('song', { published: old });
  third.serve(song);
  await fay.send(server, fay.activity('Announce', song['id'], { to: secret['cc'], cc: [`${fay.uri}/followers`] }));
  await server.drain();
  const secretId = await resolveStatusOn(server, String(secret['id']));
  expect(await countsOf(all, secretId)).toEqual([[0, 0, 6], true]);
  third.serve({ ...song, ...collectionsOf({ shares: 9 }) });
  network.clock.advance(quarterOfAnHour);
  await alice.get(`/api/v1/accounts/${account}/statuses`);
  await server.drain();
  third.requestedPaths = [];
  network.clock.advance(quarterOfAnHour);
  peer.requestedPaths = [];
  await alice.get(`/api/v1/accounts/${account}/statuses`);
  await server.drain();
  expect(third.requestedPaths).toEqual(['/users/otto/notes/song']);
  expect(fetchesOf(all, 'secret')).toBe(0);
  expect((await countsOf(all, await resolveStatusOn(server, String(song['id']))))[0][1]).toBe(9);

  await using off = await scene({ REFRESH_COUNTS: 'off' });
  const id = await resolveStatusOn(off.server, serveNote(off, '1', { likes: 1 }));
  const profile = await resolveAccountOn(off.server, 'fay@far.test');
  await off.alice.get(`/api/v1/accounts/${profile}/statuses`);
  await viewThread(off, id);
  off.network.clock.advance(quarterOfAnHour);
  off.peer.requestedPaths = [];
  await off.alice.get(`/api/v1/accounts/${profile}/statuses`);
  await off.server.drain();
  expect(fetchesOf(off, '1')).toBe(0);
});

test('FED-01: a refresh asks a host that does not answer once, and others meanwhile', async () => {
  await using all = await scene();
  const { network, server, peer } = all;
  const dead = new Peer(network, 'dead.test');
  const dora = dead.actor('dora');
  const root = serveNote(all, 'root', {});
  const rootId = await resolveStatusOn(server, root);
  for (let index = 0; index < 4; index += 1) {
    const reply = dora.note(index, { published: old, inReplyTo: root });
    dead.serve(reply);
    await resolveStatusOn(server, String(reply['id']));
    await resolveStatusOn(server, serveNote(all, `r${index}`, {}, { inReplyTo: root }));
  }
  await viewThread(all, rootId);
  network.clock.advance(quarterOfAnHour - 60);
  // The walk was a moment ago, so what it did not fetch is refreshed alone.
  await server.pool.query(`update async_refreshes set started_at = $1`, [network.clock.now()]);
  network.clock.advance(60);
  for (let index = 0; index < 4; index += 1) dead.statuses.set(`/users/dora/notes/${index}`, 500);
  dead.requestedPaths = [];
  peer.requestedPaths = [];
  await viewThread(all, rootId);
  expect(dead.requestedPaths).toHaveLength(1);
  expect(peer.requestedPaths).toHaveLength(5);
  await viewThread(all, rootId);
  expect(dead.requestedPaths).toHaveLength(1);
});

test('FED-01: remote reactions that become known were counted already, until there are more than the server said', async () => {
  await using all = await scene();
  const { network, server, alice } = all;
  const root = serveNote(all, 'root', { replies: 2, shares: 1 });
  const id = await resolveStatusOn(server, root);
  const replies: (StatusId | undefined)[] = [];
  for (const [index, expected] of [2, 2, 3].entries()) {
    replies.push(await resolveStatusOn(server, serveNote(all, `r${index}`, {}, { inReplyTo: root })));
    expect((await countsOf(all, id))[0]).toEqual([expected, 1, 0]);
  }
  const remote = new RemotePosts(server, 'fans.test');
  await remote.reblog(await remote.account('fan'), id as StatusId);
  expect(await countsOf(all, id)).toEqual([[3, 1, 0], false]);
  await remote.reblog(await remote.account('fan2'), id as StatusId);
  expect(await countsOf(all, id)).toEqual([[3, 2, 0], false]);
  await postStatus(alice, { status: 'me too', in_reply_to_id: id });
  expect((await countsOf(all, id))[0]).toEqual([4, 2, 0]);
  await deleteStatus(server.app, replies[0] as StatusId);
  expect((await countsOf(all, id))[0]).toEqual([3, 2, 0]);
  // Old posts are deleted here only: their server still counts them.
  for (const [reply, isMarked] of [[replies[1], false] as const, [replies[2], true] as const]) {
    await transaction(server.app, (tx) => purgeRemoteStatuses(tx, [reply as StatusId]));
    expect(await countsOf(all, id)).toEqual([[2, 2, 0], isMarked]);
  }
  network.clock.advance(quarterOfAnHour);
  serveNote(all, 'root', { replies: 1, shares: 0 });
  await viewThread(all, id);
  expect(await countsOf(all, id)).toEqual([[1, 2, 0], false]);
});

test('replies of a purged domain no longer count for a local post', async () => {
  await using all = await scene();
  const { server, alice } = all;
  const { id, uri } = await postStatus(alice, { status: 'hello' });
  const statusId = id as StatusId;
  const remote = new RemotePosts(server, 'fans.test');
  const fan = await remote.account('fan');
  const reply = await remote.post(fan, { inReplyToUri: uri });
  await remote.reblog(fan, statusId);
  await storeOriginCounts(server.app, [{ statusId, counts: { replies: 50, reblogs: 50, favourites: 50 } }]);
  expect(await countsOf(all, statusId)).toEqual([[1, 1, 0], false]);
  await transaction(server.app, (tx) => purgeRemoteStatuses(tx, [reply]));
  expect(await countsOf(all, statusId)).toEqual([[0, 1, 0], false]);
});

test('FED-01: a count that was read before a local reaction arrived does not take it back', async () => {
  await using all = await scene();
  const { network, server, alice } = all;
  const id = await resolveStatusOn(server, serveNote(all, '1', { replies: 1, shares: 5, likes: 7 }));
  network.clock.advance(quarterOfAnHour);
  await alice.post(`/api/v1/statuses/${id}/favourite`);
  await alice.post(`/api/v1/statuses/${id}/reblog`);
  await postStatus(alice, { status: 'yes', in_reply_to_id: id });
  await viewThread(all, id);
  expect(await countsOf(all, id)).toEqual([[2, 6, 8], true]);
  // More than the local ones are missing: others took theirs back.
  serveNote(all, '1', { replies: 0, shares: 3, likes: 5 });
  await server.pool.query('update status_stats set origin_counted_at = $1', [new Date(0)]);
  clearCaches(server.app);
  await viewThread(all, id);
  expect(await countsOf(all, id)).toEqual([[1, 4, 6], true]);
  network.clock.advance(quarterOfAnHour);
  await viewThread(all, id);
  expect(await countsOf(all, id)).toEqual([[1, 3, 5], true]);
});

test('FED-01: Create, Update and outbox bring counts; they are not streamed and do not count for trends', async () => {
  await using all = await scene();
  const { network, server, alice, peer, fay } = all;
  const account = await resolveAccountOn(server, 'fay@far.test');
  await alice.post(`/api/v1/accounts/${account}/follow`);
  await server.drain();
  await fay.send(server, fay.activity('Accept', peer.received[0]?.activity));
  const published = new Date(network.clock.now().getTime() - 60_000).toISOString();
  const tag = [{ type: 'Hashtag', name: '#birds', href: 'https://far.test/tags/birds' }];
  const note = fay.note('1', { published, tag, ...collectionsOf({ replies: 1_000, shares: 1_000, likes: 1_000 }) });
  const uses = async () => (await server.pool.query('select count(*)::int from trend_uses')).rows;
  await fay.send(server, fay.create(note));
  await server.drain();
  const id = await resolveStatusOn(server, String(note['id']));
  expect(await countsOf(all, id)).toEqual([[1_000, 1_000, 1_000], true]);
  const usesBefore = await uses();
  const stream = await TestSocket.open(server, alice, 'stream=user');
  const update = { ...note, ...collectionsOf({ likes: 2_000 }) };
  await fay.send(server, fay.activity('Update', update, { to: note['to'] }));
  await server.drain();
  expect(await countsOf(all, id)).toEqual([[1_000, 1_000, 2_000], true]);
  const listed = { ...note, ...collectionsOf({ replies: 4 }) };
  const outbox = `${fay.uri}/outbox`;
  peer.serve({ id: outbox, type: 'OrderedCollection', totalItems: 1, orderedItems: [fay.create(listed)] });
  network.clock.advance(3_600);
  await alice.get(`/api/v1/accounts/${account}/statuses`);
  await server.drain();
  expect(await countsOf(all, id)).toEqual([[4, 1_000, 1_000], true]);
  // An hour old, but its counts are not.
  expect(fetchesOf(all, '1')).toBe(0);
  expect(await stream.take()).toEqual([]);
  stream.close();
  expect(await uses()).toEqual(usesBefore);
  await server.runSchedule('trend.refresh_trends');
  expect((await alice.get('/api/v1/trends/statuses')).json).toEqual([]);
});

test('FED-01: two servers show the reactions that only the other one knows', async () => {
  await using servers = await twoServers();
  const { network, a, b, alice, bob } = servers;
  await followAcross(servers, a, alice, 'bob@b.test');
  const post = await postStatus(bob, { status: 'hello' });
  await network.drain();
  for (const name of ['carol', 'dave', 'erin']) {
    const fan = await b.user(name);
    await fan.post(`/api/v1/statuses/${post.id}/favourite`);
    if (name !== 'erin') await fan.post(`/api/v1/statuses/${post.id}/reblog`);
    if (name === 'dave') await postStatus(fan, { status: 'yes', in_reply_to_id: post.id });
    if (name === 'erin') await postStatus(fan, { status: 'yes', in_reply_to_id: post.id, visibility: 'private' });
  }
  const replies = `/users/bob/statuses/${post.id}/replies`;
  const { json } = await b.anonymous.get(replies, { headers: { accept: 'application/activity+json' } });
  expect(json).toMatchObject({ type: 'Collection', totalItems: 1 });
  network.clock.advance(quarterOfAnHour);
  await network.drain();
  const id = await resolveStatusOn(a, post.uri);
  await alice.get(`/api/v1/statuses/${id}/context`);
  await network.drain();
  expect((await alice.get(`/api/v1/statuses/${id}`)).json).toMatchObject({
    replies_count: 1,
    reblogs_count: 2,
    favourites_count: 3,
    counts_from_origin: true,
  });
});

type Act = { readonly kind: 'favourite' | 'reblog'; readonly user: number } | { readonly remote: true } | Totals;

test('the shown count is the higher one of the known reactions and those that the server counted, moved by local reactions', async () => {
  await using all = await scene();
  const { network, server } = all;
  const users = [all.alice, await server.user('bob')];
  network.addHost('fans.test', () => ({ status: 202 }));
  const remote = new RemotePosts(server, 'fans.test');
  const author = await remote.account('author');
  let fans = 0;
  const arbitraryAct: fc.Arbitrary<Act> = fc.oneof(
    fc.record({ kind: fc.constantFrom('favourite' as const, 'reblog' as const), user: fc.nat(1) }),
    fc.constant({ remote: true as const }),
    fc.record({ likes: fc.nat(5), shares: fc.nat(5) }, { requiredKeys: [] }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryAct, { maxLength: 12 }), async (acts) => {
      const id = await remote.post(author);
      const known = { favourite: 0, reblog: 0 };
      const counted = { favourite: 0, reblog: 0 };
      const active = new Set<string>();
      for (const act of acts) {
        // Otherwise a lower count would be taken for one without the latest reactions.
        network.clock.advance(600);
        if ('kind' in act) {
          const key = `${act.kind} ${act.user}`;
          const undo = active.delete(key);
          if (!undo) active.add(key);
          const response = await users[act.user]?.post(`/api/v1/statuses/${id}/${undo ? 'un' : ''}${act.kind}`);
          expect(response?.status).toBe(200);
          known[act.kind] += undo ? -1 : 1;
          counted[act.kind] += undo ? -1 : 1;
        } else if ('remote' in act) {
          fans += 1;
          await remote.reblog(await remote.account(`fan${fans}`), id);
          known.reblog += 1;
        } else {
          const { likes, shares } = act as { likes?: number; shares?: number };
          await storeOriginCounts(server.app, [
            { statusId: id, counts: { replies: undefined, reblogs: shares, favourites: likes } },
          ]);
          counted.favourite = likes ?? counted.favourite;
          counted.reblog = shares ?? counted.reblog;
        }
        const shown = [0, Math.max(known.reblog, counted.reblog), Math.max(known.favourite, counted.favourite)];
        expect((await countsOf(all, id))[0]).toEqual(shown);
      }
    }),
    { numRuns: 15 },
  );
});
