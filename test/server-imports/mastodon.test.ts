import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { Client, startServer, type TestServer } from '../server.ts';
import { accountIds, aliceToken, domain, longId, mediaIds, passwordHash, statusIds } from './mastodon-rows.ts';
import { importInto, MastodonDatabase, MovedScene } from './mastodon-scene.ts';
import { isSignedBy } from './signed-by.ts';

const query = async (server: TestServer, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await server.pool.query<Record<string, unknown>>(text, values)).rows;

test.each(['4.2', '4.4', '4.6'] as const)(
  'rows of Mastodon %s of every kind are imported as they are',
  async (version) => {
    await using scene = await MovedScene.open(version);
    const { server, source } = scene;
    const { refused, isLater, verified } = await importInto(server, source, {
      lines: ['OIDC_ISSUER=https://id.test/'],
    });
    expect({ refused, isLater }).toEqual({ refused: 0, isLater: false });
    expect(verified.filter(({ sampled, equal }) => equal !== sampled)).toEqual([]);
    expect(verified.filter(({ total, expected }) => total !== expected).map(({ name }) => name)).toEqual([
      // The account without an ActivityPub id.
      'account counters',
    ]);
    expect(verified.length).toBeGreaterThan(50);

    const accounts = await query(server, 'select * from accounts order by id');
    const account = (id: string) => accounts.find((row) => row['id'] === id);
    expect(account('-99')).toMatchObject({
      username: domain,
      uri: `https://${domain}/actor`,
      actor_type: 'Application',
    });
    expect(account(accountIds.alice)).toMatchObject({
      uri: `https://${domain}/users/alice`,
      note: 'I watch birds & <b>herons</b>.',
      avatar_key: 'accounts/avatars/109/300/000/000/065/536/original/face.png',
      header_static_key: 'accounts/headers/109/300/000/000/065/536/static/moving.png',
      activated: true,
    });
    expect(account(accountIds.oldBob)).toMatchObject({ moved_to_account_id: accountIds.bob });
    expect(account(accountIds.mallory)).toMatchObject({ suspension_origin: 'local', deleted_at: null });
    expect(account(accountIds.gone)).toMatchObject({ deleted_at: new Date('2024-02-02T02:02:02Z') });
    expect(account(accountIds.newcomer)).toMatchObject({ activated: false });
    expect(account(accountIds.carol)).toMatchObject({ note: '<p>Hi <span>there</span></p>', avatar_key: null });
    expect(account(accountIds.dave)).toMatchObject({ silence_origin: 'domain', fields: [] });
    expect(account(accountIds.ostatus)).toBeUndefined();

    const [user] = await query(server, `select * from users where account_id = $1`, [accountIds.alice]);
    expect(user).toMatchObject({
      password_hash: passwordHash,
      role_id: '3',
      settings: { default_privacy: 'unlisted', autoplay_gifs: true, expand_media: 'hide_all' },
    });
    expect(await query(server, `select invite_id, sign_up_reason from users where invite_id is not null`)).toEqual([
      { invite_id: '1', sign_up_reason: 'I like herons.' },
    ]);

    expect(await query(server, 'select user_id, issuer, subject from identities')).toEqual([
      { user_id: '11', issuer: 'https://id.test', subject: 'person-1' },
    ]);

    const statuses = await query(server, 'select * from statuses order by id');
    const status = (id: string) => statuses.find((row) => row['id'] === id);
    expect(status(statusIds.deleted)).toBeUndefined();
    expect(status(statusIds.old)).toMatchObject({
      uri: `https://${domain}/users/alice/statuses/${statusIds.old}`,
      local: true,
      conversation_id: null,
    });
    expect(status(statusIds.early)).toMatchObject({ in_reply_to_id: statusIds.hello });
    expect(status(statusIds.foreign)).toMatchObject({
      uri: `https://old-name.test/users/alice/statuses/${statusIds.foreign}`,
    });
    expect(status(statusIds.hello)).toMatchObject({ media_ids: [mediaIds.video, mediaIds.image] });
    expect(status(statusIds.hello)?.['content']).toContain(
      '<a href="https://remote.test/@carol" class="u-url mention">',
    );
    expect(status(statusIds.reply)).toMatchObject({ content: '<p>Yes</p>', is_reply: true });
    expect(
      await query(server, 'select file_key, preview_key from media_attachments where id = $1', [mediaIds.video]),
    ).toEqual([
      {
        file_key: 'media_attachments/files/109/300/000/013/172/736/original/c3d4.mp4',
        preview_key: 'media_attachments/thumbnails/109/300/000/013/172/736/original/thumb.png',
      },
    ]);
    expect(await query(server, 'select id, type, status_id from notifications order by id')).toEqual([
      { id: '901', type: 'favourite', status_id: statusIds.hello },
      { id: '902', type: 'mention', status_id: statusIds.direct },
      { id: '903', type: 'follow', status_id: null },
    ]);
    expect(await query(server, `select params from scheduled_statuses`)).toEqual([
      { params: { text: 'Later', visibility: 'public', inReplyToId: statusIds.hello } },
    ]);
    expect(await query(server, `select value from site_settings where name = 'extendedDescription'`)).toEqual([
      { value: '<p><strong>About</strong></p><p>We like <em>birds</em>.</p>' },
    ]);
  },
);

test('apps, other servers and browsers go on with the addresses, keys and tokens that they know', async () => {
  await using scene = await MovedScene.open('4.4');
  const { server, source, peer, carol, network } = scene;
  await importInto(server, source);
  const alice = new Client(server.http, aliceToken);

  expect((await alice.get('/api/v1/accounts/verify_credentials')).json).toMatchObject({
    id: accountIds.alice,
    username: 'alice',
    role: { name: 'Owner' },
  });
  const home = await alice.get('/api/v1/timelines/home');
  expect([home.status, home.json.map(({ id }: { id: string }) => id)]).toEqual([
    200,
    expect.arrayContaining([statusIds.hello, statusIds.reblog]),
  ]);
  expect((await alice.get(`/api/v1/statuses/${statusIds.hello}`)).json).toMatchObject({
    uri: `https://${domain}/users/alice/statuses/${statusIds.hello}`,
    favourites_count: 1,
    pinned: true,
    muted: true,
    application: { name: 'Tusker' },
    media_attachments: [{ id: mediaIds.video }, { id: mediaIds.image, description: 'A heron' }],
  });
  for (const [path, length] of [
    [`/api/v1/statuses/${statusIds.hello}/history`, 2],
    ['/api/v1/notifications', 3],
    ['/api/v1/conversations', 1],
    ['/api/v1/bookmarks', 1],
    ['/api/v1/lists', 1],
    ['/api/v2/filters', 1],
    ['/api/v1/mutes', 1],
    ['/api/v1/domain_blocks', 1],
    ['/api/v1/followed_tags', 1],
    ['/api/v1/featured_tags', 1],
    ['/api/v1/endorsements', 1],
    ['/api/v1/scheduled_statuses', 1],
    ['/api/v1/announcements', 1],
    ['/api/v1/instance/rules', 1],
    [`/api/v1/accounts/${accountIds.alice}/followers`, 1],
    [`/api/v1/accounts/${accountIds.alice}/statuses?limit=40`, 6],
  ] as const) {
    const { status, json, text } = await alice.get(path);
    expect([status, Array.isArray(json) ? json.length : text], path).toEqual([200, length]);
  }
  expect((await alice.get('/api/v1/markers?timeline[]=home')).json).toMatchObject({
    home: { last_read_id: statusIds.hello, version: 2 },
  });
  expect((await alice.get('/api/v1/announcements')).json).toMatchObject([
    { reactions: [{ name: '🐦', count: 2, me: true }] },
  ]);
  expect((await alice.get('/api/v1/push/subscription')).json).toMatchObject({
    endpoint: 'https://push.test/alice',
    alerts: { mention: true, favourite: false },
    policy: 'followed',
  });
  expect((await server.anonymous.get(`/@alice/${statusIds.hello}`)).status).toBe(200);
  const { headers } = await server.http.inject({ url: '/media/Wq3k-Short_code', headers: { accept: 'text/html' } });
  expect(headers['location']).toBe(`https://${domain}/@alice/${statusIds.hello}`);

  // Of the other server.
  const note = carol.note('after', { inReplyTo: `https://${domain}/users/alice/statuses/${statusIds.hello}` });
  expect(await carol.send(server, carol.create(note))).toBe(202);
  await network.drain();
  const context = await alice.get(`/api/v1/statuses/${statusIds.hello}/context`);
  expect(context.json.descendants.map(({ uri }: { uri: string }) => uri)).toContain(note['id']);

  // And back: signed with the key of before.
  await alice.post('/api/v1/statuses', { status: 'We have moved' });
  await network.drain();
  const sent = peer.received.find(({ activity }) => activity['type'] === 'Create');
  expect(sent?.activity['actor']).toBe(`https://${domain}/users/alice`);
  expect(isSignedBy(sent, source.keys.alice.publicPem)).toBe(true);
});

test('an account with a numeric ActivityPub id keeps it, its posts and its key', async () => {
  await using scene = await MovedScene.open('4.6');
  const { server, source, peer, network } = scene;
  const uri = `https://${domain}/ap/users/${accountIds.alice}`;
  await source.client.query('update accounts set id_scheme = 1 where id = $1', [accountIds.alice]);
  await source.client.query('update statuses set uri = $1 where id = $2', [
    `${uri}/statuses/${statusIds.hello}`,
    statusIds.hello,
  ]);
  await importInto(server, source);
  const headers = { accept: 'application/activity+json' };
  const open = async (url: string) => (await server.http.inject({ url, headers })).json<Record<string, unknown>>();
  expect(await open(`/ap/users/${accountIds.alice}`)).toMatchObject({
    id: uri,
    publicKey: { id: `${uri}#main-key`, publicKeyPem: source.keys.alice.publicPem },
  });
  expect(await open(`/ap/users/${accountIds.alice}/statuses/${statusIds.hello}`)).toMatchObject({
    id: `${uri}/statuses/${statusIds.hello}`,
    attributedTo: uri,
  });
  await new Client(server.http, aliceToken).post('/api/v1/statuses', { status: 'We have moved' });
  await network.drain();
  const sent = peer.received.find(({ activity }) => activity['type'] === 'Create');
  expect(sent?.activity['actor']).toBe(uri);
  expect(isSignedBy(sent, source.keys.alice.publicPem)).toBe(true);
});

test('a run that was interrupted goes on, and a later run takes only what changed', async () => {
  await using server = await startServer({ domain });
  await using source = await MastodonDatabase.create('4.4');
  const stop = (step: string): void => {
    if (step === 'Importing favourites') throw new Error('the power failed');
  };
  await expect(importInto(server, source, { onProgress: stop })).rejects.toThrow('the power failed');
  expect(await query(server, 'select count(*)::int as count from statuses')).toEqual([{ count: 10 }]);
  expect(await query(server, 'select count(*)::int as count from favourites')).toEqual([{ count: 0 }]);
  expect((await importInto(server, source)).isLater).toBe(false);
  expect(await query(server, 'select count(*)::int as count from favourites')).toEqual([{ count: 1 }]);

  await source.client.query(`
    update accounts set display_name = 'Alice B.', updated_at = now() at time zone 'UTC' where id = ${accountIds.alice};
    update statuses set deleted_at = now(), updated_at = now() at time zone 'UTC' where id = ${statusIds.private};
    update statuses set text = 'Changed', updated_at = now() at time zone 'UTC' where id = ${statusIds.poll};
    delete from favourites;
    insert into favourites (id, account_id, status_id, created_at, updated_at)
      values (2, ${accountIds.carol}, ${statusIds.hello}, now(), now());
    insert into statuses (id, account_id, uri, local, text, created_at, updated_at)
      values (${longId(400)}, ${accountIds.alice}, 'https://${domain}/users/alice/statuses/${longId(400)}', true, 'New', now(), now());
    delete from statuses_tags;`);
  const later = await importInto(server, source);
  // The favourite with its notification, a post, and a hashtag.
  expect(later).toMatchObject({ isLater: true, refused: 0, deleted: 4 });
  expect(later.verified.filter(({ sampled, equal }) => equal !== sampled)).toEqual([]);
  expect(await query(server, 'select id from favourites')).toEqual([{ id: '2' }]);
  expect(await query(server, 'select display_name from accounts where id = $1', [accountIds.alice])).toEqual([
    { display_name: 'Alice B.' },
  ]);
  expect(
    await query(server, 'select id, content from statuses where id = any($1) order by id', [
      [statusIds.poll, statusIds.private, longId(400)],
    ]),
  ).toEqual([
    { id: statusIds.poll, content: '<p>Changed</p>' },
    { id: longId(400), content: '<p>New</p>' },
  ]);
});

test('a row that the database refuses is named, and the others of its batch are stored', async () => {
  await using server = await startServer({ domain });
  await using source = await MastodonDatabase.create('4.2');
  await source.client.query(
    `insert into ip_blocks (id, ip, severity, created_at, updated_at) values (2, '192.0.2.1', 77, now(), now()), (3, '192.0.2.2', 5500, now(), now())`,
  );
  const { refused, examples } = await importInto(server, source);
  expect(refused).toBe(1);
  expect(examples).toMatchObject([{ step: 'blocked IP addresses' }]);
  expect(examples[0]?.row).toEqual({ id: 2 });
  expect(await query(server, 'select id from ip_blocks order by id')).toEqual([{ id: '1' }, { id: '3' }]);
});

test('only needed remote posts are taken on request', async () => {
  await using server = await startServer({ domain });
  await using source = await MastodonDatabase.create('4.4');
  await source.client.query(
    `insert into statuses (id, account_id, uri, local, text, created_at, updated_at)
      values (${longId(500)}, ${accountIds.carol}, 'https://remote.test/s/500', false, 'Nobody reads this', now(), now())`,
  );
  const { refused } = await importInto(server, source, { remote: 'needed' });
  expect(refused).toBe(0);
  const stored = (await query(server, 'select id from statuses')).map(({ id }) => id);
  expect(stored).toEqual(
    expect.arrayContaining([statusIds.reply, statusIds.remote, statusIds.direct, statusIds.early]),
  );
  expect(stored).not.toContain(longId(500));
});

test('files are copied from a folder, once, and missing ones are counted', async () => {
  await using server = await startServer({ domain });
  await using source = await MastodonDatabase.create('4.4');
  const mediaFolder = mkdtempSync(join(tmpdir(), 'ff-system-'));
  const key = 'media_attachments/files/109/300/000/013/107/200/original/a1b2.png';
  mkdirSync(join(mediaFolder, dirname(key)), { recursive: true });
  writeFileSync(join(mediaFolder, key), 'an image');
  expect((await importInto(server, source, { mediaFolder })).files).toMatchObject({
    copied: 1,
    present: 0,
    missingCount: 8,
  });
  expect((await server.app.storage.get(key))?.body.toString()).toBe('an image');
  expect((await importInto(server, source, { mediaFolder })).files).toMatchObject({ copied: 0, present: 1 });

  const unstorable = 'media_attachments/files/a name.png';
  writeFileSync(join(mediaFolder, unstorable), 'an image');
  await query(server, 'update media_attachments set file_key = $1 where file_key = $2', [unstorable, key]);
  const { files } = await importInto(server, source, { mediaFolder });
  expect(files).toMatchObject({ copied: 0, present: 0, missingCount: 9 });
  expect(files?.missing).toContain(unstorable);
});

test('the keys of Web Push are kept', async () => {
  await using server = await startServer({ domain });
  await using source = await MastodonDatabase.create('4.2');
  const [publicKey, privateKey] = [Buffer.alloc(65, 4), Buffer.alloc(32, 5)];
  await importInto(server, source, {
    lines: [
      `VAPID_PUBLIC_KEY=${publicKey.toString('base64')}`,
      `VAPID_PRIVATE_KEY=${privateKey.toString('base64url')}=`,
    ],
  });
  expect(await query(server, `select value from site_settings where name = 'vapid'`)).toEqual([
    { value: { publicKey: publicKey.toString('base64url'), privateKey: privateKey.toString('base64url') } },
  ]);
});
