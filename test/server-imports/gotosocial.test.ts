import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSigningKeys } from '../../server/accounts/keys/index.ts';
import { instanceActorId } from '../../server/accounts/index.ts';
import { Client, startServer, type TestServer } from '../server.ts';
import { Bucket } from './bucket.ts';
import {
  accounts,
  actorUri,
  aliceToken,
  domain,
  files,
  passwordHash,
  posts,
  postUri,
  requests,
  ulid,
} from './gotosocial-rows.ts';
import { createGotosocial, importInto, openScene } from './gotosocial-scene.ts';
import { isSignedBy } from './signed-by.ts';

const query = async (server: TestServer, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await server.pool.query<Record<string, unknown>>(text, values)).rows;

const idOf = async (server: TestServer, key: string): Promise<string> =>
  String((await query(server, 'select id from gotosocial.ids where ulid = $1', [key]))[0]?.['id']);

const activityHeaders = { accept: 'application/activity+json' };

test.each([
  ['sqlite', '0.17'],
  ['sqlite', '0.20'],
  ['postgres', '0.17'],
  ['postgres', '0.20'],
] as const)('rows of every kind are imported from %s of GoToSocial %s', async (dialect, version) => {
  const town = { SIGN_IN_PROVIDERS: 'town', OIDC_TOWN_ISSUER: 'https://id.test', OIDC_TOWN_CLIENT_ID: 'x' };
  await using server = await startServer({ domain, settings: town });
  await using source = await createGotosocial(dialect, version);
  const isNew = version === '0.20';
  const { refused, examples, isLater, verified } = await importInto(server, source);
  expect({ refused, examples, isLater }).toEqual({ refused: 0, examples: [], isLater: false });
  expect(verified.filter(({ sampled, equal }) => equal !== sampled)).toEqual([]);
  const fewer = verified.filter(({ total, expected }) => total < expected);
  expect(fewer.map(({ name }) => name)).toEqual([]);
  expect(verified.length).toBeGreaterThan(30);

  const stored = await query(server, 'select * from accounts');
  const account = (uri: string) => stored.find((row) => row['uri'] === uri);
  expect(account(actorUri(domain))).toMatchObject({
    id: '-99',
    username: domain,
    actor_type: 'Application',
    url: null,
  });
  expect(account(actorUri('alice'))).toMatchObject({
    display_name: 'Alice :heron:',
    note: 'I watch birds & herons.',
    fields: [{ name: 'Site', value: 'https://alice.test', verified_at: '2024-03-01T00:00:00Z' }],
    also_known_as: ['https://remote.test/users/old-alice'],
    avatar_key: `${accounts.alice}/avatar/original/${files.avatar}.gif`,
    avatar_static_key: `${accounts.alice}/avatar/small/${files.avatar}.webp`,
    hide_collections: true,
    created_at: new Date('2024-05-01T10:00:00Z'),
    activated: true,
    deleted_at: null,
  });
  expect(account(actorUri('mallory'))).toMatchObject({ suspension_origin: 'local', deleted_at: null });
  expect(account(actorUri('gone'))).toMatchObject({ deleted_at: new Date('2024-05-06T10:00:00Z') });
  expect(account(actorUri('newcomer'))).toMatchObject({ activated: false });
  const carol = account('https://remote.test/users/carol');
  expect(carol).toMatchObject({
    note: '<p>Hi <span>there</span></p>',
    avatar_remote_url: 'https://remote.test/carol.png',
    shared_inbox_url: 'https://remote.test/inbox',
  });
  expect(account(actorUri('old_bob'))).toMatchObject({ moved_to_account_id: carol?.['id'] });
  expect(account('https://Blocked.test/users/dave')).toMatchObject({
    domain: 'blocked.test',
    suspension_origin: 'domain',
  });
  expect(account('https://remote.test/users/erased')).toMatchObject({ suspension_origin: 'remote' });
  expect(
    await query(
      server,
      'select key_id, public_key_pem, private_key_pem is not null as is_local from account_keys order by key_id',
    ),
  ).toEqual(
    [
      {
        key_id: 'https://Blocked.test/users/dave#main-key',
        public_key_pem: source.keys.carol.publicPem,
        is_local: false,
      },
      { key_id: `${actorUri('alice')}/main-key`, public_key_pem: source.keys.alice.publicPem, is_local: true },
      { key_id: `${actorUri(domain)}/main-key`, public_key_pem: source.keys.instance.publicPem, is_local: true },
      { key_id: `${actorUri('bob')}/main-key`, public_key_pem: source.keys.alice.publicPem, is_local: true },
      {
        key_id: 'https://remote.test/users/carol#main-key',
        public_key_pem: source.keys.carol.publicPem,
        is_local: false,
      },
    ].toSorted((a, b) => (a.key_id < b.key_id ? -1 : 1)),
  );

  expect(
    await query(
      server,
      'select kind, state, uri, request_uri, reply_id is not null as is_reply from interaction_requests order by kind, state',
    ),
  ).toEqual([
    { kind: 'favourite', state: 'accepted', uri: 'https://remote.test/likes/1', request_uri: null, is_reply: false },
    { kind: 'reblog', state: 'rejected', uri: 'https://remote.test/boosts/1', request_uri: null, is_reply: false },
    {
      kind: 'reply',
      state: 'accepted',
      uri: `https://remote.test/notes/${posts.reply}`,
      request_uri: null,
      is_reply: true,
    },
    {
      kind: 'reply',
      state: 'pending',
      uri: `https://remote.test/notes/${posts.pending}`,
      request_uri: null,
      is_reply: true,
    },
  ]);
  expect(await query(server, 'select staff_name, action, target_label from audit_log order by id')).toEqual([
    { staff_name: 'alice', action: 'account.suspend', target_label: 'mallory' },
    { staff_name: 'alice', action: 'instance.suspend', target_label: 'blocked.test' },
  ]);
  expect(await query(server, 'select url, automatic from domain_lists')).toEqual(
    isNew ? [{ url: 'https://lists.test/blocks.csv', automatic: true }] : [],
  );

  const linked = 'select users.email, issuer, subject from identities join users on users.id = user_id';
  expect(await query(server, linked)).toEqual([
    { email: 'alice@birds.test', issuer: 'https://id.test', subject: 'person-1' },
  ]);
  const users = await query(
    server,
    'select email, role_id, password_hash, approved, settings, sign_up_reason from users order by email',
  );
  expect(users).toMatchObject([
    {
      email: 'alice@birds.test',
      role_id: '3',
      password_hash: passwordHash,
      settings: {
        default_privacy: 'unlisted',
        default_sensitive: true,
        default_language: 'de',
        default_content_type: 'text/markdown',
        default_interaction_policies: { public: expect.any(Number) },
      },
    },
    { email: 'bob@birds.test', role_id: '2', settings: { default_privacy: 'private' } },
    { email: 'mallory@birds.test', role_id: '-99' },
    { email: 'newcomer@birds.test', approved: false, sign_up_reason: 'I like herons.' },
    { email: 'oldBob@birds.test', role_id: '1' },
  ]);
  expect(
    await query(
      server,
      `select has_second_factor, lost_second_factor from users where email in ('alice@birds.test', 'bob@birds.test') order by email`,
    ),
  ).toEqual([
    { has_second_factor: isNew, lost_second_factor: false },
    { has_second_factor: false, lost_second_factor: isNew },
  ]);

  const secret = '12345678901234567890123456789012';
  expect(
    await query(
      server,
      `select convert_from(secret, 'UTF8') as secret, left(convert_from(code_hash, 'UTF8'), 4) as code_hash
        from user_totp join recovery_codes using (user_id)`,
    ),
  ).toEqual(isNew ? [{ secret, code_hash: '$2a$' }] : []);

  const statuses = await query(server, 'select * from statuses');
  const status = (id: string) => statuses.find((row) => String(row['uri']).endsWith(id));
  expect(status(posts.hello)).toMatchObject({
    uri: postUri('alice', posts.hello),
    url: `https://${domain}/@alice/${String(status(posts.hello)?.['id'])}`,
    local: true,
    text: 'Hello **@carol@remote.test** #herons',
    content_type: isNew ? 'text/markdown' : null,
    spoiler_text: 'Birds & more',
    visibility: 'public',
    media_ids: [await idOf(server, files.video), await idOf(server, files.image)],
    interaction_policy: expect.any(Number),
  });
  expect(status(posts.reply)).toMatchObject({
    content: '<p>Yes</p>',
    spoiler_text: 'Careful',
    in_reply_to_id: status(posts.hello)?.['id'],
    conversation_id: status(posts.hello)?.['conversation_id'],
    is_reply: true,
  });
  expect(status(posts.boost)).toMatchObject({
    reblog_of_id: status(posts.remote)?.['id'],
    uri: postUri('alice', posts.boost),
  });
  expect(status(posts.early)).toMatchObject({ in_reply_to_id: status(posts.remote)?.['id'] });
  expect(status(posts.localOnly)).toMatchObject({ visibility: 'local_public' });
  expect(status(posts.mutuals)).toMatchObject({ visibility: 'private' });
  expect(status(posts.direct)).toMatchObject({ visibility: 'direct' });
  expect(status(posts.pending)).toMatchObject({ visibility: 'direct' });
  expect(status(posts.waiting)).toBeUndefined();
  // The time in front, and the next number for a post of the same time.
  const [mutuals, twin] = [posts.mutuals, posts.twin].map((id) => BigInt(String(status(id)?.['id'])));
  expect(mutuals).toBe(BigInt(Date.parse('2024-05-08T10:00:00Z')) << 16n);
  expect(twin).toBe((mutuals ?? 0n) + 1n);

  expect(
    await query(server, 'select content, text, created_at from status_edits order by created_at, id'),
  ).toMatchObject(
    isNew ? [{ content: '<p>Helo</p>', text: 'Helo' }, { text: 'Hello **@carol@remote.test** #herons' }] : [],
  );
  expect(await query(server, 'select choice from poll_votes order by choice')).toEqual([{ choice: 0 }, { choice: 1 }]);
  expect(await query(server, 'select type, status_id from notifications order by id desc')).toEqual([
    { type: 'follow', status_id: null },
    { type: 'favourite', status_id: status(posts.hello)?.['id'] },
    { type: 'mention', status_id: status(posts.reply)?.['id'] },
    ...(isNew ? [{ type: 'update', status_id: status(posts.hello)?.['id'] }] : []),
  ]);
  expect(await query(server, 'select context, action from filters')).toEqual([
    { context: ['home', 'public'], action: 'hide' },
  ]);
  expect(await query(server, `select params from scheduled_statuses`)).toEqual(
    isNew
      ? [
          {
            params: {
              text: 'Later',
              visibility: 'private',
              localOnly: true,
              poll: { options: ['Heron', 'Stork'], expires_in: 3600, multiple: false, hide_totals: false },
            },
          },
        ]
      : [],
  );
  expect(
    await query(
      server,
      `select name, value from site_settings where name in ('title', 'extendedDescription', 'vapid') order by name`,
    ),
  ).toEqual([
    { name: 'extendedDescription', value: '<p>All <em>about</em> birds</p>' },
    { name: 'title', value: 'Birds' },
    ...(isNew
      ? [
          {
            name: 'vapid',
            value: {
              publicKey: Buffer.alloc(65, 4).toString('base64url'),
              privateKey: Buffer.alloc(32, 5).toString('base64url'),
            },
          },
        ]
      : []),
  ]);
  expect(await query(server, 'select domain, severity, obfuscate from domain_blocks')).toEqual([
    { domain: 'blocked.test', severity: 'suspend', obfuscate: true },
  ]);
});

test('apps, other servers and browsers go on with the addresses, keys and tokens that they know', async () => {
  await using scene = await openScene('sqlite', '0.20');
  const { server, source, peer, carol, network } = scene;
  await importInto(server, source);
  const alice = new Client(server.http, aliceToken);
  const [hello, remote, boost] = await Promise.all(
    [posts.hello, posts.remote, posts.boost].map((id) => idOf(server, id)),
  );

  expect((await alice.get('/api/v1/accounts/verify_credentials')).json).toMatchObject({
    username: 'alice',
    uri: actorUri('alice'),
    role: { name: 'Owner' },
  });
  const home = await alice.get('/api/v1/timelines/home');
  expect([home.status, home.json.map(({ id }: { id: string }) => id)]).toEqual([
    200,
    expect.arrayContaining([hello, boost]),
  ]);
  expect((await alice.get(`/api/v1/statuses/${hello}`)).json).toMatchObject({
    uri: postUri('alice', posts.hello),
    favourites_count: 1,
    replies_count: 1,
    pinned: true,
    muted: true,
    application: { name: 'Tusker' },
    tags: [{ name: 'herons' }],
    mentions: [{ acct: 'carol@remote.test' }],
    media_attachments: [
      { type: 'video', meta: { original: { duration: 12.5 } } },
      { type: 'image', description: 'A heron', meta: { focus: { x: 0.5, y: -0.25 } } },
    ],
  });
  for (const [path, length] of [
    [`/api/v1/statuses/${hello}/history`, 2],
    ['/api/v1/notifications', 4],
    ['/api/v1/conversations', 1],
    ['/api/v1/bookmarks', 1],
    ['/api/v1/lists', 1],
    [`/api/v1/lists/${await idOf(server, ulid('2024-05-01T10:00:00.000Z', 305))}/accounts`, 1],
    ['/api/v2/filters', 1],
    ['/api/v1/mutes', 1],
    ['/api/v1/followed_tags', 1],
    ['/api/v1/scheduled_statuses', 1],
    ['/api/v1/instance/rules', 1],
    ['/api/v1/custom_emojis', 1],
  ] as const) {
    const { status, json, text } = await alice.get(path);
    expect([status, Array.isArray(json) ? json.length : text], path).toEqual([200, length]);
  }
  expect((await alice.get('/api/v1/markers?timeline[]=home')).json).toMatchObject({
    home: { last_read_id: hello, version: 2 },
  });
  expect((await alice.get('/api/v1/push/subscription')).json).toMatchObject({
    endpoint: 'https://push.test/alice',
    alerts: { mention: true, follow: true, favourite: false },
    policy: 'followed',
  });
  const found = await alice.get(
    `/api/v2/search?resolve=true&q=${encodeURIComponent(`https://${domain}/@alice/statuses/${posts.hello}`)}`,
  );
  expect(found.json.statuses).toMatchObject([{ id: hello }]);

  const open = async (url: string, headers: Record<string, string> = activityHeaders) => {
    const response = await server.http.inject({ url, headers });
    return { status: response.statusCode, location: response.headers['location'], body: response.body };
  };
  const document = async (url: string): Promise<Record<string, unknown>> => JSON.parse((await open(url)).body);
  expect(await document(`/users/alice/statuses/${posts.hello}`)).toMatchObject({
    id: postUri('alice', posts.hello),
    attributedTo: actorUri('alice'),
    likes: { id: `${postUri('alice', posts.hello)}/likes` },
  });
  expect(await document(`/users/alice/statuses/${posts.hello}/replies`)).toMatchObject({ totalItems: 1 });
  expect((await open(`/users/alice/statuses/${posts.localOnly}`)).status).toBe(404);
  expect((await open(`/users/bob/statuses/${posts.hello}`)).status).toBe(404);
  expect((await open('/users/alice/statuses/nonsense')).status).toBe(404);
  expect((await open(`/@alice/statuses/${posts.hello}`, { accept: 'text/html' })).location).toBe(`/@alice/${hello}`);
  expect((await open(`/@alice/statuses/${posts.reply}`, { accept: 'text/html' })).status).toBe(404);
  for (const name of ['alice', domain]) {
    const key = { id: `${actorUri(name)}/main-key`, owner: actorUri(name) };
    expect(await document(`/users/${name}`)).toMatchObject({ id: actorUri(name), publicKey: key });
    expect(await document(`/users/${name}/main-key`)).toMatchObject({ id: actorUri(name), publicKey: key });
  }
  expect((await loadSigningKeys(server.app, instanceActorId)).rsa).toMatchObject({
    keyId: `${actorUri(domain)}/main-key`,
    publicKeyPem: source.keys.instance.publicPem,
  });
  const authorization = `${actorUri('alice')}/authorizations/${requests.reply}`;
  expect(await document(`/users/alice/authorizations/${requests.reply}`)).toMatchObject({
    id: authorization,
    type: 'ReplyAuthorization',
    interactingObject: `https://remote.test/notes/${posts.reply}`,
    interactionTarget: postUri('alice', posts.hello),
  });
  expect(await document(`/users/alice/accepts/${requests.reply}`)).toMatchObject({
    id: `${actorUri('alice')}/accepts/${requests.reply}`,
    type: 'Accept',
    object: `https://remote.test/notes/${posts.reply}`,
    result: authorization,
  });
  for (const path of [`alice/accepts/${requests.boost}`, `bob/accepts/${requests.reply}`, 'alice/authorizations/1'])
    expect((await open(`/users/${path}`)).status, path).toBe(404);
  const [request] = (await alice.get('/api/v1/interaction_requests')).json;
  const pendingUri = `https://remote.test/notes/${posts.pending}`;
  expect(request).toMatchObject({ type: 'reply', reply: { uri: pendingUri, visibility: 'direct' } });
  const answersTo = async () =>
    (await server.anonymous.get(`/api/v1/statuses/${hello}/context`)).json.descendants.map(
      ({ uri }: { uri: string }) => uri,
    );
  expect(await answersTo()).not.toContain(pendingUri);
  expect((await alice.post(`/api/v1/interaction_requests/${request.id}/authorize`)).status).toBe(200);
  await network.drain();
  expect(await answersTo()).toContain(pendingUri);
  expect(
    await query(
      server,
      'select username from mentions join accounts on accounts.id = account_id where status_id = $1',
      [await idOf(server, posts.pending)],
    ),
  ).toEqual(expect.arrayContaining([{ username: 'alice' }, { username: 'bob' }]));
  expect(await document(`/emoji/${files.emoji}`)).toMatchObject({ type: 'Emoji', name: ':heron:' });
  expect((await open(`/emoji/${files.image}`)).status).toBe(404);

  // Of the other server.
  const note = carol.note('after', { inReplyTo: postUri('alice', posts.hello) });
  expect(await carol.send(server, carol.create(note), { inbox: `${actorUri('alice')}/inbox` })).toBe(202);
  await network.drain();
  const context = await alice.get(`/api/v1/statuses/${hello}/context`);
  expect(context.json.descendants.map(({ uri }: { uri: string }) => uri)).toContain(note['id']);

  // And back: signed with the key of before.
  await alice.post('/api/v1/statuses', { status: 'We have moved' });
  await alice.delete(`/api/v1/statuses/${hello}`);
  await alice.post(`/api/v1/statuses/${remote}/unreblog`);
  await network.drain();
  const sent = (type: string) => peer.received.find(({ activity }) => activity['type'] === type);
  expect(sent('Create')?.activity['actor']).toBe(actorUri('alice'));
  expect(sent('Create')?.headers['signature'] ?? '').toContain(`keyId="${actorUri('alice')}/main-key"`);
  expect(isSignedBy(sent('Create'), source.keys.alice.publicPem)).toBe(true);
  expect(sent('Delete')?.activity['object']).toMatchObject({ id: postUri('alice', posts.hello) });
  expect(sent('Undo')?.activity['object']).toMatchObject({ id: postUri('alice', posts.boost) });
  expect((await open(`/users/alice/statuses/${posts.hello}`)).status).toBe(410);
});

test('the instance actor keeps its address if handles have another domain', async () => {
  await using server = await startServer({ domain, settings: { LOCAL_DOMAIN: 'feathers.test' } });
  await using source = await createGotosocial('sqlite', '0.20');
  expect((await importInto(server, source)).refused).toBe(0);
  for (const url of [`/users/${domain}`, `/users/${domain}/main-key`, '/actor']) {
    const response = await server.http.inject({ url, headers: activityHeaders });
    expect(response.json(), url).toMatchObject({
      id: actorUri(domain),
      preferredUsername: 'feathers.test',
      publicKey: { id: `${actorUri(domain)}/main-key`, publicKeyPem: source.keys.instance.publicPem },
    });
  }
});

test('a report of another server names posts by their address, and reports go out in the name of the old instance actor', async () => {
  await using scene = await openScene('sqlite', '0.20');
  const { server, source, peer, carol, network } = scene;
  await importInto(server, source);
  const flag = carol.activity('Flag', [actorUri('alice'), postUri('alice', posts.hello)], { content: 'Look here' });
  expect(await carol.send(server, flag)).toBe(202);
  await network.drain();
  expect(await query(server, `select status_ids from reports where comment = 'Look here'`)).toEqual([
    { status_ids: [await idOf(server, posts.hello)] },
  ]);
  const alice = new Client(server.http, aliceToken);
  const [reported] = await query(server, 'select id from accounts where uri = $1', [carol.uri]);
  await alice.post('/api/v1/reports', { account_id: String(reported?.['id']), comment: 'Rude', forward: true });
  await network.drain();
  const sent = peer.received.find(({ activity }) => activity['type'] === 'Flag');
  expect(sent?.activity['actor']).toBe(actorUri(domain));
  expect(isSignedBy(sent, source.keys.instance.publicPem)).toBe(true);
});

test.each(['sqlite', 'postgres'] as const)(
  'a run from %s that was interrupted goes on, and a later run takes only what changed',
  async (dialect) => {
    await using server = await startServer({ domain });
    await using source = await createGotosocial(dialect, '0.20');
    const stop = (step: string): void => {
      if (step === 'Importing favourites') throw new Error('the power failed');
    };
    await expect(importInto(server, source, { onProgress: stop })).rejects.toThrow('the power failed');
    expect(await query(server, 'select count(*)::int as count from statuses')).toEqual([{ count: 11 }]);
    expect(await query(server, 'select count(*)::int as count from favourites')).toEqual([{ count: 0 }]);
    expect((await importInto(server, source)).isLater).toBe(false);
    expect(await query(server, 'select count(*)::int as count from favourites')).toEqual([{ count: 1 }]);
    const before = await query(server, 'select id, uri from statuses order by id');

    await source.execute(`
      update accounts set display_name = 'Alice B.' where id = '${accounts.alice}';
      delete from statuses where id = '${posts.mutuals}';
      update statuses set content = '<p>Changed</p>', text = 'Changed' where id = '${posts.poll}';
      update account_settings set language = 'fr' where account_id = '${accounts.alice}';
      delete from status_faves;
      delete from status_to_tags`);
    const time = '2024-03-01T00:00:00.000Z';
    await source.insert('statuses', {
      id: ulid(time, 150),
      uri: `https://remote.test/notes/old`,
      account_id: accounts.carol,
      account_uri: 'https://remote.test/users/carol',
      local: false,
      federated: true,
      content: '<p>Old and new here</p>',
      visibility: 2,
      created_at: time,
      activity_streams_type: 'Note',
    });
    const later = await importInto(server, source);
    // The favourite, and the post.
    expect(later).toMatchObject({ isLater: true, refused: 0, deleted: 2 });
    expect(later.verified.filter(({ sampled, equal }) => equal !== sampled)).toEqual([]);
    expect(await query(server, 'select count(*)::int as count from favourites')).toEqual([{ count: 0 }]);
    expect(await query(server, 'select count(*)::int as count from status_tags')).toEqual([{ count: 0 }]);
    expect(await query(server, `select display_name from accounts where uri = $1`, [actorUri('alice')])).toEqual([
      { display_name: 'Alice B.' },
    ]);
    expect(
      await query(
        server,
        `select settings ->> 'default_language' as language from users where email = 'alice@birds.test'`,
      ),
    ).toEqual([{ language: 'fr' }]);
    expect(await query(server, 'select content from statuses where uri = $1', [postUri('alice', posts.poll)])).toEqual([
      { content: '<p>Changed</p>' },
    ]);
    const after = await query(server, 'select id, uri from statuses order by id');
    // Ids stay, and an old post that arrived late has the id of its time.
    expect(after.slice(1)).toEqual(before.filter(({ uri }) => uri !== postUri('alice', posts.mutuals)));
    expect(after[0]?.['uri']).toBe('https://remote.test/notes/old');
  },
);

test('only needed remote posts and accounts are taken on request', async () => {
  await using server = await startServer({ domain });
  await using source = await createGotosocial('sqlite', '0.20');
  const time = '2024-05-11T00:00:00.000Z';
  await source.insert('statuses', {
    id: ulid(time, 151),
    uri: 'https://remote.test/notes/nobody',
    account_id: accounts.carol,
    account_uri: 'https://remote.test/users/carol',
    local: false,
    federated: true,
    content: '<p>Nobody reads this</p>',
    visibility: 2,
    created_at: time,
    activity_streams_type: 'Note',
  });
  await source.insert('accounts', {
    id: ulid(time, 152),
    username: 'stranger',
    domain: 'far.test',
    uri: 'https://far.test/users/stranger',
    created_at: time,
    updated_at: time,
  });
  expect((await importInto(server, source, { remote: 'needed' })).refused).toBe(0);
  const accountUris = (await query(server, 'select uri from accounts')).map(({ uri }) => uri);
  expect(accountUris).toContain('https://remote.test/users/carol');
  expect(accountUris).not.toContain('https://far.test/users/stranger');
  const uris = (await query(server, 'select uri from statuses where not local')).map(({ uri }) => uri);
  expect(uris.toSorted()).toEqual(
    [posts.reply, posts.remote, posts.pending].map((id) => `https://remote.test/notes/${id}`).toSorted(),
  );
});

test('files are copied from the folder of the storage, and answer at their old addresses', async () => {
  await using server = await startServer({ domain });
  await using source = await createGotosocial('postgres', '0.20');
  const mediaFolder = mkdtempSync(join(tmpdir(), 'ff-storage-'));
  const key = `${accounts.alice}/attachment/original/${files.image}.png`;
  mkdirSync(join(mediaFolder, dirname(key)), { recursive: true });
  writeFileSync(join(mediaFolder, key), 'an image');
  expect((await importInto(server, source, { mediaFolder })).files).toMatchObject({
    copied: 1,
    present: 0,
    missingCount: 7,
  });
  expect((await importInto(server, source, { mediaFolder })).files).toMatchObject({ copied: 0, present: 1 });
  const file = await server.http.inject({ url: `/fileserver/${key}` });
  expect([file.statusCode, file.body, file.headers['content-type']]).toEqual([200, 'an image', 'image/png']);
  expect((await server.http.inject({ url: `/fileserver/${key.replace(files.image, files.video)}` })).statusCode).toBe(
    404,
  );
});

test('an old address of a file is answered from a bucket', async () => {
  const keys = [
    `${accounts.alice}/attachment/original/${files.image}.png`,
    `${accounts.alice}/avatar/small/${files.avatar}.webp`,
  ];
  await using bucket = await Bucket.open(keys);
  await using server = await startServer({ domain, settings: bucket.settings });
  await using source = await createGotosocial('sqlite', '0.20');
  expect((await importInto(server, source)).files).toBeUndefined();
  for (const key of keys) {
    const response = await server.http.inject({ url: `/fileserver/${key}` });
    expect([response.statusCode, response.body], key).toEqual([200, key]);
  }
  const hello = await idOf(server, posts.hello);
  const { json } = await server.anonymous.get(`/api/v1/statuses/${hello}`);
  expect(json.media_attachments.map(({ url }: { url: string }) => url)).toContain(`https://${domain}/media/${keys[0]}`);
});
