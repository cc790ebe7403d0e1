import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { splitList, batchedQuery, joinList } from '../platform/database/batched-query.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, StatusId, TagId } from '../platform/ids.ts';
import { filterVisibleStatuses } from '../statuses/index.ts';
import { normalizeTag } from '../text/index.ts';
import { fillPage, type FilledPage } from './fill-page.ts';
import { maxId } from './follow-graph.ts';
import type { PublicTimelineFilter } from './public-timeline.ts';

/** Further hashtags of a hashtag timeline; of each list the first four count. */
export interface TagTimelineFilter extends PublicTimelineFilter {
  readonly any: readonly string[];
  readonly all: readonly string[];
  readonly none: readonly string[];
}

const maxAdditionalTags = 4;

interface FilterTagIds {
  readonly any: readonly TagId[];
  readonly all: readonly TagId[];
  readonly none: readonly TagId[];
}

interface TagTimelineArgs {
  /** Lists of hashtags (`listOf`). */
  readonly any: string;
  readonly all: string;
  readonly none: string;
  /** Null: of both. */
  readonly local: boolean | null;
  readonly onlyMedia: boolean;
  readonly bound: StatusId;
  readonly count: number;
}

const types = {
  any: 'text',
  all: 'text',
  none: 'text',
  local: 'boolean',
  onlyMedia: 'boolean',
  bound: 'bigint',
  count: 'int',
} as const;

const statement = (direction: 'asc' | 'desc') =>
  batchedQuery<{ id: StatusId }>()<TagTimelineArgs>(types, (args) => {
    const order = sql.raw(direction);
    const beyond = direction === 'asc' ? sql`st.status_id > ` : sql`st.status_id < `;
    // One ordered walk a tag, then their union: an ordered walk over several tags at once would have to sort them all.
    return sql`
      select distinct found.id from unnest(${splitList(args.any, 'bigint')}) wanted (tag_id)
      cross join lateral (
        select s.id from status_tags st join statuses s on s.id = st.status_id
        where st.tag_id = wanted.tag_id and ${beyond} ${args.bound}
          and s.visibility = 'public' and s.reblog_of_id is null and s.deleted_at is null
          and (${args.local} is null or s.local = ${args.local})
          and (s.has_media or not ${args.onlyMedia})
          and not exists (
            select 1 from unnest(${splitList(args.all, 'bigint')}) needed (tag_id)
            where not exists (
              select 1 from status_tags x where x.tag_id = needed.tag_id and x.status_id = s.id))
          and not exists (
            select 1 from status_tags x
            where x.tag_id = any(${splitList(args.none, 'bigint')}) and x.status_id = s.id)
        order by st.status_id ${order} limit ${args.count}
      ) found
      order by found.id ${order} limit ${args.count}`;
  });

const statements = { asc: statement('asc'), desc: statement('desc') };

const tagIdRows = preparedQuery<{ id: TagId; name: string }>()((db, { names }: { names: readonly string[] }) =>
  db
    .selectFrom('tags')
    .select(['id', 'name'])
    .where('name', '=', sql<string>`any(${names}::text[])`),
);

/** A page of the public posts with a hashtag, replies included; an unknown hashtag has none. */
export async function loadTagTimeline(
  app: App,
  viewerId: AccountId | undefined,
  { tag, choice, page }: { tag: string; choice: TagTimelineFilter; page: Page },
): Promise<FilledPage<StatusId>> {
  const tags = await resolveFilterTags(app, tag, choice);
  if (tags === undefined) return { ids: [], first: undefined, last: undefined };
  const lists = { any: joinList(tags.any), all: joinList(tags.all), none: joinList(tags.none) };
  const local = choice.local ? true : choice.remote ? false : null;
  // To find few posts among many may take long.
  const alone = local !== null || choice.onlyMedia === true || lists.all !== '' || lists.none !== '';
  return fillPage<StatusId>(
    page,
    async (from, ascending) => {
      const bound = from ?? (ascending ? ('0' as StatusId) : maxId);
      const range = { local, onlyMedia: choice.onlyMedia ?? false, bound, count: page.limit };
      const rows = await statements[ascending ? 'asc' : 'desc'](app, { ...lists, ...range }, { unbatched: alone });
      const ids = rows.map(({ id }) => id);
      return { ids, next: ids.length === page.limit ? ids.at(-1) : undefined };
    },
    (ids) => filterVisibleStatuses(app, viewerId, ids, 'public'),
  );
}

/** Undefined when nothing can match: the hashtag, or one that every post must have, is unknown. */
async function resolveFilterTags(app: App, tag: string, choice: TagTimelineFilter): Promise<FilterTagIds | undefined> {
  const any = [normalizeTag(tag), ...choice.any.slice(0, maxAdditionalTags).map(normalizeTag)];
  const all = choice.all.slice(0, maxAdditionalTags).map(normalizeTag);
  const none = choice.none.slice(0, maxAdditionalTags).map(normalizeTag);
  const rows = await tagIdRows(app, { names: [...any, ...all, ...none] });
  const idByName = new Map(rows.map(({ name, id }) => [name, id]));
  const knownIds = (names: string[]): TagId[] => names.flatMap((name) => idByName.get(name) ?? []);
  const tags = { any: knownIds(any), all: knownIds(all), none: knownIds(none) };
  return tags.any.length === 0 || tags.all.length < all.length ? undefined : tags;
}
