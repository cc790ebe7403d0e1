import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { AccountId } from '../../server/platform/ids.ts';
import { unblockAccount } from '../../server/relationships/hide/index.ts';
import { Client, startServer, type TestServer } from '../server.ts';
import {
  accountIds,
  aliceToken,
  domain,
  longId,
  mediaIds,
  passwordHash,
  statusIds,
  webhookSecret,
} from './mastodon-rows.ts';
import { importInto, MastodonDatabase, MovedScene } from './mastodon-scene.ts';
import { isSignedBy } from './signed-by.ts';

const query = async (server: TestServer, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await server.pool.query<Record<string, unknown>>(text, values)).rows;

test.each(['4.2', '4.4', '4.6', '4.7'] as const)(
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
      ...(version === '4.2'
        ? []
        : [
            { id: '905', type: 'mention', status_id: statusIds.direct },
            { id: '906', type: 'severed_relationships', status_id: null },
          ]),
    ]);
    expect(
      await query(server, `select private_key_pem from account_keys where account_id = $1`, [accountIds.alice]),
    ).toEqual([{ private_key_pem: source.keys.alice.privatePem }]);
    expect(await query(server, `select params from scheduled_statuses`)).toEqual([
      { params: { text: 'Later', visibility: 'public', inReplyToId: statusIds.hello } },
    ]);
    expect(await query(server, `select value from site_settings where name = 'extendedDescription'`)).toEqual([
      { value: '<p><strong>About</strong></p><p>We like <em>birds</em>.</p>' },
    ]);
  },
);

test('rows of no account, which old servers may have, are left out', async () => {
  await using server = await startServer({ domain });
  await using source = await MastodonDatabase.create('4.2');
  const times = `now(), now()`;
  for (const statement of [
    `insert into account_notes (id, account_id, target_account_id, comment, created_at, updated_at) values (90, null, null, 'x', ${times})`,
    `insert into account_domain_blocks (id, account_id, domain, created_at, updated_at) values (90, null, 'x.test', ${times})`,
    `insert into mentions (id, status_id, account_id, created_at, updated_at) values (90, null, null, ${times})`,
    `insert into poll_votes (id, poll_id, account_id, created_at, updated_at) values (90, null, null, ${times})`,
    `insert into admin_action_logs (id, account_id, created_at, updated_at) values (90, null, ${times})`,
  ])
    await source.client.query(statement);
  const { refused, verified } = await importInto(server, source);
  expect(refused).toBe(0);
  const stored = (name: string) => verified.find((table) => table.name === name);
  for (const name of ['notes about accounts', 'hidden domains', 'mentions', 'votes', 'audit log'])
    expect(stored(name)).toMatchObject({ total: (stored(name)?.expected ?? 0) - 1 });
});

test('decisions of staff, images and texts of the site are taken', async () => {
  await using scene = await MovedScene.open('4.6');
  const { server, source } = scene;
  const { refused, verified } = await importInto(server, source);
  expect(refused).toBe(0);
  expect(verified.filter(({ sampled, equal }) => equal !== sampled)).toEqual([]);

  const folder = 'site_uploads/files/000/000/001';
  const icon = (side: number): string => `site_uploads/files/000/000/002/${side}/icon.png`;
  expect(await query(server, 'select name, files, description from site_images order by name desc')).toMatchObject([
    {
      name: 'thumbnail',
      files: { '@1x': `${folder}/@1x/birds.png`, '@2x': `${folder}/@2x/birds.png` },
      description: 'Two herons',
    },
    { name: 'icon', files: { '36x36': icon(36), '192x192': icon(192), '512x512': icon(512) } },
  ]);
  expect((await server.anonymous.get('/api/v2/instance')).json).toMatchObject({
    thumbnail: { versions: { '@2x': expect.stringContaining(`/media/${folder}/@2x/birds.png`) } },
  });
  expect(await query(server, 'select image_key from custom_emojis where domain is null')).toEqual([
    { image_key: 'custom_emojis/images/000/000/001/original/heron.gif' },
  ]);
  expect(
    await query(
      server,
      'select url, events, template, secret, account_id, disabled_reason as reason from webhooks order by id',
    ),
  ).toEqual([
    {
      url: 'https://hooks.test/in',
      events: ['report.created'],
      template: '{"id":"{{object.id}}"}',
      secret: Buffer.from(webhookSecret),
      account_id: null,
      reason: null,
    },
    expect.objectContaining({ url: 'https://hooks.test/off', reason: 'owner' }),
  ]);
  expect(
    await query(
      server,
      `select name, value from site_settings where name in ('suggestedAccounts', 'localLiveFeedAccess', 'remoteLiveFeedAccess',
        'remoteMediaRetentionDays', 'signUpProofOfWork') order by name`,
    ),
  ).toEqual([
    { name: 'localLiveFeedAccess', value: 'authenticated' },
    { name: 'remoteLiveFeedAccess', value: 'authenticated' },
    { name: 'remoteMediaRetentionDays', value: 30 },
    { name: 'signUpProofOfWork', value: 'easy' },
    { name: 'suggestedAccounts', value: ['alice', 'carol@remote.test'] },
  ]);
  expect(await query(server, 'select domain, trendable from link_publishers')).toEqual([
    { domain: 'news.test', trendable: true },
  ]);
  expect(await query(server, 'select card_id, domain, trendable from link_reviews')).toEqual([
    { card_id: '1', domain: 'news.test', trendable: false },
  ]);
  expect(await query(server, 'select status_id, trendable from status_reviews')).toEqual([
    { status_id: statusIds.remote, trendable: true },
  ]);
  expect(await query(server, 'select user_id, host(ip) as ip from user_ips order by ip')).toEqual([
    { user_id: '11', ip: '192.0.2.7' },
    { user_id: '11', ip: '2001:db8::1' },
  ]);
  expect(
    await query(server, `select key_id from account_keys where account_id = $1 order by id desc limit 1`, [
      accountIds.dave,
    ]),
  ).toEqual([{ key_id: 'https://limited.test/users/dave#second-key' }]);
});

test('collections, subscriptions and losses of follows are taken', async () => {
  await using scene = await MovedScene.open('4.6');
  const { server, source } = scene;
  await importInto(server, source);
  const alice = new Client(server.http, aliceToken);
  const { json: collections } = await alice.get(`/api/v1/accounts/${accountIds.alice}/collections`);
  expect(collections).toMatchObject({ collections: [{ id: '1', name: 'Bird people', item_count: 2 }] });
  expect((await alice.get('/api/v1/collections/1')).json).toMatchObject({
    collection: {
      items: [
        { id: '12', account_id: accountIds.carol, state: 'accepted' },
        { id: '11', account_id: accountIds.bob, state: 'accepted' },
      ],
    },
  });
  const headers = { accept: 'application/activity+json' };
  const uri = `https://${domain}/ap/users/${accountIds.alice}/collections/1`;
  const { body } = await server.http.inject({ url: new URL(uri).pathname, headers });
  expect(JSON.parse(body)).toMatchObject({ id: uri, name: 'Bird people' });
  expect(await query(server, 'select uri, description from collections where id = 2')).toEqual([
    { uri: 'https://remote.test/collections/2', description: '<p>Mine</p>' },
  ]);
  expect(await query(server, 'select * from tagged_collections')).toEqual([
    { status_id: statusIds.hello, collection_id: '1' },
  ]);
  expect(await query(server, 'select collection_ids from reports')).toEqual([{ collection_ids: ['2'] }]);
  expect(
    await query(server, 'select email, locale, confirmed_at is not null as confirmed from email_subscriptions'),
  ).toEqual([{ email: 'reader@mail.test', locale: 'de', confirmed: true }]);
  expect((await alice.get('/api/v1/annual_reports/2024')).json).toMatchObject({
    annual_reports: [{ year: 2024, data: { top_statuses: { by_reblogs: statusIds.hello } } }],
  });
  expect((await alice.get('/api/v1/fieldfare/severed_relationships')).json).toMatchObject([
    { id: '5', type: 'domain_block', target_name: 'gone.test', followers_count: 1, following_count: 1 },
  ]);
  expect(await query(server, 'select is_follower, account_id from severed_follows order by 1')).toEqual(
    [false, true].map((is_follower) => ({ is_follower, account_id: accountIds.dave })),
  );
  expect((await alice.get('/api/v1/notifications/requests')).json).toMatchObject([
    { account: { id: accountIds.dave }, notifications_count: '1' },
  ]);
  expect(await query(server, 'select target_account_id from dismissed_suggestions')).toEqual([
    { target_account_id: accountIds.dave },
  ]);
});

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
    ['/api/v1/notifications', 4],
    ['/api/v1/notifications/requests', 1],
    ['/api/v1/fieldfare/severed_relationships', 1],
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

test('what follows on old activities names them by their old ids', async () => {
  await using scene = await MovedScene.open('4.4');
  const { server, source, peer, carol, network } = scene;
  const [followUri, blockUri] = [`https://${domain}/ccc`, `https://${domain}/ddd`];
  await source.client.query(`
    insert into follow_requests (id, account_id, target_account_id, uri, created_at, updated_at)
      values (2, ${accountIds.oldBob}, ${accountIds.carol}, '${followUri}', now(), now());
    insert into blocks (id, account_id, target_account_id, uri, created_at, updated_at)
      values (2, ${accountIds.memorial}, ${accountIds.carol}, '${blockUri}', now(), now());
    delete from relays`);
  await importInto(server, source);
  expect(await carol.send(server, carol.activity('Accept', followUri))).toBe(202);
  await network.drain();
  const isFollowing = 'select from follows where account_id = $1 and target_account_id = $2';
  expect(await query(server, isFollowing, [accountIds.oldBob, accountIds.carol])).toHaveLength(1);

  const alice = new Client(server.http, aliceToken);
  const deleted = [statusIds.foreign, statusIds.reblog];
  const uris = await query(server, 'select uri from statuses where id = any($1) order by reblog_of_id nulls first', [
    deleted,
  ]);
  for (const id of deleted) expect((await alice.delete(`/api/v1/statuses/${id}`)).status).toBe(200);
  // The job runs when the rows are gone.
  await query(server, 'delete from statuses where id = any($1)', [deleted]);
  await network.drain();
  expect((await alice.post(`/api/v1/accounts/${accountIds.carol}/unfollow`)).status).toBe(200);
  // Deliveries of different accounts overtake each other.
  await network.drain();
  await unblockAccount(server.app, accountIds.memorial as AccountId, accountIds.carol as AccountId);
  await network.drain();
  const sent = peer.received.map(({ activity }) => activity);
  expect(sent.find(({ type }) => type === 'Delete')).toMatchObject({ object: { id: uris[0]?.['uri'] } });
  expect(sent.filter(({ type }) => type === 'Undo').map(({ object }) => object)).toEqual([
    expect.objectContaining({ type: 'Announce', id: uris[1]?.['uri'] }),
    expect.objectContaining({ type: 'Follow', id: `https://${domain}/aaa` }),
    expect.objectContaining({ type: 'Block', id: blockUri }),
  ]);
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

test('only needed remote posts and accounts are taken on request, and threads stay whole', async () => {
  await using server = await startServer({ domain });
  await using source = await MastodonDatabase.create('4.4');
  const [stranger, answerer, mentioned, alone] = [longId(701), longId(702), longId(703), longId(704)];
  const [below, above, unread, boost] = [longId(801), longId(90), longId(802), longId(803)];
  await source.client.query(`
    insert into accounts (id, username, domain, uri, public_key, protocol, created_at, updated_at)
      select id, 'a' || id, 'far.test', 'https://far.test/' || id, 'key', 1, now(), now()
      from unnest(array[${[stranger, answerer, mentioned, alone].join(', ')}]::bigint[]) id;
    insert into statuses (id, account_id, uri, local, text, in_reply_to_id, reblog_of_id, created_at, updated_at) values
      (${below}, ${answerer}, 'https://far.test/s/1', false, 'Below', ${statusIds.reply}, null, now(), now()),
      (${above}, ${stranger}, 'https://far.test/s/2', false, 'Above', null, null, now(), now()),
      (${unread}, ${alone}, 'https://far.test/s/3', false, 'Nobody reads this', null, null, now(), now()),
      (${boost}, ${alone}, 'https://far.test/s/4', false, '', null, ${unread}, now(), now());
    update statuses set in_reply_to_id = ${above} where id = ${statusIds.remote};
    insert into statuses (id, account_id, uri, local, text, in_reply_to_id, created_at, updated_at)
      values (${longId(804)}, ${accountIds.alice}, 'https://${domain}/804', true, 'I see', ${statusIds.remote}, now(), now());
    insert into mentions (id, status_id, account_id, created_at, updated_at) values (77, ${below}, ${mentioned}, now(), now());`);
  const { refused } = await importInto(server, source, { remote: 'needed' });
  expect(refused).toBe(0);
  const idsOf = async (table: string) => (await query(server, `select id from ${table}`)).map(({ id }) => id);
  const stored = await idsOf('statuses');
  expect(stored).toEqual(
    expect.arrayContaining([statusIds.reply, statusIds.remote, statusIds.direct, statusIds.early, below, above]),
  );
  for (const id of [unread, boost]) expect(stored).not.toContain(id);
  const accounts = await idsOf('accounts');
  expect(accounts).toEqual(expect.arrayContaining([accountIds.carol, accountIds.dave, stranger, answerer, mentioned]));
  expect(accounts).not.toContain(alone);
  expect(await query(server, 'select from account_keys where account_id = $1', [alone])).toEqual([]);
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
    missingCount: 19,
  });
  expect((await server.app.storage.get(key))?.body.toString()).toBe('an image');
  expect((await importInto(server, source, { mediaFolder })).files).toMatchObject({ copied: 0, present: 1 });

  const unstorable = 'media_attachments/files/a name.png';
  writeFileSync(join(mediaFolder, unstorable), 'an image');
  await query(server, 'update media_attachments set file_key = $1 where file_key = $2', [unstorable, key]);
  const { files } = await importInto(server, source, { mediaFolder });
  expect(files).toMatchObject({ copied: 0, present: 0, missingCount: 20 });
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
