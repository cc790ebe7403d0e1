import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { abortableQuery } from '../platform/database/prepared-query.ts';
import { idFromDate, type AccountId } from '../platform/ids.ts';
import { ownTagIds, tagHasPublicPost } from '../hashtags/visibility/index.ts';
import { isTagName, normalizeTag } from '../text/index.ts';

/** One page of a search for hashtags. */
export interface TagSearch {
  /** The beginning of a name, with or without `#`. */
  readonly text: string;
  /** Only a hashtag of exactly this name. */
  readonly exact: boolean;
  /** Excludes hashtags that moderators have not reviewed. */
  readonly onlyReviewed: boolean;
  /** Also finds what only this account knows. */
  readonly viewerId: AccountId | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly signal: AbortSignal;
}

interface Args {
  readonly from: string;
  /** Exclusive. */
  readonly end: string;
  readonly onlyReviewed: boolean;
  /** The first status id of the time that counts. */
  readonly since: string;
  readonly viewerId: AccountId | null;
  readonly limit: number;
  readonly offset: number;
}

const useDays = 7;
const dayMs = 86_400_000;
/** Maximum number of hashtags to rank: of the shortest with the prefix, and of those that trend. */
const maxShort = 200;
const maxTrending = 50;
/** Maximum number of uses that are counted: enough to tell popular hashtags from others. */
const maxUses = 100;

const isWanted = ({ from, end, onlyReviewed }: Args) => sql`
  name ~>=~ ${from}::text and name ~<~ ${end}::text and (listable or name = ${from}::text)
  and (not ${onlyReviewed}::boolean or reviewed_at is not null)`;

/** The operators compare bytes, like the prefix index. */
const tagsByPrefix = abortableQuery<{ name: string }>()((db, args: Args) => ({
  compile: () =>
    sql<{ name: string }>`
      with candidates as (
        (select id from tags where ${isWanted(args)} and (was_public or reviewed_at is not null)
         order by char_length(name), name limit ${sql.lit(maxShort)})
        union
        (select id from trends join tags on tags.id = subject_id where kind = 'tag' and ${isWanted(args)}
         order by score desc limit ${sql.lit(maxTrending)})
      ), found as (
        (select id, name from tags
         where id in (select id from candidates) and (reviewed_at is not null or (${tagHasPublicPost})))
        union
        (select id, name from tags where id in (${ownTagIds(args.viewerId)}) and ${isWanted(args)})
      )
      select found.name from found cross join lateral (
        select count(*) as count from (
          select from status_tags st where st.tag_id = found.id and st.status_id >= ${args.since}::bigint
          limit ${sql.lit(maxUses)}) recent) uses
      order by found.name = ${args.from}::text desc, uses.count desc, char_length(found.name), found.name
      limit ${args.limit}::int offset ${args.offset}::int`.compile(db),
}));

/**
 * Returns the names of hashtags that begin with the text and that the viewer may know: the exact match first, then by their uses in the last seven days,
 * then by length. If very many hashtags begin with it, only the shortest and those that trend are compared.
 */
export async function searchTags(
  app: App,
  { text, exact, limit, signal, viewerId, ...search }: TagSearch,
): Promise<string[]> {
  const from = normalizeTag(text.trim());
  if (limit === 0 || !isTagPrefix(from)) return [];
  const since = idFromDate(new Date(app.clock.now().getTime() - useDays * dayMs));
  // Of exactly this name, not of a longer one: short prefixes have very many.
  const end = exact ? `${from}\u{1}` : `${from}\u{10ffff}`;
  const rows = await tagsByPrefix(app, { ...search, viewerId: viewerId ?? null, from, end, since, limit }, signal);
  return rows.map(({ name }) => name);
}

/** A prefix of a name may have only digits, which a name may not. */
const isTagPrefix = (text: string): boolean => isTagName(`${text}a`);
