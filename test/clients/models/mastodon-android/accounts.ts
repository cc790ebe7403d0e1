import { Type } from 'typebox';
import { digits, flag, int32, list, loose, object, optional, optionals, ref, text, texts, time } from '../model.ts';
import { visibility, history } from './statuses.ts';

const fields = list(object({ name: text, value: text, verified_at: optional(time) }));

const account = {
  ...texts('id', 'username', 'acct', 'url', 'display_name', 'note', 'avatar', 'header'),
  created_at: time,
  // A date, not a time.
  last_status_at: optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })),
  ...optionals(text, 'avatar_static', 'header_static'),
  ...optionals(flag, 'locked', 'discoverable', 'bot', 'suspended', 'noindex'),
  ...optionals(int32, 'statuses_count', 'followers_count', 'following_count'),
  emojis: optional(list(ref('CustomEmoji'))),
  fields: optional(fields),
  moved: optional(ref('Account')),
  roles: optional(list(object({ id: text, name: text, color: optional(text) }))),
};

export const accounts = {
  Account: object(account),
  CredentialAccount: object({
    ...account,
    source: object({
      note: text,
      fields,
      privacy: optional(visibility),
      ...optionals(flag, 'sensitive', 'indexable', 'hide_collections'),
      language: optional(text),
    }),
    role: optional(
      object({ id: text, name: optional(text), color: optional(text), permissions: digits, highlighted: flag }),
    ),
  }),
  Relationship: object({
    id: text,
    ...optionals(flag, 'following', 'requested', 'endorsed', 'followed_by', 'muting', 'muting_notifications'),
    ...optionals(flag, 'showing_reblogs', 'notifying', 'blocking', 'domain_blocking', 'blocked_by'),
    note: optional(text),
  }),
  FamiliarFollowers: object({ id: text, accounts: list(ref('Account')) }),
  Suggestion: object({ account: ref('Account') }),
  CustomEmoji: object({
    ...texts('shortcode', 'url', 'static_url'),
    visible_in_picker: flag,
    category: optional(text),
  }),
  Tag: object({
    ...texts('name', 'url'),
    history: optional(list(history)),
    statuses_count: optional(digits),
    following: optional(flag),
    id: optional(text),
  }),
  TrendingTag: ref('Tag'),
  FeaturedTag: ref('Tag'),
  List: object({
    ...texts('id', 'title'),
    replies_policy: Type.Enum(['followed', 'list', 'none']),
    exclusive: flag,
  }),
  SearchResults: object({
    accounts: optional(list(ref('Account'))),
    statuses: optional(list(ref('Status'))),
    hashtags: optional(list(ref('Tag'))),
    collections: optional(list(ref('Collection'))),
  }),
  Profile: object({
    id: text,
    fields,
    featured_tags: list(ref('Tag')),
    ...optionals(text, 'display_name', 'note', 'avatar', 'header'),
  }),
};

const event = optional(
  object({
    type: Type.Enum(['domain_block', 'user_domain_block', 'account_suspension']),
    target_name: text,
    ...optionals(int32, 'followers_count', 'following_count'),
    purged: optional(flag),
  }),
);

const warnings = [
  'none',
  'disable',
  'mark_statuses_as_sensitive',
  'delete_statuses',
  'sensitive',
  'silence',
  'suspend',
];

const warning = optional(object({ id: text, action: Type.Enum(warnings), text: optional(text) }));

export const notifications = {
  Notification: object({
    id: text,
    type: text,
    created_at: time,
    account: ref('Account'),
    status: optional(ref('Status')),
    event,
    moderation_warning: warning,
    collection: optional(ref('Collection')),
  }),
  GroupedNotifications: object({
    accounts: list(ref('Account')),
    partial_accounts: optional(list(object({ ...texts('id', 'acct', 'url'), avatar: optional(text) }))),
    statuses: list(ref('Status')),
    notification_groups: list(
      object({
        group_key: text,
        notifications_count: int32,
        type: text,
        most_recent_notification_id: loose,
        page_min_id: optional(text),
        page_max_id: optional(text),
        latest_page_notification_at: optional(time),
        sample_account_ids: list(text),
        status_id: optional(text),
        event,
        moderation_warning: warning,
        report: optional(object({ id: text, target_account: ref('Account') })),
        collection: optional(ref('Collection')),
      }),
    ),
  }),
  NotificationRequest: object({
    id: text,
    created_at: time,
    updated_at: time,
    notifications_count: digits,
    account: ref('Account'),
    last_status: optional(ref('Status')),
  }),
  PushSubscription: object({
    id: int32,
    endpoint: text,
    server_key: text,
    policy: Type.Enum(['all', 'followed', 'follower', 'none']),
    alerts: object(optionals(flag, 'follow', 'favourite', 'reblog', 'mention', 'poll', 'status', 'quote')),
  }),
  // Of Moshidon and Megalodon, which are derived from this app.
  Announcement: object(texts('id', 'content')),
};
