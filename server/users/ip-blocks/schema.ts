import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';

export const IpSeverity = Type.Enum(['sign_up_requires_approval', 'sign_up_block', 'no_access'], {
  description: 'no_access refuses every request',
});

/** Entity Admin::IpBlock (reference/entities.tsv). */
export const AdminIpBlock = entity('Admin::IpBlock', {
  id: idSchema<'ip-block'>(),
  ip: Type.String({ description: 'A network, such as 192.0.2.0/24' }),
  severity: IpSeverity,
  comment: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
});
export type AdminIpBlock = Static<typeof AdminIpBlock>;
