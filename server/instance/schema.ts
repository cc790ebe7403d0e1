import { Type, type Static, type TSchema } from 'typebox';
import { Account } from '../accounts/schema.ts';
import { Rule } from '../site/rules/schema.ts';
import { entity } from '../platform/http/entity.ts';

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Count = Type.Integer({ minimum: 0 });
const Url = Type.String({ pattern: '^(?:https?|wss?)://' });
const Access = Type.Enum(['public', 'authenticated', 'disabled']);
const FeedAccess = entity('FeedAccess', { local: Access, remote: Access });
const Datetime = Type.String({ format: 'date-time' });
/** A count that the API returns as a string. */
const CountText = Type.String({ pattern: '^[0-9]+$' });

const StatusLimits = entity('StatusLimits', {
  max_characters: Count,
  max_media_attachments: Count,
  characters_reserved_per_url: Count,
  supported_mime_types: Type.Array(Type.String()),
});
const mediaLimits = {
  supported_mime_types: Type.Array(Type.String()),
  image_size_limit: Count,
  image_matrix_limit: Count,
  video_size_limit: Count,
  video_frame_rate_limit: Count,
  video_matrix_limit: Count,
};
const PollLimits = entity('PollLimits', {
  max_options: Count,
  max_characters_per_option: Count,
  min_expiration: Count,
  max_expiration: Count,
});

/** Entity Instance (reference/entities.tsv). */
export const Instance = entity('Instance', {
  domain: Type.String(),
  title: Type.String(),
  version: Type.String(),
  source_url: Url,
  description: Type.String(),
  wrapstodon: nullable(Type.Integer()),
  usage: Type.Object({ users: Type.Object({ active_month: Count }) }),
  thumbnail: Type.Object({
    url: Url,
    blurhash: Type.String(),
    versions: Type.Record(Type.String(), Url),
    description: nullable(Type.String()),
  }),
  icon: Type.Array(Type.Object({ src: Url, size: Type.String() })),
  languages: Type.Array(Type.String()),
  configuration: Type.Object({
    urls: Type.Object({
      streaming: Url,
      status: nullable(Url),
      about: Url,
      privacy_policy: Url,
      terms_of_service: nullable(Url),
    }),
    vapid: Type.Object({ public_key: Type.String() }),
    accounts: Type.Object({
      max_display_name_length: Count,
      max_note_length: Count,
      max_avatar_description_length: Count,
      max_header_description_length: Count,
      max_featured_tags: Count,
      max_pinned_statuses: Count,
      max_profile_fields: Count,
      profile_field_name_limit: Count,
      profile_field_value_limit: Count,
    }),
    statuses: StatusLimits,
    media_attachments: Type.Object({ ...mediaLimits, description_limit: Count }),
    reactions: Type.Object({ max_reactions: Count }),
    polls: PollLimits,
    translation: Type.Object({ enabled: Type.Boolean() }),
    timelines_access: Type.Object({
      live_feeds: FeedAccess,
      hashtag_feeds: FeedAccess,
      trending_link_feeds: FeedAccess,
    }),
    limited_federation: Type.Boolean(),
  }),
  registrations: Type.Object({
    enabled: Type.Boolean(),
    approval_required: Type.Boolean(),
    reason_required: Type.Boolean(),
    message: nullable(Type.String()),
    min_age: nullable(Count),
    url: nullable(Url),
    fieldfare: Type.Object({
      challenge_url: nullable(
        Type.String({
          description: 'Of the challenge that a sign-up solves to need no approval; null if it needs none',
        }),
      ),
    }),
  }),
  /** `fieldfare` counts the features beyond Mastodon: `fieldfareFeatures`. */
  api_versions: Type.Object({ mastodon: Count, fieldfare: Count }),
  contact: Type.Object({ email: Type.String(), account: nullable(Account) }),
  rules: Type.Array(Rule),
});
export type Instance = Static<typeof Instance>;

/** Entity V1::Instance, for older apps. */
export const InstanceV1 = entity('V1Instance', {
  uri: Type.String({ description: 'A domain' }),
  title: Type.String(),
  short_description: Type.String(),
  description: Type.String(),
  email: Type.String(),
  version: Type.String(),
  urls: Type.Object({ streaming_api: Url }),
  stats: Type.Object({ user_count: Count, status_count: Count, domain_count: Count }),
  thumbnail: Url,
  languages: Type.Array(Type.String()),
  registrations: Type.Boolean(),
  approval_required: Type.Boolean(),
  invites_enabled: Type.Boolean(),
  configuration: Type.Object({
    accounts: Type.Object({ max_featured_tags: Count }),
    statuses: StatusLimits,
    media_attachments: Type.Object(mediaLimits),
    reactions: Type.Object({ max_reactions: Count }),
    polls: PollLimits,
  }),
  contact_account: nullable(Account),
  rules: Type.Array(Rule),
});
export type InstanceV1 = Static<typeof InstanceV1>;

export const ExtendedDescription = entity('ExtendedDescription', {
  updated_at: nullable(Datetime),
  content: Type.String(),
});
export const PrivacyPolicy = entity('PrivacyPolicy', { updated_at: Datetime, content: Type.String() });

export const TermsOfService = entity('TermsOfService', {
  effective_date: Type.String(),
  effective: Type.Boolean(),
  content: Type.String(),
  succeeded_by: nullable(Type.String()),
});

export const Language = entity('Language', { code: Type.String(), name: Type.String() });
export type Language = Static<typeof Language>;

/** `week` is the Unix time of its first second. */
export const InstanceActivity = entity('InstanceActivity', {
  week: CountText,
  statuses: CountText,
  logins: CountText,
  registrations: CountText,
});
export type InstanceActivity = Static<typeof InstanceActivity>;

export const DomainBlock = entity('DomainBlock', {
  domain: Type.String({ description: 'May be partly masked' }),
  digest: Type.String({ description: 'SHA-256 of the unmasked domain, in hexadecimal' }),
  severity: Type.Enum(['silence', 'suspend']),
  comment: nullable(Type.String()),
});
export type DomainBlock = Static<typeof DomainBlock>;
