/**
 * Tables of Mastodon with the columns that matter here, compared with `db/schema.rb` of each version. `users` has the columns of
 * both encryptions of secrets in all of them, as in 4.3. `id`: bigint primary key; `times`: created_at and updated_at. A column
 * without a type is text; `!` means not null, `=` a default and not null.
 */
const tables42: Readonly<Record<string, string>> = {
  schema_migrations: 'version!',
  account_aliases: "id, account_id bigint, acct='', uri='', times",
  account_conversations:
    "id, account_id bigint, conversation_id bigint, participant_account_ids bigint[]='{}', status_ids bigint[]='{}', last_status_id bigint, lock_version integer=0, unread boolean=false",
  account_deletion_requests: 'id, account_id bigint, times',
  account_domain_blocks: 'id, domain, account_id bigint, times',
  account_migrations: "id, account_id bigint, acct='', followers_count bigint=0, target_account_id bigint, times",
  account_moderation_notes: 'id, content!, account_id bigint!, target_account_id bigint!, times',
  account_notes: 'id, account_id bigint, target_account_id bigint, comment!, times',
  account_pins: 'id, account_id bigint, target_account_id bigint, times',
  account_stats:
    'id, account_id bigint!, statuses_count bigint=0, following_count bigint=0, followers_count bigint=0, last_status_at timestamp, times',
  account_statuses_cleanup_policies: 'id, account_id bigint!, enabled boolean=true, times',
  account_warning_presets: "id, text='', title='', times",
  account_warnings:
    "id, account_id bigint, target_account_id bigint, action integer=0, text='', report_id bigint, status_ids varchar[], overruled_at timestamp, times",
  accounts:
    "id, username='', domain, private_key, public_key='', note='', display_name='', uri='', url, avatar_file_name, avatar_content_type, avatar_file_size integer, avatar_updated_at timestamp, header_file_name, header_content_type, header_file_size integer, header_updated_at timestamp, avatar_remote_url, locked boolean=false, header_remote_url='', last_webfingered_at timestamp, inbox_url='', outbox_url='', shared_inbox_url='', followers_url='', protocol integer=0, memorial boolean=false, moved_to_account_id bigint, featured_collection_url, fields jsonb, actor_type, discoverable boolean, also_known_as varchar[], silenced_at timestamp, suspended_at timestamp, hide_collections boolean, avatar_storage_schema_version integer, header_storage_schema_version integer, devices_url, suspension_origin integer, sensitized_at timestamp, trendable boolean, reviewed_at timestamp, requested_review_at timestamp, indexable boolean=false, times",
  accounts_tags: 'account_id bigint!, tag_id bigint!',
  admin_action_logs:
    "id, account_id bigint, action='', target_type, target_id bigint, human_identifier, route_param, permalink, times",
  announcement_mutes: 'id, account_id bigint, announcement_id bigint, times',
  announcement_reactions: "id, account_id bigint, announcement_id bigint, name='', custom_emoji_id bigint, times",
  announcements:
    "id, text='', published boolean=false, all_day boolean=false, scheduled_at timestamp, starts_at timestamp, ends_at timestamp, published_at timestamp, status_ids bigint[], times",
  appeals:
    "id, account_id bigint!, account_warning_id bigint!, text='', approved_at timestamp, approved_by_account_id bigint, rejected_at timestamp, rejected_by_account_id bigint, times",
  backups: 'id, user_id bigint, dump_file_name, processed boolean=false, times',
  blocks: 'id, account_id bigint!, target_account_id bigint!, uri, times',
  bookmarks: 'id, account_id bigint!, status_id bigint!, times',
  bulk_import_rows: 'id, bulk_import_id bigint!, data jsonb, times',
  bulk_imports: 'id, type integer!, state integer!, account_id bigint!, times',
  canonical_email_blocks: "id, canonical_email_hash='', reference_account_id bigint, times",
  conversation_mutes: 'id, conversation_id bigint!, account_id bigint!',
  conversations: 'id, uri, times',
  custom_emoji_categories: 'id, name, times',
  custom_emojis:
    "id, shortcode='', domain, image_file_name, image_content_type, image_file_size integer, image_updated_at timestamp, disabled boolean=false, uri, image_remote_url, visible_in_picker boolean=true, category_id bigint, image_storage_schema_version integer, times",
  custom_filter_keywords: "id, custom_filter_id bigint!, keyword='', whole_word boolean=true, times",
  custom_filter_statuses: 'id, custom_filter_id bigint!, status_id bigint!, times',
  custom_filters:
    "id, account_id bigint, expires_at timestamp, phrase='', context varchar[]='{}', action integer=0, times",
  devices: "id, account_id bigint, name='', times",
  domain_allows: "id, domain='', times",
  domain_blocks:
    "id, domain='', severity integer, reject_media boolean=false, reject_reports boolean=false, private_comment, public_comment, obfuscate boolean=false, times",
  email_domain_blocks: "id, domain='', parent_id bigint, times",
  encrypted_messages: "id, device_id bigint, body='', times",
  favourites: 'id, account_id bigint!, status_id bigint!, times',
  featured_tags:
    'id, account_id bigint!, tag_id bigint!, statuses_count bigint=0, last_status_at timestamp, name, times',
  follow_recommendation_suppressions: 'id, account_id bigint!, times',
  follow_requests:
    'id, account_id bigint!, target_account_id bigint!, show_reblogs boolean=true, uri, notify boolean=false, languages varchar[], times',
  follows:
    'id, account_id bigint!, target_account_id bigint!, show_reblogs boolean=true, uri, notify boolean=false, languages varchar[], times',
  identities: "id, provider='', uid='', user_id bigint, times",
  imports: 'id, type integer!, account_id bigint!, approved boolean=false, times',
  invites:
    "id, user_id bigint!, code='', expires_at timestamp, max_uses integer, uses integer=0, autofollow boolean=false, comment, times",
  ip_blocks: "id, ip inet='0.0.0.0', severity integer=0, expires_at timestamp, comment='', times",
  list_accounts: 'id, list_id bigint!, account_id bigint!, follow_id bigint, follow_request_id bigint',
  lists: "id, account_id bigint!, title='', replies_policy integer=0, exclusive boolean=false, times",
  login_activities:
    'id, user_id bigint!, authentication_method, provider, success boolean, failure_reason, ip inet, user_agent, created_at timestamp',
  markers: "id, user_id bigint, timeline='', last_read_id bigint=0, lock_version integer=0, times",
  media_attachments:
    "id, status_id bigint, file_file_name, file_content_type, file_file_size integer, file_updated_at timestamp, remote_url='', shortcode, type integer=0, file_meta json, account_id bigint, description, scheduled_status_id bigint, blurhash, processing integer, file_storage_schema_version integer, thumbnail_file_name, thumbnail_content_type, thumbnail_file_size integer, thumbnail_updated_at timestamp, thumbnail_remote_url, times",
  mentions: 'id, status_id bigint, account_id bigint, silent boolean=false, times',
  mutes:
    'id, hide_notifications boolean=true, account_id bigint!, target_account_id bigint!, expires_at timestamp, times',
  notifications: 'id, activity_id bigint!, activity_type!, account_id bigint!, from_account_id bigint!, type, times',
  oauth_access_grants: 'id, token!, application_id bigint!, resource_owner_id bigint!, created_at timestamp!',
  oauth_access_tokens:
    'id, token!, refresh_token, expires_in integer, revoked_at timestamp, created_at timestamp!, scopes, application_id bigint, resource_owner_id bigint, last_used_at timestamp, last_used_ip inet',
  oauth_applications:
    "id, name!, uid!, secret!, redirect_uri!, scopes='', created_at timestamp, updated_at timestamp, superapp boolean=false, website, owner_type, owner_id bigint, confidential boolean=true",
  one_time_keys: "id, device_id bigint, key='', times",
  pghero_space_stats: 'id, database, size bigint',
  poll_votes: 'id, account_id bigint, poll_id bigint, choice integer=0, uri, times',
  polls:
    "id, account_id bigint, status_id bigint, expires_at timestamp, options varchar[]='{}', cached_tallies bigint[]='{}', multiple boolean=false, hide_totals boolean=false, votes_count bigint=0, last_fetched_at timestamp, lock_version integer=0, voters_count bigint, times",
  preview_card_providers:
    "id, domain='', trendable boolean, reviewed_at timestamp, requested_review_at timestamp, times",
  preview_card_trends: 'id, preview_card_id bigint!, score float8=0, rank integer=0, allowed boolean=false, language',
  preview_cards:
    "id, url='', title='', description='', image_file_name, image_content_type, type integer=0, html='', author_name='', author_url='', provider_name='', provider_url='', width integer=0, height integer=0, embed_url='', blurhash, language, trendable boolean, link_type integer, published_at timestamp, image_description='', times",
  preview_cards_statuses: 'preview_card_id bigint!, status_id bigint!',
  relays: "id, inbox_url='', follow_activity_id, state integer=0, times",
  report_notes: 'id, content!, report_id bigint!, account_id bigint!, times',
  reports:
    "id, status_ids bigint[]='{}', comment='', account_id bigint!, action_taken_by_account_id bigint, target_account_id bigint!, assigned_account_id bigint, uri, forwarded boolean, category integer=0, action_taken_at timestamp, rule_ids bigint[], times",
  rules: "id, priority integer=0, deleted_at timestamp, text='', times",
  scheduled_statuses: 'id, account_id bigint, scheduled_at timestamp, params jsonb',
  session_activations:
    "id, session_id!, user_agent='', ip inet, access_token_id bigint, user_id bigint!, web_push_subscription_id bigint, times",
  settings: 'id, var!, value, created_at timestamp, updated_at timestamp',
  site_uploads: "id, var='', file_file_name, file_content_type, meta json, blurhash, times",
  software_updates: 'id, version!, times',
  status_edits:
    "id, status_id bigint!, account_id bigint, text='', spoiler_text='', ordered_media_attachment_ids bigint[], media_descriptions text[], poll_options varchar[], sensitive boolean, times",
  status_pins: 'id, account_id bigint!, status_id bigint!, times',
  status_stats:
    'id, status_id bigint!, replies_count bigint=0, reblogs_count bigint=0, favourites_count bigint=0, times',
  status_trends: 'id, status_id bigint!, account_id bigint!, score float8=0',
  statuses:
    "id, uri, text='', in_reply_to_id bigint, reblog_of_id bigint, url, sensitive boolean=false, visibility integer=0, spoiler_text='', reply boolean=false, language, conversation_id bigint, local boolean, account_id bigint!, application_id bigint, in_reply_to_account_id bigint, poll_id bigint, deleted_at timestamp, edited_at timestamp, trendable boolean, ordered_media_attachment_ids bigint[], times",
  statuses_tags: 'status_id bigint!, tag_id bigint!',
  system_keys: 'id, key bytea, times',
  tag_follows: 'id, tag_id bigint!, account_id bigint!, times',
  tags: "id, name='', usable boolean, trendable boolean, listable boolean, reviewed_at timestamp, requested_review_at timestamp, last_status_at timestamp, max_score float8, max_score_at timestamp, display_name, times",
  tombstones: 'id, account_id bigint, uri!, by_moderator boolean, times',
  unavailable_domains: "id, domain='', times",
  user_invite_requests: 'id, user_id bigint, text, times',
  user_roles: "id, name='', color='', position integer=0, permissions bigint=0, highlighted boolean=false, times",
  users:
    "id, email='', encrypted_password='', reset_password_token, sign_in_count integer=0, current_sign_in_at timestamp, last_sign_in_at timestamp, confirmation_token, confirmed_at timestamp, confirmation_sent_at timestamp, unconfirmed_email, locale, encrypted_otp_secret, encrypted_otp_secret_iv, encrypted_otp_secret_salt, consumed_timestep integer, otp_required_for_login boolean=false, otp_backup_codes varchar[], account_id bigint!, disabled boolean=false, invite_id bigint, chosen_languages varchar[], created_by_application_id bigint, approved boolean=true, webauthn_id, sign_up_ip inet, role_id bigint, settings, time_zone, otp_secret, times",
  web_push_subscriptions:
    'id, endpoint!, key_p256dh!, key_auth!, data json, access_token_id bigint, user_id bigint, times',
  web_settings: 'id, data json, user_id bigint!, times',
  webauthn_credentials: 'id, external_id!, public_key!, nickname!, sign_count bigint=0, user_id bigint, times',
  webhooks: "id, url!, events varchar[]='{}', secret='', enabled boolean=true, template, times",
};

/** What a version changes. */
interface Release {
  /** The newest migration. */
  readonly migration: string;
  /** New tables, and columns of old ones. */
  readonly added: Readonly<Record<string, string>>;
  readonly removed?: readonly string[];
  /** Columns that are gone. */
  readonly dropped?: Readonly<Record<string, string>>;
  readonly notNull?: Readonly<Record<string, string>>;
  readonly nullable?: Readonly<Record<string, string>>;
}

const releases = {
  '4.2': { migration: '20230907150100', added: {} },
  '4.3': {
    migration: '20241007071624',
    added: {
      account_relationship_severance_events:
        'id, account_id bigint!, relationship_severance_event_id bigint!, followers_count integer=0, following_count integer=0, times',
      accounts: 'attribution_domains varchar[]',
      email_domain_blocks: 'allow_with_approval boolean=false',
      follow_recommendation_mutes: 'id, account_id bigint!, target_account_id bigint!, times',
      generated_annual_reports:
        'id, account_id bigint!, year integer!, data jsonb!, schema_version integer!, viewed_at timestamp, times',
      notification_permissions: 'id, account_id bigint!, from_account_id bigint!, times',
      notification_policies:
        'id, account_id bigint!, for_not_following integer=0, for_not_followers integer=0, for_new_accounts integer=0, for_private_mentions integer=1, for_limited_accounts integer=1, times',
      notification_requests:
        'id, account_id bigint!, from_account_id bigint!, last_status_id bigint, notifications_count bigint=0, times',
      notifications: 'filtered boolean=false, group_key',
      preview_cards: 'author_account_id bigint',
      preview_cards_statuses: 'url',
      relationship_severance_events: 'id, type integer!, target_name!, purged boolean=false, times',
      reports: 'application_id bigint',
      rules: "hint=''",
      severed_relationships:
        'id, relationship_severance_event_id bigint!, local_account_id bigint!, remote_account_id bigint!, direction integer!, show_reblogs boolean, notify boolean, languages varchar[], times',
    },
    removed: ['devices', 'encrypted_messages', 'one_time_keys', 'system_keys'],
    dropped: { accounts: 'devices_url' },
    notNull: { mentions: 'status_id account_id' },
  },
  '4.4': {
    migration: '20250627132728',
    added: {
      annual_report_statuses_per_account_counts: 'id, year integer!, account_id bigint!, statuses_count bigint!',
      announcements: 'notification_sent_at timestamp',
      fasp_backfill_requests: 'id, category!, fasp_provider_id bigint!, times',
      fasp_debug_callbacks: 'id, fasp_provider_id bigint!, times',
      fasp_follow_recommendations: 'id, requesting_account_id bigint!, recommended_account_id bigint!, times',
      fasp_providers: 'id, name!, base_url!, times',
      fasp_subscriptions: 'id, category!, fasp_provider_id bigint!, times',
      instance_moderation_notes: 'id, domain!, account_id bigint!, content, times',
      quotes:
        'id, account_id bigint!, status_id bigint!, quoted_status_id bigint, quoted_account_id bigint, state integer=0, approval_uri, activity_uri, legacy boolean=false, times',
      rule_translations: "id, text='', hint='', language!, rule_id bigint!, times",
      status_edits: 'quote_id bigint',
      status_stats: 'untrusted_favourites_count bigint, untrusted_reblogs_count bigint',
      statuses: 'quote_approval_policy integer=0, fetched_replies_at timestamp',
      tag_trends: "id, tag_id bigint!, score float8=0, rank integer=0, allowed boolean=false, language=''",
      terms_of_services:
        "id, text='', changelog='', published_at timestamp, notification_sent_at timestamp, effective_date date, times",
      users: 'age_verified_at timestamp, require_tos_interstitial boolean=false',
      web_push_subscriptions: 'standard boolean=false',
    },
    removed: ['imports'],
    notNull: {
      account_aliases: 'account_id',
      account_conversations: 'account_id conversation_id',
      account_deletion_requests: 'account_id',
      account_domain_blocks: 'domain account_id',
      account_notes: 'account_id target_account_id',
      account_pins: 'account_id target_account_id',
      admin_action_logs: 'account_id',
      announcement_mutes: 'account_id announcement_id',
      announcement_reactions: 'account_id announcement_id',
      custom_filters: 'account_id',
      markers: 'user_id',
      poll_votes: 'account_id poll_id',
      polls: 'account_id status_id',
      scheduled_statuses: 'account_id',
      tombstones: 'account_id',
      user_invite_requests: 'user_id',
      web_push_subscriptions: 'access_token_id user_id',
    },
  },
  '4.5': {
    migration: '20251023210145',
    added: {
      accounts: "following_url='', id_scheme integer",
      conversations: 'parent_status_id bigint, parent_account_id bigint',
      status_stats: 'quotes_count bigint=0',
      username_blocks:
        'id, username!, normalized_username!, exact boolean=false, allow_with_approval boolean=false, times',
    },
  },
  '4.6': {
    migration: '20260611150940',
    added: {
      accounts:
        "feature_approval_policy integer=0, avatar_description='', header_description='', collections_url, show_featured boolean=true, show_media boolean=true, show_media_replies boolean=true",
      collection_items:
        'id, collection_id bigint!, account_id bigint, position integer=1, object_uri, approval_uri, activity_uri, uri, state integer=0, times',
      collection_reports: 'id, collection_id bigint!, report_id bigint!, times',
      collections:
        'id, account_id bigint!, name!, description, description_html, uri, url, local boolean!, sensitive boolean!, discoverable boolean!, language, tag_id bigint, original_number_of_items integer, item_count integer=0, times',
      custom_emoji_categories: 'featured_emoji_id bigint',
      email_subscriptions: 'id, account_id bigint!, email!, locale!, confirmation_token, confirmed_at timestamp, times',
      generated_annual_reports: 'share_key',
      keypairs:
        'id, account_id bigint!, uri!, type integer!, public_key!, private_key, expires_at timestamp, revoked boolean=false, times',
      media_attachments: 'thumbnail_storage_schema_version integer',
      notification_policies: 'for_bots integer=0',
      preview_cards: 'unverified_author_account_id bigint',
      tagged_objects: 'id, status_id bigint!, object_type, object_id bigint, ap_type!, uri, times',
      user_roles: 'collection_limit integer=10, require_2fa boolean=false',
    },
  },
  // The main branch in August 2026.
  '4.7': {
    migration: '20260805130216',
    added: {
      account_summaries: 'account_id bigint!, language, sensitive boolean=false',
      accounts: 'requested_deletion_at timestamp',
      admin_action_logs: 'recorded_changes jsonb, recorded_changes_format',
      global_follow_recommendations: 'account_id bigint!, rank numeric!, reason varchar[]!',
      keypairs: 'local_fragment',
      software_deprecations: 'id, branch!, times',
    },
    nullable: { accounts: 'uri', keypairs: 'uri' },
  },
} as const satisfies Record<string, Release>;

export type MastodonVersion = keyof typeof releases;

/** All versions, oldest first. */
export const mastodonVersions = Object.keys(releases) as MastodonVersion[];

/** Whether a version is at least `other`. */
export const isSince = (version: MastodonVersion, other: MastodonVersion): boolean =>
  mastodonVersions.indexOf(version) >= mastodonVersions.indexOf(other);

/** Returns the statements that create the tables of a version. */
export function mastodonSchema(version: MastodonVersion): string {
  const tables = new Map(Object.entries(tables42));
  const changes: string[] = [];
  for (const name of mastodonVersions.filter((other) => isSince(version, other))) {
    const { added, removed = [], dropped = {}, notNull = {}, nullable = {} }: Release = releases[name];
    for (const [table, columns] of Object.entries(added))
      tables.set(table, [tables.get(table) ?? [], columns].flat().join(', '));
    for (const table of removed) tables.delete(table);
    changes.push(
      ...alter(dropped, (column) => `drop ${column}`),
      ...alter(notNull, (column) => `alter ${column} set not null`),
      ...alter(nullable, (column) => `alter ${column} drop not null, alter ${column} drop default`),
    );
  }
  const creations = [...tables].map(
    ([name, columns]) => `create table ${name} (${columns.split(', ').map(column).join(', ')});`,
  );
  return `${[...creations, ...changes].join('\n')}
    create unique index on mentions (account_id, status_id);
    insert into schema_migrations values ('20170101000000'), ('${releases[version].migration}');`;
}

/** Returns the statements that change columns, which are separated by spaces, by table. */
const alter = (columns: Readonly<Record<string, string>>, change: (column: string) => string): string[] =>
  Object.entries(columns).map(([table, names]) => `alter table ${table} ${names.split(' ').map(change).join(', ')};`);

function column(text: string): string {
  if (text === 'id') return 'id bigint primary key';
  if (text === 'times') return 'created_at timestamp not null, updated_at timestamp not null';
  const [, name = '', type = '', rest = ''] = /^(\w+)((?: [\w[\]]+)?)(.*)$/.exec(text) ?? [];
  const isNotNull = rest !== '' ? 'not null' : '';
  const value = rest.startsWith('=') ? `default ${rest.slice(1)}` : '';
  return `"${name}" ${type === '' ? 'varchar' : type} ${value} ${isNotNull}`;
}
