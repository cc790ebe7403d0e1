import { same } from '../columns.ts';
import type { TableImport } from '../table-import.ts';

/** Hashtags, and what accounts do with them. */
export const tagTables: readonly TableImport[] = [
  {
    name: 'hashtags',
    from: 'tags',
    into: 'tags',
    added: { display_name: 'null::text' },
    columns: {
      ...same('id', 'name', 'trendable', 'reviewed_at', 'requested_review_at', 'created_at'),
      display_name: `coalesce(nullif(s.display_name, ''), s.name)`,
      usable: 'coalesce(s.usable, true)',
      listable: 'coalesce(s.listable, true)',
      was_public: 'true',
    },
  },
  {
    name: 'followed hashtags',
    from: 'tag_follows',
    into: 'tag_follows',
    columns: same('id', 'account_id', 'tag_id', 'created_at'),
  },
  {
    name: 'featured hashtags',
    from: 'featured_tags',
    into: 'featured_tags',
    columns: same('id', 'account_id', 'tag_id', 'created_at'),
  },
];
