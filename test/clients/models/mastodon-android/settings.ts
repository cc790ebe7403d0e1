import { Type } from 'typebox';
import { flag, int32, list, object, optional, optionals, ref, text, texts, time, whole } from '../model.ts';
import { contexts } from './statuses.ts';

const rule = object({
  id: text,
  text,
  hint: optional(text),
  translations: optional(Type.Record(text, object(optionals(text, 'text', 'hint')))),
});

const configuration = optional(
  object({
    statuses: optional(
      object(optionals(int32, 'max_characters', 'max_media_attachments', 'characters_reserved_per_url')),
    ),
    media_attachments: optional(
      object({
        supported_mime_types: optional(list(text)),
        ...optionals(
          int32,
          'image_size_limit',
          'image_matrix_limit',
          'video_size_limit',
          'video_frame_rate_limit',
          'video_matrix_limit',
        ),
      }),
    ),
    polls: optional(
      object(optionals(int32, 'max_options', 'max_characters_per_option', 'min_expiration', 'max_expiration')),
    ),
    vapid: optional(object(optionals(text, 'public_key'))),
  }),
);

const instance = {
  ...texts('title', 'description', 'version'),
  languages: optional(list(text)),
  rules: optional(list(rule)),
  configuration,
};

export const settings = {
  Filter: object({
    ...texts('id', 'title'),
    context: contexts,
    keywords: optional(list(object({ ...texts('id', 'keyword'), whole_word: flag }))),
    statuses: optional(list(object(texts('id', 'status_id')))),
  }),
  FilterV1: object({ ...texts('id', 'phrase'), context: contexts, ...optionals(flag, 'irreversible', 'whole_word') }),
  Markers: Type.Record(text, object({ last_read_id: text, version: whole, updated_at: time })),
  Application: object({ name: text, ...optionals(text, 'website', 'vapid_key', 'client_id', 'client_secret') }),
  Token: object({ access_token: text, ...optionals(text, 'token_type', 'scope'), created_at: whole }),
  Instance: object({
    ...instance,
    domain: text,
    thumbnail: optional(object(optionals(text, 'url', 'blurhash'))),
    registrations: object({
      ...optionals(flag, 'enabled', 'approval_required'),
      ...optionals(text, 'message', 'url'),
      min_age: optional(int32),
    }),
    contact: optional(object({ email: optional(text), account: optional(ref('Account')) })),
    api_versions: optional(Type.Record(text, whole)),
  }),
  InstanceV1: object({
    ...instance,
    ...texts('uri', 'email'),
    ...optionals(text, 'short_description', 'thumbnail'),
    ...optionals(flag, 'registrations', 'approval_required', 'invites_enabled'),
    urls: optional(Type.Record(text, text)),
    contact_account: optional(ref('Account')),
    stats: optional(object(optionals(int32, 'user_count', 'status_count', 'domain_count'))),
  }),
};
