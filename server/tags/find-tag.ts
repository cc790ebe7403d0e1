import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { TagId } from '../platform/ids.ts';
import { normalizeTag } from '../text/index.ts';

export interface TagRow {
  readonly id: TagId;
  /** Normalised. */
  readonly name: string;
  /** As first written. */
  readonly display_name: string;
}

/** Returns the hashtags with these normalised names, in no particular order. */
export const findTagsByName = preparedQuery<TagRow>()((db, { names }: { names: readonly string[] }) =>
  db
    .selectFrom('tags')
    .select(['id', 'name', 'display_name'])
    .where(sql<boolean>`name = any(${names}::text[])`),
);

/** Returns the hashtag with this name in any spelling, with or without `#`. */
export async function findTag(app: App, name: string): Promise<TagRow | undefined> {
  return (await findTagsByName(app, { names: [normalizeTag(name)] }))[0];
}

const tagById = preparedQuery<TagRow>()((db, { id }: { id: TagId }) =>
  db
    .selectFrom('tags')
    .select(['id', 'name', 'display_name'])
    .where('id', '=', sql<TagId>`${id}::bigint`),
);

export async function findTagById(app: App, id: TagId): Promise<TagRow | undefined> {
  return (await tagById(app, { id }))[0];
}
