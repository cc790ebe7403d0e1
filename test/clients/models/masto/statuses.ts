import { Type } from 'typebox';
import { decimal, flag, flags, list, object, optional, ref, text, texts, time, whole } from '../model.ts';

// JavaScript: nothing is checked, so a missing list or account shows as a broken page. Where the types promise more
// than Mastodon sends (`roles` of remote accounts, times that are null), what Mastodon sends is required here.

export const visibility = Type.Enum(['public', 'unlisted', 'private', 'direct']);

const quotePolicies = list(Type.Enum(['public', 'followers', 'following', 'unsupported_policy']));

export const contexts = list(Type.Enum(['home', 'notifications', 'public', 'thread', 'account']));

export const history = object(texts('day', 'uses', 'accounts'));

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
  ...texts('url', 'title', 'description'),
  type: Type.Enum(['link', 'photo', 'video', 'rich']),
  blurhash: optional(text),
  authors: list(object({ ...texts('name', 'url'), account: Type.Union([ref('Account'), Type.Null()]) })),
  ...texts('author_name', 'author_url', 'provider_name', 'provider_url', 'html', 'embed_url'),
  width: optional(whole),
  height: optional(whole),
  image: optional(text),
  language: optional(text),
};

export const statuses = {
  Status: object({
    ...texts('id', 'uri', 'content', 'spoiler_text'),
    created_at: time,
    edited_at: optional(time),
    account: ref('Account'),
    visibility,
    sensitive: flag,
    media_attachments: list(ref('MediaAttachment')),
    application: optional(object({ name: text, website: optional(text) })),
    mentions: list(object(texts('id', 'username', 'url', 'acct'))),
    tags: list(object(texts('name', 'url'))),
    emojis: list(ref('CustomEmoji')),
    reblogs_count: whole,
    favourites_count: whole,
    replies_count: whole,
    quotes_count: whole,
    filtered: optional(
      list(
        object({
          filter: object({ ...texts('id', 'title', 'filter_action'), context: contexts }),
          keyword_matches: optional(list(text)),
          status_matches: optional(list(text)),
        }),
      ),
    ),
    quote: optional(object({ state: text, quoted_status: optional(ref('Status')), quoted_status_id: optional(text) })),
    quote_approval: object({
      automatic: quotePolicies,
      manual: quotePolicies,
      current_user: Type.Enum(['automatic', 'manual', 'denied', 'unknown']),
    }),
    url: optional(text),
    in_reply_to_id: optional(text),
    in_reply_to_account_id: optional(text),
    reblog: optional(ref('Status')),
    poll: optional(ref('Poll')),
    card: optional(ref('Card')),
    language: optional(text),
    favourited: optional(flag),
    reblogged: optional(flag),
    muted: optional(flag),
    bookmarked: optional(flag),
    pinned: optional(flag),
  }),
  Context: object({ ancestors: list(ref('Status')), descendants: list(ref('Status')) }),
  StatusEdit: object({
    ...texts('content', 'spoiler_text'),
    sensitive: flag,
    created_at: time,
    account: ref('Account'),
    media_attachments: list(ref('MediaAttachment')),
    emojis: list(ref('CustomEmoji')),
  }),
  StatusSource: object(texts('id', 'text', 'spoiler_text')),
  MediaAttachment: object({
    id: text,
    type: Type.Enum(['image', 'video', 'gifv', 'audio', 'unknown']),
    url: optional(text),
    preview_url: optional(text),
    remote_url: optional(text),
    meta: optional(
      object({
        small: size,
        original: size,
        focus: optional(object({ x: decimal, y: decimal })),
        colors: optional(object(texts('background', 'foreground', 'accent'))),
      }),
    ),
    description: optional(text),
    blurhash: optional(text),
  }),
  Poll: object({
    id: text,
    expires_at: optional(time),
    ...flags('expired', 'multiple'),
    votes_count: whole,
    voters_count: optional(whole),
    voted: optional(flag),
    own_votes: optional(list(whole)),
    options: list(object({ title: text, votes_count: optional(whole) })),
    emojis: list(ref('CustomEmoji')),
  }),
  Card: object(card),
  TrendingLink: object({ ...card, history: list(history) }),
  Conversation: object({
    id: text,
    accounts: list(ref('Account')),
    unread: flag,
    last_status: optional(ref('Status')),
  }),
  Collection: object({
    ...texts('id', 'account_id', 'uri', 'name'),
    url: optional(text),
    description: optional(text),
    language: optional(text),
    ...flags('local', 'sensitive', 'discoverable'),
    tag: optional(object(texts('name', 'url'))),
    created_at: time,
    updated_at: time,
    item_count: whole,
    items: list(object({ id: text, state: text })),
  }),
  Collections: object({ collections: list(ref('Collection')) }),
};
