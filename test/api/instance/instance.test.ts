import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { routes } from '../../../server/app.ts';
import { Account } from '../../../server/accounts/index.ts';
import { apiVersion, fieldfareFeatures } from '../../../server/instance/index.ts';
import { newId } from '../../../server/platform/ids.ts';
import { addRule, listRules, deleteRule } from '../../../server/site/rules/index.ts';
import { siteSettings, changeSiteSettings, vapidKeys } from '../../../server/site/index.ts';
import { startServer } from '../../server.ts';

test('INS-01: the instance data is complete and public in both versions', async () => {
  await using server = await startServer();
  const v2 = await server.anonymous.get('/api/v2/instance');
  expect(v2.status).toBe(200);
  expect(v2.json).toMatchObject({
    domain: 'fieldfare.test',
    title: 'fieldfare.test',
    usage: { users: { active_month: 0 } },
    thumbnail: { url: 'https://fieldfare.test/thumbnail.png' },
    configuration: {
      urls: { streaming: 'wss://fieldfare.test', about: 'https://fieldfare.test/about', terms_of_service: null },
      accounts: { max_featured_tags: 10, max_pinned_statuses: 5, max_profile_fields: 4, max_note_length: 500 },
      statuses: { max_characters: 500, max_media_attachments: 4, characters_reserved_per_url: 23 },
      media_attachments: { description_limit: 10_000, image_size_limit: 16_777_216 },
      polls: { max_options: 4, max_characters_per_option: 50, min_expiration: 300, max_expiration: 2_629_746 },
      translation: { enabled: false },
      timelines_access: { live_feeds: { local: 'public', remote: 'public' } },
      limited_federation: false,
    },
    registrations: {
      enabled: true,
      approval_required: true,
      reason_required: true,
      message: null,
      min_age: null,
      url: null,
      fieldfare: { challenge_url: null },
    },
    api_versions: { mastodon: 11, fieldfare: fieldfareFeatures.length },
    contact: { email: '', account: null },
    rules: [],
  });
  const v1 = await server.anonymous.get('/api/v1/instance');
  expect(v1.status).toBe(200);
  expect(v1.json).toMatchObject({
    uri: 'fieldfare.test',
    urls: { streaming_api: 'wss://fieldfare.test' },
    thumbnail: 'https://fieldfare.test/thumbnail.png',
    stats: { user_count: 0, status_count: 0, domain_count: 0 },
    registrations: true,
    approval_required: true,
    invites_enabled: true,
    contact_account: null,
    rules: [],
  });
});

test('INS-01: the version and the streaming URL have the format that clients expect', async () => {
  await using server = await startServer({ settings: { STREAMING_BASE_URL: 'https://stream.fieldfare.test/' } });
  const { json, headers } = await server.anonymous.get('/api/v2/instance');
  expect(json.version).toMatch(/^4\.\d\.\d+ \(compatible; Fieldfare \d+\.\d+\.\d+\)$/);
  expect(json.version).not.toMatch(/\+|git|glitch|pleroma|akkoma|pixelfed|iceshrimp|sharkey/i);
  expect(json.configuration.urls.streaming).toBe('wss://stream.fieldfare.test');
  expect(headers['cache-control']).toMatch(/public.*max-age=300|max-age=300.*public/);
  expect(headers['access-control-allow-origin']).toBe('*');
  const v1 = await server.anonymous.get('/api/v1/instance');
  expect(v1.headers['deprecation']).toBe('@1668384000');
  expect(v1.json.urls.streaming_api).toBe('wss://stream.fieldfare.test');
});

test('INS-01: the VAPID key is created once and stored', async () => {
  await using server = await startServer();
  const { json } = await server.anonymous.get('/api/v2/instance');
  const key = json.configuration.vapid.public_key;
  expect(key).toMatch(/^[A-Za-z0-9_-]{87}$/);
  const keys = await vapidKeys(server.app);
  expect(keys.publicKey).toBe(key);
  expect(Buffer.from(keys.privateKey, 'base64url')).toHaveLength(32);
  const { rows } = await server.pool.query("select value from site_settings where name = 'vapid'");
  expect(rows).toEqual([{ value: keys }]);
});

test('INS-01: changed settings and rules are visible immediately, with the contact account', async () => {
  await using server = await startServer();
  await server.user('alice');
  await server.anonymous.get('/api/v2/instance');
  await changeSiteSettings(server.app, 'system', {
    title: ' The Nest ',
    description: 'Birds only',
    contactEmail: 'staff@fieldfare.test',
    contactUsername: 'alice',
    registrations: 'approval',
    registrationsMessage: '<p onclick="x()">Ask us</p>',
    languages: ['de', 'en'],
  });
  await addRule(server.app, 'system', { text: 'Be kind', hint: 'Really' });
  const { json } = await server.anonymous.get('/api/v2/instance');
  expect(json).toMatchObject({
    title: 'The Nest',
    description: 'Birds only',
    languages: ['de', 'en'],
    registrations: { enabled: true, approval_required: true, reason_required: true, message: '<p>Ask us</p>' },
    contact: { email: 'staff@fieldfare.test', account: { username: 'alice' } },
    rules: [{ text: 'Be kind', hint: 'Really', translations: {} }],
  });
  const v1 = await server.anonymous.get('/api/v1/instance');
  expect(v1.json).toMatchObject({ title: 'The Nest', approval_required: true, contact_account: { username: 'alice' } });
  const rules = await server.anonymous.get('/api/v1/instance/rules');
  expect(rules.json).toEqual(json.rules);
  await changeSiteSettings(server.app, 'system', { title: null, registrations: 'closed' });
  await deleteRule(server.app, 'system', json.rules[0].id as string);
  const after = await server.anonymous.get('/api/v2/instance');
  expect(after.json).toMatchObject({ title: 'fieldfare.test', registrations: { enabled: false }, rules: [] });
});

test('INS-01: all invalid settings are reported together, and an invalid rule is 422', async () => {
  await using server = await startServer();
  const change = (changes: object) => changeSiteSettings(server.app, 'system', changes);
  const failure = await change({
    title: '',
    registrations: 'maybe',
    languages: ['xx'],
    unknown: 1,
    description: 'a'.repeat(201),
  })
    .then(() => undefined)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ status: 422 });
  expect(Object.keys((failure as { details: { details: object } }).details.details)).toEqual([
    'title',
    'registrations',
    'languages',
    'unknown',
    'description',
  ]);
  expect((await siteSettings(server.app)).title).toBe('fieldfare.test');
  const add = (text: string) => addRule(server.app, 'system', { text });
  await expect(add(' ')).rejects.toMatchObject({ status: 422 });
  await expect(add('a'.repeat(301))).rejects.toMatchObject({ status: 422 });
  expect(await listRules(server.app)).toEqual([]);
});

test('INS-01: a new instance has a description, a privacy policy and languages, but no terms of service', async () => {
  await using server = await startServer();
  const description = await server.anonymous.get('/api/v1/instance/extended_description');
  expect(description.json).toMatchObject({ updated_at: null, content: expect.stringContaining('<p>') });
  const policy = await server.anonymous.get('/api/v1/instance/privacy_policy');
  expect(policy.json).toMatchObject({ updated_at: expect.any(String), content: expect.stringContaining('<p>') });
  await changeSiteSettings(server.app, 'system', { extendedDescription: '<p>Ours<script>alert(1)</script></p>' });
  const changed = await server.anonymous.get('/api/v1/instance/extended_description');
  expect(changed.json).toEqual({ updated_at: server.clock.now().toISOString(), content: '<p>Ours</p>' });
  expect((await server.anonymous.get('/api/v1/instance/terms_of_service')).status).toBe(404);
  expect((await server.anonymous.get('/api/v1/instance/terms_of_service/2026-01-01')).status).toBe(404);
  const languages = await server.anonymous.get('/api/v1/instance/languages');
  expect(languages.json).toContainEqual({ code: 'de', name: 'Deutsch' });
  const translation = await server.anonymous.get('/api/v1/instance/translation_languages');
  expect(translation.json).toEqual({});
});

test('INS-01: the instance counts its users and their posts', async () => {
  await using server = await startServer();
  await server.user('alice');
  const bob = await server.user('bob');
  await server.user('carol', { approved: false });
  await bob.post('/api/v1/statuses', { status: 'hello' });
  await bob.get('/api/v1/timelines/home');
  await server.drain();
  const { json } = await server.anonymous.get('/api/v1/instance');
  expect(json.stats).toEqual({ user_count: 2, status_count: 1, domain_count: 0 });
});

test('INS-01: peers are the domains of known remote accounts, without suspended domains', async () => {
  await using server = await startServer();
  const remote = (username: string, domain: string) =>
    server.pool.query(
      `insert into accounts (id, username, domain, uri, created_at, updated_at) values ($1, $2, $3, $4, now(), now())`,
      [newId(), username, domain, `https://${domain}/users/${username}`],
    );
  await remote('a', 'one.test');
  await remote('b', 'one.test');
  await remote('c', 'two.test');
  await remote('d', 'bad.test');
  await server.pool.query(
    `insert into domain_blocks (id, domain, severity, public_comment, obfuscate, created_at)
     values (1, 'bad.test', 'suspend', 'spam', true, now()), (2, 'meh.test', 'noop', null, false, now())`,
  );
  const peers = await server.anonymous.get('/api/v1/instance/peers');
  expect(peers.json).toEqual(['one.test', 'two.test']);
  expect((await server.anonymous.get('/api/v1/peers/search?q=TW')).json).toEqual(['two.test']);
  expect((await server.anonymous.get('/api/v1/peers/search?q=')).json).toEqual([]);
  const { json } = await server.anonymous.get('/api/v1/instance');
  expect(json.stats.domain_count).toBe(3);
});

test('INS-01: staff choose who can list the blocked domains', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  await server.pool.query(
    `insert into domain_blocks (id, domain, severity, public_comment, obfuscate, created_at)
     values (1, 'bad.example', 'suspend', 'spam', true, now()), (2, 'meh.test', 'noop', null, false, now()), (3, 'so.so', 'silence', null, false, now())`,
  );
  const hidden = await server.anonymous.get('/api/v1/instance/domain_blocks');
  expect([hidden.status, hidden.text]).toEqual([404, '']);
  const setVisibility = (showDomainBlocks: 'users' | 'all', showDomainBlockReasons: 'disabled' | 'users' | 'all') =>
    changeSiteSettings(server.app, 'system', { showDomainBlocks, showDomainBlockReasons });
  await setVisibility('users', 'disabled');
  expect((await server.anonymous.get('/api/v1/instance/domain_blocks')).status).toBe(404);
  const seen = await alice.get('/api/v1/instance/domain_blocks');
  expect(seen.json).toEqual([
    { domain: 'ba*.*****le', digest: expect.stringMatching(/^[0-9a-f]{64}$/), severity: 'suspend', comment: null },
    { domain: 'so.so', digest: expect.any(String), severity: 'silence', comment: null },
  ]);
  await setVisibility('all', 'users');
  expect((await alice.get('/api/v1/instance/domain_blocks')).json[0].comment).toBe('spam');
  expect((await server.anonymous.get('/api/v1/instance/domain_blocks')).json[0].comment).toBeNull();
  await setVisibility('all', 'all');
  const open = await server.anonymous.get('/api/v1/instance/domain_blocks');
  expect(open.json[0].comment).toBe('spam');
});

test('INS-01: activity covers twelve weeks, with all numbers as strings', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const posted = await alice.post('/api/v1/statuses', { status: 'hello', language: 'de' });
  await alice.post('/api/v1/statuses', { status: 'hello', language: 'en' });
  await alice.post(`/api/v1/statuses/${posted.json.id}/reblog`);
  await server.drain();
  await server.runSchedule('measures.count_today');
  const { json } = await server.anonymous.get('/api/v1/instance/activity');
  expect(json).toHaveLength(12);
  expect(json[0]).toEqual({ week: expect.any(String), statuses: '2', logins: '1', registrations: '1' });
  const monday = new Date(Number(json[0].week) * 1000);
  expect([monday.getUTCDay(), monday.getUTCHours()]).toEqual([1, 0]);
  expect(Number(json[0].week) - Number(json[1].week)).toBe(604_800);
  expect(json[11].statuses).toBe('0');
});

test('INS-01: in secure mode with limited federation the instance data is public, but not peers and activity', async () => {
  await using server = await startServer({ settings: { SECURE_MODE: 'on', LIMITED_FEDERATION: 'on' } });
  const v2 = await server.anonymous.get('/api/v2/instance');
  expect(v2.json.configuration).toMatchObject({
    limited_federation: true,
    timelines_access: { live_feeds: { local: 'authenticated', remote: 'authenticated' } },
  });
  for (const path of ['', '/rules', '/extended_description', '/privacy_policy', '/languages']) {
    expect((await server.anonymous.get(`/api/v1/instance${path}`)).status, path).toBe(200);
  }
  for (const path of ['/peers', '/activity', '/domain_blocks']) {
    const response = await server.anonymous.get(`/api/v1/instance${path}`);
    expect([response.status, response.text], path).toEqual([404, '']);
  }
});

test('INS-01: peers and activity are 404 when staff disable them', async () => {
  await using server = await startServer();
  await changeSiteSettings(server.app, 'system', { showPeers: false, showActivity: false });
  for (const path of ['/api/v1/instance/peers', '/api/v1/instance/activity', '/api/v1/peers/search?q=a']) {
    const response = await server.anonymous.get(path);
    expect([response.status, response.text], path).toEqual([404, '']);
  }
});

test('INS-01: cached instance data takes no query', async () => {
  await using server = await startServer();
  expect(await server.countWarmQueries(() => server.anonymous.get('/api/v2/instance'))).toBe(0);
});

/** The routes that each step of Mastodon's API version promises to apps (clients.md, row 4). */
const apiSteps: Readonly<Record<number, readonly string[]>> = {
  2: [
    'GET /api/v2/notifications',
    'GET /api/v2/notifications/:group_key',
    'GET /api/v2/notifications/:group_key/accounts',
    'POST /api/v2/notifications/:group_key/dismiss',
    'POST /api/v2/notifications/clear',
    'GET /api/v2/notifications/unread_count',
    'GET /api/v2/notifications/policy',
    'PATCH /api/v2/notifications/policy',
    'GET /api/v1/notifications/requests',
    'GET /api/v1/notifications/requests/:id',
    'POST /api/v1/notifications/requests/:id/accept',
    'POST /api/v1/notifications/requests/:id/dismiss',
    'POST /api/v1/notifications/requests/accept',
    'POST /api/v1/notifications/requests/dismiss',
    'GET /api/v1/notifications/requests/merged',
  ],
  3: ['GET /.well-known/oauth-authorization-server'],
  4: [
    'POST /api/v1/push/subscription',
    'GET /api/v1/push/subscription',
    'PUT /api/v1/push/subscription',
    'DELETE /api/v1/push/subscription',
  ],
  6: [
    'POST /api/v1/accounts/:id/endorse',
    'POST /api/v1/accounts/:id/unendorse',
    'GET /api/v1/accounts/:id/endorsements',
    'GET /api/v1/accounts/:id/featured_tags',
  ],
  7: [
    'GET /api/v1/statuses/:id/quotes',
    'POST /api/v1/statuses/:id/quotes/:quoting_status_id/revoke',
    'PUT /api/v1/statuses/:id/interaction_policy',
  ],
  8: ['GET /api/v1/profile', 'PATCH /api/v1/profile', 'DELETE /api/v1/profile/avatar', 'DELETE /api/v1/profile/header'],
  10: [
    'GET /api/v1/accounts/:account_id/collections',
    'GET /api/v1/accounts/:account_id/in_collections',
    'POST /api/v1/collections',
    'GET /api/v1/collections/:id',
    'PATCH /api/v1/collections/:id',
    'DELETE /api/v1/collections/:id',
    'POST /api/v1/collections/:collection_id/items',
    'DELETE /api/v1/collections/:collection_id/items/:id',
    'POST /api/v1/collections/:collection_id/items/:id/revoke',
  ],
};
/** That of Mastodon 4.6.5. Its step adds no route, but `avatar_description` and `header_description` of accounts. */
const latestApiVersion = 11;

test('the API version is the highest one whose routes exist, together with those of all lower versions', () => {
  const existing = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  const incomplete = Object.entries(apiSteps).find(([, promised]) => promised.some((route) => !existing.has(route)));
  expect(apiVersion).toBe(incomplete === undefined ? latestApiVersion : Number(incomplete[0]) - 1);
  expect(Object.keys(Account.properties)).toEqual(expect.arrayContaining(['avatar_description', 'header_description']));
});

test('the number of features beyond Mastodon only grows, and each of them has its route', () => {
  const existing = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  // Apps know the features by their places: new ones are appended, none is moved.
  expect(fieldfareFeatures.map(({ route }) => route)).toEqual([
    'POST /oauth/device_authorization',
    'POST /api/v1/fieldfare/webhooks',
    'POST /api/v1/fieldfare/drafts/:id/publish',
    'GET /api/v1/fieldfare/bookmarks',
    'GET /api/v1/fieldfare/sessions',
    'PATCH /api/v1/fieldfare/admin/settings',
    'POST /api/v1/fieldfare/admin/roles',
    'POST /api/v1/fieldfare/admin/custom_emojis',
    'POST /api/v1/fieldfare/strikes/:id/appeal',
    'POST /api/v1/fieldfare/admin/accounts/:id/notes',
    'POST /api/v1/fieldfare/admin/warning_presets',
    'GET /api/v1/fieldfare/admin/audit_log',
    'POST /api/v1/fieldfare/admin/reports/:id/forward',
    'POST /api/v1/fieldfare/admin/domain_blocks/import',
    'POST /api/v1/fieldfare/admin/domain_lists',
    'POST /api/v1/fieldfare/admin/relays',
    'POST /api/v1/fieldfare/admin/announcements',
    'POST /api/v1/fieldfare/admin/webhooks',
    'GET /api/v1/interaction_requests',
    'POST /api/v1/statuses/:id/react/:name',
    'POST /api/v1/fieldfare/admin/reports/:id/status_action',
    'POST /api/v1/fieldfare/admin/moderation_rules',
    'GET /api/v1/fieldfare/held_posts',
    'POST /api/v1/statuses',
    'POST /api/v1/fieldfare/admin/providers/:id/confirm',
    'POST /api/v1/fieldfare/groups',
    'POST /api/v1/fieldfare/post_imports',
    'GET /api/v1/fieldfare/linked_sign_ins',
    'GET /api/v1/fieldfare/sign_up_challenge',
    'POST /api/v1/fieldfare/admin/username_blocks',
  ]);
  expect(fieldfareFeatures.filter(({ route }) => !existing.has(route))).toEqual([]);
});

test('INS-01: apps learn from the metadata of the server that it supports PKCE', async () => {
  await using server = await startServer();
  const { json } = await server.anonymous.get('/.well-known/oauth-authorization-server');
  expect(json).toMatchObject({ code_challenge_methods_supported: ['S256'] });
});

/** The fields of Instance and V1::Instance that are neither optional nor nullable, by type. */
const requiredV2: Record<string, string> = {
  string: `domain title version description configuration.vapid.public_key
    configuration.timelines_access.live_feeds.local configuration.timelines_access.live_feeds.remote
    configuration.timelines_access.hashtag_feeds.local configuration.timelines_access.hashtag_feeds.remote
    configuration.timelines_access.trending_link_feeds.local
    configuration.timelines_access.trending_link_feeds.remote contact.email`,
  url: `source_url thumbnail.url configuration.urls.streaming configuration.urls.about
    configuration.urls.privacy_policy`,
  object: `usage usage.users thumbnail configuration configuration.urls configuration.accounts
    configuration.statuses configuration.media_attachments configuration.polls configuration.translation
    configuration.timelines_access configuration.timelines_access.live_feeds
    configuration.timelines_access.hashtag_feeds configuration.timelines_access.trending_link_feeds
    registrations api_versions contact configuration.vapid`,
  number: `usage.users.active_month configuration.accounts.max_display_name_length
    configuration.accounts.max_note_length configuration.accounts.max_avatar_description_length
    configuration.accounts.max_header_description_length configuration.accounts.max_featured_tags
    configuration.accounts.max_pinned_statuses configuration.accounts.max_profile_fields
    configuration.accounts.profile_field_name_limit configuration.accounts.profile_field_value_limit
    configuration.statuses.max_characters configuration.statuses.max_media_attachments
    configuration.statuses.characters_reserved_per_url configuration.media_attachments.description_limit
    configuration.media_attachments.image_size_limit configuration.media_attachments.image_matrix_limit
    configuration.media_attachments.video_size_limit configuration.media_attachments.video_frame_rate_limit
    configuration.media_attachments.video_matrix_limit configuration.polls.max_options
    configuration.polls.max_characters_per_option configuration.polls.min_expiration
    configuration.polls.max_expiration api_versions.mastodon api_versions.fieldfare`,
  array: `icon languages configuration.media_attachments.supported_mime_types rules`,
  boolean: `configuration.translation.enabled configuration.limited_federation registrations.enabled
    registrations.approval_required registrations.reason_required`,
};
const requiredV1: Record<string, string> = {
  string: `uri title short_description description email version`,
  object: `urls stats configuration configuration.accounts configuration.statuses configuration.media_attachments
    configuration.polls`,
  url: `urls.streaming_api thumbnail`,
  number: `stats.user_count stats.status_count stats.domain_count configuration.accounts.max_featured_tags
    configuration.statuses.max_characters configuration.statuses.max_media_attachments
    configuration.statuses.characters_reserved_per_url configuration.media_attachments.image_size_limit
    configuration.media_attachments.image_matrix_limit configuration.media_attachments.video_size_limit
    configuration.media_attachments.video_frame_rate_limit configuration.media_attachments.video_matrix_limit
    configuration.polls.max_options configuration.polls.max_characters_per_option
    configuration.polls.min_expiration configuration.polls.max_expiration`,
  array: `languages configuration.media_attachments.supported_mime_types rules`,
  boolean: `registrations approval_required invites_enabled`,
};

/** Returns the paths of `required` whose value in `json` is missing or has another type. */
function missingFields(json: unknown, required: Record<string, string>): string[] {
  const typeOf = (value: unknown): string => {
    if (Array.isArray(value)) return 'array';
    if (typeof value === 'string' && /^(?:https|wss):\/\/\S+$/.test(value)) return 'url';
    return value === null ? 'null' : typeof value;
  };
  const at = (path: string): unknown =>
    path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], json);
  return Object.entries(required).flatMap(([type, paths]) =>
    paths.split(/\s+/).filter((path) => {
      const found = typeOf(at(path));
      return found !== type && !(type === 'string' && found === 'url');
    }),
  );
}

test('INS-01: every field that the API requires is present and has its type', async () => {
  await using server = await startServer();
  const v2 = (await server.anonymous.get('/api/v2/instance')).json;
  expect(missingFields(v2, requiredV2)).toEqual([]);
  expect(missingFields((await server.anonymous.get('/api/v1/instance')).json, requiredV1)).toEqual([]);
  expect(missingFields({ ...v2, domain: null, contact: {} }, requiredV2)).toEqual(['domain', 'contact.email']);
});

test('INS-01: the VAPID key is a P-256 key pair, the same in all processes, and the private key stays secret', async () => {
  await using server = await startServer();
  // Another App on the same database does not share the cache of this one.
  const [keys, otherKeys] = await Promise.all([vapidKeys(server.app), vapidKeys({ ...server.app })]);
  expect(otherKeys).toEqual(keys);
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(keys.privateKey, 'base64url'));
  expect(pair.getPublicKey('base64url')).toBe(keys.publicKey);
  expect((await server.anonymous.get('/api/v2/instance')).json.configuration.vapid.public_key).toBe(keys.publicKey);
  for (const path of ['/api/v1/instance', '/api/v2/instance', '/api/v1/instance/extended_description']) {
    expect((await server.anonymous.get(path)).text).not.toContain(keys.privateKey);
  }
});
