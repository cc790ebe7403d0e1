import { same } from '../columns.ts';
import type { TableImport } from '../table-import.ts';

const follow = {
  ...same('id', 'account_id', 'target_account_id', 'show_reblogs', 'notify', 'languages', 'created_at'),
  uri: `nullif(s.uri, '')`,
};

/** Follows, blocks and what else connects two accounts. */
export const relationshipTables: readonly TableImport[] = [
  { name: 'follows', from: 'follows', into: 'follows', columns: follow },
  { name: 'follow requests', from: 'follow_requests', into: 'follow_requests', columns: follow },
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
];
