import { passwordHash, recoveryHash } from './mastodon-rows.ts';
import { GoJson, type GotosocialDatabase, type SourceKeys, type Value } from './gotosocial-database.ts';

export { passwordHash };
export const domain = 'birds.test';
export const aliceToken = 'NZRJMWYZNDGTODZKNJQ0ZS01ALICE';
export const appSecret = 'the-secret-of-the-app';
/** The secret of the authenticator app, in base32 without padding. */
const otpSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA';

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a ULID of a time, with a number as its last digits. */
export function ulid(time: string, n: number): string {
  let [left, text] = [Date.parse(time), ''];
  for (let place = 0; place < 10; place += 1) {
    text = (digits[left % 32] ?? '') + text;
    left = Math.floor(left / 32);
  }
  return `${text}${String(n).padStart(16, '0')}`;
}

const day = (n: number): string => `2024-05-${String(n).padStart(2, '0')}T10:00:00.000Z`;
/** A ULID whose time says nothing, as those of accounts. */
const randomUlid = (n: number): string => ulid('2051-03-04T05:06:07.000Z', n);

export const accounts = {
  instance: randomUlid(1),
  alice: randomUlid(2),
  bob: randomUlid(3),
  /** Suspended by staff. */
  mallory: randomUlid(4),
  /** Moved to carol. */
  oldBob: randomUlid(5),
  /** Deleted: its user is gone. */
  gone: randomUlid(6),
  /** Waits for confirmation. */
  newcomer: randomUlid(7),
  carol: randomUlid(8),
  /** Of a blocked domain. */
  dave: randomUlid(9),
  /** Deleted on its server. */
  erased: randomUlid(10),
};
export const posts = {
  hello: ulid(day(1), 101),
  reply: ulid(day(2), 102),
  remote: ulid(day(3), 103),
  boost: ulid(day(4), 104),
  poll: ulid(day(5), 105),
  direct: ulid(day(6), 106),
  localOnly: ulid(day(7), 107),
  mutuals: ulid(day(8), 108),
  /** Answers a post with a later id. */
  early: ulid(day(0 + 1), 100),
  pending: ulid(day(9), 109),
  /** Waits for a remote author. */
  waiting: ulid(day(9), 111),
  /** Of the same time as `mutuals`, and of the same digits that make its id. */
  twin: ulid(day(8), 110),
};
export const requests = {
  reply: ulid(day(2), 621),
  favourite: ulid(day(2), 622),
  boost: ulid(day(2), 623),
  pending: ulid(day(2), 624),
};
export const files = {
  avatar: ulid(day(1), 201),
  image: ulid(day(1), 202),
  video: ulid(day(1), 203),
  remote: ulid(day(1), 204),
  emoji: ulid(day(1), 205),
};
const [thread, app, token, poll, list, filter, edit, category, tag] = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) =>
  ulid(day(1), 300 + n),
) as [string, string, string, string, string, string, string, string, string];
export const others = { thread, app, token, poll, list, filter, edit, category, tag, rule: ulid(day(1), 400) };
const [rule, follow] = [others.rule, ulid(day(2), 401)];

export const actorUri = (name: string): string => `https://${domain}/users/${name}`;
export const postUri = (name: string, id: string): string => `${actorUri(name)}/statuses/${id}`;

type Row = Readonly<Record<string, Value | GoJson>>;

const dated = { created_at: day(1), updated_at: day(2) };

function localAccount(name: string, id: string, keys: SourceKeys['alice'] | undefined, more: Row = {}): Row {
  const uri = actorUri(name);
  return {
    id,
    ...dated,
    username: name,
    display_name: name,
    note: '',
    locked: false,
    discoverable: true,
    uri,
    url: `https://${domain}/@${name}`,
    inbox_uri: `${uri}/inbox`,
    outbox_uri: `${uri}/outbox`,
    followers_uri: `${uri}/followers`,
    following_uri: `${uri}/following`,
    featured_collection_uri: `${uri}/collections/featured`,
    public_key_uri: `${uri}/main-key`,
    ...(keys === undefined
      ? { public_key: null, private_key: null }
      : { public_key: new GoJson(keys.publicJson), private_key: new GoJson(keys.privateJson) }),
    ...more,
  };
}

function remoteAccount(handle: string, id: string, publicJson: string, more: Row = {}): Row {
  const [name = '', host = ''] = handle.split('@');
  const uri = `https://${host}/users/${name}`;
  return {
    ...localAccount(name, id, undefined),
    domain: host,
    uri,
    url: `https://${host}/@${name}`,
    inbox_uri: `${uri}/inbox`,
    outbox_uri: `${uri}/outbox`,
    followers_uri: `${uri}/followers`,
    following_uri: `${uri}/following`,
    featured_collection_uri: null,
    public_key_uri: `${uri}#main-key`,
    public_key: new GoJson(publicJson),
    fetched_at: day(3),
    ...more,
  };
}

/** Inserts rows of every kind, odd ones among them. */
export async function insertGotosocialRows(source: GotosocialDatabase, keys: SourceKeys): Promise<void> {
  const isOld = source.version === '0.17';
  const named = (name: string, number: number): Value => (isOld ? name : number);
  await insertAccounts(source, keys, named);
  await insertPosts(source, named);
  await insertOthers(source, named);
}

type Named = (name: string, number: number) => Value;

async function insertAccounts(source: GotosocialDatabase, keys: SourceKeys, named: Named): Promise<void> {
  const { alice, instance, carol } = keys;
  const person = { actor_type: named('Person', 4) };
  const all: Row[] = [
    localAccount(domain, accounts.instance, instance, { actor_type: named('Person', 4), discoverable: null }),
    localAccount('alice', accounts.alice, alice, {
      ...person,
      display_name: 'Alice :heron:',
      note: '<p>I watch birds &amp; herons.</p>',
      note_raw: 'I watch birds & herons.',
      fields: [
        { Name: 'Site', Value: '<a href="https://alice.test">alice.test</a>', VerifiedAt: '0001-01-01T00:00:00Z' },
      ],
      fields_raw: [{ Name: 'Site', Value: 'https://alice.test', VerifiedAt: '2024-03-01T00:00:00Z' }],
      also_known_as_uris: ['https://remote.test/users/old-alice'],
      avatar_media_attachment_id: files.avatar,
    }),
    localAccount('bob', accounts.bob, alice, {
      ...person,
      public_key_uri: `${actorUri('bob')}/main-key`,
      locked: true,
    }),
    localAccount('mallory', accounts.mallory, undefined, {
      ...person,
      suspended_at: day(5),
      suspension_origin: accounts.alice,
    }),
    localAccount('old_bob', accounts.oldBob, undefined, { ...person, moved_to_uri: 'https://remote.test/users/carol' }),
    localAccount('gone', accounts.gone, undefined, {
      ...person,
      suspended_at: day(6),
      suspension_origin: accounts.gone,
    }),
    localAccount('newcomer', accounts.newcomer, undefined, person),
    remoteAccount('carol@remote.test', accounts.carol, carol.publicJson, {
      ...person,
      note: '<p>Hi <script>alert(1)</script><span>there</span></p>',
      fields: [{ Name: 'Pronouns', Value: 'she', VerifiedAt: '2024-01-02T03:04:05Z' }],
      shared_inbox_uri: 'https://remote.test/inbox',
      avatar_remote_url: 'https://remote.test/carol.png',
    }),
    remoteAccount('dave@Blocked.test', accounts.dave, carol.publicJson, {
      ...person,
      suspended_at: day(7),
      suspension_origin: ulid(day(7), 500),
    }),
    remoteAccount('erased@remote.test', accounts.erased, '{}', {
      ...person,
      suspended_at: day(7),
      suspension_origin: accounts.erased,
      public_key: new GoJson('null'),
    }),
  ];
  for (const row of all) await source.insert('accounts', row);
  await source.insert('account_settings', {
    account_id: accounts.alice,
    ...dated,
    privacy: named('unlocked', 3),
    sensitive: true,
    language: 'de',
    status_content_type: 'text/markdown',
    hide_collections: true,
    interaction_policy_public: { CanReply: { Always: ['author', 'followers'], WithApproval: ['public'] } },
  });
  await source.insert('account_settings', {
    account_id: accounts.bob,
    ...dated,
    privacy: named('mutuals_only', 5),
    language: '',
  });
  await source.insert('account_stats', {
    account_id: accounts.alice,
    followers_count: 1,
    following_count: 1,
    statuses_count: 6,
    last_status_at: day(8),
  });
  const user = {
    ...dated,
    encrypted_password: passwordHash,
    approved: true,
    disabled: false,
    admin: false,
    moderator: false,
  };
  await source.insert('users', {
    ...user,
    id: ulid(day(1), 601),
    account_id: accounts.alice,
    email: 'alice@birds.test',
    external_id: 'person-1',
    confirmed_at: day(1),
    admin: true,
    locale: 'en',
    sign_up_ip: '192.0.2.7',
    two_factor_secret: otpSecret,
    two_factor_backups: [recoveryHash],
    two_factor_enabled_at: day(4),
  });
  await source.insert('users', {
    ...user,
    created_at: day(2),
    id: ulid(day(2), 602),
    account_id: accounts.bob,
    email: 'bob@birds.test',
    confirmed_at: day(2),
    admin: true,
    two_factor_secret: 'not base32!',
    two_factor_enabled_at: day(4),
  });
  for (const [index, name] of (['mallory', 'oldBob'] as const).entries())
    await source.insert('users', {
      ...user,
      id: ulid(day(3), 603 + index),
      account_id: accounts[name],
      email: `${name}@birds.test`,
      confirmed_at: day(3),
      moderator: name === 'oldBob',
    });
  await source.insert('users', {
    ...user,
    id: ulid(day(3), 606),
    account_id: accounts.newcomer,
    email: null,
    unconfirmed_email: 'newcomer@birds.test',
    approved: false,
    reason: 'I like herons.',
  });
  await source.insert('applications', {
    id: app,
    ...dated,
    name: 'Tusker',
    website: 'https://tusker.test',
    redirect_uri: 'tusker://oauth',
    redirect_uris: ['tusker://oauth'],
    client_id: ulid(day(1), 610),
    client_secret: appSecret,
    scopes: 'read write follow push',
  });
  const access = {
    client_id: ulid(day(1), 610),
    redirect_uri: 'tusker://oauth',
    scope: 'read write follow push',
    ...dated,
  };
  await source.insert('tokens', {
    ...access,
    id: token,
    user_id: ulid(day(1), 601),
    access: aliceToken,
    code: '',
    refresh: '',
    access_create_at: day(3),
  });
  await source.insert('tokens', { ...access, id: ulid(day(3), 611), access: '', code: 'a-code', refresh: '' });
  await source.insert('tokens', {
    ...access,
    id: ulid(day(3), 612),
    user_id: ulid(day(1), 601),
    access: 'an-expired-token',
    code: '',
    refresh: '',
    access_create_at: day(3),
    access_expires_at: day(4),
  });
  await source.insert('vapid_key_pairs', {
    id: 1,
    public: Buffer.alloc(65, 4).toString('base64url'),
    private: Buffer.alloc(32, 5).toString('base64url'),
  });
  await source.insert('web_push_subscriptions', {
    id: ulid(day(3), 613),
    account_id: accounts.alice,
    token_id: token,
    endpoint: 'https://push.test/alice',
    auth: Buffer.alloc(16, 1).toString('base64url'),
    p256dh: Buffer.alloc(65, 4).toString('base64'),
    notification_flags: (1 << 3) | (1 << 1),
    policy: 2,
  });
  const pair = { account_id: accounts.alice, target_account_id: accounts.carol, ...dated };
  await source.insert('follows', {
    ...pair,
    id: follow,
    uri: `${actorUri('alice')}/follow/${follow}`,
    show_reblogs: true,
    notify: true,
  });
  await source.insert('follows', {
    ...dated,
    id: ulid(day(2), 621),
    account_id: accounts.carol,
    target_account_id: accounts.alice,
    uri: 'https://remote.test/follows/1',
    show_reblogs: true,
    notify: false,
  });
  await source.insert('follow_requests', {
    ...dated,
    id: ulid(day(2), 622),
    account_id: accounts.carol,
    target_account_id: accounts.bob,
    uri: 'https://remote.test/follows/2',
    show_reblogs: true,
    notify: false,
  });
  await source.insert('blocks', {
    ...pair,
    target_account_id: accounts.dave,
    id: ulid(day(2), 623),
    uri: `${actorUri('alice')}/blocks/1`,
  });
  await source.insert('user_mutes', {
    ...pair,
    target_account_id: accounts.bob,
    id: ulid(day(2), 624),
    notifications: true,
    expires_at: '2099-01-01T00:00:00.000Z',
  });
  await source.insert('account_notes', { ...pair, id: ulid(day(2), 625), comment: 'Knows herons' });
  await source.insert('moves', {
    ...dated,
    id: ulid(day(2), 626),
    origin_uri: actorUri('old_bob'),
    target_uri: 'https://remote.test/users/carol',
    uri: `${actorUri('old_bob')}/moves/1`,
    succeeded_at: day(3),
  });
}

async function insertPosts(source: GotosocialDatabase, named: Named): Promise<void> {
  const author = (name: string, account: string): Row => ({
    account_id: account,
    account_uri: actorUri(name),
    local: true,
    federated: true,
    sensitive: false,
    pending_approval: false,
    activity_streams_type: 'Note',
    language: 'en',
    content_warning: '',
  });
  const local = (id: string, time: string, more: Row): Row => ({
    ...author('alice', accounts.alice),
    id,
    uri: postUri('alice', id),
    url: `https://${domain}/@alice/statuses/${id}`,
    created_at: time,
    updated_at: time,
    visibility: named('public', 2),
    ...more,
  });
  const remote = (id: string, time: string, more: Row): Row => ({
    ...author('carol', accounts.carol),
    id,
    uri: `https://remote.test/notes/${id}`,
    url: `https://remote.test/@carol/${id}`,
    account_uri: 'https://remote.test/users/carol',
    local: false,
    created_at: time,
    updated_at: time,
    visibility: named('public', 2),
    text: '',
    ...more,
  });
  await source.insert('threads', { id: thread });
  const all: Row[] = [
    local(posts.hello, day(1), {
      text: 'Hello **@carol@remote.test** #herons',
      content:
        '<p>Hello <strong><a href="https://remote.test/@carol" class="u-url mention">@carol</a></strong> #herons</p>',
      content_type: 2,
      content_warning: 'Birds &amp; more',
      content_warning_text: 'Birds & more',
      edited_at: day(2),
      pinned_at: day(3),
      attachments: [files.video, files.image],
      thread_id: thread,
      created_with_application_id: app,
      interaction_policy: { CanLike: { Always: ['public'] }, CanReply: { Always: ['author', 'mentioned', 'mutuals'] } },
    }),
    remote(posts.reply, day(2), {
      content: '<p onclick="x()">Yes</p>',
      content_warning: '<b>Careful</b>',
      in_reply_to_id: posts.hello,
      in_reply_to_uri: postUri('alice', posts.hello),
      in_reply_to_account_id: accounts.alice,
      thread_id: thread,
    }),
    remote(posts.remote, day(3), { content: '<p>A remote post</p>', attachments: [files.remote] }),
    local(posts.boost, day(4), {
      boost_of_id: posts.remote,
      boost_of_account_id: accounts.carol,
      content: null,
      text: null,
    }),
    local(posts.poll, day(5), {
      text: 'Which?',
      content: '<p>Which?</p>',
      poll_id: poll,
      visibility: named('unlocked', 3),
    }),
    local(posts.direct, day(6), {
      text: 'Secret',
      content: '<p>Secret</p>',
      visibility: named('direct', 6),
      thread_id: thread,
    }),
    local(posts.localOnly, day(7), { text: 'Only here', content: '<p>Only here</p>', federated: false }),
    local(posts.mutuals, day(8), { text: 'Friends', content: '<p>Friends</p>', visibility: named('mutuals_only', 5) }),
    local(posts.twin, day(8), { text: 'Twin', content: '<p>Twin</p>' }),
    local(posts.early, '2024-04-01T00:00:00.000Z', {
      text: 'An answer before its question',
      content: '<p>An answer before its question</p>',
      in_reply_to_id: posts.remote,
      in_reply_to_uri: `https://remote.test/notes/${posts.remote}`,
      in_reply_to_account_id: accounts.carol,
    }),
    remote(posts.pending, day(9), {
      content: '<p>May I?</p>',
      in_reply_to_id: posts.hello,
      in_reply_to_uri: postUri('alice', posts.hello),
      in_reply_to_account_id: accounts.alice,
      thread_id: thread,
      pending_approval: true,
    }),
    remote(posts.waiting, day(9), { content: '<p>May I, carol?</p>', pending_approval: true }),
  ];
  for (const row of all) await source.insert('statuses', row);
  await source.insert('status_edits', {
    id: edit,
    status_id: posts.hello,
    content: '<p>Helo</p>',
    text: 'Helo',
    content_type: 1,
    sensitive: false,
    attachments: [files.image],
    attachment_descriptions: ['A bird'],
    created_at: day(1),
  });
  await source.insert('tags', { id: tag, ...dated, name: 'herons', useable: true, listable: true });
  await source.insert('status_to_tags', { status_id: posts.hello, tag_id: tag });
  await source.insert('followed_tags', { account_id: accounts.alice, tag_id: tag });
  await source.insert('mentions', {
    id: ulid(day(1), 701),
    status_id: posts.hello,
    origin_account_id: accounts.alice,
    origin_account_uri: actorUri('alice'),
    target_account_id: accounts.carol,
    silent: false,
    created_at: day(1),
  });
  for (const [n, target] of [
    [706, accounts.alice],
    [707, accounts.bob],
  ] as const)
    await source.insert('mentions', {
      id: ulid(day(9), n),
      status_id: posts.pending,
      origin_account_id: accounts.carol,
      origin_account_uri: 'https://remote.test/users/carol',
      target_account_id: target,
      silent: false,
      created_at: day(9),
    });
  await source.insert('polls', {
    id: poll,
    status_id: posts.poll,
    multiple: true,
    hide_counts: false,
    options: ['Heron', 'Stork'],
    votes: [1, 1],
    voters: 1,
    expires_at: day(6),
    closed_at: day(6),
  });
  await source.insert('poll_votes', {
    id: ulid(day(5), 702),
    account_id: accounts.carol,
    poll_id: poll,
    choices: [0, 1],
    created_at: day(5),
  });
  const reaction = { account_id: accounts.carol, target_account_id: accounts.alice, status_id: posts.hello, ...dated };
  await source.insert('status_faves', {
    ...reaction,
    id: ulid(day(2), 703),
    uri: 'https://remote.test/likes/1',
    pending_approval: false,
  });
  await source.insert('status_faves', {
    ...reaction,
    status_id: posts.localOnly,
    id: ulid(day(2), 704),
    uri: 'https://remote.test/likes/2',
    pending_approval: true,
  });
  await source.insert('status_bookmarks', {
    ...reaction,
    account_id: accounts.alice,
    status_id: posts.remote,
    id: ulid(day(2), 705),
  });
  await source.insert('tombstones', {
    id: ulid(day(2), 706),
    ...dated,
    domain: 'remote.test',
    uri: 'https://remote.test/notes/gone',
  });
  await insertFiles(source, named);
}

async function insertFiles(source: GotosocialDatabase, named: Named): Promise<void> {
  const file = (id: string, account: string, extension: string): Row => ({
    id,
    account_id: account,
    created_at: day(1),
    type: named('Image', 1),
    processing: 2,
    cached: true,
    avatar: false,
    header: false,
    file_path: `${account}/attachment/original/${id}.${extension}`,
    file_content_type: 'image/png',
    file_file_size: 1234,
    thumbnail_path: `${account}/attachment/small/${id}.webp`,
    thumbnail_content_type: 'image/webp',
    original_width: 800,
    original_height: 600,
    original_aspect: 1.5,
    small_width: 400,
    small_height: 300,
    small_aspect: 1.5,
    focus_x: 0,
    focus_y: 0,
  });
  await source.insert('media_attachments', {
    ...file(files.avatar, accounts.alice, 'gif'),
    avatar: true,
    file_path: `${accounts.alice}/avatar/original/${files.avatar}.gif`,
    file_content_type: 'image/gif',
    thumbnail_path: `${accounts.alice}/avatar/small/${files.avatar}.webp`,
  });
  await source.insert('media_attachments', {
    ...file(files.image, accounts.alice, 'png'),
    status_id: posts.hello,
    description: 'A heron',
    blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
    focus_x: 0.5,
    focus_y: -0.25,
  });
  await source.insert('media_attachments', {
    ...file(files.video, accounts.alice, 'mp4'),
    status_id: posts.hello,
    type: named('Video', 3),
    file_content_type: 'video/mp4',
    original_duration: 12.5,
    original_framerate: 25,
    original_bitrate: 1000,
  });
  await source.insert('media_attachments', {
    ...file(files.remote, accounts.carol, 'png'),
    status_id: posts.remote,
    remote_url: 'https://remote.test/files/1.png',
    cached: false,
    file_path: null,
    thumbnail_path: null,
  });
  await source.insert('emoji_categories', { id: category, ...dated, name: 'Birds' });
  await source.insert('emojis', {
    id: files.emoji,
    ...dated,
    shortcode: 'heron',
    image_path: `${accounts.instance}/emoji/original/${files.emoji}.png`,
    image_static_path: `${accounts.instance}/emoji/static/${files.emoji}.png`,
    image_content_type: 'image/png',
    uri: `https://${domain}/emoji/${files.emoji}`,
    disabled: false,
    visible_in_picker: true,
    category_id: category,
    cached: true,
  });
  await source.insert('emojis', {
    id: ulid(day(1), 801),
    ...dated,
    shortcode: 'wave',
    domain: 'remote.test',
    image_remote_url: 'https://remote.test/wave.png',
    image_path: '',
    image_static_path: '',
    uri: 'https://remote.test/emojis/wave',
    disabled: false,
    visible_in_picker: false,
  });
}

async function insertOthers(source: GotosocialDatabase, named: Named): Promise<void> {
  const mine = { account_id: accounts.alice, ...dated };
  await source.insert('lists', { ...mine, id: list, title: 'Friends', replies_policy: 'list', exclusive: true });
  await source.insert('list_entries', { ...dated, id: ulid(day(1), 901), list_id: list, follow_id: follow });
  await source.insert('list_entries', { ...dated, id: ulid(day(1), 902), list_id: list, follow_id: ulid(day(1), 999) });
  await source.insert('filters', {
    ...mine,
    id: filter,
    title: 'Cats',
    action: named('hide', 2),
    contexts: (1 << 1) | (1 << 3),
    context_home: true,
    context_notifications: false,
    context_public: true,
    context_thread: false,
    context_account: false,
  });
  await source.insert('filter_keywords', {
    id: ulid(day(1), 903),
    filter_id: filter,
    keyword: 'cat',
    whole_word: true,
  });
  await source.insert('filter_statuses', { id: ulid(day(1), 904), filter_id: filter, status_id: posts.remote });
  await source.insert('thread_mutes', { ...mine, id: ulid(day(1), 905), thread_id: thread });
  await source.insert('conversations', {
    ...mine,
    id: ulid(day(6), 906),
    thread_id: thread,
    last_status_id: posts.direct,
    other_account_ids: [accounts.carol],
    other_accounts_key: accounts.carol,
    read: false,
  });
  await source.insert('conversation_to_statuses', { conversation_id: ulid(day(6), 906), status_id: posts.direct });
  await source.insert('markers', {
    account_id: accounts.alice,
    name: 'home',
    last_read_id: posts.hello,
    version: 2,
    updated_at: day(3),
  });
  const notice = (n: number, type: Value, more: Row = {}): Row => ({
    id: ulid(new Date().toISOString(), 910 + n),
    created_at: new Date(Date.now() - n * 60_000).toISOString(),
    notification_type: type,
    target_account_id: accounts.alice,
    origin_account_id: accounts.carol,
    read: false,
    ...more,
  });
  await source.insert('notifications', notice(1, named('follow', 1)));
  await source.insert('notifications', notice(2, named('favourite', 5), { status_id: posts.hello }));
  await source.insert('notifications', notice(3, named('mention', 3), { status_id: posts.reply }));
  await source.insert('notifications', notice(4, named('update', 13), { status_id: edit }));
  await source.insert('notifications', notice(5, named('pending.reply', 10), { status_id: posts.pending }));
  await source.insert(
    'notifications',
    notice(6, named('favourite', 5), { status_id: posts.hello, created_at: '2020-01-01T00:00:00.000Z' }),
  );
  await source.insert('scheduled_statuses', {
    id: ulid(day(7), 920),
    account_id: accounts.alice,
    scheduled_at: '2099-01-01T00:00:00.000Z',
    text: 'Later',
    visibility: 4,
    sensitive: false,
    local_only: true,
    poll_options: ['Heron', 'Stork'],
    poll_expires_in: 3600,
    poll_multiple: false,
    poll_hide_totals: false,
  });
  const staff = { ...dated, created_by_account_id: accounts.alice };
  await source.insert('domain_blocks', {
    ...staff,
    id: ulid(day(7), 500),
    domain: 'Blocked.test',
    public_comment: 'Spam',
    private_comment: '',
    obfuscate: true,
  });
  await source.insert('domain_allows', { ...staff, id: ulid(day(7), 501), domain: 'remote.test' });
  await source.insert('email_domain_blocks', { ...staff, id: ulid(day(7), 502), domain: 'throwaway.test' });
  await source.insert('rules', { ...dated, id: rule, text: 'Be kind', order: 0, deleted: false });
  await source.insert('rules', { ...dated, id: ulid(day(1), 411), text: 'Be rude', order: 1, deleted: true });
  await source.insert('reports', {
    ...dated,
    id: ulid(day(7), 503),
    uri: `https://${domain}/reports/1`,
    account_id: accounts.alice,
    target_account_id: accounts.carol,
    comment: 'Look',
    statuses: [posts.remote],
    rules: [rule],
    forwarded: false,
    action_taken: 'Talked to her',
    action_taken_at: day(8),
    action_taken_by_account_id: accounts.alice,
  });
  await source.insert('instances', {
    ...dated,
    id: ulid(day(1), 504),
    domain,
    uri: `https://${domain}`,
    title: 'Birds',
    short_description: '<p>About birds</p>',
    short_description_text: 'About birds',
    description: '<p>All <em>about</em> birds<script>x()</script></p>',
    contact_email: 'staff@birds.test',
    contact_account_username: 'alice',
    terms: '',
  });
  await source.insert('instances', {
    ...dated,
    id: ulid(day(1), 505),
    domain: 'remote.test',
    uri: 'https://remote.test',
    title: 'Remote',
  });
  for (const [n, target_category, target_id, type] of [
    [601, 1, accounts.mallory, 5],
    [602, 2, 'blocked.test', 5],
  ] as const)
    await source.insert('admin_actions', {
      ...dated,
      id: ulid(day(1), n),
      account_id: accounts.alice,
      target_category,
      target_id,
      type,
    });
  for (const [n, more] of [
    [611, { uri: 'https://lists.test/blocks.csv', as_draft: false }],
    [612, { uri: 'https://lists.test/allows.csv', permission_type: 2 }],
    [613, { uri: 'https://lists.test/blocks.txt', content_type: 3 }],
  ] as const)
    await source.insert('domain_permission_subscriptions', {
      id: ulid(day(1), n),
      created_by_account_id: accounts.alice,
      permission_type: 1,
      content_type: 1,
      as_draft: true,
      ...more,
    });
  await insertInteractionRequests(source);
  await source.insert('header_filter_blocks', {
    ...dated,
    id: ulid(day(1), 506),
    header: 'User-Agent',
    regex: 'bot',
    author_id: accounts.alice,
  });
}

/** An accepted reply and favourite of carol, a rejected boost, and a reply that waits. */
async function insertInteractionRequests(source: GotosocialDatabase): Promise<void> {
  const decided = { accepted_at: day(3) };
  for (const [id, more] of [
    [requests.reply, { interaction_type: 1, interaction_uri: `https://remote.test/notes/${posts.reply}`, ...decided }],
    [requests.favourite, { interaction_type: 0, interaction_uri: 'https://remote.test/likes/1', ...decided }],
    [requests.boost, { interaction_type: 2, interaction_uri: 'https://remote.test/boosts/1', rejected_at: day(3) }],
    [requests.pending, { interaction_type: 1, interaction_uri: `https://remote.test/notes/${posts.pending}` }],
  ] as const) {
    const isAccepted = 'accepted_at' in more;
    await source.insert('interaction_requests', {
      id,
      created_at: day(2),
      status_id: posts.hello,
      target_status_id: posts.hello,
      target_account_id: accounts.alice,
      interacting_account_id: accounts.carol,
      interaction_request_uri: `${more.interaction_uri}#Request`,
      polite: false,
      uri: isAccepted ? `${actorUri('alice')}/accepts/${id}` : null,
      response_uri: isAccepted ? `${actorUri('alice')}/accepts/${id}` : null,
      authorization_uri: isAccepted ? `${actorUri('alice')}/authorizations/${id}` : null,
      ...more,
    });
  }
}
