import { Type } from 'typebox';
import { flag, flags, list, notNull, object, optional, ref, text, url, whole } from '../model.ts';
import { history, visibility } from './statuses.ts';

const field = object({ name: text, value: text, verified_at: optional(text) });

const account = {
  id: text,
  username: text,
  display_name: optional(text),
  avatar: url,
  header: url,
  acct: text,
  note: text,
  created_at: text,
  followers_count: optional(whole),
  following_count: optional(whole),
  statuses_count: optional(whole),
  last_status_at: optional(text),
  fields: list(field),
  locked: flag,
  emojis: list(ref('CustomEmoji')),
  url: optional(url),
  bot: flag,
  discoverable: optional(flag),
  moved: optional(ref('Account')),
};

export const accounts = {
  Account: object(account),
  CredentialAccount: object({
    ...account,
    source: object({
      privacy: optional(visibility),
      sensitive: flag,
      language: optional(text),
      note: text,
      fields: list(field),
    }),
  }),
  Relationship: object({
    id: text,
    ...flags('following', 'showing_reblogs', 'followed_by', 'blocking', 'muting', 'muting_notifications'),
    ...flags('requested', 'domain_blocking', 'endorsed', 'notifying'),
    // Has a default; the server never says who blocks the viewer.
    blocked_by: notNull(flag),
    note: text,
  }),
  FamiliarFollowers: object({ id: text, accounts: list(ref('Account')) }),
  CustomEmoji: object({ shortcode: text, url, static_url: url, visible_in_picker: flag, category: optional(text) }),
  Tag: object({ name: text, url: text, following: notNull(flag), history: notNull(list(history)) }),
  TrendingTag: ref('Tag'),
  FeaturedTag: object({ id: text, name: text, url, statuses_count: Type.Union([text, whole]) }),
  List: object({
    id: text,
    title: text,
    replies_policy: optional(Type.Enum(['followed', 'list', 'none'])),
    exclusive: optional(flag),
  }),
  SearchResults: object({ accounts: list(ref('Account')), statuses: list(ref('Status')), hashtags: list(ref('Tag')) }),
};

const policy = Type.Enum(['accept', 'filter', 'drop']);

export const notifications = {
  Notification: object({
    id: text,
    type: text,
    created_at: text,
    account: ref('Account'),
    status: optional(ref('Status')),
    group_key: optional(text),
  }),
  GroupedNotifications: object({
    accounts: list(ref('Account')),
    statuses: list(ref('Status')),
    notification_groups: list(
      object({
        group_key: text,
        notifications_count: whole,
        type: text,
        // Unlike all other ids.
        most_recent_notification_id: whole,
        page_min_id: optional(text),
        page_max_id: optional(text),
        latest_page_notification_at: text,
        sample_account_ids: list(text),
        status_id: optional(text),
      }),
    ),
  }),
  NotificationPolicy: object({
    for_not_following: policy,
    for_not_followers: policy,
    for_new_accounts: policy,
    for_private_mentions: policy,
    for_limited_accounts: policy,
    summary: object({ pending_requests_count: whole, pending_notifications_count: whole }),
  }),
  NotificationRequest: object({ id: text, account: ref('Account'), notifications_count: text }),
  PushSubscription: object({
    id: whole,
    endpoint: url,
    server_key: text,
    alerts: object(flags('follow', 'favourite', 'reblog', 'mention', 'poll', 'status')),
  }),
};
