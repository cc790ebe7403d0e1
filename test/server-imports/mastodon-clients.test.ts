import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createRestAPIClient } from 'masto';
import { expect, test } from 'vitest';
import { Browser, unescapeHtml } from '../browser.ts';
import { startServer } from '../server.ts';
import { SoftwareAuthenticator } from '../software-authenticator.ts';
import { Bucket } from './bucket.ts';
import { accountIds, aliceToken, domain, mediaIds, statusIds } from './mastodon-rows.ts';
import { importInto, MastodonDatabase, MovedScene } from './mastodon-scene.ts';

test('masto.js with an old token walks through the server', async () => {
  await using scene = await MovedScene.open('4.6');
  const { server, source, network } = scene;
  await importInto(server, source);
  await server.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.http.server.address() as AddressInfo;
  const rest = createRestAPIClient({ url: `http://127.0.0.1:${port}`, accessToken: aliceToken });

  expect(await rest.v2.instance.fetch()).toMatchObject({ domain, title: 'Birds of a feather' });
  expect(await rest.v1.accounts.verifyCredentials()).toMatchObject({ id: accountIds.alice, role: { name: 'Owner' } });
  const home = await rest.v1.timelines.home.list();
  expect(home.map(({ id }) => id)).toEqual(expect.arrayContaining([statusIds.hello, statusIds.reblog]));
  const hello = rest.v1.statuses.$select(statusIds.hello);
  expect(await hello.fetch()).toMatchObject({ application: { name: 'Tusker' }, mentions: { length: 2 } });
  const { descendants } = await hello.context.fetch();
  expect(descendants.map(({ id }) => id)).toContain(statusIds.reply);
  expect(await hello.history.list()).toHaveLength(2);
  expect(await hello.favouritedBy.list()).toMatchObject([{ id: accountIds.carol }]);
  expect(await rest.v1.accounts.$select(accountIds.carol).fetch()).toMatchObject({ acct: 'carol@remote.test' });
  expect(await rest.v1.accounts.relationships.fetch({ id: [accountIds.carol] })).toMatchObject([
    { following: true, followedBy: true, endorsed: true, note: 'Met at the lake' },
  ]);
  expect((await rest.v1.notifications.list()).map(({ type }) => type).toSorted()).toEqual([
    'favourite',
    'follow',
    'mention',
    'severed_relationships',
  ]);
  const [list] = await rest.v1.lists.list();
  expect(list).toMatchObject({ title: 'Friends', exclusive: true });
  expect(await rest.v1.lists.$select(list?.id ?? '').accounts.list()).toMatchObject([{ id: accountIds.carol }]);
  expect(await rest.v2.filters.list()).toMatchObject([{ title: 'Cats', filterAction: 'hide' }]);
  expect(await rest.v1.conversations.list()).toMatchObject([{ unread: true, lastStatus: { id: statusIds.direct } }]);
  expect(await rest.v1.customEmojis.list()).toMatchObject([{ shortcode: 'heron', category: 'Birds' }]);

  // And goes on from here.
  const answer = await rest.v1.statuses.create({ status: 'We have moved', inReplyToId: statusIds.reply });
  expect(answer).toMatchObject({ inReplyToAccountId: accountIds.carol });
  expect(BigInt(answer.id)).toBeGreaterThan(BigInt(statusIds.private));
  expect(await rest.v1.statuses.$select(statusIds.remote).favourite()).toMatchObject({ favourited: true });
  expect(await rest.v1.statuses.$select(statusIds.remote).unbookmark()).toMatchObject({ bookmarked: false });
  await network.drain();
});

test('an imported passkey signs its user in', async () => {
  await using server = await startServer({ domain });
  await using source = await MastodonDatabase.create('4.4');
  const authenticator = new SoftwareAuthenticator();
  authenticator.origin = `https://${domain}`;
  const { id, publicKey } = authenticator.credential;
  // As the library of Mastodon writes both.
  await source.client.query(
    'update webauthn_credentials set external_id = $1, public_key = $2, sign_count = 0 where id = 1',
    [id.toString('base64url'), publicKey.toString('base64url')],
  );
  // Authenticators of phones and computers return the handle that Mastodon gave to the user.
  const handle = randomBytes(64).toString('base64url');
  await source.client.query('update users set webauthn_id = $1 where id = 11', [handle]);
  authenticator.userHandle = handle;
  await importInto(server, source);
  const browser = new Browser(server);
  await browser.open('/auth/sign_in');
  const [, json = ''] = /data-options="([^"]*)"/.exec(browser.text) ?? [];
  const options = JSON.parse(unescapeHtml(json)) as { challenge: string };
  authenticator.counter = 1;
  authenticator.userHandle = Buffer.from('11').toString('base64url');
  await browser.submit('/auth/sign_in/passkey', { credential: authenticator.get(options) });
  expect(browser.cookies.has('__Host-session')).toBe(false);
  authenticator.userHandle = handle;
  await browser.submit('/auth/sign_in/passkey', { credential: authenticator.get(options) });
  expect(browser.cookies.has('__Host-session')).toBe(true);
});

test('an old address of a file is answered from a bucket', async () => {
  const keys = [
    'media_attachments/files/109/300/000/013/107/200/original/a1b2.png',
    'custom_emojis/images/000/000/001/original/heron.gif',
    'site_uploads/files/000/000/001/@2x/birds.png',
  ];
  await using bucket = await Bucket.open(keys);
  await using server = await startServer({ domain, settings: bucket.settings });
  await using source = await MastodonDatabase.create('4.4');
  await importInto(server, source);
  for (const key of keys) {
    const response = await server.http.inject({ url: `/system/${key}` });
    expect([response.statusCode, response.body], key).toEqual([200, key]);
  }
  const { json } = await server.anonymous.get(`/api/v1/statuses/${statusIds.hello}`);
  const image = json.media_attachments.find((file: { id: string }) => file.id === mediaIds.image);
  expect(image.url).toBe(`https://${domain}/media/${keys[0]}`);
  const missing = await server.http.inject({ url: '/system/custom_emojis/images/000/000/002/original/none.png' });
  expect(missing.statusCode).toBe(404);
});
