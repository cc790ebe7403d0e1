import { Type } from 'typebox';
import { flag, flags, int32, list, notNull, object, optional, optionals, ref, text, texts, time } from '../model.ts';

const numbers = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, notNull(int32)]));
const polls = object(numbers('max_options', 'max_characters_per_option', 'min_expiration', 'max_expiration'));
const statuses = object(numbers('max_characters', 'max_media_attachments', 'characters_reserved_per_url'));
const media = object({
  supported_mime_types: notNull(list(text)),
  ...numbers('image_size_limit', 'image_matrix_limit', 'video_size_limit', 'video_frame_rate_limit'),
  ...numbers('video_matrix_limit', 'description_limit'),
});
const rule = object(texts('id', 'text'));

export const settings = {
  Instance: object({
    ...texts('domain', 'title', 'version', 'description'),
    source_url: optional(text),
    usage: object({ users: object({}) }),
    thumbnail: object({ url: text, blurhash: optional(text), versions: optional(object({})) }),
    languages: list(text),
    configuration: object({
      urls: notNull(object(optionals(text, 'streaming_api', 'streaming'))),
      accounts: notNull(object(numbers('max_featured_tags'))),
      statuses,
      media_attachments: media,
      polls,
      translation: notNull(object(flags('enabled'))),
    }),
    registrations: object({ ...flags('enabled', 'approval_required'), message: optional(text) }),
    contact: object({ email: optional(text), account: optional(ref('Account')) }),
    rules: notNull(list(rule)),
  }),
  InstanceV1: object({
    ...texts('uri', 'version'),
    configuration: notNull(object({ statuses, media_attachments: media, polls })),
    rules: notNull(list(rule)),
  }),
  Filter: object({
    id: notNull(text),
    title: notNull(text),
    context: notNull(list(text)),
    expires_at: optional(time),
    filter_action: notNull(Type.Enum(['none', 'warn', 'hide', 'blur'])),
    keywords: notNull(list(object({ ...texts('id', 'keyword'), whole_word: flag }))),
  }),
  FilterV1: object({
    ...texts('id', 'phrase'),
    context: list(text),
    expires_at: optional(time),
    ...flags('irreversible', 'whole_word'),
  }),
  Announcement: object({
    ...texts('id', 'content'),
    starts_at: optional(time),
    ends_at: optional(time),
    ...flags('all_day', 'read'),
    published_at: time,
    updated_at: time,
    mentions: list(object(texts('id', 'url', 'acct', 'username'))),
    statuses: list(object(texts('id', 'url'))),
    tags: list(ref('Tag')),
    emojis: list(ref('CustomEmoji')),
    reactions: list(object({ name: text, count: int32, me: flag, ...optionals(text, 'url', 'static_url') })),
  }),
};
