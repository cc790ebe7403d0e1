import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';

/** A folder of bookmarks. Only its owner sees it. */
export const BookmarkFolder = entity('BookmarkFolder', {
  id: idSchema<'bookmark-folder'>(),
  name: Type.String(),
  position: Type.Integer({ description: 'Place among the folders, from 0' }),
});
export type BookmarkFolder = Static<typeof BookmarkFolder>;
