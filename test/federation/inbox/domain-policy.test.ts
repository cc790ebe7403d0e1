import { receiveEvents } from '../../../server/platform/write/publish.ts';
import { expect, test } from 'vitest';
import { loadCachedAccounts } from '../../../server/accounts/present/index.ts';
import { isBlockedDomain } from '../../../server/federation/index.ts';
import type { App } from '../../../server/platform/app.ts';
import { suspendAccount } from '../../../server/moderation/index.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import {
  allowDomain,
  blockDomain,
  disallowDomain,
  listBlockedDomains,
  unblockDomain,
  type DomainBlockChanges,
} from '../../../server/site/domains/index.ts';
import { Network } from '../../network.ts';
import { startServer, type Client, type TestServer } from '../../server.ts';
import { Peer } from '../peer.ts';
import { followPeer } from '../peer-scene.ts';
import {
  resolveAccountOn,
  followAcross,
  homeTimeline,
  listNotifications,
  postStatus,
  resolveStatusOn,
  twoServers,
} from '../two-servers.ts';

const block = (server: TestServer, change: DomainBlockChanges) => blockDomain(server.app, 'system', change);
const ids = (json: unknown): string[] => (json as { id: string }[]).map(({ id }) => id);
const moderationOf = async (app: App, id: AccountId) => {
  const body = (await loadCachedAccounts(app, [id])).get(id);
  return body && [body.suspended, body.silenced];
};

test('ADM-03 FED-05: suspending a domain hides its accounts and posts immediately; lifting it restores all of them', async () => {
  await using scene = await twoServers();
  const { network, a, b, alice, bob } = scene;
  const bobId = await followAcross(scene, a, alice, 'bob@b.test');
  await bob.post(`/api/v1/accounts/${await resolveAccountOn(b, 'alice@a.test')}/follow`);
  const { uri } = await postStatus(bob, { status: 'Hello @alice@a.test' });
  await network.drain();
  const statusId = await resolveStatusOn(a, uri);
  const seen = async (viewer: Client = alice) => ({
    home: (await homeTimeline(alice)).length,
    notifications: (await listNotifications(alice)).filter(({ type }) => type !== 'severed_relationships').length,
    profile: (await viewer.get(`/api/v1/accounts/${bobId}`)).json.suspended ?? false,
    posts: ((await viewer.get(`/api/v1/accounts/${bobId}/statuses`)).json as unknown[]).length,
    status: (await viewer.get(`/api/v1/statuses/${statusId}`)).status,
  });
  const open = { home: 1, notifications: 2, profile: false, posts: 1, status: 200 };
  const closed = { home: 0, notifications: 0, profile: true, posts: 0, status: 404 };
  expect(await seen()).toEqual(open);

  await block(a, { domain: 'b.test', severity: 'suspend' });
  // Before any job has run.
  expect(await seen()).toEqual(closed);
  expect(await seen(a.anonymous)).toEqual(closed);
  expect(await isBlockedDomain(a.app, 'b.test')).toBe(true);
  const following = async () => ids((await alice.get(`/api/v1/accounts/${alice.id}/following`)).json);
  const found = async () => ids((await alice.get('/api/v2/search?q=bob&type=accounts')).json.accounts);
  await a.drain();
  expect([await following(), await found(), await seen()]).toEqual([[], [], closed]);
  // The jobs change nothing when they run again.
  await block(a, { domain: 'b.test', severity: 'suspend' });
  await a.drain();
  expect(await seen()).toEqual(closed);

  expect(await unblockDomain(a.app, 'system', 'b.test')).toBe(true);
  expect(await seen()).toEqual(open);
  await a.drain();
  expect([await following(), await found(), await seen()]).toEqual([[bobId], [bobId], open]);
  // The follow was kept on both sides: bob's next post arrives.
  await postStatus(bob, { status: 'again' });
  await network.drain();
  expect(await homeTimeline(alice)).toHaveLength(2);
  expect(await unblockDomain(a.app, 'system', 'b.test')).toBe(false);
});

test('ADM-03: a new severity replaces the effects of the old one, but not staff decisions about single accounts', async () => {
  await using scene = await twoServers();
  const { network, a, b, bob } = scene;
  const viewer = await a.user('viewer');
  const bobId = await followAcross(scene, a, scene.alice, 'bob@b.test');
  await b.user('carl');
  const carlId = await resolveAccountOn(a, 'carl@b.test');
  await postStatus(bob, { status: 'for everyone' });
  await network.drain();
  const isPublic = async () => ((await viewer.get('/api/v1/timelines/public')).json as unknown[]).length;
  const row = (id: AccountId) =>
    a.app.db
      .selectFrom('accounts')
      .select(['suspension_origin', 'silence_origin'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  await suspendAccount(a.app, 'system', { accountId: carlId });

  const steps = [
    { severity: 'silence', bob: [false, true], carl: [true, true], public: 0 },
    { severity: 'suspend', bob: [true, false], carl: [true, false], public: 0 },
    { severity: 'noop', bob: [false, false], carl: [true, false], public: 1 },
    { severity: 'suspend', bob: [true, false], carl: [true, false], public: 0 },
    { severity: 'silence', bob: [false, true], carl: [true, true], public: 0 },
    { severity: undefined, bob: [false, false], carl: [true, false], public: 1 },
  ] as const;
  for (const { severity, ...expected } of steps) {
    if (severity === undefined) await unblockDomain(a.app, 'system', 'b.test');
    else await block(a, { domain: 'b.test', severity });
    const visible = async () => ({
      bob: await moderationOf(a.app, bobId),
      carl: await moderationOf(a.app, carlId),
      public: await isPublic(),
    });
    expect(await visible(), `${severity}, at once`).toEqual(expected);
    await a.drain();
    expect(await visible(), `${severity}, after the job`).toEqual(expected);
    expect(await row(bobId), severity).toEqual({
      suspension_origin: severity === 'suspend' ? 'domain' : null,
      silence_origin: severity === 'silence' ? 'domain' : null,
    });
    expect((await row(carlId)).suspension_origin, severity).toBe('local');
  }
});

test('FED-05: a block covers subdomains and ports, the strictest one applies, and new accounts are limited too', async () => {
  await using network = new Network();
  const a = await network.start('a.test');
  const [sub, other] = ['sub.bad.test', 'notbad.test'].map((host) => new Peer(network, host).actor('eve'));
  const subId = await resolveAccountOn(a, `eve@${sub?.host}`);
  await block(a, { domain: 'https://BAD.test/', severity: 'silence', rejectMedia: true });
  await block(a, { domain: 'sub.bad.test', severity: 'noop' });
  await a.drain();
  const otherId = await resolveAccountOn(a, `eve@${other?.host}`);
  expect([await moderationOf(a.app, subId), await moderationOf(a.app, otherId)]).toEqual([
    [false, true],
    [false, false],
  ]);
  await block(a, { domain: 'notbad.test', severity: 'silence' });
  const later = new Peer(network, 'late.bad.test').actor('eve');
  const laterId = await resolveAccountOn(a, `eve@${later.host}`);
  const row = await a.app.db
    .selectFrom('accounts')
    .select('silence_origin')
    .where('id', '=', laterId)
    .executeTakeFirstOrThrow();
  expect([await moderationOf(a.app, laterId), row.silence_origin]).toEqual([[false, true], 'domain']);
  await block(a, { domain: 'bad.test', severity: 'suspend' });
  expect(await isBlockedDomain(a.app, 'sub.bad.test:8443')).toBe(true);
  expect(await isBlockedDomain(a.app, 'xbad.test')).toBe(false);
  await a.drain();
});

test('FED-05: a block applies in every process immediately', async () => {
  await using scene = await twoServers();
  const { a, alice } = scene;
  const bobId = await followAcross(scene, a, alice, 'bob@b.test');
  // Caches belong to an App: this one is another process on the same database and bus.
  const other = { ...a.app };
  receiveEvents(other);
  expect([await moderationOf(other, bobId), await isBlockedDomain(other, 'b.test')]).toEqual([[false, false], false]);
  await block(a, { domain: 'b.test', severity: 'suspend' });
  expect([await moderationOf(other, bobId), await isBlockedDomain(other, 'b.test')]).toEqual([[true, false], true]);
  await unblockDomain(a.app, 'system', 'b.test');
  expect([await moderationOf(other, bobId), await isBlockedDomain(other, 'b.test')]).toEqual([[false, false], false]);
  await a.drain();
});

test('FED-05: activities of a suspended domain are refused, and accepted again once the block is lifted', async () => {
  await using network = new Network();
  const a = await network.start('a.test');
  const alice = await a.user('alice');
  const peer = new Peer(network, 'peer.test');
  const eve = peer.actor('eve');
  await followPeer(a, alice, peer, eve);
  await block(a, { domain: 'peer.test', severity: 'suspend' });
  await a.drain();
  expect(await eve.send(a, eve.create(eve.note(1)))).toBe(403);
  await unblockDomain(a.app, 'system', 'peer.test');
  await a.drain();
  expect(await eve.send(a, eve.create(eve.note(2)))).toBe(202);
  await a.drain();
  expect((await homeTimeline(alice)).map(({ uri }) => uri)).toEqual([`${eve.uri}/notes/2`]);
});

test('FED-05: media of a domain whose media are rejected are only linked, until the block is lifted', async () => {
  await using network = new Network();
  const a = await network.start('a.test');
  const alice = await a.user('alice');
  const peer = new Peer(network, 'peer.test');
  const eve = peer.actor('eve');
  eve.documentOverrides = { icon: { type: 'Image', mediaType: 'image/png', url: 'https://peer.test/face.png' } };
  const id = await followPeer(a, alice, peer, eve);
  const url = 'https://cdn.test/one.png';
  const attachment = { type: 'Document', mediaType: 'image/png', url, blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj' };
  await eve.send(a, eve.create(eve.note(1, { attachment: [attachment] })));
  await a.drain();
  const visible = async () => {
    const [status] = (await alice.get('/api/v1/timelines/home')).json as { media_attachments: object[] }[];
    const { avatar } = (await alice.get(`/api/v1/accounts/${id}`)).json as { avatar: string };
    return { media: status?.media_attachments[0], hasAvatar: avatar.includes('/media_proxy/') };
  };
  const open = { media: { type: 'image', url: expect.stringContaining('/media_proxy/') }, hasAvatar: true };
  expect(await visible()).toMatchObject(open);
  await block(a, { domain: 'peer.test', severity: 'noop', rejectMedia: true });
  expect(await visible()).toMatchObject({
    media: { type: 'unknown', url, preview_url: null, blurhash: null },
    hasAvatar: false,
  });
  await block(a, { domain: 'peer.test', rejectMedia: false });
  expect(await visible()).toMatchObject(open);
  await a.drain();
});

test('ADM-04: in limited federation mode a domain is accepted while staff allow it', async () => {
  await using network = new Network();
  const a = await network.start('a.test', { settings: { LIMITED_FEDERATION: 'on' } });
  const eve = new Peer(network, 'peer.test').actor('eve');
  await expect(resolveAccountOn(a, 'eve@peer.test')).rejects.toThrow('cannot find');
  const allowed = await allowDomain(a.app, 'system', 'Peer.test');
  expect((await allowDomain(a.app, 'system', 'peer.test')).id).toBe(allowed.id);
  a.clock.advance(60);
  const id = await resolveAccountOn(a, eve.uri);
  expect(await moderationOf(a.app, id)).toEqual([false, false]);
  expect(await disallowDomain(a.app, 'system', 'peer.test')).toBe(true);
  expect(await moderationOf(a.app, id)).toEqual([true, false]);
  await a.drain();
  expect(await disallowDomain(a.app, 'system', 'peer.test')).toBe(false);
  await allowDomain(a.app, 'system', 'peer.test');
  expect(await moderationOf(a.app, id)).toEqual([false, false]);
  await a.drain();
});

test('ADM-03: an update of a block keeps omitted fields, comments can be removed, and invalid domains are rejected', async () => {
  await using server = await startServer();
  await block(server, {
    domain: 'bücher.example',
    publicComment: ' spam ',
    privateComment: 'see ticket',
    obfuscate: true,
  });
  await block(server, { domain: 'xn--bcher-kva.example', severity: 'suspend', privateComment: '' });
  expect(await listBlockedDomains(server.app)).toMatchObject([
    {
      domain: 'xn--bcher-kva.example',
      severity: 'suspend',
      public_comment: 'spam',
      private_comment: null,
      obfuscate: true,
      reject_media: false,
    },
  ]);
  for (const domain of [
    '',
    'no domain',
    'a..b',
    '-x.test',
    'x'.repeat(64),
    `${'x.'.repeat(130)}test`,
    'u@b.test/path',
  ]) {
    await expect(block(server, { domain }), domain).rejects.toThrow('Domain is not a valid domain name');
  }
  for (const domain of ['fieldfare.test', 'FIELDFARE.test:443', 'test']) {
    await expect(block(server, { domain }), domain).rejects.toThrow('Domain belongs to this server');
  }
  await expect(block(server, { domain: 'b.test', publicComment: 'x'.repeat(5_001) })).rejects.toThrow('too long');
});
