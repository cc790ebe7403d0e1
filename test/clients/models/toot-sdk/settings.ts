import { Type } from 'typebox';
import { flag, flags, list, object, optional, optionals, ref, text, texts, whole } from '../model.ts';
import { date } from './statuses.ts';

const rule = object({
  id: text,
  ...optionals(text, 'text', 'hint'),
  translations: optional(Type.Record(text, object(optionals(text, 'text', 'hint')))),
});

const feeds = optional(object(optionals(text, 'local', 'remote')));

const marker = object({ last_read_id: text, updated_at: date, version: whole });

export const settings = {
  Filter: object({
    ...texts('id', 'title', 'filter_action'),
    context: list(text),
    keywords: list(object({ ...texts('id', 'keyword'), whole_word: flag })),
  }),
  Markers: Type.Record(text, marker),
  Preferences: object({
    ...texts('posting:default:visibility', 'reading:expand:media'),
    ...flags('posting:default:sensitive', 'reading:expand:spoilers'),
    ...optionals(text, 'posting:default:language', 'posting:default:quote_policy'),
    'reading:autoplay:gifs': optional(flag),
  }),
  Application: object({
    name: text,
    ...optionals(text, 'id', 'website', 'vapid_key', 'redirect_uri', 'client_id', 'client_secret'),
  }),
  Token: object(optionals(text, 'scope', 'token_type', 'access_token')),
  Rule: rule,
  ExtendedDescription: object({ updated_at: optional(date), content: text }),
  PrivacyPolicy: object({ updated_at: optional(date), content: text }),
  TermsOfService: object({ effective_date: date, effective: flag, succeeded_by: optional(date), content: text }),
  Instance: object({
    version: text,
    ...optionals(text, 'domain', 'title', 'source_url', 'description'),
    usage: optional(object({ users: object({ active_month: whole }) })),
    icon: optional(list(object(texts('src', 'size')))),
    languages: optional(list(text)),
    registrations: object({
      ...optionals(flag, 'enabled', 'approval_required', 'reason_required'),
      message: optional(text),
      ...optionals(whole, 'min_age'),
    }),
    api_versions: optional(object(optionals(whole, 'mastodon'))),
    contact: optional(object({ email: optional(text), account: optional(ref('Account')) })),
    rules: optional(list(rule)),
    configuration: optional(
      object({
        urls: optional(object(optionals(text, 'streaming', 'status', 'about', 'privacy_policy', 'terms_of_service'))),
        vapid: optional(object(optionals(text, 'public_key'))),
        accounts: optional(object(optionals(whole, 'max_featured_tags', 'max_pinned_statuses'))),
        statuses: optional(
          object(optionals(whole, 'max_characters', 'max_media_attachments', 'characters_reserved_per_url')),
        ),
        media_attachments: optional(
          object({
            supported_mime_types: optional(list(text)),
            ...optionals(whole, 'description_limit', 'image_size_limit', 'image_matrix_limit', 'video_size_limit'),
            ...optionals(whole, 'video_frame_rate_limit', 'video_matrix_limit'),
          }),
        ),
        polls: optional(
          object(optionals(whole, 'max_options', 'max_characters_per_option', 'min_expiration', 'max_expiration')),
        ),
        translation: optional(object(optionals(flag, 'enabled'))),
        limited_federation: optional(flag),
        timelines_access: optional(object({ live_feeds: feeds, hashtag_feeds: feeds, trending_link_feeds: feeds })),
      }),
    ),
  }),
  InstanceV1: object({ version: text, stats: object({}) }),
};
