import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { Tag } from '../schema.ts';

/** A hashtag with what staff decided about it (Admin::Tag). */
export const AdminTag = entity('AdminTag', {
  ...Tag.properties,
  trendable: Type.Boolean(),
  usable: Type.Boolean(),
  listable: Type.Boolean({ description: 'Shown in search and suggestions' }),
  requires_review: Type.Boolean({ description: 'Staff have not decided yet' }),
});
export type AdminTag = Static<typeof AdminTag>;
