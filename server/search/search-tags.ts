import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { isTagName, normalizeTag } from '../text/index.ts';

/** One page of a search for hashtags. */
export interface TagSearch {
  /** The beginning of a name, with or without `#`. */
  readonly text: string;
  /** Only a hashtag of exactly this name. */
  readonly exact: boolean;
  /** Leaves out what staff have not looked at. */
  readonly onlyReviewed: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** The operators compare bytes, as the index on the beginnings of names does. */
const tagsByPrefix = preparedQuery<{ name: string }>()(
  (db, args: { from: string; end: string; exact: boolean; onlyReviewed: boolean; limit: number; offset: number }) => ({
    compile: () =>
      sql<{ name: string }>`
        select name from tags
        where name ~>=~ ${args.from}::text and name ~<~ ${args.end}::text
          and (listable or name = ${args.from}::text)
          and (not ${args.exact}::boolean or name = ${args.from}::text)
          and (not ${args.onlyReviewed}::boolean or reviewed_at is not null)
        order by name = ${args.from}::text desc, char_length(name), name
        limit ${args.limit}::int offset ${args.offset}::int`.compile(db),
  }),
);

/** The names of the hashtags that begin with a text, the same one first, then from short to long. */
export async function searchTags(app: App, { text, limit, ...search }: TagSearch): Promise<string[]> {
  const from = normalizeTag(text.trim());
  if (limit === 0 || !isTagPrefix(from)) return [];
  return (await tagsByPrefix(app, { ...search, from, end: `${from}\u{10ffff}`, limit })).map(({ name }) => name);
}

/** A beginning may be less than a name: only digits. */
const isTagPrefix = (text: string): boolean => isTagName(`${text}a`);
