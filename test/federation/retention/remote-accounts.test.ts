import { expect, test } from 'vitest';
import { cullAccounts, refreshAccounts } from '../../../server/federation/retention/index.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import { mergeAccounts } from '../../../server/profiles/index.ts';
import { Network } from '../../network.ts';
import type { TestUser } from '../../server.ts';
import { Peer } from '../peer.ts';
import { followPeer, peerScene } from '../peer-scene.ts';
import { resolveAccountOn } from '../two-servers.ts';

const dayS = 86_400;

test('accounts are refreshed by name, domain or all, however old they are, and failures are named', async () => {
  await using scene = await peerScene();
  const { network, a, alice, eve } = scene;
  const far = new Peer(network, 'far.test');
  const [fay, gone] = [far.actor('fay'), far.actor('gone')];
  const ids = {
    eve: await resolveAccountOn(a, 'eve@peer.test'),
    fay: await resolveAccountOn(a, 'fay@far.test'),
    gone: await resolveAccountOn(a, 'gone@far.test'),
  };
  await a.drain();
  const rename = (name: string): void => {
    for (const actor of [eve, fay]) actor.documentOverrides = { name };
  };
  const names = async () =>
    Promise.all([ids.eve, ids.fay].map(async (id) => (await alice.get(`/api/v1/accounts/${id}`)).json.display_name));

  rename('One');
  expect(await refreshAccounts(a.app, 'system', { ids: [ids.eve], label: 'eve@peer.test' })).toEqual({
    refreshed: 1,
    failed: [],
  });
  expect(await names()).toEqual(['One', '']);
  far.statuses.set(new URL(gone.uri).pathname, 503);
  expect(await refreshAccounts(a.app, 'system', { domains: ['far.test'], label: 'far.test' })).toEqual({
    refreshed: 1,
    failed: ['gone@far.test'],
  });
  expect(await names()).toEqual(['One', 'One']);
  rename('Two');
  network.takeDown('peer.test');
  const visited: string[] = [];
  const onAccount = ({ username }: { username: string }): void => void visited.push(username);
  expect(await refreshAccounts(a.app, 'system', { label: '*', onAccount })).toEqual({
    refreshed: 1,
    failed: ['eve@peer.test', 'gone@far.test'],
  });
  expect(visited.toSorted()).toEqual(['eve', 'fay', 'gone']);
  expect(await names()).toEqual(['One', 'Two']);
});

test('accounts that are gone are culled; new ones, served ones and those of silent servers stay', async () => {
  await using scene = await peerScene();
  const { network, a, alice, peer, eve } = scene;
  const far = new Peer(network, 'far.test');
  const silent = new Peer(network, 'silent.test');
  const stay = [far.actor('stay'), far.actor('odd'), silent.actor('quiet'), silent.actor('still')];
  const go = [far.actor('missing'), far.actor('tombstone')];
  const eveId = await followPeer(a, alice, peer, eve);
  for (const { username, host } of [...stay, ...go]) await resolveAccountOn(a, `${username}@${host}`);
  await a.drain();
  const pathOf = ({ uri }: { uri: string }): string => new URL(uri).pathname;
  peer.statuses.set(pathOf(eve), 410);
  const cull = async (options: { domains?: string[]; dryRun?: boolean } = {}) => cullAccounts(a.app, 'system', options);
  // All were fetched within a week.
  expect(await cull()).toEqual({ asked: 0, culled: [], unreachable: [] });
  a.clock.advance(8 * dayS);
  const young = await resolveAccountOn(a, `${far.actor('young').username}@far.test`);
  await a.drain();
  far.statuses.set('/users/young', 410);
  far.statuses.set('/users/missing', 404);
  far.documents.set('/users/odd', '<p>No actor</p>');
  far.serve({ id: go[1]?.uri, type: 'Tombstone' });
  network.takeDown('silent.test');

  const all = {
    asked: 5,
    culled: ['eve@peer.test', 'missing@far.test', 'tombstone@far.test'],
    unreachable: ['silent.test'],
  };
  expect(await cull({ dryRun: true })).toMatchObject(all);
  expect((await alice.get(`/api/v1/accounts/${eveId}`)).status).toBe(200);
  expect(await cull({ domains: ['peer.test'] })).toEqual({ asked: 1, culled: ['eve@peer.test'], unreachable: [] });
  await a.drain();
  expect((await alice.get(`/api/v1/accounts/${eveId}`)).status).toBe(404);
  expect((await alice.get('/api/v1/accounts/verify_credentials')).json.following_count).toBe(0);
  expect(await cull()).toEqual({
    asked: 4,
    culled: ['missing@far.test', 'tombstone@far.test'],
    unreachable: ['silent.test'],
  });
  await a.drain();
  expect((await alice.get(`/api/v1/accounts/${young}`)).status).toBe(200);
  for (const { username, host } of stay)
    expect((await alice.get(`/api/v1/accounts/lookup?acct=${username}@${host}`)).status).toBe(200);
  const log = await a.app.db.selectFrom('audit_log').select(['action', 'target_label']).orderBy('id').execute();
  expect(log.map(({ action, target_label }) => `${action} ${target_label}`).toSorted()).toEqual([
    'account.cull eve@peer.test',
    ...['missing', 'tombstone'].map((name) => `account.cull ${name}@far.test`),
  ]);
});

test('an account that was culled comes back when its server serves it again', async () => {
  await using network = new Network();
  const a = await network.start('a.test');
  const peer = new Peer(network, 'peer.test');
  const eve = peer.actor('eve');
  await resolveAccountOn(a, 'eve@peer.test');
  await a.drain();
  a.clock.advance(8 * dayS);
  peer.statuses.set('/users/eve', 404);
  expect((await cullAccounts(a.app, 'system', {})).culled).toEqual(['eve@peer.test']);
  await a.drain();
  peer.statuses.clear();
  eve.documentOverrides = { name: 'Back' };
  const id = await resolveAccountOn(a, 'eve@peer.test');
  const alice = await a.user('alice');
  expect((await alice.get(`/api/v1/accounts/${id}`)).json).toMatchObject({
    acct: 'eve@peer.test',
    display_name: 'Back',
  });
});

test('accounts of the same person are merged: followers, notes, mutes and blocks go over', async () => {
  await using scene = await peerScene();
  const { network, a, alice, peer, eve } = scene;
  const far = new Peer(network, 'far.test');
  for (const name of ['same', 'other']) far.actor(name);
  const eveId = await followPeer(a, alice, peer, eve);
  const [bob, carol] = [await a.user('bob'), await a.user('carol')];
  await bob.post(`/api/v1/accounts/${eveId}/mute`);
  await carol.post(`/api/v1/accounts/${eveId}/block`);
  await alice.post(`/api/v1/accounts/${eveId}/note`, { comment: 'A friend' });
  const [sameId, otherId] = [await resolveAccountOn(a, 'same@far.test'), await resolveAccountOn(a, 'other@far.test')];
  await a.drain();
  const merge = (targetId: AccountId, force = false) =>
    mergeAccounts(a.app, 'system', { accountId: eveId, targetId, force });
  expect(await merge(otherId)).toBe('unproven');
  expect(await mergeAccounts(a.app, 'system', { accountId: alice.id, targetId: sameId, force: true })).toBe('local');
  // With the key that the old server had.
  await a.pool.query(
    `update account_keys set public_key_pem = (select public_key_pem from account_keys where account_id = $1 limit 1)
     where account_id = $2`,
    [eveId, sameId],
  );
  expect(await merge(sameId)).toBeUndefined();
  await a.drain();

  expect((await alice.get(`/api/v1/accounts/${eveId}`)).json.moved.acct).toBe('same@far.test');
  const relationship = async (viewer: TestUser) =>
    (await viewer.get(`/api/v1/accounts/relationships?id[]=${sameId}`)).json[0];
  expect(await relationship(alice)).toMatchObject({ requested: true, note: expect.stringContaining('A friend') });
  expect(await relationship(bob)).toMatchObject({ muting: true });
  expect(await relationship(carol)).toMatchObject({ blocking: true });
  const { rows: log } = await a.pool.query(
    `select target_label as label, after from audit_log where action like '%merge%'`,
  );
  expect(log).toEqual([{ label: 'eve@peer.test', after: { moved_to: 'same@far.test' } }]);
});
