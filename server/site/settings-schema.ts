import { Type, type Static } from 'typebox';
import type { Config } from '../platform/config.ts';
import { defaultExtendedDescription, defaultPrivacyPolicy } from './default-texts.ts';

const Audience = Type.Enum(['disabled', 'users', 'all']);

/** What may be stored, by name. Lengths are in characters as JSON Schema counts them. */
export const settingSchemas = {
  title: Type.String({ minLength: 1, maxLength: 100 }),
  /** One plain sentence or two (limits.tsv: site short description). */
  description: Type.String({ maxLength: 200 }),
  /** Safe HTML. */
  extendedDescription: Type.String({ maxLength: 100_000 }),
  /** Safe HTML. */
  privacyPolicy: Type.String({ maxLength: 100_000 }),
  contactEmail: Type.String({ maxLength: 320, pattern: '^$|^[^@\\s]+@[^@\\s]+$' }),
  /** Account of this server whom people may ask; empty for none. */
  contactUsername: Type.String({ maxLength: 30, pattern: '^[A-Za-z0-9_]*$' }),
  registrations: Type.Enum(['open', 'approval', 'closed']),
  /** Safe HTML, shown while people cannot simply sign up; empty for none. */
  registrationsMessage: Type.String({ maxLength: 5_000 }),
  /** Languages of the server's own people. */
  languages: Type.Array(Type.String({ maxLength: 20 }), { minItems: 1, maxItems: 50 }),
  /** Whether anybody may ask which other servers are known. */
  showPeers: Type.Boolean(),
  /** Whether anybody may ask how much happens here. */
  showActivity: Type.Boolean(),
  /** Who sees which servers are blocked. */
  showDomainBlocks: Audience,
  /** Who sees the reasons of these blocks. */
  showDomainBlockReasons: Audience,
  /** Where the source code of this server, with the changes made to it, is found (the licence asks for it). */
  sourceUrl: Type.String({ maxLength: 2_000, pattern: '^https?://' }),
};

export type SettingName = keyof typeof settingSchemas;
export type StoredSettings = { readonly [Name in SettingName]: Static<(typeof settingSchemas)[Name]> };

/** The settings as they hold now. */
export interface SiteSettings extends StoredSettings {
  /** When staff last wrote the extended description; null while the stock text stands. */
  readonly extendedDescriptionUpdatedAt: Date | null;
  /** When staff last wrote the privacy policy; null while the stock text stands. */
  readonly privacyPolicyUpdatedAt: Date | null;
}

/** What holds until staff decide otherwise. */
export function defaultSettings(config: Config): StoredSettings {
  return {
    title: config.domain,
    description: 'A place to write, read and meet people, connected to many other servers.',
    extendedDescription: defaultExtendedDescription,
    privacyPolicy: defaultPrivacyPolicy,
    contactEmail: '',
    contactUsername: '',
    registrations: config.REGISTRATIONS,
    registrationsMessage: '',
    languages: ['en'],
    showPeers: true,
    showActivity: true,
    showDomainBlocks: 'disabled',
    showDomainBlockReasons: 'disabled',
    sourceUrl: 'https://github.com/fieldfare/fieldfare',
  };
}
