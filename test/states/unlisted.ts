// Routes, streams and jobs that the matrix does not read, with the reason or the test that covers them.

import { liveRoutes } from '../../server/pages/public/live-routes.ts';
import { clientRoutes } from '../../server/pages/web/client-routes.ts';

/** GET routes whose responses may show accounts or posts, or are no JSON. */
export const unlistedRoutes: Readonly<Record<string, readonly string[]>> = {
  'the account of the user, which gets 403 while suspended (account-states.test.ts)': [
    '/api/v1/accounts/verify_credentials',
    '/api/web/session',
    '/api/v1/annual_reports',
    '/api/v1/annual_reports/:year',
    '/api/v1/fieldfare/strikes',
    '/api/v1/fieldfare/held_posts',
    '/api/v1/fieldfare/held_posts/:id',
    '/api/v1/fieldfare/archives',
    '/api/v1/fieldfare/archives/:id/file',
    '/api/v1/fieldfare/exports',
    '/api/v1/fieldfare/exports/:type',
    '/api/v1/fieldfare/imports',
    '/api/v1/fieldfare/imports/:id',
    '/api/v1/fieldfare/imports/:id/failures',
    '/api/v1/fieldfare/severed_relationships/:id/followers',
    '/api/v1/fieldfare/severed_relationships/:id/following',
  ],
  'groups, which show their moderators and what waits for these (test/api/accounts/groups.test.ts)': [
    '/api/v1/fieldfare/groups',
    '/api/v1/fieldfare/groups/:id',
    '/api/v1/fieldfare/groups/:id/bans',
    '/api/v1/fieldfare/groups/:id/follow_requests',
    '/api/v1/fieldfare/groups/:id/waiting_posts',
    '/users/:username/collections/moderators',
  ],
  'another path of /api/v1/collections/:id': ['/api/v1_alpha/collections/:id'],
  'the contact of the server, an account of staff': ['/api/v1/instance', '/api/v2/instance'],
  'what only staff see (test/api/discovery)': ['/api/v1/admin/trends/statuses', '/api/v1/admin/trends/links'],
  'a player for videos, with the check of /media/:id (test/api/media)': ['/media/:id/player'],
  'images of links, profiles and emojis, whose addresses are signed or public (test/api/media)': [
    '/media_proxy/url/:shown/:encoded',
    '/emojis/:id',
  ],
  'documents about consent, or for signed requests only (test/federation/posts, test/federation/serving)': [
    '/users/:username/quote_authorizations/:id',
    '/users/:username/interaction_authorizations/:id',
    '/users/:username/followers_synchronization',
    '/ap/users/:id/collection_items/:item_id',
    '/ap/users/:id/feature_authorizations/:auth_id',
    '/contexts/:id',
  ],
  'a shared annual report (test/api/accounts)': ['/@:username/wrapstodon/:year/:share_key'],
  'the address of an account, also while it is suspended': ['/.well-known/webfinger'],
  'no account of users': [
    '/actor',
    '/about',
    '/privacy-policy',
    '/terms-of-service',
    '/terms-of-service/:date',
    '/.well-known/change-password',
    '/.well-known/host-meta',
    '/.well-known/host-meta.json',
    '/.well-known/nodeinfo',
    '/.well-known/proxy',
    '/.well-known/security.txt',
    '/nodeinfo/2.0',
    '/nodeinfo/2.1',
    '/robots.txt',
    '/manifest',
    '/device',
    '/setup',
    '/unsubscribe',
    '/invite/:invite_code',
    '/api/docs',
    '/api/docs/explorer.css',
    '/api/docs/explorer.js',
  ],
  'the web client, the same for every user (test/api/web)': [
    ...[...clientRoutes, ...liveRoutes].map(({ path }) => path),
    '/web/*',
    '/sw.js',
  ],
  'what a visitor or user is about to do': [
    '/authorize_follow',
    '/authorize_interaction',
    '/intent',
    '/share',
    '/email_subscriptions/new',
    '/email_subscriptions/confirmation',
  ],
};

/** Paths whose routes show no accounts, or those of the user only. */
export const ownPaths = /^\/(settings|auth|oauth|assets)(\/|$)|\.(png|ico|css)$/;

/** Streams, by the path of the route, and the test that opens them. The matrix of channels runs them in every state. */
export const streamTests: Readonly<Record<string, string>> = {
  '/api/v1/streaming': 'test/streaming/connections.test.ts',
  '/api/v1/streaming/*': 'test/streaming/connections.test.ts',
  '/api/v1/streaming/direct': 'test/states/channel-matrix.test.ts',
  '/api/v1/streaming/hashtag': 'test/states/channel-matrix.test.ts',
  '/api/v1/streaming/hashtag/local': 'test/states/channel-matrix.test.ts',
  '/api/v1/streaming/health': 'test/streaming/connections.test.ts',
  '/api/v1/streaming/list': 'test/states/channel-matrix.test.ts',
  '/api/v1/streaming/public': 'test/states/channel-matrix.test.ts',
  '/api/v1/streaming/public/local': 'test/states/channel-matrix.test.ts',
  '/api/v1/streaming/public/remote': 'test/states/channel-matrix.test.ts',
  '/api/v1/streaming/user': 'test/states/channel-matrix.test.ts',
  '/api/v1/streaming/user/notification': 'test/states/channel-matrix.test.ts',
};

/** What stored jobs do about limited accounts, by their names. The first that matches counts. */
export const jobRules: readonly (readonly [names: RegExp, rule: string])[] = [
  [/\.(delete|clean_up|expire|remove|anonymize|trim|purge)_?\w*$/, 'deletes; shows nothing'],
  [/^account\.(deliver_suspension|reject_follows)$/, 'sends the suspension itself (federated-suspension.test.ts)'],
  [
    /\.(deliver|send_update)(_\w+)?$/,
    'storeActivities skips suspended senders (suspension.test.ts, channel-matrix.test.ts)',
  ],
  [/^account\.(resend_follows|synchronize|migrate)\w*$/, 'storeActivities skips suspended senders'],
  [/\.(fetch|refresh|resolve|verify|attach|copy)_\w+$/, 'stores documents; what is shown is decided when it is read'],
  [/^feed\./, 'feeds are filtered when they are read'],
  [/^search\./, 'results are filtered when they are read'],
  [/^notification\./, 'notify.ts skips suspended senders and receivers, and applies the policy for silenced ones'],
  [/^push\./, 'load-push.ts skips suspended receivers (push.test.ts, channel-matrix.test.ts)'],
  [/^webhook\./, 'a suspended user has no valid token (channel-matrix.test.ts)'],
  [/^invite\.follow_for_guest$/, 'followAccount throws 404 for suspended accounts (relationships.test.ts)'],
  [
    /^groups?\.(consider_posts|boost_post|announce_\w+)$/,
    'consider-posts.ts leaves out suspended authors and groups (groups.test.ts), storeActivities skips suspended senders',
  ],
  [/^email_subscription\./, 'subscribable.ts leaves out suspended authors (channel-matrix.test.ts)'],
  [
    /^(user|report|appeal|moderation)\.\w*(send|mail|announce)\w*$/,
    'mail to a user about the own account, or to staff',
  ],
  [
    /^account_data\.run_import$/,
    'ends for a suspended user; what it changes is filtered when it is read (imports.test.ts)',
  ],
  [/^account_data\.build_archive$/, 'makes a file of own data, and none for a suspended user (archives.test.ts)'],
  [/^relationship\./, 'changes relations, which are filtered when they are read'],
  [/^account\.(apply_domain_policy|schedule_key_deletion)\w*$/, 'applies a state'],
  [/^status\.(publish_scheduled|mark_quotes_deleted)$/, 'does nothing for a suspended author, or deletes'],
  [/^moderation\.(apply_rule_actions|undo_rule)$/, 'limits accounts, or publishes for authors who are not suspended'],
  [/^status\.(start|continue)_rule_trial$/, 'counts posts for staff'],
  [/^poll\.end_poll$/, 'notify.ts skips suspended senders and receivers'],
  [/^media\.process_upload$/, 'prepares a file that nobody sees before it is posted'],
  [/^announcement\.update_publication$/, 'an announcement of staff'],
  [/^service_provider\.(refresh|announce_capability|send_test_call)$/, 'names no account'],
  [
    /^service_provider\.(send_(announcements|backfill)|withdraw_posts)$/,
    'shareable.ts leaves out limited authors (sharing.test.ts)',
  ],
  [/^service_provider\.(search_accounts|recommend_accounts|fetch_trends)$/, 'what is shown is decided when it is read'],
  [/^annual_report\.generate$/, 'a report for the user'],
];
