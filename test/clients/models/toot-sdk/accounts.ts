import { digits, flag, flags, list, object, optional, optionals, ref, text, texts, whole } from '../model.ts';
import { date, history } from './statuses.ts';

const account = {
  ...texts('id', 'acct', 'url', 'note', 'avatar'),
  locked: flag,
  created_at: date,
  followers_count: whole,
  following_count: whole,
};

export const accounts = {
  Account: object(account),
  CredentialAccount: object({
    ...account,
    source: object({
      note: optional(text),
      fields: list(object({ ...texts('name', 'value'), verified_at: optional(date) })),
      ...optionals(text, 'privacy', 'quote_policy', 'language'),
      ...optionals(flag, 'sensitive', 'indexable', 'hide_collections', 'discoverable'),
      follow_requests_count: optional(whole),
      attribution_domains: optional(list(text)),
    }),
    role: object({ ...texts('id', 'name', 'color', 'permissions'), highlighted: flag }),
  }),
  Relationship: object({
    ...optionals(text, 'id', 'note'),
    ...optionals(flag, 'following', 'requested', 'endorsed', 'followed_by', 'muting', 'muting_notifications'),
    ...optionals(flag, 'showing_reblogs', 'notifying', 'blocking', 'domain_blocking', 'blocked_by'),
  }),
  FamiliarFollowers: object({ id: text, accounts: list(ref('Account')) }),
  Suggestion: object({ source: text, account: ref('Account') }),
  CustomEmoji: object({
    ...texts('shortcode', 'url', 'static_url'),
    visible_in_picker: flag,
    category: optional(text),
  }),
  Tag: object({ ...texts('name', 'url'), history: optional(list(history)), following: optional(flag) }),
  TrendingTag: ref('Tag'),
  FeaturedTag: object({ ...texts('id', 'name', 'url'), statuses_count: digits }),
  List: object({ ...texts('id', 'title'), replies_policy: optional(text), exclusive: optional(flag) }),
  SearchResults: object({ accounts: list(ref('Account')), statuses: list(ref('Status')), hashtags: list(ref('Tag')) }),
  Report: object({ id: text, action_taken: optional(flag), action_taken_at: optional(date), comment: optional(text) }),
};

export const notifications = {
  Notification: object({
    ...texts('id', 'type'),
    account: ref('Account'),
    created_at: date,
    status: optional(ref('Status')),
    report: optional(ref('Report')),
  }),
  PushSubscription: object({
    ...texts('endpoint', 'server_key'),
    alerts: object({
      ...flags('follow', 'favourite', 'reblog', 'mention'),
      ...optionals(flag, 'poll', 'follow_request', 'status', 'update', 'quote'),
    }),
    policy: optional(text),
  }),
  Announcement: object({
    ...texts('id', 'content'),
    published_at: optional(date),
    all_day: flag,
    updated_at: optional(date),
    read: optional(flag),
    mentions: list(object(texts('id', 'username', 'url', 'acct'))),
    statuses: list(object(texts('id', 'url'))),
    tags: list(ref('Tag')),
    emojis: list(ref('CustomEmoji')),
    reactions: list(object({ name: text, count: whole, me: flag, ...optionals(text, 'url', 'static_url') })),
    starts_at: optional(date),
    ends_at: optional(date),
  }),
};
