import { defineEvent } from '../platform/write/define-event.ts';
import { Type } from 'typebox';
import { idSchema } from '../platform/id-schema.ts';

const about = Type.Object({
  domain: Type.String(),
  /** The staff member; null for the command line. */
  staffId: Type.Union([idSchema<'account'>(), Type.Null()]),
});

/** Staff changed settings, rules or the terms of service. */
export const siteSettingsChanged = defineEvent(
  'site.settings_changed',
  Type.Object({ names: Type.Array(Type.String()), staffId: Type.Union([idSchema<'account'>(), Type.Null()]) }),
);

/** Staff asked to notify users of the terms of service that apply from `effectiveDate` on. */
export const termsAnnounced = defineEvent(
  'site.terms_announced',
  Type.Object({ effectiveDate: Type.String(), announcedAt: Type.String({ format: 'date-time' }) }),
);

/** A domain was blocked, or its block changed in any respect. */
export const domainBlocked = defineEvent('domain.blocked', about);

/** The block of a domain was removed. */
export const domainUnblocked = defineEvent('domain.unblocked', about);

/** A domain may federate in limited federation mode. */
export const domainAllowed = defineEvent('domain.allowed', about);

/** A domain may no longer federate in limited federation mode. */
export const domainDisallowed = defineEvent('domain.disallowed', about);
