import { Type } from 'typebox';
import { decimal, digits, flag, flags, list, object, optional, optionals, ref, text, texts, whole } from '../model.ts';

// Swift: a missing or null required value, or one of another type, fails the whole list that it is in.

/** A time, or a day. Read with the formatters of ISO 8601. */
export const date = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d(?:T\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z)?$' });

export const history = object(texts('day', 'uses', 'accounts'));

const quote = optional(
  object({ state: text, quoted_status: optional(ref('Status')), quoted_status_id: optional(text) }),
);

const size = optional(
  object({
    width: optional(whole),
    height: optional(whole),
    size: optional(text),
    aspect: optional(decimal),
    frame_rate: optional(text),
    duration: optional(decimal),
    bitrate: optional(whole),
  }),
);

const card = {
  ...texts('url', 'title', 'description', 'type'),
  ...optionals(text, 'language', 'author_name', 'author_url', 'provider_name', 'provider_url', 'html', 'image'),
  ...optionals(text, 'image_description', 'embed_url', 'blurhash'),
  authors: optional(list(object({ ...optionals(text, 'name', 'url'), account: optional(ref('Account')) }))),
  published_at: optional(date),
  width: optional(digits),
  height: optional(digits),
};

export const statuses = {
  Status: object({
    ...texts('id', 'uri', 'visibility', 'spoiler_text'),
    ...optionals(text, 'content', 'url', 'in_reply_to_id', 'in_reply_to_account_id', 'language', 'text'),
    created_at: date,
    edited_at: optional(date),
    account: ref('Account'),
    sensitive: flag,
    media_attachments: list(ref('MediaAttachment')),
    application: optional(object({ name: text, website: optional(text) })),
    mentions: list(object(texts('id', 'username', 'url', 'acct'))),
    tags: list(ref('Tag')),
    emojis: list(ref('CustomEmoji')),
    reblogs_count: whole,
    quotes_count: optional(whole),
    favourites_count: whole,
    replies_count: whole,
    reblog: optional(ref('Status')),
    poll: optional(ref('Poll')),
    card: optional(ref('Card')),
    ...optionals(flag, 'favourited', 'reblogged', 'muted', 'bookmarked', 'pinned'),
    filtered: optional(
      list(
        object({
          filter: object({ id: text, title: text, context: list(text), filter_action: text }),
          keyword_matches: optional(list(text)),
          status_matches: optional(list(text)),
        }),
      ),
    ),
    quote_approval: optional(object({ automatic: list(text), manual: list(text), current_user: optional(text) })),
    quote,
  }),
  Context: object({ ancestors: list(ref('Status')), descendants: list(ref('Status')) }),
  StatusEdit: object({
    ...texts('content', 'spoiler_text'),
    sensitive: flag,
    created_at: date,
    account: ref('Account'),
    poll: optional(object({ options: list(object({ title: text })) })),
    media_attachments: list(ref('MediaAttachment')),
    emojis: list(ref('CustomEmoji')),
    quote,
  }),
  StatusSource: object({ ...texts('id', 'text', 'spoiler_text'), content_type: optional(text) }),
  ScheduledStatus: object({
    id: text,
    scheduled_at: optional(date),
    params: object({ visibility: text }),
    media_attachments: list(ref('MediaAttachment')),
  }),
  MediaAttachment: object({
    ...texts('id', 'type', 'url'),
    ...optionals(text, 'remote_url', 'preview_url', 'preview_remote_url', 'description', 'blurhash'),
    meta: optional(
      object({
        original: size,
        small: size,
        focus: optional(object({ x: optional(decimal), y: optional(decimal) })),
        colors: optional(object(optionals(text, 'background', 'foreground', 'accent'))),
      }),
    ),
  }),
  Poll: object({
    id: text,
    ...flags('expired', 'multiple'),
    votes_count: whole,
    options: list(object({ title: text, votes_count: whole })),
  }),
  Card: object(card),
  TrendingLink: object({ ...card, history: optional(list(history)) }),
  Translation: object({
    ...texts('content', 'spoiler_text', 'detected_source_language', 'provider', 'language'),
    poll: optional(object({ id: text, options: list(object({ title: text })) })),
    media_attachments: list(object({ id: text, description: optional(text) })),
  }),
  Conversation: object({
    id: text,
    accounts: list(ref('Account')),
    unread: flag,
    last_status: optional(ref('Status')),
  }),
};
