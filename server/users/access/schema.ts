import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';

/** A role in the API (reference/entities.tsv). */
export const Role = entity('Role', {
  id: Type.String(),
  name: Type.String(),
  color: Type.String(),
  /** Bit mask as decimal text, including the permissions of every user. That of administrators has all bits. */
  permissions: Type.String(),
  highlighted: Type.Boolean(),
  collection_limit: Type.Integer(),
});
export type Role = Static<typeof Role>;
