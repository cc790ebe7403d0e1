import { Type } from 'typebox';
import {
  digits,
  flag,
  flags,
  int32,
  list,
  notNull,
  object,
  optional,
  optionals,
  ref,
  text,
  texts,
  time,
} from '../model.ts';

const counts = Object.fromEntries(
  ['followers_count', 'following_count', 'statuses_count'].map((name) => [name, notNull(int32)]),
);

const account = {
  ...texts('id', 'username', 'acct', 'note', 'url', 'avatar'),
  display_name: optional(text),
  created_at: optional(time),
  header: notNull(text),
  locked: notNull(flag),
  last_status_at: optional(text),
  ...counts,
  bot: notNull(flag),
  limited: notNull(flag),
  emojis: optional(list(ref('CustomEmoji'))),
  fields: optional(list(object({ ...texts('name', 'value'), verified_at: optional(time) }))),
  moved: optional(ref('Account')),
  roles: optional(list(object({ ...texts('name', 'color'), highlighted: notNull(flag) }))),
};

export const accounts = {
  Account: object(account),
  CredentialAccount: object(account),
  Relationship: object({
    id: text,
    ...flags('following', 'followed_by', 'blocking', 'muting', 'muting_notifications', 'requested', 'showing_reblogs'),
    domain_blocking: flag,
    note: optional(text),
    notifying: optional(flag),
  }),
  CustomEmoji: object({
    ...texts('shortcode', 'url', 'static_url'),
    visible_in_picker: optional(flag),
    category: optional(text),
  }),
  Tag: object({
    ...texts('name', 'url'),
    history: notNull(list(object({ day: text, accounts: digits, uses: digits }))),
    following: optional(flag),
  }),
  TrendingTag: ref('Tag'),
  List: object({
    ...texts('id', 'title'),
    exclusive: optional(flag),
    replies_policy: notNull(Type.Enum(['followed', 'list', 'none'])),
  }),
  SearchResults: object({ accounts: list(ref('Account')), statuses: list(ref('Status')), hashtags: list(ref('Tag')) }),
  Notification: object({
    ...texts('id', 'type'),
    created_at: time,
    account: ref('Account'),
    status: optional(ref('Status')),
    report: optional(object(texts('id'))),
    event: optional(object(texts('id', 'type'))),
    moderation_warning: optional(object({ ...texts('id', 'action'), ...optionals(text, 'text') })),
  }),
};
