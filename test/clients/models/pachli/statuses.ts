import { Type } from 'typebox';
import { decimal, flag, int32, list, notNull, object, optional, optionals, ref, text, texts, time } from '../model.ts';

const status = {
  ...texts('id', 'content', 'spoiler_text'),
  ...optionals(text, 'url', 'in_reply_to_id', 'in_reply_to_account_id', 'language'),
  account: ref('Account'),
  reblog: optional(ref('Status')),
  created_at: time,
  edited_at: optional(time),
  emojis: list(ref('CustomEmoji')),
  reblogs_count: int32,
  favourites_count: int32,
  replies_count: int32,
  quotes_count: notNull(int32),
  reblogged: notNull(flag),
  favourited: notNull(flag),
  bookmarked: notNull(flag),
  sensitive: flag,
  visibility: Type.Enum(['public', 'unlisted', 'private', 'direct']),
  media_attachments: list(ref('MediaAttachment')),
  mentions: list(object(texts('id', 'url', 'acct', 'username'))),
  tags: optional(list(ref('Tag'))),
  application: optional(object({ name: text, website: optional(text) })),
  ...optionals(flag, 'pinned', 'muted'),
  poll: optional(ref('Poll')),
  card: optional(ref('Card')),
  quote: optional(
    object({
      state: optional(text),
      quoted_status: optional(ref('Status')),
      ...optionals(text, 'quoted_status_id', 'id'),
    }),
  ),
};

const size = object({ ...optionals(int32, 'width', 'height'), aspect: optional(decimal) });

export const statuses = {
  Status: object(status),
  MediaAttachment: object({
    ...texts('id', 'url', 'type'),
    ...optionals(text, 'preview_url', 'description', 'blurhash'),
    meta: optional(
      object({
        focus: optional(object({ x: notNull(decimal), y: notNull(decimal) })),
        duration: optional(decimal),
        original: optional(size),
        small: optional(size),
      }),
    ),
  }),
  Card: object({
    ...texts('url', 'title', 'description', 'type', 'provider_name', 'provider_url'),
    author_name: notNull(text),
    author_url: notNull(text),
    html: notNull(text),
    embed_url: notNull(text),
    width: notNull(int32),
    height: notNull(int32),
    ...optionals(text, 'image', 'blurhash'),
    authors: optional(list(object({ ...optionals(text, 'name', 'url'), account: optional(ref('Account')) }))),
  }),
  Poll: object({
    id: text,
    expires_at: optional(time),
    expired: flag,
    multiple: flag,
    votes_count: int32,
    voters_count: optional(int32),
    own_votes: optional(list(int32)),
    options: list(object({ title: text, votes_count: optional(int32) })),
  }),
  Context: object({ ancestors: list(ref('Status')), descendants: list(ref('Status')) }),
  Conversation: object({
    id: text,
    accounts: list(ref('Account')),
    last_status: optional(ref('Status')),
    unread: flag,
  }),
  ScheduledStatus: object({
    id: text,
    scheduled_at: time,
    params: object({ text }),
    media_attachments: list(ref('MediaAttachment')),
  }),
};
