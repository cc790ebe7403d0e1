import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { blockDomain, unblockDomain } from '../../../server/site/domains/index.ts';
import { Network } from '../../network.ts';
import type { TestServer } from '../../server.ts';
import { Peer } from '../peer.ts';
import { followPeer } from '../peer-scene.ts';
import { resolveAccountOn } from '../two-servers.ts';

const png = () =>
  sharp({ create: { width: 20, height: 20, channels: 3, background: '#345678' } })
    .png()
    .toBuffer();

const statusOf = async (server: TestServer, url: string) =>
  (await server.http.inject({ url: url.replace('https://a.test', ''), headers: { host: 'a.test' } })).statusCode;

async function listCachedFiles({ app }: TestServer): Promise<string[]> {
  const files = await readdir(join(app.config.dataDir, 'cache/media'), { recursive: true, withFileTypes: true });
  return files.filter((file) => file.isFile()).map(({ name }) => name);
}

test('FED-05: rejecting media hides avatars, emojis and attachments, deletes the cached files and is undone', async () => {
  await using network = new Network();
  const a = await network.start('a.test');
  const alice = await a.user('alice');
  const peer = new Peer(network, 'peer.test');
  const eve = peer.actor('eve');
  const file = await png();
  network.addHost('cdn.test', () => ({ status: 200, headers: { 'content-type': 'image/png' }, body: file }));
  eve.documentOverrides = {
    name: 'Eve :wren:',
    icon: { type: 'Image', mediaType: 'image/png', url: 'https://cdn.test/face.png' },
    tag: [{ type: 'Emoji', name: ':wren:', icon: { type: 'Image', url: 'https://cdn.test/wren.png' } }],
  };
  const id = await followPeer(a, alice, peer, eve);
  const attachment = { type: 'Document', mediaType: 'image/png', url: 'https://cdn.test/one.png' };
  await eve.send(a, eve.create(eve.note(1, { attachment: [attachment] })));
  await a.drain();
  const account = async () => (await alice.get(`/api/v1/accounts/${id}`)).json;
  const media = async () => (await alice.get('/api/v1/timelines/home')).json[0].media_attachments[0];
  const before = await account();
  expect(before.emojis).toMatchObject([{ shortcode: 'wren' }]);
  for (const url of [before.avatar, before.emojis[0].url, (await media()).url])
    expect(await statusOf(a, url)).toBe(200);
  expect(await listCachedFiles(a)).toHaveLength(3);

  await blockDomain(a.app, 'system', { domain: 'peer.test', severity: 'noop', rejectMedia: true });
  const hidden = await account();
  expect([hidden.emojis, hidden.avatar === before.avatar, (await media()).type]).toEqual([[], false, 'unknown']);
  await a.drain();
  expect(await listCachedFiles(a)).toEqual([]);

  await unblockDomain(a.app, 'system', 'peer.test');
  await a.drain();
  expect(await account()).toMatchObject({ avatar: before.avatar, emojis: before.emojis });
  expect(await statusOf(a, before.avatar)).toBe(200);
});

test('FED-05: files on a host whose media are rejected are not served, by whichever address, also from the cache', async () => {
  await using network = new Network();
  const a = await network.start('a.test');
  const alice = await a.user('alice');
  const peer = new Peer(network, 'peer.test');
  const file = await png();
  network.addHost('files.bad.test', () => ({ status: 200, body: file }));
  const eve = peer.actor('eve');
  eve.documentOverrides = { icon: { type: 'Image', mediaType: 'image/png', url: 'https://files.bad.test/face.png' } };
  const id = await resolveAccountOn(a, 'eve@peer.test');
  const { avatar } = (await alice.get(`/api/v1/accounts/${id}`)).json;
  expect(await statusOf(a, avatar)).toBe(200);
  await blockDomain(a.app, 'system', { domain: 'bad.test', severity: 'noop', rejectMedia: true });
  expect(await statusOf(a, avatar)).toBe(404);
  // To suspend a domain is to reject its media.
  await blockDomain(a.app, 'system', { domain: 'bad.test', severity: 'suspend', rejectMedia: false });
  expect(await statusOf(a, avatar)).toBe(404);
  await unblockDomain(a.app, 'system', 'bad.test');
  expect(await statusOf(a, avatar)).toBe(200);
  await a.drain();
});
