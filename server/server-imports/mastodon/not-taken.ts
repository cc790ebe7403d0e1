import type { TableNotTaken } from '../table-import.ts';

const rebuilt = 'Fieldfare builds its own';
const shortLived = 'short-lived';
const nothingLike = 'Fieldfare has nothing like it';
const encryption = 'of encrypted messages, which Mastodon never offered';

/** Tables that are not imported. The command counts their rows before it writes anything. */
export const mastodonNotTaken: readonly TableNotTaken[] = [
  { from: 'account_aliases', reason: 'accounts have them in also_known_as' },
  { from: 'account_deletion_requests', reason: 'suspended accounts stay until staff delete them' },
  { from: 'account_stats', reason: 'imported with the accounts' },
  { from: 'account_summaries', reason: rebuilt },
  { from: 'account_statuses_cleanup_policies', reason: nothingLike, where: 's.enabled' },
  { from: 'accounts_tags', reason: rebuilt },
  { from: 'annual_report_statuses_per_account_counts', reason: rebuilt },
  { from: 'ar_internal_metadata', reason: 'of Ruby on Rails' },
  { from: 'backups', reason: 'files of archives expire after a week; users can request a new one' },
  { from: 'bulk_import_rows', reason: shortLived },
  { from: 'bulk_imports', reason: 'imports by users that have not ended must be repeated', where: 's.state <> 3' },
  { from: 'collection_reports', reason: 'imported with the reports' },
  { from: 'custom_emoji_categories', reason: 'emojis have the name of their category' },
  { from: 'devices', reason: encryption },
  { from: 'encrypted_messages', reason: encryption },
  { from: 'fasp_backfill_requests', reason: shortLived },
  { from: 'fasp_debug_callbacks', reason: shortLived },
  { from: 'fasp_follow_recommendations', reason: shortLived },
  { from: 'fasp_providers', reason: 'providers of auxiliary services must be registered again' },
  { from: 'fasp_subscriptions', reason: shortLived },
  { from: 'follow_recommendation_suppressions', reason: nothingLike },
  { from: 'global_follow_recommendations', reason: rebuilt },
  { from: 'imports', reason: shortLived },
  { from: 'instance_moderation_notes', reason: nothingLike },
  { from: 'login_activities', reason: 'users have their addresses; nothing else is stored of sign-ins' },
  { from: 'oauth_access_grants', reason: shortLived },
  { from: 'one_time_keys', reason: encryption },
  { from: 'pghero_space_stats', reason: 'of the database' },
  { from: 'preview_card_trends', reason: rebuilt },
  {
    from: 'reports',
    reason: 'copies of reported posts: staff see only the report',
    where: `s.status_ids <> '{}'`,
  },
  { from: 'relationship_severance_events', reason: 'imported with the losses of follows' },
  { from: 'schema_migrations', reason: 'of Ruby on Rails' },
  { from: 'session_activations', reason: 'sessions of browsers: people sign in once again' },
  { from: 'software_deprecations', reason: 'of Mastodon' },
  { from: 'software_updates', reason: 'of Mastodon' },
  { from: 'status_trends', reason: rebuilt },
  { from: 'system_keys', reason: encryption },
  { from: 'tag_trends', reason: rebuilt },
  { from: 'unavailable_domains', reason: rebuilt },
  { from: 'user_invite_requests', reason: 'users have their text' },
  { from: 'web_settings', reason: 'settings of the web client of Mastodon' },
];
