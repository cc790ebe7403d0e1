import { Type } from 'typebox';
import { decimal, flag, list, object, optional, ref, text, url, whole } from '../model.ts';
import { visibility } from './statuses.ts';

const marker = optional(object({ last_read_id: text, version: whole, updated_at: text }));

export const settings = {
  Filter: object({
    id: text,
    title: text,
    keywords: list(object({ id: text, keyword: text, whole_word: flag })),
    filter_action: Type.Enum(['warn', 'hide']),
    context: list(Type.Enum(['home', 'notifications', 'public', 'thread', 'account'])),
    expires_at: optional(text),
  }),
  Markers: object({ notifications: marker, home: marker }),
  Preferences: object({
    'posting:default:visibility': optional(visibility),
    'posting:default:sensitive': optional(flag),
    'posting:default:language': optional(text),
    'reading:expand:media': optional(Type.Enum(['show_all', 'hide_all', 'default'])),
    'reading:expand:spoilers': optional(flag),
  }),
  Application: object({
    id: text,
    name: text,
    website: optional(url),
    redirect_uri: text,
    client_id: text,
    client_secret: text,
    vapid_key: optional(text),
  }),
  Token: object({ access_token: text, token_type: text, scope: text, created_at: decimal }),
  Instance: object({
    title: text,
    domain: text,
    description: optional(text),
    version: text,
    api_versions: optional(object({ mastodon: optional(whole) })),
    usage: optional(object({ users: optional(object({ active_month: optional(whole) })) })),
    languages: optional(list(text)),
    registrations: object({ enabled: flag }),
    thumbnail: object({ url: optional(url) }),
    configuration: optional(
      object({
        statuses: object({ max_characters: whole, max_media_attachments: whole }),
        polls: object({
          max_options: whole,
          max_characters_per_option: whole,
          min_expiration: whole,
          max_expiration: whole,
        }),
      }),
    ),
    rules: optional(list(object({ id: text, text }))),
    contact: object({ account: optional(ref('Account')), email: text }),
  }),
};
