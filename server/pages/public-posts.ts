import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { JsonText } from '../platform/http/http-response.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import {
  loadContext,
  filterVisibleStatuses,
  listAccountStatuses,
  listPinnedStatuses,
  maxPins,
  presentStatuses,
  type Status,
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
  const ids = rows.map(({ id }) => id);
  return presentAnonymously(app, await filterVisibleStatuses(app, undefined, ids, 'public'));
}

/** Posts on a profile, new to old, as everybody may see them; `older` is where the next page begins, if there is one. */
export async function listProfilePosts(
  app: App,
  accountId: AccountId,
  { tab, maxId }: { tab: ProfileTab; maxId: StatusId | undefined },
): Promise<{ statuses: Status[]; older: StatusId | undefined }> {
  const page = { limit: postsPerPage, maxId, sinceId: undefined, minId: undefined };
  const { statuses, last, more } = await listAccountStatuses(app, undefined, page, {
    accountId,
    onlyMedia: tab === 'media',
    excludeReplies: tab === 'posts',
    excludeReblogs: tab === 'media' || typeof tab === 'object',
    excludeDirect: true,
    tagged: typeof tab === 'object' ? tab.tagged : undefined,
  });
  return {
    statuses: statuses.map(parseStatus),
    older: more ? (last as StatusId | undefined) : undefined,
  };
}

/** The posts that a profile pinned, latest pin first, as everybody may see them. */
export async function listPinnedPosts(app: App, accountId: AccountId): Promise<Status[]> {
  return (await listPinnedStatuses(app, undefined, accountId, maxPins)).map(parseStatus);
}

/** Public posts with a hashtag, new to old; `older` is the id to continue from, if there are more. */
export async function listTagPosts(
  app: App,
  tag: string,
  before: StatusId | undefined,
): Promise<{ statuses: Status[]; older: StatusId | undefined }> {
  const filter = { any: [], all: [], none: [] };
  const page = { limit: postsPerPage, maxId: before, sinceId: undefined, minId: undefined };
  const { statuses, last } = await loadTagTimeline(app, undefined, { tag, filter, page });
  return { statuses: statuses.map(parseStatus), older: statuses.length < postsPerPage ? undefined : last };
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

async function presentAnonymously(app: App, ids: readonly StatusId[]): Promise<Status[]> {
  const statuses = await presentStatuses(app, undefined, ids);
  return statuses.map(parseStatus);
}

const parseStatus = ({ text }: JsonText<Status>): Status => JSON.parse(text) as Status;
