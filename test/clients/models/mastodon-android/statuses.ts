import { Type } from 'typebox';
import { decimal, digits, flag, int32, list, object, optional, optionals, ref, text, texts, time } from '../model.ts';

// Java with Gson: a missing or null value fails the response only where the model requires it, but a value of another
// type always does. An unknown member of a required enumeration counts as missing. Times that cannot be read are null.

export const visibility = Type.Enum(['public', 'unlisted', 'private', 'direct']);

export const history = object({ day: digits, uses: digits, accounts: digits });

export const contexts = list(Type.Enum(['home', 'notifications', 'public', 'thread', 'account']));

const status = {
  ...texts('id', 'uri', 'spoiler_text'),
  created_at: time,
  account: ref('Account'),
  visibility,
  media_attachments: list(ref('MediaAttachment')),
  mentions: list(object(texts('id', 'username', 'acct', 'url'))),
  tags: list(ref('Tag')),
  emojis: list(ref('CustomEmoji')),
  ...optionals(text, 'content', 'url', 'in_reply_to_id', 'in_reply_to_account_id', 'language', 'text'),
  ...optionals(flag, 'sensitive', 'favourited', 'reblogged', 'muted', 'bookmarked', 'pinned'),
  ...optionals(int32, 'reblogs_count', 'favourites_count', 'replies_count', 'quotes_count'),
  edited_at: optional(time),
  application: optional(object({ name: text, website: optional(text) })),
  reblog: optional(ref('Status')),
  poll: optional(ref('Poll')),
  card: optional(ref('Card')),
  filtered: optional(
    list(
      object({ filter: object({ id: text, title: text, context: contexts }), keyword_matches: optional(list(text)) }),
    ),
  ),
  quote: optional(
    object({
      state: Type.Enum(['pending', 'accepted', 'rejected', 'revoked', 'deleted', 'unauthorized']),
      quoted_status: optional(ref('Status')),
      quoted_status_id: optional(text),
    }),
  ),
  quote_approval: optional(
    object({
      automatic: list(text),
      manual: optional(list(text)),
      current_user: Type.Enum(['automatic', 'manual', 'denied', 'unknown']),
    }),
  ),
  tagged_collections: optional(list(ref('Collection'))),
};

const size = optional(object({ ...optionals(int32, 'width', 'height', 'bitrate'), aspect: optional(decimal) }));

export const statuses = {
  Status: object(status),
  Context: object({ ancestors: list(ref('Status')), descendants: list(ref('Status')) }),
  MediaAttachment: object({
    id: text,
    type: Type.Enum(['image', 'gifv', 'video', 'audio', 'unknown']),
    url: text,
    ...optionals(text, 'preview_url', 'remote_url', 'description', 'blurhash'),
    meta: optional(
      object({
        focus: optional(object({ x: decimal, y: decimal })),
        original: size,
        small: size,
        colors: optional(object(optionals(text, 'background', 'foreground', 'accent'))),
      }),
    ),
  }),
  Poll: object({
    id: text,
    expires_at: optional(time),
    ...optionals(flag, 'expired', 'multiple', 'voted'),
    ...optionals(int32, 'voters_count', 'votes_count'),
    own_votes: list(int32),
    options: list(object({ title: optional(text), votes_count: optional(int32) })),
    emojis: list(ref('CustomEmoji')),
  }),
  Card: object({
    ...texts('url', 'title', 'description'),
    type: Type.Enum(['link', 'photo', 'video', 'rich']),
    ...optionals(text, 'author_name', 'author_url', 'provider_name', 'provider_url', 'image', 'embed_url', 'blurhash'),
    ...optionals(int32, 'width', 'height'),
    history: optional(list(history)),
    authors: optional(list(object({ name: text, url: optional(text), account: optional(ref('Account')) }))),
  }),
  TrendingLink: ref('Card'),
  Translation: object({
    ...texts('content', 'detected_source_language', 'provider'),
    spoiler_text: optional(text),
    media_attachments: optional(list(object(optionals(text, 'id', 'description')))),
    poll: optional(object({ id: optional(text), options: optional(list(object({ title: optional(text) }))) })),
  }),
  Collection: object({
    ...texts('id', 'account_id', 'name', 'url'),
    ...optionals(text, 'description', 'language'),
    ...optionals(flag, 'local', 'sensitive', 'discoverable'),
    tag: optional(ref('Tag')),
    item_count: optional(int32),
    items: list(object({ ...texts('id', 'account_id'), state: text, created_at: time })),
    created_at: time,
    updated_at: optional(time),
  }),
  Collections: object({ collections: list(ref('Collection')) }),
};
