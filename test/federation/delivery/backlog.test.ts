import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { backlogLimits } from '../../../server/federation/inbox/backlog.ts';
import type { TestServer } from '../../server.ts';
import { peerScene } from '../peer-scene.ts';
import type { PeerActor } from '../peer.ts';

/** Inserts pending activities, each by a different signer or all by the given one. */
async function insertPending({ app, db }: TestServer, count: number, signerUri?: string): Promise<void> {
  await sql`insert into inbox_activities (actor_uri, signer_uri, signer_host, body, run_at)
    select signer.uri, signer.uri, 'far.test', '{}', ${app.clock.now()}
    from generate_series(1, ${count}::int) as n,
      lateral (select coalesce(${signerUri ?? null}::text, 'https://far.test/users/' || n) as uri) signer`.execute(db);
}

const createActivity = (actor: PeerActor, n: number) => actor.create(actor.note(n));

test('FED-03: an inbox with too many pending activities answers 503 without fetching keys, and recovers later', async () => {
  await using scene = await peerScene();
  const { a, peer, eve } = scene;
  await insertPending(a, backlogLimits.all - 1);
  expect(await eve.send(a, createActivity(eve, 1))).toBe(202);
  peer.requestedPaths = [];
  const olga = peer.actor('olga');
  expect(await olga.send(a, createActivity(olga, 1))).toBe(503);
  expect(peer.requestedPaths).toEqual([]);
  await a.db.deleteFrom('inbox_activities').execute();
  a.clock.advance(5);
  expect(await olga.send(a, createActivity(olga, 1))).toBe(202);
});

test('FED-03: a signer with too many pending activities gets 429, and other signers do not', async () => {
  await using scene = await peerScene();
  const { a, peer, eve } = scene;
  const olga = peer.actor('olga');
  await insertPending(a, backlogLimits.ofSigner - 1, eve.uri);
  expect(await eve.send(a, createActivity(eve, 1))).toBe(202);
  expect(await eve.send(a, createActivity(eve, 2))).toBe(429);
  expect(await olga.send(a, createActivity(olga, 1))).toBe(202);
  await a.db.deleteFrom('inbox_activities').execute();
  a.clock.advance(5);
  expect(await eve.send(a, createActivity(eve, 2))).toBe(202);
});
