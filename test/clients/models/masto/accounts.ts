import { Type } from 'typebox';
import { digits, flag, flags, list, object, optional, ref, text, texts, time, whole } from '../model.ts';
import { visibility, history } from './statuses.ts';

const fields = list(object({ name: text, value: text, verified_at: optional(time) }));

const account = {
  ...texts('id', 'username', 'acct', 'url', 'display_name', 'note'),
  ...texts('avatar', 'avatar_static', 'header', 'header_static'),
  ...flags('locked', 'bot', 'group'),
  fields,
  emojis: list(ref('CustomEmoji')),
  discoverable: optional(flag),
  moved: optional(ref('Account')),
  created_at: time,
  last_status_at: optional(text),
  statuses_count: whole,
  followers_count: whole,
  following_count: whole,
  roles: optional(list(object(texts('id', 'name', 'color')))),
};

export const accounts = {
  Account: object(account),
  CredentialAccount: object({
    ...account,
    role: object({ ...texts('id', 'name', 'permissions'), highlighted: flag }),
    source: object({
      note: text,
      fields,
      privacy: optional(visibility),
      sensitive: optional(flag),
      language: optional(text),
      follow_requests_count: optional(whole),
      indexable: flag,
      quote_policy: text,
      attribution_domains: list(text),
    }),
  }),
  Relationship: object({
    id: text,
    ...flags('following', 'showing_reblogs', 'notifying', 'followed_by', 'blocking', 'muting'),
    ...flags('muting_notifications', 'requested', 'requested_by', 'domain_blocking', 'endorsed'),
    languages: optional(list(text)),
    note: text,
  }),
  FamiliarFollowers: object({ id: text, accounts: list(ref('Account')) }),
  Suggestion: object({
    source: Type.Enum(['staff', 'past_interactions', 'global']),
    sources: list(text),
    account: ref('Account'),
  }),
  CustomEmoji: object({
    ...texts('shortcode', 'url', 'static_url'),
    visible_in_picker: flag,
    category: optional(text),
  }),
  Tag: object({ ...texts('id', 'name', 'url'), history: list(history), following: flag, featuring: flag }),
  TrendingTag: object({ ...texts('id', 'name', 'url'), history: list(history) }),
  FeaturedTag: object({ ...texts('id', 'name', 'url'), statuses_count: digits, last_status_at: optional(text) }),
  List: object({ ...texts('id', 'title'), replies_policy: Type.Enum(['followed', 'list', 'none']), exclusive: flag }),
  SearchResults: object({
    accounts: list(ref('Account')),
    statuses: list(ref('Status')),
    hashtags: list(object({ ...texts('name', 'url'), history: list(history) })),
  }),
  Report: object({
    ...texts('id', 'category', 'comment'),
    action_taken: flag,
    action_taken_at: optional(time),
    forwarded: flag,
    created_at: time,
    status_ids: optional(list(text)),
    rule_ids: optional(list(text)),
    target_account: ref('Account'),
  }),
};

const event = optional(
  object({ ...texts('id', 'type', 'target_name'), purged: flag, followers_count: whole, following_count: whole }),
);

const warning = optional(object({ ...texts('id', 'action', 'text'), target_account: ref('Account') }));

export const notifications = {
  Notification: object({
    ...texts('id', 'type', 'group_key'),
    created_at: time,
    account: ref('Account'),
    status: optional(ref('Status')),
    report: optional(ref('Report')),
    collection: optional(ref('Collection')),
    event,
    moderation_warning: warning,
  }),
  NotificationRequest: object({
    id: text,
    created_at: time,
    updated_at: time,
    account: ref('Account'),
    notifications_count: digits,
    last_status: optional(ref('Status')),
  }),
  NotificationPolicy: object({
    ...texts('for_not_following', 'for_not_followers', 'for_new_accounts', 'for_private_mentions'),
    for_limited_accounts: text,
    summary: object({ pending_requests_count: whole, pending_notifications_count: whole }),
  }),
  Announcement: object({
    ...texts('id', 'content'),
    starts_at: optional(time),
    ends_at: optional(time),
    all_day: flag,
    published_at: time,
    updated_at: time,
    mentions: list(object(texts('id', 'username', 'url', 'acct'))),
    statuses: list(object(texts('id', 'url'))),
    tags: list(object(texts('name', 'url'))),
    emojis: list(ref('CustomEmoji')),
    reactions: list(object({ name: text, count: whole, me: flag })),
  }),
};
