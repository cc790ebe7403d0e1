import { Type } from 'typebox';
import { flag, flags, list, object, optional, ref, text, texts, time, whole } from '../model.ts';
import { visibility, contexts } from './statuses.ts';

const marker = object({ last_read_id: text, updated_at: time, version: whole });

const wholes = (...names: readonly string[]) => object(Object.fromEntries(names.map((name) => [name, whole])));

export const settings = {
  Filter: object({
    ...texts('id', 'title'),
    context: contexts,
    expires_at: optional(time),
    filter_action: Type.Enum(['warn', 'hide', 'blur']),
    keywords: list(object({ ...texts('id', 'keyword'), whole_word: flag })),
    statuses: list(object(texts('id', 'status_id'))),
  }),
  FilterV1: object({ ...texts('id', 'phrase'), context: contexts, ...flags('irreversible', 'whole_word') }),
  Markers: Type.Record(text, marker),
  Preferences: object({
    'posting:default:visibility': visibility,
    'posting:default:sensitive': flag,
    'posting:default:language': optional(text),
    'reading:expand:media': Type.Enum(['show_all', 'hide_all', 'default']),
    'reading:expand:spoilers': flag,
  }),
  Rule: object({ ...texts('id', 'text', 'hint'), translations: Type.Record(text, object(texts('text', 'hint'))) }),
  Instance: object({
    ...texts('domain', 'title', 'version', 'source_url', 'description'),
    usage: object({ users: wholes('active_month') }),
    thumbnail: object({ url: text }),
    icon: list(object(texts('src', 'size'))),
    languages: list(text),
    api_versions: object({ mastodon: whole }),
    configuration: object({
      urls: object(texts('streaming')),
      vapid: object(texts('public_key')),
      accounts: wholes('max_featured_tags', 'max_pinned_statuses'),
      statuses: wholes('max_characters', 'max_media_attachments', 'characters_reserved_per_url'),
      polls: wholes('max_options', 'max_characters_per_option', 'min_expiration', 'max_expiration'),
      translation: object(flags('enabled')),
      media_attachments: object({
        supported_mime_types: list(text),
        image_size_limit: whole,
        image_matrix_limit: whole,
        video_size_limit: whole,
        video_frame_rate_limit: whole,
        video_matrix_limit: whole,
      }),
    }),
    registrations: object(flags('enabled', 'approval_required')),
    contact: object({ email: text, account: ref('Account') }),
    rules: list(ref('Rule')),
  }),
};
