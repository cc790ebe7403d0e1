import { Type, type Static } from 'typebox';
import type { Config } from '../platform/config.ts';
import type { FieldName } from '../platform/i18n/field-label.ts';
import { locales } from '../platform/i18n/locales.ts';
import { defaultExtendedDescription, defaultPrivacyPolicy } from './default-texts.ts';

const Audience = Type.Enum(['disabled', 'users', 'all']);

/** Who may view a part of a timeline; `disabled`: only roles with the permission view_feeds. */
const FeedAudience = Type.Enum(['public', 'authenticated', 'disabled']);

/** Ten years. */
export const maxRetentionDays = 3_650;

/** Age at which something is deleted, in days; 0: never. */
const RetentionDays = Type.Integer({ minimum: 0, maximum: maxRetentionDays });

/** Schemas of the settings. Lengths are in characters as JSON Schema counts them. */
export const settingSchemas = {
  title: Type.String({ minLength: 1, maxLength: 100 }),
  /** One or two sentences of plain text (reference/limits.tsv: site short description). */
  description: Type.String({ maxLength: 200 }),
  /** Safe HTML. */
  extendedDescription: Type.String({ maxLength: 100_000 }),
  /** Safe HTML. */
  privacyPolicy: Type.String({ maxLength: 100_000 }),
  contactEmail: Type.String({ maxLength: 320, pattern: '^$|^[^@\\s]+@[^@\\s]+$' }),
  /** Local account to contact; empty for none. */
  contactUsername: Type.String({ maxLength: 30, pattern: '^[A-Za-z0-9_]*$' }),
  registrations: Type.Enum(['open', 'approval', 'closed']),
  /** How long a browser computes before a sign-up that staff need not approve (docs/moderation.md). */
  signUpProofOfWork: Type.Enum(['off', 'easy', 'medium', 'hard']),
  /** Safe HTML, shown while registrations are not open; empty for none. */
  registrationsMessage: Type.String({ maxLength: 5_000 }),
  /** Main languages of the server. */
  languages: Type.Array(Type.String({ maxLength: 20 }), { minItems: 1, maxItems: 50 }),
  /** Language of texts for readers without a preference, and of new users. */
  defaultLanguage: Type.Enum([...locales]),
  /** Handles of accounts that are suggested to every user, in this order. */
  suggestedAccounts: Type.Array(Type.String({ maxLength: 320 }), { maxItems: 30 }),
  /** Whether hashtags, posts and links that staff approved are shown as trends. */
  showTrends: Type.Boolean(),
  /** Whether users can have annual reports in December. */
  annualReports: Type.Boolean(),
  /** Whether people without an account may subscribe to posts by e-mail, where the role and the author permit it. */
  emailSubscriptions: Type.Boolean(),
  /** Whether the list of known servers is public. */
  showPeers: Type.Boolean(),
  /** Whether the weekly activity is public. */
  showActivity: Type.Boolean(),
  /** Who can see the list of blocked servers. */
  showDomainBlocks: Audience,
  /** Who can see the reasons of these blocks. */
  showDomainBlockReasons: Audience,
  /** Who may view local posts in the public timelines. */
  localLiveFeedAccess: FeedAudience,
  /** Who may view remote posts in the public timelines. */
  remoteLiveFeedAccess: FeedAudience,
  /** Who may view local posts in the timelines of hashtags and links. Cannot be disabled, as in Mastodon. */
  localTopicFeedAccess: Type.Enum(['public', 'authenticated']),
  /** Who may view remote posts in the timelines of hashtags and links. */
  remoteTopicFeedAccess: FeedAudience,
  /** Age of public remote posts that no local user needs. */
  remotePostRetentionDays: RetentionDays,
  /** Age of the last edit of a remote post, after which its earlier versions are deleted. */
  remoteEditRetentionDays: RetentionDays,
  /** Time since the last view of a remote file in the cache. */
  remoteMediaRetentionDays: RetentionDays,
  notificationRetentionDays: RetentionDays,
  /** Stylesheet that pages load after their own; empty for none. */
  customCss: Type.String({ maxLength: 100_000 }),
  /** URL of the source code of this server with its modifications (the AGPL requires it). */
  sourceUrl: Type.String({ maxLength: 2_000, pattern: '^https?://' }),
};

export type SettingName = keyof typeof settingSchemas;
export type StoredSettings = { readonly [Name in SettingName]: Static<(typeof settingSchemas)[Name]> };

/** Settings whose value is safe HTML. */
export const htmlSettings: ReadonlySet<string> = new Set<SettingName>([
  'extendedDescription',
  'privacyPolicy',
  'registrationsMessage',
]);

/** Names of the settings in the API. */
export const settingParameters: Readonly<Record<SettingName, FieldName>> = {
  title: 'title',
  description: 'description',
  extendedDescription: 'extended_description',
  privacyPolicy: 'privacy_policy',
  contactEmail: 'contact_email',
  contactUsername: 'contact_username',
  registrations: 'registrations',
  signUpProofOfWork: 'sign_up_proof_of_work',
  registrationsMessage: 'registrations_message',
  languages: 'languages',
  defaultLanguage: 'default_language',
  suggestedAccounts: 'suggested_accounts',
  showTrends: 'show_trends',
  annualReports: 'annual_reports',
  emailSubscriptions: 'email_subscriptions',
  showPeers: 'show_peers',
  showActivity: 'show_activity',
  showDomainBlocks: 'show_domain_blocks',
  showDomainBlockReasons: 'show_domain_block_reasons',
  localLiveFeedAccess: 'local_live_feed_access',
  remoteLiveFeedAccess: 'remote_live_feed_access',
  localTopicFeedAccess: 'local_topic_feed_access',
  remoteTopicFeedAccess: 'remote_topic_feed_access',
  remotePostRetentionDays: 'remote_post_retention_days',
  remoteEditRetentionDays: 'remote_edit_retention_days',
  remoteMediaRetentionDays: 'remote_media_retention_days',
  notificationRetentionDays: 'notification_retention_days',
  customCss: 'custom_css',
  sourceUrl: 'source_url',
};

/** The current settings. */
export interface SiteSettings extends StoredSettings {
  /** When staff last changed the extended description; null for the default text. */
  readonly extendedDescriptionUpdatedAt: Date | null;
  /** When staff last changed the privacy policy; null for the default text. */
  readonly privacyPolicyUpdatedAt: Date | null;
}

/** Returns the default settings. */
export function defaultSettings(config: Config): StoredSettings {
  return {
    title: config.domain,
    description: 'A place to post, read and meet people, connected to many other servers.',
    extendedDescription: defaultExtendedDescription,
    privacyPolicy: defaultPrivacyPolicy,
    contactEmail: '',
    contactUsername: '',
    registrations: config.REGISTRATIONS,
    signUpProofOfWork: 'off',
    registrationsMessage: '',
    languages: ['en'],
    defaultLanguage: locales[0],
    suggestedAccounts: [],
    showTrends: true,
    annualReports: true,
    emailSubscriptions: false,
    showPeers: true,
    showActivity: true,
    showDomainBlocks: 'disabled',
    showDomainBlockReasons: 'disabled',
    localLiveFeedAccess: 'public',
    remoteLiveFeedAccess: 'public',
    localTopicFeedAccess: 'public',
    remoteTopicFeedAccess: 'public',
    remotePostRetentionDays: 0,
    remoteEditRetentionDays: 0,
    remoteMediaRetentionDays: 0,
    notificationRetentionDays: 365,
    customCss: '',
    sourceUrl: 'https://github.com/fieldfare/fieldfare',
  };
}
