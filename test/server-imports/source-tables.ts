/** The tables that versions of a software create: those of the first version, then what later ones add and remove. */
interface Versions {
  readonly first: string;
  readonly changes: readonly { readonly version: string; readonly added: string; readonly removed: string }[];
}

/** From `db/schema.rb` of each version, with the two tables of Ruby on Rails. */
const mastodon: Versions = {
  first: `account_aliases account_conversations account_deletion_requests account_domain_blocks account_migrations
    account_moderation_notes account_notes account_pins account_stats account_statuses_cleanup_policies account_warning_presets
    account_warnings accounts accounts_tags admin_action_logs announcement_mutes announcement_reactions announcements appeals
    ar_internal_metadata backups blocks bookmarks bulk_import_rows bulk_imports canonical_email_blocks conversation_mutes
    conversations custom_emoji_categories custom_emojis custom_filter_keywords custom_filter_statuses custom_filters devices
    domain_allows domain_blocks email_domain_blocks encrypted_messages favourites featured_tags
    follow_recommendation_suppressions follow_requests follows identities imports invites ip_blocks list_accounts lists
    login_activities markers media_attachments mentions mutes notifications oauth_access_grants oauth_access_tokens
    oauth_applications one_time_keys pghero_space_stats poll_votes polls preview_card_providers preview_card_trends preview_cards
    preview_cards_statuses relays report_notes reports rules scheduled_statuses schema_migrations session_activations settings
    site_uploads software_updates status_edits status_pins status_stats status_trends statuses statuses_tags system_keys
    tag_follows tags tombstones unavailable_domains user_invite_requests user_roles users web_push_subscriptions web_settings
    webauthn_credentials webhooks`,
  changes: [
    {
      version: '4.3',
      added: `account_relationship_severance_events follow_recommendation_mutes generated_annual_reports notification_permissions
        notification_policies notification_requests relationship_severance_events severed_relationships`,
      removed: 'devices encrypted_messages one_time_keys system_keys',
    },
    {
      version: '4.4',
      added: `annual_report_statuses_per_account_counts fasp_backfill_requests fasp_debug_callbacks fasp_follow_recommendations
        fasp_providers fasp_subscriptions instance_moderation_notes quotes rule_translations tag_trends terms_of_services`,
      removed: 'imports',
    },
    { version: '4.5', added: 'username_blocks', removed: '' },
    {
      version: '4.6',
      added: 'collection_items collection_reports collections email_subscriptions keypairs tagged_objects',
      removed: '',
    },
    // The main branch in August 2026.
    { version: '4.7', added: 'account_summaries global_follow_recommendations software_deprecations', removed: '' },
  ],
};

/** From `internal/gtsmodel` of each version, with the tables of the migrations. */
const gotosocial: Versions = {
  first: `account_notes account_settings account_stats account_to_emojis accounts admin_actions advanced_migrations applications
    blocks bun_migration_locks bun_migrations clients conversation_to_statuses conversations denied_users domain_allows
    domain_blocks email_domain_blocks emoji_categories emojis filter_keywords filter_statuses filters follow_requests
    followed_tags follows header_filter_allows header_filter_blocks instances interaction_requests list_entries lists markers
    media_attachments mentions moves notifications poll_votes polls reports router_sessions rules sin_bin_statuses
    status_bookmarks status_faves status_mutes status_to_emojis status_to_tags statuses tags thread_mutes thread_to_statuses
    threads tokens tombstones user_mutes users worker_tasks`,
  changes: [
    {
      version: '0.18',
      added: `domain_permission_drafts domain_permission_excludes domain_permission_subscriptions status_edits vapid_key_pairs
        web_push_subscriptions`,
      removed: '',
    },
    { version: '0.19', added: '', removed: 'clients' },
    { version: '0.20', added: 'scheduled_statuses', removed: 'thread_to_statuses' },
  ],
};

const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

function tablesByVersion(firstVersion: string, { first, changes }: Versions): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = new Set(wordsOf(first));
  const versions = new Map([[firstVersion, new Set(tables)]]);
  for (const { version, added, removed } of changes) {
    for (const name of wordsOf(added)) tables.add(name);
    for (const name of wordsOf(removed)) tables.delete(name);
    versions.set(version, new Set(tables));
  }
  return versions;
}

/** The tables of each version of Mastodon. */
export const mastodonTables = tablesByVersion('4.2', mastodon);
/** The tables of each version of GoToSocial. */
export const gotosocialTables = tablesByVersion('0.17', gotosocial);
