import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import {
  loadContext,
  filterVisibleStatuses,
  listAccountStatuses,
  listPinnedStatuses,
  maxPins,
  presentStatuses,
  type Status,
  type Surface,
} from '../statuses/index.ts';
import { loadTagTimeline } from '../timelines/index.ts';

/** Posts of one page. */
export const postsPerPage = 20;

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

/** Which posts of a profile a page shows: its own and what it passed on, also answers, with files, or with a hashtag. */
export type ProfileTab = 'posts' | 'with_replies' | 'media' | { readonly tagged: string };

/** The newest public posts of this server's people, as everybody may see them. */
export async function listNewestPosts(app: App): Promise<Status[]> {
  const rows = await newestLocalStatuses(app, { limit: postsPerPage });
  return presentVisible(
    app,
    rows.map(({ id }) => id),
    'public',
  );
}

/** Posts on a profile, new to old, as everybody may see them; `older` is where the next page begins, if there is one. */
export async function listProfilePosts(
  app: App,
  accountId: AccountId,
  { tab, maxId }: { tab: ProfileTab; maxId: StatusId | undefined },
): Promise<{ statuses: Status[]; older: StatusId | undefined }> {
  const page = { limit: postsPerPage, maxId, sinceId: undefined, minId: undefined };
  const { ids, last, more } = await listAccountStatuses(app, undefined, page, {
    accountId,
    onlyMedia: tab === 'media',
    excludeReplies: tab === 'posts',
    excludeReblogs: tab === 'media' || typeof tab === 'object',
    excludeDirect: true,
    tagged: typeof tab === 'object' ? tab.tagged : undefined,
  });
  return {
    statuses: await presentVisible(app, ids, 'account'),
    older: more ? (last as StatusId | undefined) : undefined,
  };
}

/** The posts that a profile pinned, latest pin first, as everybody may see them. */
export async function listPinnedPosts(app: App, accountId: AccountId): Promise<Status[]> {
  return presentVisible(app, await listPinnedStatuses(app, undefined, accountId, maxPins), 'account');
}

/** Public posts with a hashtag, new to old; `older` is the id to continue from, if there are more. */
export async function listTagPosts(
  app: App,
  tag: string,
  before: StatusId | undefined,
): Promise<{ statuses: Status[]; older: StatusId | undefined }> {
  const choice = { any: [], all: [], none: [] };
  const page = { limit: postsPerPage, maxId: before, sinceId: undefined, minId: undefined };
  const { ids, last } = await loadTagTimeline(app, undefined, { tag, choice, page });
  return { statuses: await presentAnonymously(app, ids), older: ids.length < postsPerPage ? undefined : last };
}

/** The thread around a post as everybody may see it: what it replies to, oldest first, and the replies to it. */
export async function loadThread(app: App, id: StatusId): Promise<{ above: Status[]; below: Status[] }> {
  const { ancestors, descendants } = await loadContext(app, undefined, id);
  const statuses = await presentAnonymously(app, [...ancestors, ...descendants]);
  const known = new Set<string>(ancestors);
  return {
    above: statuses.filter((status) => known.has(status.id)),
    below: statuses.filter((status) => !known.has(status.id)),
  };
}

async function presentVisible(app: App, ids: readonly StatusId[], surface: Surface): Promise<Status[]> {
  return presentAnonymously(app, await filterVisibleStatuses(app, undefined, ids, surface));
}

async function presentAnonymously(app: App, ids: readonly StatusId[]): Promise<Status[]> {
  const statuses = await presentStatuses(app, undefined, ids);
  return statuses.map(({ text }) => JSON.parse(text) as Status);
}
