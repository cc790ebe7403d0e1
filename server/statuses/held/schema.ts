import { Type, type Static } from 'typebox';
import { Account } from '../../accounts/schema.ts';
import { MediaAttachment } from '../../media/schema.ts';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { Visibility } from '../schema.ts';

const instant = Type.String({ format: 'date-time' });

export const HeldPostStateInput = Type.Enum(['pending', 'approved', 'rejected']);

/** A post that a moderation rule holds until staff decide about it. */
export const HeldPost = entity('HeldPost', {
  id: idSchema<'status'>(),
  state: HeldPostStateInput,
  thread_id: Type.Union([idSchema<'status'>(), Type.Null()], {
    description: 'The first post of the thread that is decided as a whole; null for a single post',
  }),
  status_id: Type.Union([idSchema<'status'>(), Type.Null()], { description: 'The published post' }),
  created_at: instant,
  decided_at: Type.Union([instant, Type.Null()]),
  account: Account,
  uri: Type.Union([Type.String(), Type.Null()], { description: 'Of a remote post' }),
  text: Type.String({ description: 'As typed; empty for a remote post' }),
  content: Type.String({ description: 'Safe HTML' }),
  spoiler_text: Type.String(),
  sensitive: Type.Boolean(),
  visibility: Visibility,
  local_only: Type.Boolean(),
  language: Type.Union([Type.String(), Type.Null()]),
  in_reply_to_id: Type.Union([idSchema<'status'>(), Type.Null()]),
  media_attachments: Type.Array(MediaAttachment, { description: 'Of a local post' }),
  remote_media: Type.Array(Type.Object({ url: Type.String(), description: Type.Union([Type.String(), Type.Null()]) })),
  poll_options: Type.Array(Type.String()),
});
export type HeldPost = Static<typeof HeldPost>;
