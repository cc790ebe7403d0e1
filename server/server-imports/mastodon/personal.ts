import { same } from '../columns.ts';
import type { HasTable } from './needed.ts';
import { enumName } from './site-address.ts';
import type { TableImport } from '../table-import.ts';

const policyValue = (column: string): string => enumName(`s.${column}`, { 0: 'accept', 1: 'filter', 2: 'drop' });

/** SQL of the status that a notification is about. Older versions have no quotes. */
const notificationStatus = (hasTable: HasTable): string => `case s.activity_type
  when 'Mention' then (select status_id from mentions where id = s.activity_id)
  when 'Favourite' then (select status_id from favourites where id = s.activity_id)
  when 'Poll' then (select status_id from polls where id = s.activity_id)
  ${hasTable('quotes') ? `when 'Quote' then (select status_id from quotes where id = s.activity_id)` : ''}
  when 'Status' then (select coalesce(reblog_of_id, id) from statuses where id = s.activity_id) end`;

/** Old rows have no type. */
const notificationType = `coalesce(s.type, case s.activity_type when 'Mention' then 'mention' when 'Status' then 'reblog' when 'Follow' then 'follow'
  when 'FollowRequest' then 'follow_request' when 'Favourite' then 'favourite' when 'Poll' then 'poll' end)`;

const ofPost = `'mention', 'status', 'reblog', 'favourite', 'poll', 'update', 'quote', 'quoted_update'`;
const ofSubject = `'admin.report', 'moderation_warning', 'severed_relationships'`;
const ofCollection = `'added_to_collection', 'collection_update'`;
const others = `'follow', 'follow_request', 'admin.sign_up'`;

/** SQL of the collection that a notification is about. Older versions have none. */
const notificationCollection = (hasTable: HasTable): string =>
  hasTable('collections')
    ? `case s.activity_type when 'Collection' then (select id from collections where id = s.activity_id)
        when 'CollectionItem' then (select collection_id from collection_items where id = s.activity_id) end`
    : 'null::bigint';

/** SQL of the first notification of a request. */
const firstFiltered = `(select n.id from notifications n where n.account_id = s.account_id and n.from_account_id = s.from_account_id
  and n.filtered and n.type in ('mention', 'quote') and n.created_at >= now() at time zone 'UTC' - interval '1 year'
  order by n.id limit 1)`;

/** Lists, filters, notifications and other things that only their owner sees. */
export const personalTables = (hasTable: HasTable): readonly TableImport[] => [
  {
    name: 'lists',
    from: 'lists',
    into: 'lists',
    columns: {
      ...same('id', 'account_id', 'title', 'exclusive', 'created_at'),
      replies_policy: enumName('s.replies_policy', { 0: 'list', 1: 'followed', 2: 'none' }),
    },
  },
  {
    name: 'members of lists',
    from: 'list_accounts',
    into: 'list_accounts',
    join: 'join lists l on l.id = s.list_id',
    columns: { ...same('id', 'list_id', 'account_id'), owner_id: 'l.account_id', exclusive: 'l.exclusive' },
  },
  {
    name: 'filters',
    from: 'custom_filters',
    into: 'filters',
    leftOut: {
      'without a context': `s.context && array['home', 'notifications', 'public', 'thread', 'account']::varchar[] is not true`,
    },
    columns: {
      ...same('id', 'account_id', 'expires_at', 'created_at'),
      title: 's.phrase',
      context: `array(select distinct c from unnest(s.context) c where c in ('home', 'notifications', 'public', 'thread', 'account'))`,
      action: `coalesce(${enumName('s.action', { 0: 'warn', 1: 'hide', 2: 'blur' })}, 'warn')`,
    },
  },
  {
    name: 'keywords of filters',
    from: 'custom_filter_keywords',
    into: 'filter_keywords',
    columns: { ...same('id', 'keyword', 'whole_word'), filter_id: 's.custom_filter_id' },
  },
  {
    name: 'posts of filters',
    from: 'custom_filter_statuses',
    into: 'filter_statuses',
    columns: { ...same('id', 'status_id'), filter_id: 's.custom_filter_id' },
  },
  {
    name: 'direct conversations',
    from: 'account_conversations',
    into: 'account_conversations',
    leftOut: { 'without a post': `s.last_status_id is null or s.status_ids = '{}'` },
    // They have no time of their change.
    changed: 'true',
    columns: {
      ...same('id', 'account_id', 'conversation_id', 'status_ids', 'last_status_id', 'unread', 'lock_version'),
      participant_ids: `array(select p from unnest(s.participant_account_ids) p order by p)`,
    },
  },
  {
    name: 'muted conversations',
    from: 'conversation_mutes',
    into: 'conversation_mutes',
    targetKey: undefined,
    columns: same('account_id', 'conversation_id'),
  },
  {
    name: 'markers',
    from: 'markers',
    into: 'markers',
    join: 'join users u on u.id = s.user_id',
    targetKey: undefined,
    conflictKey: ['account_id', 'timeline'],
    leftOut: { 'of unknown timelines': `s.timeline not in ('home', 'notifications')` },
    columns: {
      ...same('timeline', 'last_read_id', 'updated_at'),
      account_id: 'u.account_id',
      version: 's.lock_version',
    },
  },
  {
    name: 'notification policies',
    from: 'notification_policies',
    into: 'notification_policies',
    isNewTable: true,
    added: {
      for_not_following: '0',
      for_not_followers: '0',
      for_new_accounts: '0',
      for_private_mentions: '1',
      for_limited_accounts: '1',
      for_bots: '0',
    },
    targetKey: undefined,
    conflictKey: ['account_id'],
    columns: {
      account_id: 's.account_id',
      for_not_following: policyValue('for_not_following'),
      for_not_followers: policyValue('for_not_followers'),
      for_new_accounts: policyValue('for_new_accounts'),
      for_private_mentions: policyValue('for_private_mentions'),
      for_limited_accounts: policyValue('for_limited_accounts'),
      for_bots: policyValue('for_bots'),
    },
  },
  {
    name: 'notifications',
    from: 'notifications',
    into: 'notifications',
    added: { filtered: 'false', group_key: 'null::text' },
    leftOut: {
      'older than a year': `s.created_at < now() at time zone 'UTC' - interval '1 year'`,
      'of unknown types': `coalesce(${notificationType}, '') not in (${ofPost}, ${ofSubject}, ${ofCollection}, ${others})`,
      'about posts that are gone': `${notificationType} in (${ofPost}) and (${notificationStatus(hasTable)}) is null`,
      'about collections that are gone': `${notificationType} in (${ofCollection}) and (${notificationCollection(hasTable)}) is null`,
    },
    targetKey: ['id'],
    conflictKey: ['account_id', 'id'],
    columns: {
      ...same('id', 'account_id', 'from_account_id', 'created_at', 'group_key'),
      filtered: 'coalesce(s.filtered, false)',
      type: notificationType,
      status_id: notificationStatus(hasTable),
      collection_id: notificationCollection(hasTable),
      subject_id: `case when ${notificationType} in (${ofSubject}) then s.activity_id end`,
    },
  },
  {
    name: 'permissions to notify',
    from: 'notification_permissions',
    into: 'notification_permissions',
    isNewTable: true,
    targetKey: undefined,
    conflictKey: ['account_id', 'from_account_id'],
    columns: { ...same('account_id', 'from_account_id', 'created_at'), merging: 'false' },
  },
  {
    name: 'notification requests',
    from: 'notification_requests',
    into: 'notification_requests',
    isNewTable: true,
    // Here the id is that of the first notification that counts.
    join: `join lateral ${firstFiltered} f on true`,
    leftOut: { 'without a filtered notification': `not exists (select from ${firstFiltered} f)` },
    isRebuilt: true,
    targetKey: undefined,
    columns: {
      ...same('account_id', 'from_account_id', 'last_status_id', 'created_at', 'updated_at'),
      id: 'f.id',
      notifications_count: 'least(greatest(s.notifications_count, 1), 100)',
    },
  },
];
