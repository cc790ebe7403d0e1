import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';

const instant = Type.String({ format: 'date-time' });

/** A role as staff manage it. `Role` is what apps see of it. */
export const AdminRole = entity('Fieldfare::Admin::Role', {
  id: idSchema<'role'>(),
  name: Type.String({ description: 'Empty for the role of every user' }),
  color: Type.String({ description: 'Hexadecimal with #, or empty' }),
  position: Type.Integer({ description: 'Staff act on users and roles below their own position' }),
  permissions: Type.Array(Type.String(), { description: 'Names, without those of the role of every user' }),
  highlighted: Type.Boolean({ description: 'Whether profiles show it as a badge' }),
  collection_limit: Type.Integer(),
  require_two_factor: Type.Boolean(),
  require_two_factor_from: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
    description: 'The day from whose start, in UTC, a second factor is required; null: it is already',
  }),
  created_at: instant,
  updated_at: instant,
});
export type AdminRole = Static<typeof AdminRole>;
