import { Type, type Static } from 'typebox';
import type { Id } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';

export type ImportId = Id<'import'>;

/** Lines that could not be imported and are kept with an import. */
export const maxFailures = 100;

/** What can be imported. The names are those of exports. */
export const importTypes = ['following', 'blocks', 'mutes', 'domain_blocks', 'lists', 'bookmarks'] as const;
export const ImportType = Type.Enum(importTypes);
export type ImportType = (typeof importTypes)[number];

/** `removing`: what the file does not list is removed, when it replaces everything. */
export const importStates = ['unconfirmed', 'removing', 'adding', 'finished'] as const;
export type ImportState = (typeof importStates)[number];

/**
 * Why a line was not imported: it is no address; there is no such account or post; its server did not answer; it is not
 * allowed, such as a follow of an account that blocks the user or a follow too many; or this server failed.
 */
export const importProblems = ['invalid', 'not_found', 'unreachable', 'refused', 'failed'] as const;
export type ImportProblem = (typeof importProblems)[number];

export const Import = Type.Object(
  {
    id: idSchema<'import'>(),
    type: ImportType,
    mode: Type.Enum(['merge', 'overwrite']),
    state: Type.Enum([...importStates]),
    total_count: Type.Integer({ description: 'Lines of the file, without repetitions' }),
    imported_count: Type.Integer(),
    failed_count: Type.Integer(),
    removed_count: Type.Integer({ description: 'Entries that the file does not list and that were removed' }),
    to_remove_count: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Entries that would be removed, while an import that overwrites is not confirmed',
    }),
    failures: Type.Array(
      Type.Object({ line: Type.Integer(), target: Type.String(), problem: Type.Enum([...importProblems]) }),
      { description: `The first ${maxFailures} lines that could not be imported` },
    ),
    created_at: Type.String({ format: 'date-time' }),
    finished_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  },
  { title: 'Import', additionalProperties: false },
);
export type Import = Static<typeof Import>;
