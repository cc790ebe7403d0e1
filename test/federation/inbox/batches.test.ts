import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { recordStatements } from '../../record-statements.ts';
import { startServer, type TestServer } from '../../server.ts';
import { followingScene } from '../peer-scene.ts';
import { PeerActor } from '../peer.ts';
import { recordProcessing, storeActivities, storeSigners } from './scene-of-signers.ts';

type Json = Record<string, unknown>;

/** As many as one claim takes. */
const batchSize = 50;

const actors = (count: number): PeerActor[] =>
  Array.from({ length: count }, (_, n) => new PeerActor(`host${n}.test`, `eve${n}`));

async function countStatuses({ db }: TestServer): Promise<number> {
  const rows = await db.selectFrom('statuses').select('id').execute();
  return rows.length;
}

const cats = { type: 'Hashtag', name: '#cats' };
const image = { type: 'Document', mediaType: 'image/png', url: 'https://files.test/cat.png' };
const aliceUri = 'https://fieldfare.test/users/alice';
const creates: readonly { kind: string; build: (signer: PeerActor, n: number) => Json }[] = [
  { kind: 'plain posts', build: (signer) => signer.note(1) },
  { kind: 'posts in a conversation', build: (signer) => signer.note(1, { conversation: `tag:${signer.host}:1` }) },
  {
    kind: 'posts with hashtags',
    build: (signer, n) => signer.note(1, { tag: [cats, { ...cats, name: `#cats${n}` }] }),
  },
  {
    kind: 'mentions',
    build: (signer) => signer.note(1, { cc: [aliceUri], tag: [{ type: 'Mention', href: aliceUri }] }),
  },
  {
    kind: 'replies to remote posts',
    build: (signer) => signer.note(1, { inReplyTo: 'https://host0.test/users/eve0/notes/0' }),
  },
  { kind: 'posts with images', build: (signer) => signer.note(1, { attachment: [image, image] }) },
];
test.each(creates)('FED-03: fifty Creates take at most one statement each: $kind', async ({ build }) => {
  await using server = await startServer();
  const { id } = await server.user('alice');
  const signers = actors(batchSize);
  await storeSigners(server, signers, [id]);
  const [first] = signers;
  await storeActivities(server, [first?.create(first.note(0)) ?? {}]);
  await recordProcessing(server);
  await storeActivities(
    server,
    signers.map((signer, n) => signer.create(build(signer, n))),
  );
  const statements = await recordProcessing(server);
  expect(await countStatuses(server)).toBe(1 + batchSize);
  expect(statements.length).toBeLessThanOrEqual(batchSize);
});

const publicUri = 'https://www.w3.org/ns/activitystreams#Public';

const likeOf = (signer: PeerActor, object: string) => signer.activity('Like', object, { id: `${signer.uri}#like` });
const announceOf = (signer: PeerActor, object: string) =>
  signer.activity('Announce', object, { id: `${signer.uri}#announce`, to: [publicUri] });

test('FED-03: fifty Likes, Announces, their Undos and Deletes take at most two statements each', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const { json: status } = await alice.post('/api/v1/statuses', { status: 'Popular' });
  await server.drain();
  const signers = actors(batchSize);
  await storeSigners(server, signers, [alice.id]);
  const countFor = async (build: (signer: PeerActor) => Json): Promise<number> => {
    await storeActivities(server, signers.map(build));
    return (await recordProcessing(server)).length;
  };
  const statistics = async () => (await server.anonymous.get(`/api/v1/statuses/${status.id}`)).json;
  expect(await countFor((signer) => likeOf(signer, status.uri))).toBeLessThanOrEqual(2 * batchSize);
  expect(await countFor((signer) => announceOf(signer, status.uri))).toBeLessThanOrEqual(2 * batchSize);
  expect(await statistics()).toMatchObject({ favourites_count: batchSize, reblogs_count: batchSize });
  const undo = (build: typeof likeOf) => (signer: PeerActor) => signer.activity('Undo', build(signer, status.uri));
  expect(await countFor(undo(likeOf))).toBeLessThanOrEqual(2 * batchSize);
  expect(await countFor(undo(announceOf))).toBeLessThanOrEqual(2 * batchSize);
  expect(await statistics()).toMatchObject({ favourites_count: 0, reblogs_count: 0 });
  const unknown = (signer: PeerActor) => signer.activity('Delete', `${signer.uri}/notes/unknown`);
  expect(await countFor(unknown)).toBeLessThanOrEqual(2 * batchSize);
});

test('FED-03: fifty requests of a known signer take at most one statement each', async () => {
  await using scene = await followingScene();
  const { a, eve } = scene;
  await eve.send(a, eve.create(eve.note('first')));
  await a.drain();
  const statements = await recordStatements(() =>
    Promise.all(Array.from({ length: batchSize }, (_, n) => eve.send(a, eve.create(eve.note(n))))),
  );
  expect(statements.length).toBeLessThanOrEqual(batchSize);
  await a.drain();
  expect(await countStatuses(a)).toBe(1 + batchSize);
});

test('FED-03: replies that are forwarded together load the followers of the author once', async () => {
  await using server = await startServer();
  server.expectUndelivered('far.test');
  const alice = await server.user('alice');
  const { json: status } = await alice.post('/api/v1/statuses', { status: 'Reply to me' });
  await server.drain();
  const signers = actors(batchSize);
  await storeSigners(server, signers);
  await storeSigners(server, [new PeerActor('far.test', 'fan')]);
  await sql`insert into follows (id, account_id, target_account_id, created_at)
    select 1, id, ${alice.id}, ${server.clock.now()} from accounts where domain = 'far.test'`.execute(server.db);
  const signed = (signer: PeerActor) => ({
    ...signer.create(signer.note(1, { inReplyTo: status.uri, cc: [aliceUri] })),
    signature: {
      type: 'RsaSignature2017',
      creator: signer.keyId,
      created: '2026-01-01T00:00:00Z',
      signatureValue: 'x',
    },
  });
  await storeActivities(server, signers.map(signed));
  const statements = await recordProcessing(server);
  expect(statements.length).toBeLessThanOrEqual(3 * batchSize);
  const rows = await server.db.selectFrom('deliveries').select('host').execute();
  expect(rows.map(({ host }) => host)).toEqual(Array(batchSize).fill('far.test'));
});

test('FED-03: a claim that is planned for an empty table looks activities up by their signers', async () => {
  await using server = await startServer();
  await sql`vacuum analyze inbox_activities`.execute(server.db);
  const [claim] = (await recordProcessing(server)).filter(({ text }) => text.includes('heads as'));
  const { rows } = await server.db.transaction().execute(async (db) => {
    await sql`set local enable_seqscan = off`.execute(db);
    return sql<{ 'QUERY PLAN': string }>`explain (generic_plan) ${sql.raw(claim?.text ?? '')}`.execute(db);
  });
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/using inbox_activities_pkey on inbox_activities head/);
  for (const other of ['earlier', 'later'])
    expect(plan).toMatch(
      new RegExp(`_signer on inbox_activities ${other} .*\n *Index Cond: .*signer_uri = heads?(?:_1)?\\.signer_uri`),
    );
  expect(plan).not.toContain('Join Filter');
});

test('FED-03: a Create that cannot be stored fails alone', async () => {
  await using server = await startServer();
  server.expectFailedJobs('inbox');
  const { id } = await server.user('alice');
  const signers = actors(5);
  await storeSigners(server, signers, [id]);
  await sql`alter table statuses add check (uri not like '%eve2%')`.execute(server.db);
  await storeActivities(
    server,
    signers.map((signer) => signer.create(signer.note(1))),
  );
  await recordProcessing(server);
  const rows = await server.db.selectFrom('statuses').select('uri').execute();
  const stored = signers.filter((_, n) => n !== 2).map(({ uri }) => `${uri}/notes/1`);
  expect(rows.map(({ uri }) => uri).toSorted()).toEqual(stored);
  const waiting = await server.db.selectFrom('inbox_activities').select(['signer_uri', 'attempts']).execute();
  expect(waiting).toEqual([{ signer_uri: signers[2]?.uri, attempts: 1 }]);
});

test('FED-03: two Creates of one post in a batch store it once', async () => {
  await using server = await startServer();
  const { id } = await server.user('alice');
  const [eve, relay] = actors(2);
  if (eve === undefined || relay === undefined) throw new Error('no actors');
  await storeSigners(server, [eve, relay], [id]);
  const create = eve.create(eve.note(1));
  await storeActivities(server, [create]);
  await storeActivities(server, [create]);
  await sql`update inbox_activities set signer_uri = ${relay.uri}
    where id = (select max(id) from inbox_activities)`.execute(server.db);
  await server.drain();
  expect(await countStatuses(server)).toBe(1);
});
