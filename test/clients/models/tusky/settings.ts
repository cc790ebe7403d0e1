import { Type } from 'typebox';
import { flag, int32, list, notNull, object, optional, text, time } from '../model.ts';

const context = Type.Enum(['home', 'notifications', 'public', 'thread', 'account']);

const limits = (...names: readonly string[]) =>
  optional(object(Object.fromEntries(names.map((name) => [name, optional(int32)]))));

const marker = object({ last_read_id: text, version: int32, updated_at: time });

export const settings = {
  Filter: object({
    id: notNull(text),
    title: notNull(text),
    context: list(context),
    expires_at: optional(time),
    filter_action: Type.Enum(['none', 'blur', 'warn', 'hide']),
    keywords: notNull(list(object({ id: text, keyword: text, whole_word: flag }))),
  }),
  FilterV1: object({
    id: text,
    phrase: text,
    context: list(text),
    expires_at: optional(time),
    irreversible: flag,
    whole_word: flag,
  }),
  Markers: Type.Record(Type.String(), marker),
  Application: object({ client_id: text, client_secret: text }),
  Token: object({ access_token: text }),
  Instance: object({
    domain: text,
    version: text,
    configuration: optional(
      object({
        urls: optional(object({})),
        accounts: optional(object({ max_featured_tags: int32, max_profile_fields: optional(int32) })),
        statuses: limits('max_characters', 'max_media_attachments', 'characters_reserved_per_url'),
        media_attachments: limits('video_frame_rate_limit'),
        polls: limits('max_options', 'max_characters_per_option', 'min_expiration', 'max_expiration'),
        translation: optional(object({ enabled: flag })),
      }),
    ),
    rules: notNull(list(object({ id: text, text }))),
    api_versions: optional(object({ mastodon: optional(int32) })),
  }),
  InstanceV1: object({
    uri: text,
    version: text,
    configuration: optional(
      object({
        statuses: limits('max_characters', 'max_media_attachments', 'characters_reserved_per_url'),
        media_attachments: limits(
          'image_size_limit',
          'image_matrix_limit',
          'video_size_limit',
          'video_frame_rate_limit',
          'video_matrix_limit',
        ),
        polls: limits('max_options', 'max_characters_per_option', 'min_expiration', 'max_expiration'),
      }),
    ),
    rules: notNull(list(object({ id: text, text }))),
  }),
};
