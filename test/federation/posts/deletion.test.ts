import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { Network } from '../../network.ts';
import type { TestServer, TestUser } from '../../server.ts';
import { Peer } from '../peer.ts';
import {
  resolveAccountOn,
  followAcross,
  homeTimeline,
  listNotifications,
  postStatus,
  resolveStatusOn,
  twoServers,
} from '../two-servers.ts';

const password = 'correct horse battery';

/** Counts the rows of each table that reference an account. */
async function countRows(server: TestServer, id: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and data_type = 'bigint' and column_name like '%account_id'
      and table_name not in ('activities', 'inbox_activities')`.execute(server.app.db);
  const found: Record<string, number> = {};
  for (const { table_name: table, column_name: column } of rows) {
    const { rows: counted } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(table)} where ${sql.ref(column)} = ${id}::bigint`.execute(
      server.app.db,
    );
    if ((counted[0]?.count ?? 0) > 0) found[`${table}.${column}`] = counted[0]?.count ?? 0;
  }
  return found;
}

const getStatus = async (viewer: TestUser, path: string) => (await viewer.get(path)).status;

test('ACC-16: an account that its owner deletes is deleted with all its content on every server that knew it', async () => {
  await using servers = await twoServers();
  const { a, b, alice, bob, network } = servers;
  const aliceOnB = await followAcross(servers, b, bob, 'alice@a.test');
  await followAcross(servers, a, alice, 'bob@b.test');
  const post = await postStatus(alice, { status: 'hello @bob@b.test #tag' });
  await alice.post('/api/v1/featured_tags', { name: 'tag' });
  await alice.post(`/api/v1/statuses/${post.id}/pin`);
  const pollPost = await postStatus(bob, { status: 'mine', poll: { options: ['yes', 'no'], expires_in: 3600 } });
  await network.drain();
  const pollPostOnA = await resolveStatusOn(a, pollPost.uri);
  const { poll } = (await alice.get(`/api/v1/statuses/${pollPostOnA}`)).json as { poll: { id: string } };
  expect((await alice.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })).status).toBe(200);
  for (const verb of ['favourite', 'reblog']) await alice.post(`/api/v1/statuses/${pollPostOnA}/${verb}`);
  await postStatus(alice, { status: '@bob@b.test yes', in_reply_to_id: pollPostOnA });
  await bob.post(`/api/v1/accounts/${aliceOnB}/note`, { comment: 'A friend' });
  await network.drain();
  const onB = await resolveStatusOn(b, post.uri);
  expect((await listNotifications(bob)).map(({ type }) => type)).toEqual(
    expect.arrayContaining(['follow', 'mention', 'favourite', 'reblog']),
  );
  expect(await countRows(b, aliceOnB)).toMatchObject({ 'poll_votes.account_id': 1 });
  expect((await alice.post('/api/v1/profile/delete', { password })).status).toBe(200);
  await network.drain();
  expect(await getStatus(bob, `/api/v1/accounts/${aliceOnB}`)).toBe(404);
  expect(await getStatus(bob, `/api/v1/statuses/${onB}`)).toBe(404);
  expect(await listNotifications(bob)).toEqual([]);
  expect((await homeTimeline(bob)).map(({ uri }) => uri)).toEqual([pollPost.uri]);
  const shown = (await bob.get(`/api/v1/statuses/${pollPost.id}`)).json;
  expect(shown).toMatchObject({ favourites_count: 0, reblogs_count: 0, replies_count: 0 });
  const counts = (await bob.get('/api/v1/accounts/verify_credentials')).json;
  expect(counts).toMatchObject({ followers_count: 0, following_count: 0 });
  // Its URI answers 410, and nothing restores it.
  const response = await a.anonymous.get('/users/alice', { headers: { accept: 'application/activity+json' } });
  expect(response.status).toBe(410);
  expect(await getStatus(alice, '/api/v1/accounts/verify_credentials')).toBe(401);
  await expect(resolveAccountOn(b, 'alice@a.test')).rejects.toThrow('cannot find');
  network.clock.advance(2 * 86_400);
  await network.drain();
  for (const name of ['status.clean_up_deleted']) await b.runSchedule(name);
  expect(await countRows(b, aliceOnB)).toEqual({ 'account_keys.account_id': 2, 'account_stats.account_id': 1 });
});

test('FED-03: only the actor can delete itself; its content and media are deleted, and a later post does not restore it', async () => {
  await using network = new Network();
  const server = await network.start('a.test');
  const peer = new Peer(network, 'far.test');
  const alice = await server.user('alice');
  const [fay, gus] = [peer.actor('fay'), peer.actor('gus')];
  const image = { type: 'Document', mediaType: 'image/png', url: 'https://far.test/a.png' };
  const note = fay.note(1, { to: ['https://a.test/users/alice'], attachment: [image] });
  await fay.send(server, fay.create(note));
  await server.drain();
  const id = await resolveAccountOn(server, 'fay@far.test');
  await gus.send(server, gus.activity('Delete', fay.uri));
  await server.drain();
  expect(await getStatus(alice, `/api/v1/accounts/${id}`)).toBe(200);
  expect(await countRows(server, id)).toMatchObject({ 'media_attachments.account_id': 1, 'statuses.account_id': 1 });
  await fay.send(server, fay.activity('Delete', fay.uri));
  await server.drain();
  expect(await getStatus(alice, `/api/v1/accounts/${id}`)).toBe(404);
  peer.actors.splice(peer.actors.indexOf(fay), 1);
  await fay.send(server, fay.create(fay.note(2, { to: ['https://a.test/users/alice'] })));
  await server.drain();
  expect(await getStatus(alice, `/api/v1/accounts/${id}`)).toBe(404);
  network.clock.advance(2 * 86_400);
  await server.drain();
  expect(Object.keys(await countRows(server, id)).toSorted()).toEqual([
    'account_keys.account_id',
    'account_stats.account_id',
  ]);
});
