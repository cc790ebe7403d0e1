import { normalizeUsername } from '../../users/username-blocks/index.ts';
import { same } from '../columns.ts';
import type { HasTable } from './needed.ts';
import { enumName } from './site-address.ts';
import { textOf, type TableImport } from '../table-import.ts';

const bytes = (text: string): string => `convert_to(${text}, 'UTF8')`;

const integerIds = (column: string): string =>
  `(select array_agg(i::bigint) from unnest(s.${column}::text[]) i where i ~ '^-?[0-9]{1,18}$')`;

/** SQL of the collections of a report. Older versions have none. */
const reportedCollections = (hasTable: HasTable): string =>
  hasTable('collection_reports')
    ? `coalesce((select array_agg(c.collection_id order by c.id) from collection_reports c where c.report_id = s.id), '{}')`
    : `'{}'::bigint[]`;

/** What staff decided and wrote. */
export const staffTables = (hasTable: HasTable): readonly TableImport[] => [
  {
    name: 'reports',
    from: 'reports',
    into: 'reports',
    join: 'join accounts a on a.id = s.account_id',
    columns: {
      ...same(
        'id',
        'account_id',
        'target_account_id',
        'comment',
        'rule_ids',
        'action_taken_at',
        'action_taken_by_account_id',
      ),
      ...same('assigned_account_id', 'created_at', 'updated_at'),
      domain: 'lower(a.domain)',
      uri: `case when a.domain is not null then nullif(s.uri, '') end`,
      category: `coalesce(${enumName('s.category', { 0: 'other', 1000: 'spam', 1500: 'legal', 2000: 'violation' })}, 'other')`,
      status_ids: `coalesce(s.status_ids, '{}')`,
      collection_ids: reportedCollections(hasTable),
      forward_domains: `'{}'::text[]`,
      forwarded: 'coalesce(s.forwarded, false)',
    },
  },
  {
    name: 'notes on reports',
    from: 'report_notes',
    into: 'report_notes',
    columns: same('id', 'report_id', 'account_id', 'content', 'created_at'),
  },
  {
    name: 'strikes',
    from: 'account_warnings',
    into: 'account_warnings',
    leftOut: { 'of no account': 's.target_account_id is null' },
    columns: {
      ...same('id', 'text', 'report_id', 'created_at'),
      account_id: 's.target_account_id',
      staff_id: 's.account_id',
      action: enumName('s.action', {
        0: 'none',
        1000: 'disable',
        1250: 'mark_statuses_as_sensitive',
        1500: 'delete_statuses',
        2000: 'sensitive',
        3000: 'silence',
        4000: 'suspend',
      }),
      status_ids: integerIds('status_ids'),
      lifted_at: 's.overruled_at',
    },
  },
  {
    name: 'appeals',
    from: 'appeals',
    into: 'appeals',
    columns: {
      ...same('id', 'account_id', 'text', 'created_at'),
      warning_id: 's.account_warning_id',
      state: `case when s.approved_at is not null then 'approved' when s.rejected_at is not null then 'rejected' else 'pending' end`,
      decided_by_account_id: 'coalesce(s.approved_by_account_id, s.rejected_by_account_id)',
      decided_at: 'coalesce(s.approved_at, s.rejected_at)',
    },
  },
  {
    name: 'texts for decisions',
    from: 'account_warning_presets',
    into: 'warning_presets',
    columns: same('id', 'title', 'text', 'created_at', 'updated_at'),
  },
  {
    name: 'notes of staff about accounts',
    from: 'account_moderation_notes',
    into: 'account_moderation_notes',
    columns: { ...same('id', 'content', 'created_at'), account_id: 's.target_account_id', staff_id: 's.account_id' },
  },
  {
    name: 'audit log',
    from: 'admin_action_logs',
    into: 'audit_log',
    join: 'join accounts a on a.id = s.account_id',
    columns: {
      ...same('id', 'created_at'),
      staff_id: 's.account_id',
      staff_name: 'a.username',
      action: `lower(regexp_replace(coalesce(s.target_type, 'instance'), '(?<=[a-z])([A-Z])', '_\\1', 'g')) || '.' || s.action`,
      target_type: `lower(regexp_replace(coalesce(s.target_type, 'instance'), '(?<=[a-z])([A-Z])', '_\\1', 'g'))`,
      target_id: 's.target_id::text',
      target_label: `coalesce(s.human_identifier, '')`,
    },
  },
  {
    name: 'domain blocks',
    from: 'domain_blocks',
    into: 'domain_blocks',
    columns: {
      ...same('id', 'reject_media', 'reject_reports', 'obfuscate', 'private_comment', 'public_comment', 'created_at'),
      domain: 'lower(s.domain)',
      severity: `coalesce(${enumName('s.severity', { 0: 'silence', 1: 'suspend', 2: 'noop' })}, 'silence')`,
    },
  },
  {
    name: 'allowed domains',
    from: 'domain_allows',
    into: 'domain_allows',
    columns: { ...same('id', 'created_at'), domain: 'lower(s.domain)' },
  },
  {
    name: 'blocked e-mail domains',
    from: 'email_domain_blocks',
    into: 'email_domain_blocks',
    added: { allow_with_approval: 'false' },
    columns: { ...same('id', 'allow_with_approval', 'created_at'), domain: 'lower(s.domain)' },
  },
  {
    name: 'blocked e-mail addresses',
    from: 'canonical_email_blocks',
    into: 'canonical_email_blocks',
    columns: { ...same('id', 'canonical_email_hash', 'created_at'), account_id: 's.reference_account_id' },
  },
  {
    // A new database has blocks of its own, with low ids. These are still below those of later blocks.
    name: 'blocked usernames',
    from: 'username_blocks',
    into: 'username_blocks',
    isNewTable: true,
    replaces: true,
    targetKey: undefined,
    conflictKey: ['username'],
    columns: {
      ...same('exact', 'allow_with_approval', 'created_at', 'updated_at'),
      id: 's.id + (1::bigint << 40)',
      username: 'lower(s.username)',
      normalized_username: 'null::text',
    },
    prepare: (row) => ({ ...row, normalized_username: normalizeUsername(textOf(row, 'username')) }),
  },
  {
    name: 'blocked IP addresses',
    from: 'ip_blocks',
    into: 'ip_blocks',
    columns: {
      ...same('id', 'comment', 'expires_at', 'created_at', 'updated_at'),
      ip: 'network(s.ip)',
      severity: enumName('s.severity', { 5000: 'sign_up_requires_approval', 5500: 'sign_up_block', 9999: 'no_access' }),
    },
  },
];

/** What concerns the instance as a whole. */
export const siteTables: readonly TableImport[] = [
  {
    name: 'webhooks of staff',
    from: 'webhooks',
    into: 'webhooks',
    added: { template: 'null::text' },
    leftOut: { 'to addresses without https': `s.url !~* '^https://'` },
    columns: {
      ...same('id', 'url', 'events', 'created_at', 'updated_at'),
      template: `nullif(btrim(s.template), '')`,
      // The text is the key of the signatures.
      secret: bytes('s.secret'),
      disabled_at: 'case when not s.enabled then s.updated_at end',
      disabled_reason: `case when not s.enabled then 'owner' end`,
    },
  },
  {
    name: 'rules',
    from: 'rules',
    into: 'rules',
    added: { hint: `''::text` },
    columns: { ...same('id', 'text', 'hint', 'deleted_at'), position: 's.priority' },
  },
  {
    name: 'translations of rules',
    from: 'rule_translations',
    into: 'rule_translations',
    isNewTable: true,
    targetKey: undefined,
    conflictKey: ['rule_id', 'language'],
    columns: same('rule_id', 'language', 'text', 'hint'),
  },
  {
    name: 'relays',
    from: 'relays',
    into: 'relays',
    columns: {
      ...same('id', 'inbox_url', 'created_at', 'updated_at'),
      url: 's.inbox_url',
      kind: `'mastodon'`,
      state: `coalesce(${enumName('s.state', { 1: 'pending', 2: 'accepted', 3: 'rejected' })}, 'idle')`,
      follow_uri: 's.follow_activity_id',
    },
  },
];
