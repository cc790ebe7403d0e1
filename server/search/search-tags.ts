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
  /** Excludes hashtags that moderators have not reviewed. */
  readonly onlyReviewed: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** The operators compare bytes, like the prefix index. */
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

/** Returns the names of hashtags that begin with the text: the exact match first, then by length. */
export async function searchTags(app: App, { text, limit, ...search }: TagSearch): Promise<string[]> {
  const from = normalizeTag(text.trim());
  if (limit === 0 || !isTagPrefix(from)) return [];
  return (await tagsByPrefix(app, { ...search, from, end: `${from}\u{10ffff}`, limit })).map(({ name }) => name);
}

/** A prefix of a name may have only digits, which a name may not. */
const isTagPrefix = (text: string): boolean => isTagName(`${text}a`);
