import { decimal, flag, int32, list, loose, notNull, object, optional, ref, text, time } from '../model.ts';

// Kotlin with Moshi: a missing or null value without a default fails the whole response, and so does a null where the
// default is not null. Numbers have 32 bits, and may be texts and the reverse.

export const visibility = text;

export const mention = object({ id: text, url: text, acct: text, username: text });

export const statuses = {
  Status: object({
    id: text,
    url: optional(text),
    account: ref('TimelineAccount'),
    in_reply_to_id: optional(text),
    in_reply_to_account_id: optional(text),
    reblog: optional(ref('Status')),
    content: text,
    created_at: time,
    edited_at: optional(time),
    emojis: list(ref('CustomEmoji')),
    reblogs_count: int32,
    favourites_count: int32,
    replies_count: int32,
    reblogged: notNull(flag),
    favourited: notNull(flag),
    bookmarked: notNull(flag),
    sensitive: flag,
    spoiler_text: text,
    visibility,
    media_attachments: list(ref('MediaAttachment')),
    mentions: list(mention),
    tags: notNull(list(ref('Tag'))),
    application: optional(object({ name: text, website: optional(text) })),
    pinned: notNull(flag),
    muted: notNull(flag),
    poll: optional(ref('Poll')),
    card: optional(ref('Card')),
    language: optional(text),
    filtered: optional(list(object({ filter: ref('Filter') }))),
  }),
  DeletedStatus: object({
    text: optional(text),
    in_reply_to_id: optional(text),
    spoiler_text: text,
    visibility,
    sensitive: flag,
    media_attachments: list(ref('MediaAttachment')),
    poll: optional(ref('Poll')),
    created_at: time,
    language: optional(text),
  }),
  Context: object({ ancestors: list(ref('Status')), descendants: list(ref('Status')) }),
  StatusEdit: object({
    content: text,
    spoiler_text: text,
    sensitive: flag,
    created_at: time,
    account: ref('TimelineAccount'),
    media_attachments: list(ref('MediaAttachment')),
    emojis: list(ref('CustomEmoji')),
  }),
  StatusSource: object({ id: text, text, spoiler_text: text }),
  ScheduledStatus: object({
    id: text,
    scheduled_at: text,
    params: object({
      text,
      sensitive: optional(flag),
      visibility,
      spoiler_text: optional(text),
      in_reply_to_id: optional(loose),
    }),
    media_attachments: list(ref('MediaAttachment')),
  }),
  Translation: object({
    content: text,
    spoiler_text: optional(text),
    poll: optional(object({ options: list(object({ title: text })) })),
    media_attachments: notNull(list(object({ id: text, description: text }))),
    detected_source_language: text,
    provider: text,
  }),
  Conversation: object({
    id: text,
    accounts: list(ref('TimelineAccount')),
    last_status: optional(ref('Status')),
    unread: flag,
  }),
};

const size = optional(object({ width: notNull(int32), height: notNull(int32), aspect: notNull(decimal) }));

export const parts = {
  MediaAttachment: object({
    id: text,
    url: text,
    preview_url: optional(text),
    remote_url: optional(text),
    meta: optional(
      object({
        focus: optional(object({ x: optional(decimal), y: optional(decimal) })),
        duration: optional(decimal),
        original: size,
        small: size,
      }),
    ),
    type: text,
    description: optional(text),
    blurhash: optional(text),
  }),
  Poll: object({
    id: text,
    expires_at: optional(time),
    expired: flag,
    multiple: flag,
    votes_count: int32,
    voters_count: optional(int32),
    options: list(object({ title: text, votes_count: optional(int32) })),
    voted: notNull(flag),
    own_votes: notNull(list(int32)),
  }),
  Card: object({
    url: text,
    title: text,
    description: notNull(text),
    authors: notNull(list(object({ name: text, url: text, account: optional(ref('TimelineAccount')) }))),
    author_name: optional(text),
    provider_name: optional(text),
    image: optional(text),
    type: text,
    width: notNull(int32),
    height: notNull(int32),
    blurhash: optional(text),
    embed_url: optional(text),
  }),
  TrendingLink: ref('Card'),
  Tag: object({ name: text, url: text, following: optional(flag) }),
  TrendingTag: object({ name: text, history: list(object({ day: text, accounts: text, uses: text })) }),
  CustomEmoji: object({
    shortcode: text,
    url: text,
    static_url: text,
    visible_in_picker: notNull(flag),
    category: optional(text),
  }),
};
