import { expect, test } from 'vitest';
import { sql } from 'kysely';
import type { TestServer } from '../../server.ts';
import { followingScene, isoTime } from '../peer-scene.ts';
import { postStatus } from '../two-servers.ts';

const context = 'https://www.w3.org/ns/activitystreams';

async function statusContents(server: TestServer): Promise<string[]> {
  const rows = await server.app.db
    .selectFrom('statuses')
    .select('content')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ content }) => content);
}

async function pendingObjectIds(server: TestServer): Promise<string[]> {
  const { rows } = await sql<{ body: string }>`select body from inbox_activities order by id`.execute(server.app.db);
  return rows.map(({ body }) => String((JSON.parse(body) as { object: { id: string } }).object.id));
}

test.each([
  ['Collection', 'items'],
  ['OrderedCollection', 'orderedItems'],
])('FED-03: the activities of a received %s are processed from last to first', async (type, member) => {
  await using scene = await followingScene();
  const { a, eve } = scene;
  const note = eve.note(1, { published: isoTime(a) });
  const edit = { ...note, content: '<p>Edited</p>', updated: isoTime(a, 10) };
  const items = [
    eve.activity('Delete', eve.note(2)['id']),
    eve.activity('Update', edit),
    { type: 'Create', object: eve.note(2) },
    `${eve.uri}/notes/3/activity`,
    eve.create(note),
  ];
  const body = { '@context': context, id: `${eve.uri}/batch`, type, actor: eve.uri, [member]: items };
  expect(await eve.send(a, body)).toBe(202);
  expect(await pendingObjectIds(a)).toHaveLength(4);
  await a.drain();
  expect(await statusContents(a)).toEqual(['<p>Edited</p>']);
  // A second copy is ignored, because each activity was received before.
  expect(await eve.send(a, body)).toBe(202);
  await a.drain();
  expect(await statusContents(a)).toEqual(['<p>Edited</p>']);
});

test('FED-03: a bad member of a collection costs only itself', async () => {
  await using scene = await followingScene();
  const { a, eve } = scene;
  let deep: unknown = 'end';
  for (let depth = 0; depth < 40; depth += 1) deep = { deep };
  const bad = [
    null,
    7,
    [[]],
    {},
    { type: 5, id: {}, actor: [[]] },
    { ...eve.create(eve.note('deep')), deep },
    { ...eve.create(eve.note('graph')), '@graph': [] },
    { ...eve.create(eve.note('object')), object: 12 },
    { ...eve.create(eve.note('broken')), object: { type: 'Note', id: {}, attributedTo: 9, content: [] } },
  ];
  const items = [...bad, eve.create(eve.note('good')), ...bad];
  const body = {
    '@context': context,
    id: `${eve.uri}/bad`,
    type: 'OrderedCollection',
    actor: eve.uri,
    orderedItems: items,
  };
  expect(await eve.send(a, body)).toBe(202);
  await a.drain();
  expect(await statusContents(a)).toEqual(['<p>Note good</p>']);
  expect(await eve.send(a, { ...eve.create(eve.note('single')), deep })).toBe(400);
});

test('FED-03: a collection cannot contain activities of other actors', async () => {
  await using scene = await followingScene();
  const { a, alice, eve, peer } = scene;
  const fay = peer.actor('fay');
  const { id } = await postStatus(alice, { status: 'mine' });
  const forged = eve.create(eve.note(1));
  const collection = (members: object) => ({ '@context': context, type: 'OrderedCollection', ...members });
  expect(await fay.send(a, collection({ orderedItems: [forged] }))).toBe(202);
  expect(
    await fay.send(a, collection({ actor: eve.uri, orderedItems: [{ type: 'Create', object: fay.note(1) }] })),
  ).toBe(202);
  expect(await fay.send(a, collection({ orderedItems: [{ ...forged, actor: undefined }] }))).toBe(202);
  const foreign = { ...fay.create(fay.note(2)), id: 'https://other.test/1' };
  expect(await fay.send(a, collection({ orderedItems: [foreign] }))).toBe(202);
  expect(await fay.send(a, collection({ orderedItems: [collection({ orderedItems: [forged] })] }))).toBe(202);
  expect(await fay.send(a, collection({ orderedItems: [forged] }), { headers: { signature: 'x' } })).toBe(400);
  peer.requestedPaths = [];
  await a.drain();
  expect(peer.requestedPaths.filter((path) => path.includes('/notes/'))).toEqual(['/users/eve/notes/1']);
  expect((await a.app.db.selectFrom('statuses').select('id').execute()).map((row) => row.id)).toEqual([id]);
});

test('FED-03: at most 100 activities of a collection are processed, with one fetch budget', async () => {
  await using scene = await followingScene();
  const { network, a, eve } = scene;
  const item = (at: number) => ({
    type: 'Create',
    id: `${eve.uri}/activities/${at}`,
    object: eve.note(at, { inReplyTo: `https://far.test/notes/${at}` }),
  });
  const collection = (count: number) => ({
    '@context': context,
    type: 'Collection',
    items: Array.from({ length: count }, (_, at) => item(at)),
  });
  expect(await eve.send(a, collection(101))).toBe(400);
  network.requests.length = 0;
  expect(await eve.send(a, collection(100))).toBe(202);
  await a.drain();
  expect(await statusContents(a)).toHaveLength(100);
  expect(network.requests.filter(({ url }) => url.startsWith('https://far.test/'))).toHaveLength(30);
});

test.each([
  ['application/activity+json; charset=utf-8', 202],
  ['application/ld+json; profile="https://www.w3.org/ns/activitystreams"', 202],
  ['application/json', 202],
  ['application/ld+json; profile="https://evil.test/https://www.w3.org/ns/activitystreams"', 415],
  ['application/ld+json', 415],
  ['text/html', 415],
])('FED-03: an inbox answers a body of type %s with %i', async (type, status) => {
  await using scene = await followingScene();
  const { a, eve } = scene;
  // An unsigned header may be changed on the way.
  const headers = { 'content-type': type };
  expect(await eve.send(a, eve.create(eve.note(1)), { headers, dialect: 'rfc9421' })).toBe(status);
});
