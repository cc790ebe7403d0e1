import type pg from 'pg';
import { isSince, type MastodonVersion } from './mastodon-schema.ts';

const idBase = 109_300_000_000_000_000n;

/** Returns the n-th id of an account, post or file, as Mastodon makes them: with the time in front. */
export const longId = (n: number): string => String(idBase + BigInt(n) * 65_536n);

/** Ids of accounts. */
export const accountIds = {
  alice: longId(1),
  bob: longId(2),
  /** Suspended by staff. */
  mallory: longId(3),
  /** Moved to bob. */
  oldBob: longId(4),
  memorial: longId(5),
  /** Deleted: its user is gone. */
  gone: longId(6),
  /** Without keys. */
  keyless: longId(7),
  carol: longId(8),
  /** Limited by the block of its domain. */
  dave: longId(9),
  /** Without an ActivityPub id, as of old protocols. */
  ostatus: longId(10),
  /** Waits for confirmation. */
  newcomer: longId(11),
};

export const statusIds = {
  hello: longId(100),
  reply: longId(101),
  remote: longId(102),
  reblog: longId(103),
  deleted: longId(104),
  poll: longId(105),
  direct: longId(106),
  /** Of before there were conversations. */
  old: longId(50),
  /** Answers a post with a later id. */
  early: longId(60),
  foreign: longId(107),
  private: longId(108),
};

export const mediaIds = { image: longId(200), video: longId(201), remote: longId(202) };

export const domain = 'birds.test';
export const aliceToken = 'x9Tq1-alice-token-of-an-app';
export const appSecret = 'the-secret-of-the-app';
export const webhookSecret = 'a1b2c3d4e5f60718293a4b5c6d7e8f9001122334';

/** bcrypt of "correct horse battery" (crypt(3), 2^4 rounds), and of the recovery code. */
export const passwordHash = '$2b$04$0123456789abcdefghijku0xyDy2.5PjRwtsgm/pAlNmY67asCqty';
export const recoveryCode = 'backup0123456789';
export const recoveryHash = '$2a$04$0123456789abcdefghijkOeM8O5HZbqHM5s13A.LxkxNXIcTl9wDq';

/** The secret of both authenticator apps, in base32. */
export const otpSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
/** What attr_encrypted 3.1 made of it, as Mastodon 4.2 stores it, and ActiveRecord::Encryption 7.1. */
const encryptedByLegacy = {
  encrypted_otp_secret: 'e9zSuPDdwW5e0h+x0h6dQ4z8o0sKuEs5FGfb6UU2os0PfBscQ/9L2QcljwQ1\n7Ytb\n',
  encrypted_otp_secret_iv: 'x6kysvgqsrhUEM52\n',
  encrypted_otp_secret_salt: '_Lg66N4Iuhzn7+STXFV4G2Q==\n',
};
const encryptedByRails =
  '{"p":"5DEPItTYTeayK0RjoX0x5k8eGXIMfq1Wwo91Nv9jlzo=","h":{"iv":"+UaBdsB+4X9K4z8d","at":"KsUWLydx7rDOyOQL31t65g=="}}';
/** The settings with their keys. */
export const otpKeys = [
  `OTP_SECRET=${'f3a1b9'.repeat(20)}`,
  'ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY=YehXdfzxVKpoLvKseJMJIEGs2JxerkB8',
  'ACTIVE_RECORD_ENCRYPTION_KEY_DERIVATION_SALT=g7Q66StqUQDQk9SJ81sWbYZXgiRogBwS',
];

export interface SourceKeys {
  readonly alice: { readonly publicPem: string; readonly privatePem: string };
  readonly instance: { readonly publicPem: string; readonly privatePem: string };
  readonly carol: { readonly publicPem: string };
}

type Row = Readonly<Record<string, unknown>>;

const blockedAt = '2024-02-02 02:02:02';
/** An hour ago. */
const recently = new Date(Date.now() - 3_600_000).toISOString().replace('T', ' ').replace('Z', '');

/** Returns the rows of a small instance, of every kind, by table. Some are as old versions left them. */
function rowsOf(version: MastodonVersion, keys: SourceKeys): Readonly<Record<string, readonly Row[]>> {
  const local = isSince(version, '4.5') ? { id_scheme: 0 } : {};
  const remote = (username: string, host: string): Row => ({
    username,
    domain: host,
    uri: `https://${host}/users/${username}`,
    url: `https://${host}/@${username}`,
    inbox_url: `https://${host}/users/${username}/inbox`,
    shared_inbox_url: `https://${host}/inbox`,
    followers_url: `https://${host}/users/${username}/followers`,
    protocol: 1,
  });
  return {
    accounts: [
      {
        ...local,
        id: -99,
        username: 'mastodon.internal',
        actor_type: 'Application',
        locked: true,
        public_key: keys.instance.publicPem,
        private_key: keys.instance.privatePem,
      },
      {
        ...local,
        id: accountIds.alice,
        username: 'alice',
        display_name: 'Alice',
        note: 'I watch birds & <b>herons</b>.',
        public_key: keys.alice.publicPem,
        private_key: keys.alice.privatePem,
        actor_type: 'Person',
        discoverable: true,
        indexable: true,
        fields: JSON.stringify([{ name: 'Site', value: 'https://alice.test', verified_at: '2024-01-01T00:00:00Z' }]),
        avatar_file_name: 'face.png',
        avatar_content_type: 'image/png',
        header_file_name: 'moving.gif',
        header_content_type: 'image/gif',
        also_known_as: ['https://other.test/users/alice'],
      },
      { ...local, id: accountIds.bob, username: 'bob', locked: true, public_key: 'p', private_key: 'q' },
      { ...local, id: accountIds.mallory, username: 'mallory', suspended_at: blockedAt, suspension_origin: 0 },
      { ...local, id: accountIds.oldBob, username: 'old_bob', moved_to_account_id: accountIds.bob },
      { ...local, id: accountIds.memorial, username: 'remembered', memorial: true },
      { ...local, id: accountIds.gone, username: 'gone', suspended_at: blockedAt },
      { ...local, id: accountIds.keyless, username: 'keyless', fields: null, actor_type: null },
      { ...local, id: accountIds.newcomer, username: 'newcomer' },
      {
        ...remote('carol', 'remote.test'),
        id: accountIds.carol,
        note: '<p>Hi<script>alert(1)</script> <a href="javascript:x">there</a></p>',
        public_key: keys.carol.publicPem,
        avatar_remote_url: 'https://remote.test/carol.png',
        avatar_file_name: 'carol.png',
      },
      { ...remote('dave', 'limited.test'), id: accountIds.dave, silenced_at: blockedAt, fields: '{}' },
      { id: accountIds.ostatus, username: 'ancient', domain: 'status.test', protocol: 0 },
    ],
    account_stats: [{ id: 1, account_id: accountIds.alice, statuses_count: 5, followers_count: 1, following_count: 1 }],
    account_migrations: [
      { id: 1, account_id: accountIds.oldBob, target_account_id: accountIds.bob },
      { id: 2, account_id: accountIds.oldBob, target_account_id: null },
    ],
    account_notes: [
      { id: 1, account_id: accountIds.alice, target_account_id: accountIds.carol, comment: 'Met at the lake' },
    ],
    account_pins: [{ id: 1, account_id: accountIds.alice, target_account_id: accountIds.carol }],
    custom_emoji_categories: [{ id: 1, name: 'Birds' }],
    custom_emojis: [
      { id: 1, shortcode: 'heron', category_id: 1, image_file_name: 'heron.gif', image_content_type: 'image/gif' },
      {
        id: 2,
        shortcode: 'heron',
        domain: 'remote.test',
        image_file_name: 'x.png',
        image_remote_url: 'https://remote.test/heron.png',
      },
    ],
    user_roles: [
      { id: -99, position: -1, permissions: 65_536 },
      { id: 1, name: 'Moderator', position: 10, permissions: 1308 },
      { id: 2, name: 'Admin', position: 100, permissions: 983_036 },
      { id: 3, name: 'Owner', position: 1000, permissions: 1 },
      { id: 7, name: 'Gardener', color: '#00ff00', position: 20, permissions: 16, highlighted: true },
    ],
    oauth_applications: [
      {
        id: 1,
        name: 'Web',
        uid: 'web',
        secret: 's',
        redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
        scopes: 'read write follow push',
        superapp: true,
      },
      {
        id: 2,
        name: 'Tusker',
        uid: 'tusker-id',
        secret: appSecret,
        redirect_uri: 'tusker://oauth\nurn:ietf:wg:oauth:2.0:oob',
        scopes: 'read write follow push',
      },
    ],
    users: [
      {
        id: 11,
        account_id: accountIds.alice,
        email: 'alice@birds.test',
        encrypted_password: passwordHash,
        confirmed_at: blockedAt,
        role_id: 3,
        locale: 'de',
        time_zone: 'Europe/Berlin',
        settings: JSON.stringify({
          default_privacy: 'unlisted',
          'web.auto_play': true,
          'web.display_media': 'hide_all',
          noindex: false,
        }),
        current_sign_in_at: '2024-05-05 05:05:05',
        otp_required_for_login: true,
        ...encryptedByLegacy,
        consumed_timestep: 5,
        otp_backup_codes: [recoveryHash],
      },
      {
        id: 12,
        account_id: accountIds.bob,
        email: 'bob@birds.test',
        encrypted_password: passwordHash,
        confirmed_at: blockedAt,
        role_id: 7,
        otp_required_for_login: true,
        otp_secret: encryptedByRails,
        otp_backup_codes: [recoveryHash],
        settings: null,
        time_zone: 'Eastern Time (US & Canada)',
      },
      { id: 13, account_id: accountIds.mallory, email: 'mallory@birds.test', confirmed_at: blockedAt },
      {
        id: 14,
        account_id: accountIds.newcomer,
        email: 'new@birds.test',
        invite_id: 1,
        encrypted_password: passwordHash,
      },
      ...[accountIds.oldBob, accountIds.memorial, accountIds.keyless].map((account, index) => ({
        id: 20 + index,
        account_id: account,
        email: `user${index}@birds.test`,
        confirmed_at: blockedAt,
        encrypted_password: passwordHash,
      })),
    ],
    user_invite_requests: [{ id: 1, user_id: 14, text: 'I like herons.' }],
    invites: [{ id: 1, user_id: 11, code: 'abcdefg', max_uses: 0, uses: 1, autofollow: true }],
    oauth_access_tokens: [
      {
        id: 31,
        token: aliceToken,
        application_id: 2,
        resource_owner_id: 11,
        scopes: 'read write follow push',
        created_at: blockedAt,
      },
      {
        id: 32,
        token: 'revoked',
        application_id: 2,
        resource_owner_id: 11,
        revoked_at: blockedAt,
        created_at: blockedAt,
      },
      { id: 33, token: 'browser', application_id: 1, resource_owner_id: 11, created_at: blockedAt },
    ],
    session_activations: [
      { id: 1, session_id: 'x', user_id: 11, access_token_id: 33, ip: '192.0.2.7', updated_at: recently },
      { id: 2, session_id: 'y', user_id: 11, ip: '192.0.2.8', updated_at: '2001-01-01 00:00:00' },
    ],
    login_activities: [
      { id: 1, user_id: 11, success: true, ip: '192.0.2.7', created_at: recently },
      { id: 2, user_id: 11, success: true, ip: '2001:db8::1', created_at: recently },
      { id: 3, user_id: 11, success: false, ip: '192.0.2.66', created_at: recently },
    ],
    web_push_subscriptions: [
      {
        id: 1,
        endpoint: 'https://push.test/alice',
        key_p256dh: Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url'),
        key_auth: Buffer.alloc(16, 9).toString('base64'),
        data: JSON.stringify({ policy: 'followed', alerts: { mention: true, favourite: 'false' } }),
        access_token_id: 31,
        user_id: 11,
      },
      {
        id: 2,
        endpoint: 'https://push.test/old',
        key_p256dh: 'BA',
        key_auth: 'AA',
        data: null,
        access_token_id: 33,
        user_id: 11,
      },
    ],
    webauthn_credentials: [
      { id: 1, external_id: 'AQIDBA', public_key: 'pQECAyYgASFY', nickname: 'Key ring', sign_count: 3, user_id: 11 },
      // Of the account without keys.
      { id: 2, external_id: 'BQYHCA', public_key: 'pQECAyYgASFY', nickname: 'Bag', user_id: 22 },
    ],
    follows: [
      {
        id: 1,
        account_id: accountIds.alice,
        target_account_id: accountIds.carol,
        uri: `https://${domain}/aaa`,
        languages: ['en'],
      },
      { id: 2, account_id: accountIds.carol, target_account_id: accountIds.alice, uri: 'https://remote.test/follow/1' },
    ],
    follow_requests: [
      { id: 1, account_id: accountIds.carol, target_account_id: accountIds.bob, uri: 'https://remote.test/follow/2' },
    ],
    blocks: [{ id: 1, account_id: accountIds.bob, target_account_id: accountIds.dave }],
    mutes: [{ id: 1, account_id: accountIds.alice, target_account_id: accountIds.dave, hide_notifications: false }],
    account_domain_blocks: [{ id: 1, account_id: accountIds.alice, domain: 'Noisy.test' }],
    tags: [
      { id: 1, name: 'herons', display_name: 'Herons', trendable: true },
      { id: 2, name: 'owls', usable: null, listable: false },
    ],
    tag_follows: [{ id: 1, tag_id: 1, account_id: accountIds.alice }],
    featured_tags: [{ id: 1, tag_id: 2, account_id: accountIds.alice }],
    conversations: [{ id: 5 }, { id: 6, uri: 'https://remote.test/contexts/6' }],
    statuses: [
      {
        id: statusIds.hello,
        account_id: accountIds.alice,
        uri: `https://${domain}/users/alice/statuses/${statusIds.hello}`,
        local: true,
        text: 'Hello @carol@remote.test & @bob #Herons',
        conversation_id: 5,
        application_id: 2,
        language: 'en',
        edited_at: blockedAt,
        ordered_media_attachment_ids: [mediaIds.video, mediaIds.image],
      },
      {
        id: statusIds.reply,
        account_id: accountIds.carol,
        uri: 'https://remote.test/s/1',
        url: 'https://remote.test/@carol/1',
        text: '<p>Yes<img src=x onerror=alert(1)></p>',
        in_reply_to_id: statusIds.hello,
        in_reply_to_account_id: accountIds.alice,
        reply: true,
        conversation_id: 5,
        local: false,
      },
      {
        id: statusIds.remote,
        account_id: accountIds.carol,
        uri: 'https://remote.test/s/2',
        text: '<p>Alone</p>',
        conversation_id: 6,
        local: false,
        spoiler_text: 'birds',
        trendable: true,
      },
      {
        id: statusIds.reblog,
        account_id: accountIds.alice,
        uri: `https://${domain}/users/alice/statuses/${statusIds.reblog}/activity`,
        reblog_of_id: statusIds.remote,
        local: true,
      },
      { id: statusIds.deleted, account_id: accountIds.alice, text: 'gone', deleted_at: blockedAt, local: true },
      {
        id: statusIds.poll,
        account_id: accountIds.alice,
        uri: `https://${domain}/users/alice/statuses/${statusIds.poll}`,
        local: true,
        text: 'Which?',
        poll_id: 1,
        conversation_id: null,
      },
      {
        id: statusIds.direct,
        account_id: accountIds.carol,
        uri: 'https://remote.test/s/3',
        text: '<p>Psst</p>',
        visibility: 3,
        conversation_id: 6,
        local: false,
      },
      {
        id: statusIds.old,
        account_id: accountIds.alice,
        uri: null,
        local: null,
        text: 'The first one',
        conversation_id: null,
      },
      {
        id: statusIds.early,
        account_id: accountIds.carol,
        uri: 'https://remote.test/s/0',
        text: '<p>Early</p>',
        in_reply_to_id: statusIds.hello,
        in_reply_to_account_id: accountIds.alice,
        reply: true,
        local: false,
      },
      {
        id: statusIds.foreign,
        account_id: accountIds.alice,
        uri: `https://old-name.test/users/alice/statuses/${statusIds.foreign}`,
        local: true,
        text: 'From our old domain',
      },
      {
        id: statusIds.private,
        account_id: accountIds.alice,
        uri: `https://${domain}/users/alice/statuses/${statusIds.private}`,
        local: true,
        text: 'Only for followers',
        visibility: 2,
        conversation_id: 5,
      },
    ],
    status_stats: [{ id: 1, status_id: statusIds.hello, replies_count: 1, favourites_count: 1, reblogs_count: -1 }],
    statuses_tags: [{ status_id: statusIds.hello, tag_id: 1 }],
    mentions: [
      { id: 1, status_id: statusIds.hello, account_id: accountIds.carol },
      { id: 2, status_id: statusIds.hello, account_id: accountIds.bob, silent: false },
      { id: 3, status_id: statusIds.direct, account_id: accountIds.alice },
    ],
    status_edits: [
      { id: 1, status_id: statusIds.hello, account_id: accountIds.alice, text: 'Helo', sensitive: null },
      {
        id: 2,
        status_id: statusIds.hello,
        account_id: accountIds.alice,
        text: 'Hello @carol@remote.test & @bob #Herons',
        media_descriptions: ['A heron', null],
        ordered_media_attachment_ids: [mediaIds.image, mediaIds.video],
      },
    ],
    polls: [
      {
        id: 1,
        account_id: accountIds.alice,
        status_id: statusIds.poll,
        options: ['Heron', 'Owl'],
        cached_tallies: [],
        expires_at: '2024-01-02 00:00:00',
        voters_count: 1,
      },
    ],
    poll_votes: [{ id: 1, account_id: accountIds.bob, poll_id: 1, choice: 1 }],
    favourites: [{ id: 1, account_id: accountIds.carol, status_id: statusIds.hello }],
    bookmarks: [{ id: 1, account_id: accountIds.alice, status_id: statusIds.remote }],
    status_pins: [{ id: 1, account_id: accountIds.alice, status_id: statusIds.hello }],
    media_attachments: [
      {
        id: mediaIds.image,
        status_id: statusIds.hello,
        account_id: accountIds.alice,
        file_file_name: 'a1b2.png',
        shortcode: 'Wq3k-Short_code',
        file_content_type: 'image/png',
        file_file_size: 99,
        description: 'A heron',
        blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
        file_meta: JSON.stringify({
          focus: { x: 0.5, y: -0.5 },
          original: { width: 10, height: 5, size: '10x5', aspect: 2 },
        }),
      },
      {
        id: mediaIds.video,
        status_id: statusIds.hello,
        account_id: accountIds.alice,
        type: 2,
        file_file_name: 'c3d4.mov',
        file_content_type: 'video/quicktime',
        processing: 2,
        thumbnail_file_name: 'thumb.png',
      },
      {
        id: mediaIds.remote,
        status_id: statusIds.remote,
        account_id: accountIds.carol,
        type: 0,
        remote_url: 'https://remote.test/heron.jpg',
        file_file_name: 'x.jpg',
      },
    ],
    preview_cards: [
      {
        id: 1,
        url: 'https://News.test:8443/1',
        title: 'News',
        type: 2,
        html: '<iframe src="x"></iframe>',
        trendable: false,
      },
    ],
    preview_card_providers: [
      { id: 1, domain: 'News.test', trendable: true, reviewed_at: blockedAt },
      { id: 2, domain: 'new.test' },
    ],
    preview_cards_statuses: [{ preview_card_id: 1, status_id: statusIds.remote }],
    scheduled_statuses: [
      {
        id: 1,
        account_id: accountIds.alice,
        scheduled_at: '2099-01-01 00:00:00',
        params: `{"text":"Later","visibility":"public","in_reply_to_id":${statusIds.hello},"media_ids":null,"poll":null}`,
      },
    ],
    reports: [
      {
        id: 1,
        account_id: accountIds.alice,
        target_account_id: accountIds.dave,
        comment: 'Spam',
        status_ids: [],
        category: 1000,
        action_taken_at: blockedAt,
        action_taken_by_account_id: accountIds.alice,
      },
    ],
    report_notes: [{ id: 1, report_id: 1, account_id: accountIds.alice, content: 'Seen' }],
    account_warnings: [
      {
        id: 1,
        account_id: accountIds.alice,
        target_account_id: accountIds.mallory,
        action: 4000,
        text: 'Bye',
        status_ids: [statusIds.hello],
        report_id: null,
      },
    ],
    appeals: [
      {
        id: 1,
        account_id: accountIds.mallory,
        account_warning_id: 1,
        text: 'Please',
        rejected_at: blockedAt,
        rejected_by_account_id: accountIds.alice,
      },
    ],
    account_warning_presets: [{ id: 1, title: 'Spam', text: 'No spam.' }],
    account_moderation_notes: [
      { id: 1, account_id: accountIds.alice, target_account_id: accountIds.mallory, content: 'Careful' },
    ],
    admin_action_logs: [
      {
        id: 1,
        account_id: accountIds.alice,
        action: 'create',
        target_type: 'DomainBlock',
        target_id: 1,
        human_identifier: 'limited.test',
      },
    ],
    domain_blocks: [{ id: 1, domain: 'limited.test', severity: 0, created_at: blockedAt, public_comment: 'Noise' }],
    domain_allows: [{ id: 1, domain: 'friend.test' }],
    email_domain_blocks: [{ id: 1, domain: 'trash.test' }],
    canonical_email_blocks: [{ id: 1, canonical_email_hash: 'ab'.repeat(32) }],
    ip_blocks: [{ id: 1, ip: '192.0.2.0/24', severity: 9999, comment: 'Bots' }],
    lists: [{ id: 1, account_id: accountIds.alice, title: 'Friends', replies_policy: 1, exclusive: true }],
    list_accounts: [{ id: 1, list_id: 1, account_id: accountIds.carol, follow_id: 1 }],
    custom_filters: [
      { id: 1, account_id: accountIds.alice, phrase: 'Cats', context: ['home', 'unknown'], action: 1 },
      { id: 2, account_id: accountIds.alice, phrase: 'Nowhere', context: [] },
    ],
    custom_filter_keywords: [{ id: 1, custom_filter_id: 1, keyword: 'cat' }],
    custom_filter_statuses: [{ id: 1, custom_filter_id: 1, status_id: statusIds.remote }],
    account_conversations: [
      {
        id: 1,
        account_id: accountIds.alice,
        conversation_id: 6,
        participant_account_ids: [accountIds.carol],
        status_ids: [statusIds.direct],
        last_status_id: statusIds.direct,
        unread: true,
      },
      {
        id: 2,
        account_id: accountIds.alice,
        conversation_id: 5,
        participant_account_ids: [],
        status_ids: [],
        last_status_id: null,
      },
    ],
    conversation_mutes: [{ id: 1, conversation_id: 5, account_id: accountIds.alice }],
    markers: [{ id: 1, user_id: 11, timeline: 'home', last_read_id: statusIds.hello, lock_version: 2 }],
    notifications: [
      {
        id: 901,
        activity_id: 1,
        activity_type: 'Favourite',
        account_id: accountIds.alice,
        from_account_id: accountIds.carol,
        type: 'favourite',
      },
      {
        id: 902,
        activity_id: 3,
        activity_type: 'Mention',
        account_id: accountIds.alice,
        from_account_id: accountIds.carol,
        type: null,
      },
      {
        id: 903,
        activity_id: 2,
        activity_type: 'Follow',
        account_id: accountIds.alice,
        from_account_id: accountIds.carol,
        type: 'follow',
      },
      {
        id: 904,
        activity_id: 77,
        activity_type: 'Mention',
        account_id: accountIds.alice,
        from_account_id: accountIds.carol,
        type: 'mention',
      },
      {
        id: 100,
        activity_id: 1,
        activity_type: 'Favourite',
        account_id: accountIds.alice,
        from_account_id: accountIds.bob,
        type: 'favourite',
        created_at: '2001-01-01 00:00:00',
      },
      ...(isSince(version, '4.3') ? newerNotifications : []),
    ],
    rules: [
      { id: 4, priority: 1, text: 'Be kind.' },
      { id: 5, priority: 2, text: 'Old', deleted_at: blockedAt },
    ],
    relays: [
      { id: 1, inbox_url: 'https://relay.test/inbox', state: 2, follow_activity_id: `https://${domain}/relay-1` },
      { id: 2, inbox_url: 'https://silent.test/inbox', state: 1, follow_activity_id: `https://${domain}/relay-2` },
    ],
    announcements: [{ id: 1, text: 'Welcome to #herons', published: true }],
    announcement_reactions: [
      { id: 1, account_id: accountIds.bob, announcement_id: 1, name: '🐦' },
      { id: 2, account_id: accountIds.alice, announcement_id: 1, name: '🐦' },
    ],
    announcement_mutes: [{ id: 1, account_id: accountIds.bob, announcement_id: 1 }],
    settings: [
      { id: 1, var: 'site_title', value: '--- Birds of a feather\n' },
      { id: 2, var: 'registrations_mode', value: '--- approved\n' },
      { id: 3, var: 'site_extended_description', value: '--- |-\n  # About\n  We like *birds*.\n' },
      { id: 4, var: 'bootstrap_timeline_accounts', value: "--- '@alice, carol@remote.test'\n" },
      { id: 5, var: 'timeline_preview', value: '--- false\n...\n' },
      { id: 6, var: 'media_cache_retention_period', value: '--- 30\n...\n' },
      { id: 7, var: 'thumbnail_description', value: '--- Two herons\n' },
      { id: 8, var: 'captcha_enabled', value: '--- true\n...\n' },
    ],
    tombstones: [{ id: 1, account_id: accountIds.carol, uri: 'https://remote.test/s/9' }],
    identities: [
      { id: 1, provider: 'saml', uid: 'alice', user_id: 11 },
      { id: 2, provider: 'openid_connect', uid: 'person-1', user_id: 11 },
      { id: 3, provider: 'openid_connect', uid: 'person-2', user_id: 11 },
    ],
    site_uploads: [
      { id: 1, var: 'thumbnail', file_file_name: 'birds.jpg', blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj' },
      { id: 2, var: 'app_icon', file_file_name: 'icon.webp' },
      { id: 3, var: 'mascot', file_file_name: 'bird.png' },
    ],
    webhooks: [
      {
        id: 1,
        url: 'https://hooks.test/in',
        events: ['report.created'],
        secret: webhookSecret,
        template: '{"id":"{{object.id}}"}',
      },
      { id: 2, url: 'https://hooks.test/off', events: ['account.created'], secret: webhookSecret, enabled: false },
      { id: 3, url: 'http://hooks.test/plain', events: ['account.created'], secret: webhookSecret },
    ],
    web_settings: [{ id: 1, user_id: 11, data: '{}' }],
    ...(isSince(version, '4.3') && {
      notification_policies: [{ id: 1, account_id: accountIds.bob, for_not_following: 2 }],
      notification_permissions: [{ id: 1, account_id: accountIds.bob, from_account_id: accountIds.carol }],
      notification_requests: [
        {
          id: longId(600),
          account_id: accountIds.alice,
          from_account_id: accountIds.dave,
          last_status_id: statusIds.remote,
          notifications_count: 1,
        },
        { id: longId(601), account_id: accountIds.bob, from_account_id: accountIds.dave, notifications_count: 1 },
      ],
      follow_recommendation_mutes: [{ id: 1, account_id: accountIds.alice, target_account_id: accountIds.dave }],
      relationship_severance_events: [{ id: 4, type: 0, target_name: 'gone.test' }],
      account_relationship_severance_events: [
        {
          id: 5,
          account_id: accountIds.alice,
          relationship_severance_event_id: 4,
          followers_count: 1,
          following_count: 1,
        },
      ],
      severed_relationships: [0, 1].map((direction) => ({
        id: direction + 1,
        relationship_severance_event_id: 4,
        local_account_id: accountIds.alice,
        remote_account_id: accountIds.dave,
        direction,
        show_reblogs: direction === 1 ? true : null,
      })),
    }),
    ...(isSince(version, '4.4') && {
      quotes: [
        {
          id: longId(300),
          account_id: accountIds.alice,
          status_id: statusIds.poll,
          quoted_status_id: statusIds.remote,
          quoted_account_id: accountIds.carol,
          state: 1,
          approval_uri: 'https://remote.test/approvals/1',
        },
      ],
      rule_translations: [{ id: 1, rule_id: 4, language: 'de', text: 'Sei freundlich.' }],
      terms_of_services: [
        { id: 1, text: '# Terms', changelog: 'New', published_at: blockedAt, effective_date: '2024-03-01' },
        { id: 2, text: 'Draft', changelog: '' },
      ],
    }),
    ...(isSince(version, '4.5') && {
      username_blocks: [
        { id: 1, username: 'Admin', normalized_username: 'admin', exact: true },
        { id: 2, username: 'herring', normalized_username: 'herring', allow_with_approval: true },
      ],
    }),
    ...(isSince(version, '4.6') && rowsOf46),
  };
}

const newerNotifications: readonly Row[] = [
  {
    id: 905,
    activity_id: 3,
    activity_type: 'Mention',
    account_id: accountIds.alice,
    from_account_id: accountIds.dave,
    type: 'mention',
    filtered: true,
  },
  {
    id: 906,
    activity_id: 5,
    activity_type: 'AccountRelationshipSeveranceEvent',
    account_id: accountIds.alice,
    from_account_id: accountIds.alice,
    type: 'severed_relationships',
  },
];

/** Of tables that Mastodon has since 4.6. */
const rowsOf46: Readonly<Record<string, readonly Row[]>> = {
  collections: [
    {
      id: 1,
      account_id: accountIds.alice,
      name: 'Bird people',
      description: 'Who watches birds',
      local: true,
      sensitive: false,
      discoverable: true,
      tag_id: 1,
      item_count: 2,
    },
    {
      id: 2,
      account_id: accountIds.carol,
      name: 'Friends',
      description_html: '<p>Mine<script>x</script></p>',
      uri: 'https://remote.test/collections/2',
      url: 'https://remote.test/@carol/collections/2',
      local: false,
      sensitive: false,
      discoverable: true,
      original_number_of_items: 1,
    },
  ],
  collection_items: [
    { id: 11, collection_id: 1, account_id: accountIds.bob, position: 2, state: 1 },
    {
      id: 12,
      collection_id: 1,
      account_id: accountIds.carol,
      position: 1,
      state: 1,
      activity_uri: `https://${domain}/users/alice/feature_requests/1`,
      approval_uri: 'https://remote.test/approvals/2',
    },
    {
      id: 13,
      collection_id: 2,
      account_id: accountIds.alice,
      state: 1,
      uri: 'https://remote.test/items/13',
      activity_uri: 'https://remote.test/feature_requests/13',
    },
  ],
  collection_reports: [{ id: 1, collection_id: 2, report_id: 1 }],
  tagged_objects: [
    {
      id: 1,
      status_id: statusIds.hello,
      object_type: 'Collection',
      object_id: 1,
      ap_type: 'FeaturedCollection',
      uri: `https://${domain}/ap/users/${accountIds.alice}/collections/1`,
    },
    { id: 2, status_id: statusIds.hello, ap_type: 'FeaturedCollection', uri: 'https://unknown.test/1' },
  ],
  email_subscriptions: [
    { id: 1, account_id: accountIds.alice, email: 'Reader@mail.test', locale: 'de', confirmed_at: blockedAt },
    { id: 2, account_id: accountIds.alice, email: 'other@mail.test', locale: 'en', confirmation_token: 'x' },
  ],
  generated_annual_reports: [
    {
      id: 1,
      account_id: accountIds.alice,
      year: 2024,
      schema_version: 2,
      share_key: 'abcdef',
      data: JSON.stringify({
        archetype: 'oracle',
        time_series: [{ month: 12, statuses: 5, followers: 1 }],
        top_hashtags: [],
        top_statuses: { by_reblogs: statusIds.hello, by_favourites: null, by_replies: null },
      }),
    },
    { id: 2, account_id: accountIds.alice, year: 2023, schema_version: 1, data: '{}' },
  ],
  keypairs: [
    {
      id: 1,
      account_id: accountIds.dave,
      uri: 'https://limited.test/users/dave#second-key',
      type: 0,
      public_key: 'of dave',
      expires_at: '2099-01-01 00:00:00',
    },
    {
      id: 2,
      account_id: accountIds.dave,
      uri: 'https://limited.test/users/dave#old-key',
      type: 0,
      public_key: 'of dave',
      revoked: true,
    },
  ],
};

/** Inserts the rows of a small instance into the tables of a version. */
export async function insertMastodonRows(
  client: pg.ClientBase,
  version: MastodonVersion,
  keys: SourceKeys,
): Promise<void> {
  const { rows: columns } = await client.query<{ name: string; names: string[] }>(
    `select table_name as name, array_agg(column_name::text) as names from information_schema.columns
      where table_schema = current_schema() group by table_name`,
  );
  const known = new Map(columns.map(({ name, names }) => [name, names]));
  for (const [table, rows] of Object.entries(rowsOf(version, keys))) {
    for (const row of rows) {
      const times = { created_at: '2024-01-01 00:00:00', updated_at: '2024-01-01 00:00:00' };
      const isKnown = (name: string): boolean => known.get(table)?.includes(name) === true;
      const unknown = Object.keys(row).filter((name) => !isKnown(name));
      if (unknown.length > 0) throw new Error(`Mastodon ${version} has no ${unknown.join(', ')} of ${table}`);
      const entries = Object.entries({ ...times, ...row }).filter(([name]) => isKnown(name));
      await client.query(
        `insert into ${table} (${entries.map(([name]) => name).join(', ')}) values (${entries.map((_, index) => `$${index + 1}`).join(', ')})`,
        entries.map(([, value]) => value),
      );
    }
  }
  await client.query(`update notifications set created_at = now() at time zone 'UTC' where id > 900`);
}
