import { same } from '../columns.ts';
import type { TableImport } from '../table-import.ts';
import { changedInCopy, idOf } from './references.ts';

const pair = { account_id: idOf('s.account_id'), target_account_id: idOf('s.target_account_id') };

const follow = {
  ...same('id', 'created_at'),
  ...pair,
  uri: `nullif(s.uri, '')`,
  show_reblogs: 'coalesce(s.show_reblogs, true)',
  notify: 'coalesce(s.notify, false)',
};

/** Follows, blocks and mutes. */
export const relationshipTables: readonly TableImport[] = [
  { name: 'follows', from: 'follows', into: 'follows', changed: changedInCopy, columns: follow },
  {
    name: 'follow requests',
    from: 'follow_requests',
    into: 'follow_requests',
    changed: changedInCopy,
    columns: follow,
  },
  {
    name: 'blocks',
    from: 'blocks',
    into: 'blocks',
    changed: changedInCopy,
    columns: { ...same('id', 'created_at'), ...pair, uri: `nullif(s.uri, '')` },
  },
  {
    name: 'mutes',
    from: 'user_mutes',
    into: 'mutes',
    changed: changedInCopy,
    columns: {
      ...same('id', 'expires_at', 'created_at'),
      ...pair,
      hide_notifications: 'coalesce(s.notifications, false)',
    },
  },
];

/** Hashtags, and who follows them. */
export const tagTables: readonly TableImport[] = [
  {
    name: 'hashtags',
    from: 'tags',
    into: 'tags',
    changed: changedInCopy,
    columns: {
      ...same('id', 'name', 'created_at'),
      display_name: 's.name',
      usable: 'coalesce(s.useable, true)',
      listable: 'coalesce(s.listable, true)',
      was_public: 'true',
    },
  },
  {
    name: 'followed hashtags',
    from: 'followed_tags',
    into: 'tag_follows',
    changed: changedInCopy,
    columns: {
      id: 's.id',
      account_id: idOf('s.account_id'),
      tag_id: idOf('s.tag_id'),
      // GoToSocial has no time of it.
      created_at: 's.copied_at',
    },
  },
];
