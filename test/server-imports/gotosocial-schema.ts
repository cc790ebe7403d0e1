/** Versions whose schema the tests create: before enums became numbers, and the newest. */
export type GotosocialVersion = '0.17' | '0.20';
export type Dialect = 'sqlite' | 'postgres';

const types = {
  id: { postgres: 'char(26)', sqlite: 'char(26)' },
  text: { postgres: 'varchar', sqlite: 'varchar' },
  time: { postgres: 'timestamptz', sqlite: 'timestamptz' },
  flag: { postgres: 'boolean', sqlite: 'boolean' },
  int: { postgres: 'bigint', sqlite: 'integer' },
  /** Words before 0.18. */
  enum: { postgres: 'smallint', sqlite: 'smallint' },
  real: { postgres: 'real', sqlite: 'real' },
  array: { postgres: 'varchar[]', sqlite: 'varchar' },
  json: { postgres: 'jsonb', sqlite: 'varchar' },
} as const;
export type ColumnKind = keyof typeof types;

type Table = Partial<Record<ColumnKind, string>> & { readonly key?: string };

const dated = { time: 'created_at updated_at' };
const pair = 'account_id target_account_id';

const commonTables: Readonly<Record<string, Table>> = {
  admin_actions: {
    id: 'id account_id',
    time: 'created_at updated_at completed_at',
    text: 'target_id text',
    // Numbers in all versions.
    int: 'target_category type',
    flag: 'send_email',
    array: 'reports errors',
    key: 'id',
  },
  accounts: {
    id: 'id avatar_media_attachment_id header_media_attachment_id move_id suspension_origin',
    time: 'created_at updated_at fetched_at public_key_expires_at sensitized_at silenced_at suspended_at',
    text: `username domain avatar_remote_url header_remote_url display_name note note_raw moved_to_uri uri url inbox_uri shared_inbox_uri
      outbox_uri following_uri followers_uri featured_collection_uri public_key_uri`,
    array: 'emojis also_known_as_uris',
    json: 'fields fields_raw private_key public_key',
    flag: 'locked discoverable',
    enum: 'actor_type',
    key: 'id',
  },
  account_settings: {
    id: 'account_id',
    enum: 'privacy',
    text: 'language status_content_type theme custom_css',
    flag: 'sensitive enable_rss hide_collections',
    json: `interaction_policy_direct interaction_policy_mutuals_only interaction_policy_followers_only interaction_policy_unlocked
      interaction_policy_public`,
    ...dated,
    key: 'account_id',
  },
  account_stats: {
    id: 'account_id',
    int: 'followers_count following_count follow_requests_count statuses_count statuses_pinned_count',
    time: 'regenerated_at last_status_at',
    key: 'account_id',
  },
  account_notes: { id: `id ${pair}`, text: 'comment', ...dated, key: 'id' },
  blocks: { id: `id ${pair}`, text: 'uri', ...dated, key: 'id' },
  conversations: {
    id: 'id account_id thread_id last_status_id',
    array: 'other_account_ids',
    text: 'other_accounts_key',
    flag: 'read',
    ...dated,
    key: 'id',
  },
  conversation_to_statuses: { id: 'conversation_id status_id' },
  domain_blocks: {
    id: 'id created_by_account_id subscription_id',
    text: 'domain private_comment public_comment',
    flag: 'obfuscate',
    ...dated,
    key: 'id',
  },
  domain_allows: {
    id: 'id created_by_account_id subscription_id',
    text: 'domain private_comment public_comment',
    flag: 'obfuscate',
    ...dated,
    key: 'id',
  },
  email_domain_blocks: { id: 'id created_by_account_id', text: 'domain', ...dated, key: 'id' },
  emojis: {
    id: 'id category_id',
    text: `shortcode domain image_remote_url image_static_remote_url image_url image_static_url image_path image_static_path
      image_content_type image_static_content_type uri`,
    int: 'image_file_size image_static_file_size',
    flag: 'disabled visible_in_picker cached',
    ...dated,
    key: 'id',
  },
  emoji_categories: { id: 'id', text: 'name', ...dated, key: 'id' },
  filter_keywords: { id: 'id filter_id', text: 'keyword', flag: 'whole_word', key: 'id' },
  filter_statuses: { id: 'id filter_id status_id', key: 'id' },
  follows: { id: `id ${pair}`, text: 'uri', flag: 'show_reblogs notify', ...dated, key: 'id' },
  follow_requests: { id: `id ${pair}`, text: 'uri', flag: 'show_reblogs notify', ...dated, key: 'id' },
  followed_tags: { id: 'account_id tag_id' },
  header_filter_blocks: { id: 'id author_id', text: 'header regex', ...dated, key: 'id' },
  instances: {
    id: 'id domain_block_id contact_account_id',
    text: `domain title uri short_description short_description_text description description_text custom_css terms terms_text
      contact_email contact_account_username version`,
    int: 'reputation',
    time: 'created_at updated_at suspended_at',
    key: 'id',
  },
  lists: { id: 'id account_id', text: 'title replies_policy', flag: 'exclusive', ...dated, key: 'id' },
  list_entries: { id: 'id list_id follow_id', ...dated, key: 'id' },
  markers: { id: 'account_id last_read_id', text: 'name', time: 'updated_at', int: 'version' },
  media_attachments: {
    id: 'id status_id account_id scheduled_status_id',
    time: 'created_at',
    text: `url remote_url description blurhash file_path file_content_type thumbnail_path thumbnail_content_type thumbnail_url
      thumbnail_remote_url`,
    enum: 'type',
    int: `processing original_width original_height original_size original_bitrate small_width small_height small_size file_file_size
      thumbnail_file_size`,
    real: 'original_aspect original_duration original_framerate small_aspect focus_x focus_y',
    flag: 'avatar header cached',
    key: 'id',
  },
  mentions: {
    id: 'id status_id origin_account_id target_account_id',
    text: 'origin_account_uri',
    flag: 'silent',
    time: 'created_at',
    key: 'id',
  },
  moves: {
    id: 'id',
    time: 'created_at updated_at attempted_at succeeded_at',
    text: 'origin_uri target_uri uri',
    key: 'id',
  },
  notifications: {
    id: 'id target_account_id origin_account_id status_id',
    enum: 'notification_type',
    flag: 'read',
    ...dated,
    key: 'id',
  },
  polls: {
    id: 'id status_id',
    flag: 'multiple hide_counts',
    json: 'options votes',
    int: 'voters',
    time: 'expires_at closed_at',
    key: 'id',
  },
  poll_votes: { id: 'id account_id poll_id', json: 'choices', time: 'created_at', key: 'id' },
  reports: {
    id: `id ${pair} action_taken_by_account_id`,
    text: 'uri comment action_taken',
    array: 'statuses rules',
    flag: 'forwarded',
    time: 'created_at updated_at action_taken_at',
    key: 'id',
  },
  rules: { id: 'id', text: 'text', int: 'order', flag: 'deleted', ...dated, key: 'id' },
  status_bookmarks: { id: `id ${pair} status_id`, ...dated, key: 'id' },
  status_faves: {
    id: `id ${pair} status_id`,
    text: 'uri approved_by_uri',
    flag: 'pending_approval',
    ...dated,
    key: 'id',
  },
  status_to_tags: { id: 'status_id tag_id' },
  tags: { id: 'id', text: 'name', flag: 'useable listable', ...dated, key: 'id' },
  threads: { id: 'id', key: 'id' },
  thread_mutes: { id: 'id thread_id account_id', ...dated, key: 'id' },
  tombstones: { id: 'id', text: 'domain uri', ...dated, key: 'id' },
  user_mutes: { id: `id ${pair}`, time: 'created_at updated_at expires_at', flag: 'notifications', key: 'id' },
  worker_tasks: { int: 'id worker_type', text: 'task_data', time: 'created_at', key: 'id' },
};

const posts = {
  id: `id account_id in_reply_to_id in_reply_to_account_id boost_of_id boost_of_account_id thread_id poll_id
    created_with_application_id`,
  text: `uri url content account_uri in_reply_to_uri content_warning language activity_streams_type text approved_by_uri`,
  enum: 'visibility',
  array: 'attachments tags mentions emojis',
  flag: 'local sensitive federated pending_approval',
  json: 'interaction_policy',
  key: 'id',
};
const users = {
  id: 'id account_id invite_id created_by_application_id',
  text: `email encrypted_password sign_up_ip reason locale confirmation_token unconfirmed_email reset_password_token external_id`,
  flag: 'moderator admin disabled approved',
  key: 'id',
};
const token = {
  id: 'id client_id user_id',
  text: 'redirect_uri scope code code_challenge code_challenge_method access refresh',
};
const tokenTimes =
  'code_create_at code_expires_at access_create_at access_expires_at refresh_create_at refresh_expires_at';

const tablesByVersion: Readonly<Record<GotosocialVersion, Readonly<Record<string, Table>>>> = {
  '0.17': {
    ...commonTables,
    interaction_requests: {
      id: 'id status_id target_account_id interacting_account_id',
      text: 'interaction_uri uri',
      int: 'interaction_type',
      time: 'created_at accepted_at rejected_at',
      key: 'id',
    },
    accounts: { ...commonTables['accounts'], flag: 'locked discoverable memorial bot' },
    applications: {
      ...dated,
      id: 'id client_id',
      text: 'name website redirect_uri client_secret scopes vapid_key',
      key: 'id',
    },
    clients: { ...dated, id: 'id user_id', text: 'secret domain', key: 'id' },
    filters: {
      id: 'id account_id',
      text: 'title action',
      flag: 'context_home context_notifications context_public context_thread context_account',
      time: 'created_at updated_at expires_at',
      key: 'id',
    },
    statuses: { ...posts, time: 'created_at updated_at fetched_at pinned_at' },
    tokens: { ...token, time: `created_at updated_at ${tokenTimes}`, key: 'id' },
    users: { ...users, time: 'created_at updated_at last_emailed_at confirmation_sent_at confirmed_at' },
  },
  '0.20': {
    ...commonTables,
    domain_permission_subscriptions: {
      id: 'id created_by_account_id',
      text: 'title uri fetch_username fetch_password etag error',
      int: 'priority permission_type content_type',
      flag: 'as_draft adopt_orphans remove_retracted',
      time: 'fetched_at successfully_fetched_at last_modified',
      key: 'id',
    },
    interaction_requests: {
      id: 'id target_status_id target_account_id interacting_account_id',
      text: 'interaction_request_uri interaction_uri response_uri authorization_uri',
      int: 'interaction_type',
      flag: 'polite',
      time: 'accepted_at rejected_at',
      key: 'id',
    },
    accounts: { ...commonTables['accounts'], time: `${commonTables['accounts']?.time} memorialized_at` },
    applications: {
      id: 'id client_id managed_by_user_id',
      text: 'name website client_secret scopes',
      array: 'redirect_uris',
      key: 'id',
    },
    filters: {
      id: 'id account_id',
      text: 'title',
      enum: 'action contexts',
      array: 'keywords statuses',
      time: 'expires_at',
      key: 'id',
    },
    scheduled_statuses: {
      id: 'id account_id in_reply_to_id application_id',
      time: 'scheduled_at',
      text: 'text spoiler_text language content_type idempotency',
      array: 'attachments poll_options',
      int: 'poll_expires_in',
      flag: 'sensitive local_only poll_multiple poll_hide_totals',
      enum: 'visibility',
      json: 'interaction_policy',
      key: 'id',
    },
    statuses: {
      ...posts,
      text: `${posts.text} content_warning_text`,
      enum: 'visibility content_type',
      array: `${posts.array} edits`,
      time: 'created_at edited_at fetched_at pinned_at',
    },
    status_edits: {
      id: 'id status_id',
      text: 'content content_warning text language',
      enum: 'content_type',
      flag: 'sensitive',
      array: 'attachments attachment_descriptions poll_options poll_votes',
      time: 'created_at',
      key: 'id',
    },
    tokens: { ...token, time: `last_used ${tokenTimes}`, key: 'id' },
    users: {
      ...users,
      text: `${users.text} two_factor_secret`,
      array: 'two_factor_backups',
      time: 'created_at updated_at last_emailed_at confirmation_sent_at confirmed_at two_factor_enabled_at',
    },
    vapid_key_pairs: { int: 'id', text: 'public private', key: 'id' },
    web_push_subscriptions: {
      id: 'id account_id token_id',
      text: 'endpoint auth p256dh',
      int: 'notification_flags',
      enum: 'policy',
      key: 'id',
    },
  },
};

/** Returns the kind of each column of a table; undefined if the version lacks the table. */
export function columnsOf(version: GotosocialVersion, table: string): Map<string, ColumnKind> | undefined {
  const described = tablesByVersion[version][table];
  if (described === undefined) return undefined;
  const { key: _, ...kinds } = described;
  return new Map(
    Object.entries(kinds).flatMap(([kind, names]) =>
      names.split(/\s+/).map((name) => [name, kind as ColumnKind] as const),
    ),
  );
}

/** Returns the statements that create the tables of a GoToSocial, as far as the import reads them. */
export function gotosocialSchema(version: GotosocialVersion, dialect: Dialect): string {
  const typeOf = (kind: ColumnKind): string =>
    kind === 'enum' && version === '0.17' ? types.text[dialect] : types[kind][dialect];
  return Object.entries(tablesByVersion[version])
    .map(([name, { key }]) => {
      const columns = [...(columnsOf(version, name) ?? [])].map(([column, kind]) => `"${column}" ${typeOf(kind)}`);
      const all = [...columns, ...(key === undefined ? [] : [`primary key ("${key}")`])];
      return `create table ${name} (${all.join(', ')});`;
    })
    .join('\n');
}
