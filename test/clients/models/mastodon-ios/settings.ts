import { Type } from 'typebox';
import { flag, flags, list, object, optional, optionals, ref, text, texts, whole } from '../model.ts';

const position = object({ ...texts('last_read_id', 'updated_at'), version: whole });
const rule = object(texts('id', 'text'));
const numbers = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, whole]));
const configuration = {
  statuses: optional(object(numbers('max_characters', 'max_media_attachments', 'characters_reserved_per_url'))),
  media_attachments: optional(
    object({
      supported_mime_types: list(text),
      ...numbers('image_size_limit', 'image_matrix_limit', 'video_size_limit', 'video_frame_rate_limit'),
      video_matrix_limit: whole,
    }),
  ),
  polls: optional(object(numbers('max_options', 'max_characters_per_option', 'min_expiration', 'max_expiration'))),
};

export const settings = {
  Instance: object({
    ...texts('title', 'description'),
    ...optionals(text, 'domain', 'version'),
    languages: optional(list(text)),
    registrations: optional(object({ enabled: flag })),
    thumbnail: optional(object({ url: optional(text) })),
    contact: optional(object({ email: optional(text), account: optional(ref('Account')) })),
    rules: optional(list(rule)),
    configuration: optional(object({ ...configuration, translation: optional(object({ enabled: flag })) })),
  }),
  InstanceV1: object({
    ...texts('uri', 'title', 'description', 'email'),
    ...optionals(text, 'short_description', 'version', 'thumbnail'),
    ...optionals(flag, 'registrations', 'approval_required', 'invites_enabled'),
    languages: optional(list(text)),
    urls: optional(object({ streaming_api: text })),
    stats: optional(object(numbers('user_count', 'status_count', 'domain_count'))),
    contact_account: optional(ref('Account')),
    rules: optional(list(rule)),
    configuration: optional(object(configuration)),
  }),
  ExtendedDescription: object({ updated_at: optional(text), content: text }),
  Rule: rule,
  Markers: object({ home: Type.Optional(position), notifications: Type.Optional(position) }),
  FilterV1: object({
    ...texts('id', 'phrase'),
    context: list(text),
    expires_at: optional(text),
    ...flags('irreversible', 'whole_word'),
  }),
  Application: object({
    name: text,
    ...optionals(text, 'website', 'vapid_key', 'redirect_uri', 'client_id', 'client_secret'),
  }),
  Token: object({ ...texts('access_token', 'token_type', 'scope'), created_at: whole }),
  PushSubscription: object({
    ...texts('endpoint', 'server_key'),
    alerts: object(optionals(flag, 'follow', 'follow_request', 'favourite', 'reblog', 'mention', 'poll')),
  }),
  Report: object({ id: text, action_taken: optional(flag) }),
};
