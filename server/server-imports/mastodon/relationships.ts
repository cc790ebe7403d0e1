import { same } from '../columns.ts';
import { enumName } from './site-address.ts';
import type { TableImport } from '../table-import.ts';

const follow = {
  ...same('id', 'account_id', 'target_account_id', 'show_reblogs', 'notify', 'languages', 'created_at'),
  uri: `nullif(s.uri, '')`,
};

/** Follows, blocks and what else connects two accounts. */
export const relationshipTables: readonly TableImport[] = [
  { name: 'follows', from: 'follows', into: 'follows', columns: follow },
  {
    // A request that is accepted becomes a follow with its id, so ids of both tables must differ. These are still below new ones.
    name: 'follow requests',
    from: 'follow_requests',
    into: 'follow_requests',
    isRebuilt: true,
    targetKey: undefined,
    columns: { ...follow, id: 's.id + (1::bigint << 40)' },
  },
  {
    name: 'blocks',
    from: 'blocks',
    into: 'blocks',
    columns: { ...same('id', 'account_id', 'target_account_id', 'created_at'), uri: `nullif(s.uri, '')` },
  },
  {
    name: 'mutes',
    from: 'mutes',
    into: 'mutes',
    columns: same('id', 'account_id', 'target_account_id', 'hide_notifications', 'expires_at', 'created_at'),
  },
  {
    name: 'hidden domains',
    from: 'account_domain_blocks',
    into: 'account_domain_blocks',
    columns: { ...same('id', 'account_id', 'created_at'), domain: 'lower(s.domain)' },
  },
  {
    name: 'endorsements',
    from: 'account_pins',
    into: 'endorsements',
    columns: same('id', 'account_id', 'target_account_id', 'created_at'),
  },
  {
    name: 'dismissed suggestions',
    from: 'follow_recommendation_mutes',
    into: 'dismissed_suggestions',
    isNewTable: true,
    targetKey: undefined,
    conflictKey: ['account_id', 'target_account_id'],
    columns: same('account_id', 'target_account_id', 'created_at'),
  },
  {
    name: 'losses of follows',
    from: 'account_relationship_severance_events',
    into: 'relationship_severances',
    isNewTable: true,
    join: 'join relationship_severance_events e on e.id = s.relationship_severance_event_id',
    columns: {
      ...same('id', 'account_id', 'followers_count', 'following_count', 'created_at'),
      type: enumName('e.type', { 0: 'domain_block', 1: 'user_domain_block', 2: 'account_suspension' }),
      target_name: 'e.target_name',
      purged: 'e.purged',
      // Causes here are blocks, whose ids are positive.
      cause_id: '-e.id',
    },
  },
  {
    name: 'lost follows',
    from: 'severed_relationships',
    into: 'severed_follows',
    isNewTable: true,
    join: `join account_relationship_severance_events e
      on e.relationship_severance_event_id = s.relationship_severance_event_id and e.account_id = s.local_account_id`,
    targetKey: undefined,
    conflictKey: ['severance_id', 'is_follower', 'account_id'],
    columns: {
      severance_id: 'e.id',
      account_id: 's.remote_account_id',
      is_follower: 's.direction = 0',
      show_reblogs: 'coalesce(s.show_reblogs, true)',
      notify: 'coalesce(s.notify, false)',
      languages: 's.languages',
    },
  },
];
