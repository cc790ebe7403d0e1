import { expect, test } from 'vitest';
import { selfDestructStatus, startSelfDestruct, stopSelfDestruct } from '../../server/instance/self-destruct/index.ts';
import { isSignedBy } from '../server-imports/signed-by.ts';
import { startServer } from '../server.ts';
import { getDocument } from './interaction-scene.ts';
import { peerScene } from './peer-scene.ts';
import { followAcross, postStatus, resolveStatusOn, twoServers } from './two-servers.ts';

test('FED-04: an instance that ends deletes its accounts here and on other servers, in batches', async () => {
  await using scene = await twoServers();
  const { network, a, b, alice, bob } = scene;
  for (let number = 1; number <= 25; number += 1) await a.user(`user${number}`);
  await a.user('waiting', { approved: false });
  const remoteAlice = await followAcross(scene, b, bob, 'alice@a.test');
  const status = await postStatus(alice, { status: 'Copied to b.test' });
  await network.drain();
  const copy = await resolveStatusOn(b, status.uri);

  await startSelfDestruct(a.app, 'system');
  expect(await selfDestructStatus(a.app)).toEqual({ job: 'waiting', accounts: 27, deliveries: 0 });
  expect((await a.anonymous.get('/api/v2/instance')).json).toMatchObject({ registrations: { enabled: false } });
  await network.drain();
  expect(await selfDestructStatus(a.app)).toEqual({ job: 'waiting', accounts: 7, deliveries: 0 });
  expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(401);
  expect((await bob.get(`/api/v1/statuses/${copy}`)).status).toBe(404);
  const { rowCount } = await b.pool.query('select from accounts where id = $1 and deleted_at is null', [remoteAlice]);
  expect(rowCount).toBe(0);

  expect(await stopSelfDestruct(a.app, 'system')).toBe(true);
  expect(await stopSelfDestruct(a.app, 'system')).toBe(false);
  a.clock.advance(60);
  await network.drain();
  expect(await selfDestructStatus(a.app)).toEqual({ job: null, accounts: 7, deliveries: 0 });
  await startSelfDestruct(a.app, 'system');
  await startSelfDestruct(a.app, 'system');
  await network.drain();
  expect(await selfDestructStatus(a.app)).toEqual({ job: null, accounts: 0, deliveries: 0 });

  const { rows } = await a.pool.query<{ action: string; count: string }>(
    `select action, count(*) from audit_log where staff_id is null group by action order by action`,
  );
  expect(rows.map(({ action, count }) => [action, Number(count)])).toEqual([
    ['account.delete', 27],
    ['instance.start_self_destruct', 3],
    ['instance.stop_self_destruct', 1],
    ['site_setting.update', 1],
  ]);
});

test('no more accounts are deleted while many deliveries wait', async () => {
  await using server = await startServer();
  const { id } = await server.user('alice');
  await server.pool.query(
    `insert into activities (id, sender_account_id, body, digest, created_at) values (1, $1, '{}', '', now())`,
    [id],
  );
  await server.pool.query(
    `insert into deliveries (activity_id, host, inbox_url, run_at)
       select 1, 'far.test', 'https://far.test/' || n, 'infinity' from generate_series(1, 50000) n`,
  );
  await startSelfDestruct(server.app, 'system');
  await server.drain();
  expect(await selfDestructStatus(server.app)).toEqual({ job: 'waiting', accounts: 1, deliveries: 50_000 });
  await server.pool.query('delete from deliveries');
  server.clock.advance(61);
  await server.drain();
  expect(await selfDestructStatus(server.app)).toEqual({ job: null, accounts: 0, deliveries: 0 });
});

test('the deletion of each account is signed with its own key', async () => {
  await using scene = await peerScene();
  const { a, eve, peer, network } = scene;
  const uri = 'https://a.test/users/alice';
  await eve.send(a, eve.activity('Follow', uri));
  await a.drain();
  const document = await getDocument(a, uri);
  await startSelfDestruct(a.app, 'system');
  await network.drain();
  const sent = peer.received.find(({ activity }) => activity['type'] === 'Delete');
  expect(sent?.activity).toMatchObject({ actor: uri, object: uri });
  const { publicKeyPem } = document['publicKey'] as { publicKeyPem: string };
  expect(isSignedBy(sent, publicKeyPem, 'peer.test')).toBe(true);
});
