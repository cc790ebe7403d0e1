import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { CurrentUser } from '../../platform/http/routes.ts';
import type { StatusId } from '../../platform/ids.ts';
import { filterVisibleStatuses, presentStatuses, type CachedStatus } from '../../statuses/read/index.ts';
import { plainVisibility } from '../../statuses/visibility/index.ts';
import { PageFiller, type CandidateBatch, type Cursor } from './page-filler.ts';
import type { Timeline } from './timeline.ts';

/** Which public statuses to list. */
export interface PublicTimelineFilter {
  readonly local?: boolean;
  readonly remote?: boolean;
  readonly onlyMedia?: boolean;
}

/** Whether the public timelines list a status, in an audience that `isShown` decides. */
export const isInPublicTimelines = ({ visibility, reblogOfId, isReply }: PublicFacts): boolean =>
  plainVisibility(visibility) === 'public' && reblogOfId === null && !isReply;

/** Whether the timelines of its hashtags list a status. */
export const isInTagTimelines = ({ visibility, reblogOfId }: PublicFacts): boolean =>
  plainVisibility(visibility) === 'public' && reblogOfId === null;

type PublicFacts = Pick<CachedStatus, 'visibility' | 'reblogOfId' | 'isReply'>;

/** Returns a page of all known public statuses, local-only ones for signed-in viewers, without reblogs, replies to others and silenced authors. */
export async function loadPublicTimeline(
  app: App,
  viewer: CurrentUser | undefined,
  filter: PublicTimelineFilter,
  page: Page,
): Promise<Timeline> {
  const filler = new PageFiller<StatusId>(page);
  while (filler.needsMore) {
    const { ids, next } = await listPublicIds(
      app,
      { ...filter, isSignedIn: viewer !== undefined },
      filler.cursor,
      page.limit,
    );
    const visible = await filterVisibleStatuses(app, viewer?.accountId, filler.withinPage(ids), 'public');
    filler.add(visible, next);
  }
  const { ids, first, last } = filler.result();
  return { statuses: await presentStatuses(app, viewer, ids), first, last };
}

async function listPublicIds(
  app: App,
  {
    local = false,
    remote = false,
    onlyMedia = false,
    isSignedIn,
  }: PublicTimelineFilter & { readonly isSignedIn: boolean },
  { direction, bound }: Cursor<StatusId>,
  limit: number,
): Promise<CandidateBatch<StatusId>> {
  const count = limit <= 20 ? 20 : 40;
  const origin = local ? 'local' : remote ? 'remote' : 'all';
  const source = isSignedIn && origin !== 'remote' ? (`${origin}AndLocalOnly` as const) : origin;
  const query = statements[direction][source][onlyMedia ? 'media' : 'any'][count];
  // Each condition has an index, but both together may match few statuses and take long to find.
  const unbatched = origin !== 'all' && onlyMedia;
  const ids = (await query(app, { bound }, { unbatched })).map(({ id }) => id);
  return { ids, next: ids.length === count ? ids.at(-1) : undefined };
}

type Direction = 'asc' | 'desc';

/** Whose posts, and whether local-only ones are among them. */
type Source = 'all' | 'local' | 'remote' | 'allAndLocalOnly' | 'localAndLocalOnly';

const localPosts = sql`visibility = 'public' and local`;
const remotePosts = sql`visibility = 'public' and not local`;
const localOnlyPosts = sql`visibility = 'local_public'`;

/** Conditions of the posts of a source. An index lists those of each condition in order. */
const parts: Record<Source, readonly RawBuilder<unknown>[]> = {
  all: [localPosts, remotePosts],
  local: [localPosts],
  remote: [remotePosts],
  allAndLocalOnly: [localPosts, remotePosts, localOnlyPosts],
  localAndLocalOnly: [localPosts, localOnlyPosts],
};

/** The same for posts with media, of which one index lists those of all origins. */
const mediaParts: typeof parts = {
  ...parts,
  all: [sql`visibility = 'public'`],
  allAndLocalOnly: [sql`visibility = 'public'`, localOnlyPosts],
};

/**
 * One statement per variant, so that the planner sees the condition of a partial index and a small limit, and caches one
 * plan. With parameters instead, it would plan each time, which costs more than the query.
 */
const statement = (direction: Direction, source: Source, onlyMedia: boolean, count: number) =>
  batchedQuery<{ id: StatusId }>()<{ bound: StatusId }>({ bound: 'bigint' }, ({ bound }) => {
    const inOrder = sql`order by id ${sql.raw(direction)} limit ${sql.lit(count)}`;
    const selects = (onlyMedia ? mediaParts : parts)[source].map(
      (condition) => sql`(
      select id from statuses
      where id ${direction === 'asc' ? sql`>` : sql`<`} ${bound}
        and ${condition} and reblog_of_id is null and not is_reply and deleted_at is null
        ${onlyMedia ? sql`and has_media` : sql``}
      ${inOrder})`,
    );
    return sql<{ id: StatusId }>`select id from (${sql.join(selects, sql` union all `)}) as found ${inOrder}`;
  });

const byCount = (direction: Direction, source: Source, onlyMedia: boolean) => ({
  20: statement(direction, source, onlyMedia, 20),
  40: statement(direction, source, onlyMedia, 40),
});

const byContent = (direction: Direction, source: Source) => ({
  any: byCount(direction, source, false),
  media: byCount(direction, source, true),
});

const bySource = (direction: Direction) => ({
  all: byContent(direction, 'all'),
  local: byContent(direction, 'local'),
  remote: byContent(direction, 'remote'),
  allAndLocalOnly: byContent(direction, 'allAndLocalOnly'),
  localAndLocalOnly: byContent(direction, 'localAndLocalOnly'),
});

const statements = { asc: bySource('asc'), desc: bySource('desc') };
