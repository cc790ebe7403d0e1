import { Type, type Static } from 'typebox';
import { MediaAttachment } from '../media/schema.ts';
import { entity } from '../platform/http/entity.ts';
import { idSchema, uncheckedIdSchema } from '../platform/id-schema.ts';
import { maxThreadPosts, postsInput, ThreadPost } from '../statuses/thread/schema.ts';

const timestamp = Type.String({ format: 'date-time' });

/** A post of a draft. Parameters that were not given are missing. */
const DraftPost = entity('DraftPost', {
  ...ThreadPost.properties,
  media_ids: Type.Array(Type.String(), { description: 'Without files that were deleted or posted meanwhile' }),
  media_attachments: Type.Array(MediaAttachment),
});
export type DraftPost = Static<typeof DraftPost>;

/** A post, or a thread, that its author has not published yet. */
export const Draft = entity('Draft', {
  id: idSchema<'draft'>(),
  version: Type.Integer({ description: 'Raised by each change' }),
  posts: Type.Array(DraftPost),
  in_reply_to_id: Type.Union([Type.String(), Type.Null()]),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Draft = Static<typeof Draft>;

/** The content of a draft; may be incomplete. */
export const draftInput = {
  posts: postsInput(`One post, or a thread of at most ${maxThreadPosts}`),
  in_reply_to_id: Type.Optional(uncheckedIdSchema({ description: 'What the first post replies to' })),
};
