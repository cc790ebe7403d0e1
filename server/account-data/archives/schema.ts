import { Type, type Static } from 'typebox';
import type { Id } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';

export type ArchiveId = Id<'archive'>;

/** Only a `ready` archive has a file to download. */
export const archiveStates = ['waiting', 'building', 'ready', 'failed', 'expired', 'deleted'] as const;
export type ArchiveState = (typeof archiveStates)[number];

/** Why there is no file: this server failed repeatedly, or the account is suspended. */
export const archiveProblems = ['failed', 'suspended'] as const;
export type ArchiveProblem = (typeof archiveProblems)[number];

const time = Type.String({ format: 'date-time' });
const optionalTime = Type.Union([time, Type.Null()]);

export const Archive = Type.Object(
  {
    id: idSchema<'archive'>(),
    state: Type.Enum([...archiveStates]),
    posts_written: Type.Integer({ description: 'Posts and boosts that are in the archive so far' }),
    posts_total: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Posts and boosts of the account when the archive was begun; null before',
    }),
    size: Type.Union([Type.Integer(), Type.Null()], { description: 'Bytes of the file' }),
    problem: Type.Union([Type.Enum([...archiveProblems]), Type.Null()]),
    requested_at: time,
    finished_at: optionalTime,
    expires_at: Type.Union([time, Type.Null()], { description: 'Until when the file can be downloaded' }),
    next_request_at: Type.Union([time, Type.Null()], {
      description: 'When the next archive can be requested; null if this one does not limit it',
    }),
  },
  { title: 'Archive', additionalProperties: false },
);
export type Archive = Static<typeof Archive>;
