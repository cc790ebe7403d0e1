import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import {
  loadContext,
  filterVisibleStatuses,
  listAccountStatuses,
  listPinnedStatuses,
  presentStatuses,
} from '../../statuses/read/index.ts';
import { maxPins } from '../../statuses/react/index.ts';
import type { Status } from '../../statuses/index.ts';
import { originFilter, type FeedOrigin } from '../../timelines/access/index.ts';
import { loadPublicTimeline, loadTagTimeline } from '../../timelines/read/index.ts';

const postsPerPage = 20;

interface IdRow {
  id: StatusId;
}

const newestLocalStatuses = preparedQuery<IdRow>()((db, { limit }: { limit: number }) =>
  db
    .selectFrom('statuses')
    .select('id')
    .where(
      sql<boolean>`visibility = 'public' and reblog_of_id is null and not is_reply and deleted_at is null and local`,
    )
    .orderBy('id', 'desc')
    .limit(limit),
);

/** The posts of a profile page: posts and reblogs, also replies, only media, or only a hashtag. */
export type ProfileTab = 'posts' | 'with_replies' | 'media' | { readonly tagged: string };

/** Returns the newest public local posts. */
export async function listNewestPosts(app: App): Promise<Status[]> {
  const rows = await newestLocalStatuses(app, { limit: postsPerPage });
  const ids = rows.map(({ id }) => id);
  return presentAnonymously(app, await filterVisibleStatuses(app, undefined, ids, 'public'));
}

interface ProfilePostsQuery {
  readonly tab: ProfileTab;
  readonly maxId: StatusId | undefined;
  readonly limit?: number;
  readonly excludeReblogs?: boolean;
  readonly excludeImported?: boolean;
}

/** Returns the public posts of a profile, newest first; `older` is the cursor of the next page, if there is one. */
export async function listProfilePosts(
  app: App,
  accountId: AccountId,
  { tab, maxId, limit = postsPerPage, excludeReblogs = false, excludeImported = false }: ProfilePostsQuery,
): Promise<{ statuses: Status[]; older: StatusId | undefined }> {
  const page = { limit, maxId, sinceId: undefined, minId: undefined };
  const {
    statuses,
    ends: { last, more },
  } = await listAccountStatuses(app, undefined, page, {
    accountId,
    onlyMedia: tab === 'media',
    excludeReplies: tab === 'posts',
    excludeReblogs: excludeReblogs || tab === 'media' || typeof tab === 'object',
    excludeDirect: true,
    tagged: typeof tab === 'object' ? tab.tagged : undefined,
    imported: excludeImported ? 'exclude' : undefined,
  });
  return {
    statuses: statuses.map((status) => status.parse()),
    older: more ? (last as StatusId | undefined) : undefined,
  };
}

/** Returns the public pinned posts of a profile, latest pin first. */
export async function listPinnedPosts(app: App, accountId: AccountId): Promise<Status[]> {
  return (await listPinnedStatuses(app, undefined, accountId, maxPins)).statuses.map((status) => status.parse());
}

/** Returns the public posts with a hashtag, newest first; `older` is the cursor of the next page, if there is one. */
export async function listTagPosts(
  app: App,
  tag: string,
  { before, limit = postsPerPage, origin }: { before: StatusId | undefined; limit?: number; origin: FeedOrigin },
): Promise<{ statuses: Status[]; older: StatusId | undefined }> {
  const filter = { any: [], all: [], none: [], ...originFilter(origin) };
  const page = { limit, maxId: before, sinceId: undefined, minId: undefined };
  const { statuses, last } = await loadTagTimeline(app, undefined, { tag, filter, page });
  return { statuses: statuses.map((status) => status.parse()), older: statuses.length < limit ? undefined : last };
}

/** Returns a page of the public timeline, newest first; `older` is the cursor of the next page, if there is one. */
export async function listLivePosts(
  app: App,
  origin: FeedOrigin,
  before: StatusId | undefined,
): Promise<{ statuses: Status[]; older: StatusId | undefined }> {
  const page = { limit: postsPerPage, maxId: before, sinceId: undefined, minId: undefined };
  const { statuses, last } = await loadPublicTimeline(app, undefined, originFilter(origin), page);
  return {
    statuses: statuses.map((status) => status.parse()),
    older: statuses.length < postsPerPage ? undefined : last,
  };
}

/** Returns the public posts of a thread: ancestors of a post, oldest first, and its descendants. */
export async function loadThread(app: App, id: StatusId): Promise<{ above: Status[]; below: Status[] }> {
  const { ancestors, descendants } = await loadContext(app, undefined, id);
  const statuses = await presentAnonymously(app, [...ancestors, ...descendants]);
  const ancestorIds = new Set<string>(ancestors);
  return {
    above: statuses.filter((status) => ancestorIds.has(status.id)),
    below: statuses.filter((status) => !ancestorIds.has(status.id)),
  };
}

/** Returns statuses as visitors see them, in the given order. */
export async function presentAnonymously(app: App, ids: readonly StatusId[]): Promise<Status[]> {
  const statuses = await presentStatuses(app, undefined, ids);
  return statuses.map((status) => status.parse());
}
