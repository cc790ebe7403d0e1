import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';

export const severity = Type.Union([Type.Literal('noop'), Type.Literal('silence'), Type.Literal('suspend')]);
const comment = Type.Union([Type.String(), Type.Null()]);

/** A limited or blocked domain, for staff. */
export const AdminDomainBlock = entity('Admin::DomainBlock', {
  id: idSchema<'row'>(),
  domain: Type.String(),
  digest: Type.String({ description: 'SHA-256 of the domain, in hexadecimal' }),
  created_at: Type.String({ format: 'date-time' }),
  severity,
  reject_media: Type.Boolean(),
  reject_reports: Type.Boolean(),
  private_comment: comment,
  public_comment: comment,
  obfuscate: Type.Boolean(),
});
export type AdminDomainBlock = Static<typeof AdminDomainBlock>;

/** A domain that may federate in limited federation mode. */
export const AdminDomainAllow = entity('Admin::DomainAllow', {
  id: idSchema<'row'>(),
  domain: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
});
export type AdminDomainAllow = Static<typeof AdminDomainAllow>;
