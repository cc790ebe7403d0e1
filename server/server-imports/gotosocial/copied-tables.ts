import { namesOf } from '../../platform/known-names.ts';

/** How a column is read from both databases, and its type in the copy. */
export const columnTypes = {
  text: 'text',
  time: 'timestamptz',
  flag: 'boolean',
  number: 'double precision',
  /** Arrays, too. */
  json: 'jsonb',
} as const;
export type ColumnKind = keyof typeof columnTypes;

/** A table of GoToSocial that is copied. Columns that its version lacks are null. */
export interface CopiedTable {
  /** Columns that identify a row. Their values become the column `ulid` of the copy. */
  readonly key: readonly string[];
  readonly columns: ReadonlyMap<string, ColumnKind>;
  /** Columns with an index in the copy. */
  readonly indexed: readonly string[];
}

type Columns = Partial<Record<ColumnKind, string>> & { readonly key?: string; readonly indexed?: string };

/** Columns are listed by their kind, with spaces between. */
function table({ key = 'id', indexed = '', ...kinds }: Columns): CopiedTable {
  const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
  const columns = namesOf(columnTypes).flatMap((kind) => words(kinds[kind] ?? '').map((name) => [name, kind] as const));
  return { key: words(key), columns: new Map(columns), indexed: words(indexed) };
}

/** Enums are text, because they were words before 0.18 and are numbers since. */
export const copiedTables: ReadonlyMap<string, CopiedTable> = new Map(
  Object.entries({
    accounts: table({
      text: `username domain display_name note note_raw uri url inbox_uri shared_inbox_uri outbox_uri followers_uri following_uri
        featured_collection_uri actor_type private_key public_key public_key_uri moved_to_uri suspension_origin
        avatar_media_attachment_id header_media_attachment_id avatar_remote_url header_remote_url`,
      time: 'created_at updated_at fetched_at memorialized_at sensitized_at silenced_at suspended_at public_key_expires_at',
      flag: 'locked discoverable memorial bot',
      json: 'fields fields_raw also_known_as_uris',
      indexed: 'uri moved_to_uri',
    }),
    account_settings: table({
      key: 'account_id',
      text: 'account_id privacy language status_content_type',
      flag: 'sensitive hide_collections',
      json: `interaction_policy_direct interaction_policy_mutuals_only interaction_policy_followers_only
        interaction_policy_unlocked interaction_policy_public`,
    }),
    account_stats: table({
      key: 'account_id',
      text: 'account_id',
      number: 'followers_count following_count statuses_count',
      time: 'last_status_at',
    }),
    users: table({
      text: `email account_id encrypted_password two_factor_secret reason locale created_by_application_id unconfirmed_email
        sign_up_ip external_id`,
      time: 'created_at updated_at confirmed_at two_factor_enabled_at',
      flag: 'moderator admin disabled approved',
      json: 'two_factor_backups',
      indexed: 'account_id',
    }),
    applications: table({
      text: 'name website redirect_uri client_id client_secret scopes',
      json: 'redirect_uris',
      time: 'created_at',
      indexed: 'client_id',
    }),
    tokens: table({
      text: 'client_id user_id scope access',
      time: 'created_at access_create_at access_expires_at last_used',
    }),
    vapid_key_pairs: table({ text: 'public private' }),
    web_push_subscriptions: table({
      text: 'account_id token_id endpoint auth p256dh policy',
      number: 'notification_flags',
    }),
    emoji_categories: table({ text: 'name' }),
    emojis: table({
      text: 'shortcode domain image_remote_url image_path image_static_path category_id',
      time: 'created_at updated_at',
      flag: 'disabled visible_in_picker',
    }),
    follows: table({
      text: 'uri account_id target_account_id',
      time: 'created_at updated_at',
      flag: 'show_reblogs notify',
      indexed: 'target_account_id account_id',
    }),
    follow_requests: table({
      text: 'uri account_id target_account_id',
      time: 'created_at updated_at',
      flag: 'show_reblogs notify',
      indexed: 'account_id target_account_id',
    }),
    blocks: table({
      text: 'uri account_id target_account_id',
      time: 'created_at',
      indexed: 'account_id target_account_id',
    }),
    user_mutes: table({
      text: 'account_id target_account_id',
      time: 'created_at expires_at',
      flag: 'notifications',
      indexed: 'target_account_id',
    }),
    account_notes: table({
      text: 'account_id target_account_id comment',
      time: 'created_at',
      indexed: 'target_account_id',
    }),
    moves: table({ text: 'origin_uri target_uri', time: 'created_at succeeded_at' }),
    domain_blocks: table({
      text: 'domain private_comment public_comment subscription_id',
      time: 'created_at',
      flag: 'obfuscate',
      indexed: 'domain',
    }),
    domain_allows: table({ text: 'domain', time: 'created_at' }),
    email_domain_blocks: table({ text: 'domain', time: 'created_at' }),
    tags: table({ text: 'name', time: 'created_at', flag: 'useable listable' }),
    followed_tags: table({ key: 'account_id tag_id', text: 'account_id tag_id' }),
    threads: table({}),
    statuses: table({
      text: `uri url content text content_type account_id in_reply_to_id in_reply_to_uri in_reply_to_account_id boost_of_id
        thread_id poll_id content_warning content_warning_text visibility language created_with_application_id`,
      time: 'created_at updated_at edited_at pinned_at',
      flag: 'local sensitive federated pending_approval',
      json: 'attachments interaction_policy',
      indexed: 'in_reply_to_id boost_of_id account_id uri thread_id',
    }),
    status_edits: table({
      text: 'content content_warning text content_type status_id',
      time: 'created_at',
      flag: 'sensitive',
      json: 'attachments attachment_descriptions poll_options',
      indexed: 'status_id',
    }),
    status_to_tags: table({ key: 'status_id tag_id', text: 'status_id tag_id' }),
    mentions: table({
      text: 'status_id target_account_id',
      time: 'created_at',
      flag: 'silent',
      indexed: 'status_id target_account_id',
    }),
    polls: table({
      text: 'status_id',
      json: 'options votes',
      number: 'voters',
      time: 'expires_at closed_at',
      flag: 'multiple hide_counts',
    }),
    poll_votes: table({
      text: 'account_id poll_id',
      json: 'choices',
      time: 'created_at',
      indexed: 'account_id poll_id',
    }),
    media_attachments: table({
      text: `status_id remote_url type account_id description scheduled_status_id blurhash processing file_path file_content_type
        thumbnail_path thumbnail_remote_url thumbnail_content_type`,
      number: `original_width original_height original_aspect original_duration original_framerate original_bitrate
        small_width small_height small_aspect focus_x focus_y file_file_size`,
      time: 'created_at',
      flag: 'avatar header',
      indexed: 'status_id',
    }),
    status_faves: table({
      text: 'account_id status_id',
      time: 'created_at',
      flag: 'pending_approval',
      indexed: 'status_id account_id',
    }),
    status_bookmarks: table({ text: 'account_id status_id', time: 'created_at', indexed: 'status_id' }),
    interaction_requests: table({
      text: `status_id target_status_id target_account_id interacting_account_id interaction_uri interaction_request_uri
        interaction_type authorization_uri`,
      flag: 'polite',
      time: 'created_at accepted_at rejected_at',
      indexed: 'interacting_account_id',
    }),
    admin_actions: table({ text: 'target_category target_id type account_id text', time: 'created_at' }),
    domain_permission_subscriptions: table({
      text: 'permission_type content_type uri fetch_username',
      flag: 'as_draft',
    }),
    tombstones: table({ text: 'uri', time: 'created_at' }),
    thread_mutes: table({ text: 'thread_id account_id', time: 'created_at' }),
    conversations: table({
      text: 'account_id thread_id last_status_id',
      json: 'other_account_ids',
      flag: 'read',
      time: 'created_at',
    }),
    conversation_to_statuses: table({
      key: 'conversation_id status_id',
      text: 'conversation_id status_id',
      indexed: 'conversation_id',
    }),
    lists: table({
      text: 'title account_id replies_policy',
      flag: 'exclusive',
      time: 'created_at',
    }),
    list_entries: table({ text: 'list_id follow_id', time: 'created_at' }),
    filters: table({
      text: 'account_id title action contexts',
      flag: 'context_home context_notifications context_public context_thread context_account',
      time: 'created_at expires_at',
    }),
    filter_keywords: table({ text: 'filter_id keyword', flag: 'whole_word', time: 'created_at' }),
    filter_statuses: table({ text: 'filter_id status_id', time: 'created_at', indexed: 'status_id' }),
    markers: table({
      key: 'account_id name',
      text: 'account_id name last_read_id',
      number: 'version',
      time: 'updated_at',
    }),
    notifications: table({
      text: 'notification_type target_account_id origin_account_id status_id',
      time: 'created_at',
      indexed: 'origin_account_id',
    }),
    reports: table({
      text: 'uri account_id target_account_id comment action_taken action_taken_by_account_id',
      json: 'statuses rules',
      flag: 'forwarded',
      time: 'created_at updated_at action_taken_at',
      indexed: 'account_id target_account_id',
    }),
    rules: table({ text: 'text', number: 'order', flag: 'deleted', time: 'created_at updated_at' }),
    scheduled_statuses: table({
      text: `account_id text spoiler_text visibility in_reply_to_id language application_id content_type`,
      time: 'scheduled_at',
      flag: 'sensitive local_only poll_multiple poll_hide_totals',
      number: 'poll_expires_in',
      json: 'attachments poll_options interaction_policy',
    }),
    instances: table({
      text: `domain title short_description short_description_text description description_text custom_css terms terms_text
        contact_email contact_account_username`,
      time: 'created_at updated_at',
      indexed: 'domain',
    }),
  }),
);
