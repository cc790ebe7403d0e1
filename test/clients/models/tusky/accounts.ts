import { Type } from 'typebox';
import { digits, flag, flags, int32, list, notNull, object, optional, ref, text, time } from '../model.ts';
import { visibility, mention } from './statuses.ts';

const account = {
  id: text,
  username: text,
  acct: text,
  display_name: optional(text),
  created_at: time,
  note: text,
  url: text,
  avatar: text,
  header: text,
  locked: notNull(flag),
  followers_count: notNull(int32),
  following_count: notNull(int32),
  statuses_count: notNull(int32),
  bot: notNull(flag),
  emojis: notNull(list(ref('CustomEmoji'))),
  fields: notNull(list(object({ name: text, value: text, verified_at: optional(time) }))),
  moved: optional(ref('Account')),
  roles: notNull(list(object({ name: text, color: text }))),
};

export const accounts = {
  TimelineAccount: object({
    id: text,
    username: text,
    acct: text,
    display_name: optional(text),
    url: text,
    avatar: text,
    note: text,
    bot: notNull(flag),
    emojis: notNull(list(ref('CustomEmoji'))),
  }),
  Account: object(account),
  CredentialAccount: object({
    ...account,
    source: object({
      privacy: notNull(visibility),
      sensitive: optional(flag),
      note: optional(text),
      fields: notNull(list(object({ name: text, value: text }))),
      language: optional(text),
    }),
  }),
  Relationship: object({
    id: text,
    ...flags('following', 'followed_by', 'blocking', 'muting', 'muting_notifications', 'requested'),
    ...flags('showing_reblogs', 'domain_blocking'),
    note: optional(text),
    notifying: optional(flag),
  }),
  List: object({ id: text, title: text, exclusive: optional(flag), replies_policy: optional(text) }),
  SearchResults: object({
    accounts: list(ref('TimelineAccount')),
    statuses: list(ref('Status')),
    hashtags: list(ref('Tag')),
  }),
  Report: object({
    id: text,
    category: text,
    status_ids: optional(list(text)),
    created_at: time,
    target_account: ref('TimelineAccount'),
  }),
};

const state = Type.Enum(['accept', 'filter', 'drop']);

const warnings = [
  'none',
  'disable',
  'mark_statuses_as_sensitive',
  'delete_statuses',
  'sensitive',
  'silence',
  'suspend',
];

export const notifications = {
  Notification: object({
    type: text,
    id: text,
    account: ref('TimelineAccount'),
    status: optional(ref('Status')),
    report: optional(ref('Report')),
    filtered: notNull(flag),
    event: optional(
      object({
        id: text,
        type: Type.Enum(['domain_block', 'user_domain_block', 'account_suspension']),
        target_name: text,
        followers_count: int32,
        following_count: int32,
      }),
    ),
    moderation_warning: optional(object({ id: text, action: Type.Enum(warnings) })),
  }),
  NotificationPolicy: object({
    for_not_following: state,
    for_not_followers: state,
    for_new_accounts: state,
    for_private_mentions: state,
    for_limited_accounts: state,
    summary: object({ pending_requests_count: int32, pending_notifications_count: int32 }),
  }),
  NotificationRequest: object({ id: text, account: ref('Account'), notifications_count: digits }),
  PushSubscription: object({
    id: int32,
    endpoint: text,
    alerts: Type.Record(Type.String(), flag),
    server_key: text,
  }),
  Announcement: object({
    id: text,
    content: text,
    starts_at: optional(time),
    ends_at: optional(time),
    all_day: flag,
    published_at: time,
    updated_at: time,
    read: notNull(flag),
    mentions: list(mention),
    tags: list(ref('Tag')),
    emojis: list(ref('CustomEmoji')),
    reactions: list(
      object({ name: text, count: int32, me: notNull(flag), url: optional(text), static_url: optional(text) }),
    ),
  }),
};
