import { Type } from 'typebox';
import { decimal, flag, list, object, optional, ref, text, url, whole } from '../model.ts';

// Swift: a missing or null required value, or one of another type, fails the whole list that it is in. Times may have
// any format. A text is accepted as a URL unless it is empty or has spaces.

export const history = object({ day: text, accounts: text, uses: text });

export const visibility = Type.Enum(['public', 'unlisted', 'private', 'direct']);

const post = {
  id: text,
  content: text,
  account: ref('Account'),
  created_at: text,
  edited_at: optional(text),
  media_attachments: list(ref('MediaAttachment')),
  mentions: list(object({ id: text, username: text, url, acct: text })),
  replies_count: whole,
  reblogs_count: whole,
  quotes_count: optional(whole),
  favourites_count: whole,
  card: optional(ref('Card')),
  favourited: optional(flag),
  reblogged: optional(flag),
  pinned: optional(flag),
  bookmarked: optional(flag),
  emojis: list(ref('CustomEmoji')),
  url: optional(text),
  in_reply_to_id: optional(text),
  in_reply_to_account_id: optional(text),
  visibility,
  poll: optional(ref('Poll')),
  spoiler_text: text,
  filtered: optional(list(object({ filter: ref('FilterOfResult'), keyword_matches: optional(list(text)) }))),
  sensitive: flag,
  language: optional(text),
  tags: list(ref('Tag')),
  quote_approval: optional(
    object({
      current_user: Type.Enum(['automatic', 'manual', 'denied', 'unknown']),
      automatic: list(text),
      manual: list(text),
    }),
  ),
  // Any problem in a quote counts as none, so that the quoted post would not be shown.
  quote: optional(
    object({
      state: Type.Enum(['accepted', 'pending', 'rejected', 'revoked', 'deleted', 'unauthorized']),
      quoted_status: optional(ref('Status')),
      quoted_status_id: optional(text),
    }),
  ),
};

export const statuses = {
  Status: object({ ...post, reblog: optional(object(post)) }),
  Context: object({ ancestors: list(ref('Status')), descendants: list(ref('Status')) }),
  StatusEdit: object({ content: text, created_at: text, emojis: list(ref('CustomEmoji')) }),
  Translation: object({ content: text, detected_source_language: text, provider: text }),
  MediaAttachment: object({
    id: text,
    type: text,
    url: optional(url),
    preview_url: optional(url),
    description: optional(text),
    meta: optional(object({ original: optional(object({ width: optional(whole), height: optional(whole) })) })),
  }),
  Poll: object({
    id: text,
    expired: flag,
    multiple: flag,
    votes_count: whole,
    voters_count: optional(whole),
    voted: optional(flag),
    own_votes: optional(list(whole)),
    options: list(object({ title: text, votes_count: optional(whole) })),
  }),
  Card: object({
    url: text,
    title: optional(text),
    description: optional(text),
    type: text,
    image: optional(url),
    width: optional(decimal),
    height: optional(decimal),
    history: optional(list(history)),
    authors: optional(list(object({ name: text, url: text, account: optional(ref('Account')) }))),
  }),
  TrendingLink: ref('Card'),
  FilterOfResult: object({
    id: text,
    title: text,
    context: list(text),
    filter_action: Type.Enum(['warn', 'hide']),
  }),
  Conversation: object({
    id: text,
    unread: flag,
    last_status: optional(ref('Status')),
    accounts: list(ref('Account')),
  }),
};
