import { decimal, flag, list, object, optional, optionals, ref, text, texts, whole } from '../model.ts';

const status = {
  ...texts('id', 'uri', 'created_at'),
  ...optionals(text, 'edited_at', 'content', 'spoiler_text', 'url', 'in_reply_to_id', 'in_reply_to_account_id'),
  ...optionals(text, 'visibility', 'language', 'text'),
  ...optionals(flag, 'sensitive', 'favourited', 'reblogged', 'muted', 'bookmarked', 'pinned'),
  account: ref('Account'),
  media_attachments: optional(list(ref('MediaAttachment'))),
  application: optional(object({ name: text, ...optionals(text, 'website', 'vapid_key') })),
  mentions: list(object(texts('id', 'username', 'acct', 'url'))),
  tags: list(ref('Tag')),
  emojis: list(ref('CustomEmoji')),
  reblogs_count: whole,
  favourites_count: whole,
  replies_count: optional(whole),
  reblog: optional(ref('Status')),
  poll: optional(ref('Poll')),
  card: optional(ref('Card')),
};

const format = object({
  ...optionals(whole, 'width', 'height', 'bitrate'),
  ...optionals(text, 'size', 'frame_rate'),
  ...optionals(decimal, 'aspect', 'duration'),
});

export const statuses = {
  Status: object(status),
  DeletedStatus: object(status),
  MediaAttachment: object({
    id: text,
    type: text,
    ...optionals(text, 'url', 'preview_url', 'remote_url', 'text_url', 'description', 'blurhash'),
    meta: optional(
      object({
        original: optional(format),
        small: optional(format),
        focus: optional(object({ x: decimal, y: decimal })),
        ...optionals(text, 'length', 'size', 'audio_encode', 'audio_bitrate', 'audio_channels'),
        ...optionals(decimal, 'duration', 'aspect'),
        ...optionals(whole, 'fps', 'width', 'height'),
      }),
    ),
  }),
  Card: object({
    ...texts('url', 'title', 'description', 'type'),
    ...optionals(text, 'author_name', 'author_url', 'provider_name', 'provider_url', 'html', 'image', 'embed_url'),
    ...optionals(text, 'blurhash', 'published_at'),
    ...optionals(whole, 'width', 'height'),
    authors: optional(list(object({ ...optionals(text, 'name', 'url'), account: optional(ref('Account')) }))),
  }),
  Poll: object({
    id: text,
    expires_at: optional(text),
    expired: flag,
    multiple: flag,
    votes_count: whole,
    voters_count: optional(whole),
    voted: optional(flag),
    own_votes: optional(list(whole)),
    options: list(object({ title: text, votes_count: optional(whole), emojis: optional(list(ref('CustomEmoji'))) })),
  }),
  Context: object({ ancestors: list(ref('Status')), descendants: list(ref('Status')) }),
  Conversation: object({
    id: text,
    accounts: list(ref('Account')),
    unread: flag,
    last_status: optional(ref('Status')),
  }),
  StatusEdit: object({
    ...texts('content', 'created_at'),
    spoiler_text: optional(text),
    sensitive: flag,
    account: ref('Account'),
    poll: optional(object({ options: list(object({ title: text })), title: optional(text) })),
    media_attachments: optional(list(ref('MediaAttachment'))),
    emojis: list(ref('CustomEmoji')),
  }),
  StatusSource: object(texts('id', 'text', 'spoiler_text')),
  Translation: object(optionals(text, 'content', 'detected_source_language', 'provider')),
  // Mastodon also answers null for a page without an image, which the app cannot decode.
  TrendingLink: object({
    ...texts('url', 'title', 'description', 'provider_name', 'provider_url'),
    image: optional(text),
    width: whole,
    height: whole,
    blurhash: optional(text),
    history: list(ref('History')),
  }),
};
