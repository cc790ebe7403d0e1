import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { splitList, batchedQuery, joinList } from '../../platform/database/batched-query.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId, StatusId, TagId } from '../../platform/ids.ts';
import { filterVisibleStatuses, presentStatuses } from '../../statuses/read/index.ts';
import { normalizeTag } from '../../text/index.ts';
import { PageFiller, type CandidateBatch, type Cursor } from './page-filler.ts';
import type { PublicTimelineFilter } from './public-timeline.ts';
import type { Timeline } from './timeline.ts';

/** Names of further hashtags: at least one of `any` or the hashtag itself, each of `all`, none of `none`. */
export interface TagTimelineFilter extends PublicTimelineFilter {
  readonly any: readonly string[];
  readonly all: readonly string[];
  readonly none: readonly string[];
}

/** Names of each list that count. */
const maxAdditionalTags = 4;

interface FilterTagIds {
  readonly any: readonly TagId[];
  readonly all: readonly TagId[];
  readonly none: readonly TagId[];
}

/** Returns a page of the public statuses with a hashtag, replies included; an empty one for an unknown hashtag. */
export async function loadTagTimeline(
  app: App,
  viewer: { readonly accountId: AccountId } | undefined,
  { tag, filter, page }: { tag: string; filter: TagTimelineFilter; page: Page },
): Promise<Timeline> {
  const tagIds = await resolveFilterTags(app, tag, filter);
  if (tagIds === undefined) return { statuses: [], first: undefined, last: undefined };
  const filler = new PageFiller<StatusId>(page);
  while (filler.needsMore) {
    const { ids, next } = await listTaggedIds(app, tagIds, filter, { ...filler.cursor, count: page.limit });
    const visible = await filterVisibleStatuses(app, viewer?.accountId, filler.withinPage(ids), 'public');
    filler.add(visible, next);
  }
  const { ids, first, last } = filler.result();
  return { statuses: await presentStatuses(app, viewer, ids), first, last };
}

async function listTaggedIds(
  app: App,
  tagIds: FilterTagIds,
  filter: PublicTimelineFilter,
  { direction, bound, count }: Cursor<StatusId> & { readonly count: number },
): Promise<CandidateBatch<StatusId>> {
  const lists = { any: joinList(tagIds.any), all: joinList(tagIds.all), none: joinList(tagIds.none) };
  const local = filter.local ? true : filter.remote ? false : null;
  const onlyMedia = filter.onlyMedia ?? false;
  // Few matches among many statuses may take long to find.
  const unbatched = local !== null || onlyMedia || lists.all !== '' || lists.none !== '';
  const rows = await statements[direction](app, { ...lists, local, onlyMedia, bound, count }, { unbatched });
  const ids = rows.map(({ id }) => id);
  return { ids, next: ids.length === count ? ids.at(-1) : undefined };
}

interface TagTimelineArgs {
  /** Ids as `joinList` joins them. */
  readonly any: string;
  readonly all: string;
  readonly none: string;
  /** Null: both local and remote. */
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
    const isBeyond = direction === 'asc' ? sql`st.status_id > ` : sql`st.status_id < `;
    // One ordered scan per tag, then their union: a scan of several tags at once would have to sort all their statuses.
    return sql`
      select distinct found.id from unnest(${splitList(args.any, 'bigint')}) any_tag (tag_id)
      cross join lateral (
        select s.id from status_tags st join statuses s on s.id = st.status_id
        where st.tag_id = any_tag.tag_id and ${isBeyond} ${args.bound}
          and s.visibility in ('public', 'local_public') and s.reblog_of_id is null and s.deleted_at is null
          and (${args.local} is null or s.local = ${args.local})
          and (s.has_media or not ${args.onlyMedia})
          and not exists (
            select 1 from unnest(${splitList(args.all, 'bigint')}) all_tag (tag_id)
            where not exists (
              select 1 from status_tags x where x.tag_id = all_tag.tag_id and x.status_id = s.id))
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

/** Returns undefined if nothing can match: the hashtag, or a required one, is unknown. */
async function resolveFilterTags(app: App, tag: string, filter: TagTimelineFilter): Promise<FilterTagIds | undefined> {
  const any = [normalizeTag(tag), ...filter.any.slice(0, maxAdditionalTags).map(normalizeTag)];
  const all = filter.all.slice(0, maxAdditionalTags).map(normalizeTag);
  const none = filter.none.slice(0, maxAdditionalTags).map(normalizeTag);
  const rows = await tagIdRows(app, { names: [...any, ...all, ...none] });
  const idByName = new Map(rows.map(({ name, id }) => [name, id]));
  const idsOf = (names: string[]): TagId[] => names.flatMap((name) => idByName.get(name) ?? []);
  const tagIds = { any: idsOf(any), all: idsOf(all), none: idsOf(none) };
  return tagIds.any.length === 0 || tagIds.all.length < all.length ? undefined : tagIds;
}
