import { Type, type Static } from 'typebox';
import { Account } from '../../accounts/schema.ts';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { Role } from '../../users/access/schema.ts';

const instant = Type.String({ format: 'date-time' });
const ofUser = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()], { description: 'Null for a remote account' });

/** An address that a user signed in or used a token from. */
export const AdminIp = entity('Admin::Ip', { ip: Type.String(), used_at: instant });

/** An account as staff see it (reference/entities.tsv). */
export const AdminAccount = entity('Admin::Account', {
  id: idSchema<'account'>(),
  username: Type.String(),
  domain: Type.Union([Type.String(), Type.Null()]),
  created_at: instant,
  email: ofUser(Type.String()),
  ip: Type.Union([Type.String(), Type.Null()], { description: 'The most recent of `ips`' }),
  ips: ofUser(Type.Array(AdminIp)),
  locale: ofUser(Type.String()),
  invite_request: Type.Union([Type.String(), Type.Null()]),
  role: ofUser(Role),
  confirmed: ofUser(Type.Boolean()),
  approved: ofUser(Type.Boolean()),
  disabled: ofUser(Type.Boolean()),
  sensitized: Type.Boolean(),
  silenced: Type.Boolean(),
  suspended: Type.Boolean(),
  account: Account,
  unconfirmed_email: Type.Optional(
    Type.String({ description: 'The address that replaces the other one once it is confirmed' }),
  ),
  lacks_proof_of_work: Type.Optional(
    Type.Boolean({ description: 'True if staff asked for a proof of work at the sign-up and it had none' }),
  ),
  created_by_application_id: Type.Optional(idSchema<'application'>()),
  invited_by_account_id: Type.Optional(idSchema<'account'>()),
});
export type AdminAccount = Static<typeof AdminAccount>;
