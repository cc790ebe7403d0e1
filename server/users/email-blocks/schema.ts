import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';

/** Entity Admin::EmailDomainBlock (reference/entities.tsv). */
export const AdminEmailDomainBlock = entity('Admin::EmailDomainBlock', {
  id: idSchema<'email-domain-block'>(),
  domain: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  history: Type.Array(
    Type.Object({
      day: Type.String({ description: 'Unix time of its begin in UTC, in seconds' }),
      accounts: Type.String({ description: 'Number of IP addresses' }),
      uses: Type.String({ description: 'Number of sign-ups that the block caught' }),
    }),
    { description: 'The last seven days, latest first' },
  ),
  allow_with_approval: Type.Boolean({ description: 'Sign-ups wait for approval instead of being refused' }),
});
export type AdminEmailDomainBlock = Static<typeof AdminEmailDomainBlock>;

/** Entity Admin::CanonicalEmailBlock (reference/entities.tsv). */
export const AdminCanonicalEmailBlock = entity('Admin::CanonicalEmailBlock', {
  id: idSchema<'canonical-email-block'>(),
  canonical_email_hash: Type.String({ description: 'SHA-256 of the canonical address in hexadecimal' }),
});
export type AdminCanonicalEmailBlock = Static<typeof AdminCanonicalEmailBlock>;
