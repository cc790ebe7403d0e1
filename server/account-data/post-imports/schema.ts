import { Type, type Static } from 'typebox';
import type { Id } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';

export type PostImportId = Id<'post-import'>;

/**
 * `reading`: the file is read. `unconfirmed`: it waits for the user. `adding`: its posts are added. `undoing`: they are
 * deleted again, and then the import itself.
 */
export const postImportStates = ['reading', 'unconfirmed', 'adding', 'finished', 'failed', 'undoing'] as const;
export type PostImportState = (typeof postImportStates)[number];

/**
 * Why nothing can be imported: the file is damaged, or unpacks to more than the quota permits; it has no posts, or too many;
 * the account is suspended; or a file does not name its server, and the user did not either.
 */
export const postImportProblems = [
  'damaged',
  'too_large',
  'no_posts',
  'too_many_posts',
  'suspended',
  'no_origin',
] as const;
export type PostImportProblem = (typeof postImportProblems)[number];

const count = (description: string) => Type.Integer({ description });
const time = Type.String({ format: 'date-time' });

export const PostImport = Type.Object(
  {
    id: idSchema<'post-import'>(),
    state: Type.Enum([...postImportStates]),
    problem: Type.Union([Type.Enum([...postImportProblems]), Type.Null()]),
    actor: Type.Union([Type.String(), Type.Null()], {
      description: 'ActivityPub id of the account whose posts they are; null: the file does not name it',
    }),
    own_account: Type.Boolean({
      description:
        'Whether that is this account or one of its aliases; otherwise it must be confirmed as `other_account`',
    }),
    posts_count: count('Posts of the file that can be imported, without direct ones'),
    direct_count: count('Direct posts of the file'),
    boosts_count: count('Boosts, which are left out'),
    invalid_count: count('What is no post of that account, or has no valid date, and is left out'),
    files_count: count('Media files that the posts name'),
    bookmarks_count: count('Bookmarked posts in the file'),
    likes_count: count('Favourited posts in the file'),
    imported_count: count('Posts that were added so far'),
    known_count: count('Posts that were here already, so far'),
    refused_count: count('Posts that this server does not accept, so far'),
    missing_files_count: count(
      'Media files that could not be added so far: they are neither in the file nor at their address, no media, or exceed the quota',
    ),
    created_at: time,
    finished_at: Type.Union([time, Type.Null()]),
  },
  { title: 'PostImport', additionalProperties: false },
);
export type PostImport = Static<typeof PostImport>;
