import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import {
  contextOf,
  keepVisible,
  listAccountStatuses,
  listPinned,
  mostPins,
  presentStatuses,
  type Status,
  type Surface,
} from '../statuses/index.ts';
import { tagPage } from '../timelines/index.ts';

/** Posts of one page. */
export const postsOfPage = 20;

interface IdRow {
  id: StatusId;
}

const newestHere = prepared<IdRow>()((db, { limit }: { limit: number }) =>
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
export type ProfilePart = 'posts' | 'with_replies' | 'media' | { readonly tagged: string };

/** The newest public posts of this server's people, as everybody may see them. */
export async function newestPosts(app: App): Promise<Status[]> {
  const rows = await newestHere(app, { limit: postsOfPage });
  return shown(
    app,
    rows.map(({ id }) => id),
    'public',
  );
}

/** Posts on a profile, new to old, as everybody may see them; `older` is where the next page begins, if there is one. */
export async function postsOfAccount(
  app: App,
  accountId: AccountId,
  { part, before }: { part: ProfilePart; before: StatusId | undefined },
): Promise<{ statuses: Status[]; older: StatusId | undefined }> {
  const page = { limit: postsOfPage, maxId: before, sinceId: undefined, minId: undefined };
  const { ids, last, more } = await listAccountStatuses(app, undefined, page, {
    accountId,
    onlyMedia: part === 'media',
    excludeReplies: part === 'posts',
    excludeReblogs: part === 'media' || typeof part === 'object',
    excludeDirect: true,
    tagged: typeof part === 'object' ? part.tagged : undefined,
  });
  return { statuses: await shown(app, ids, 'account'), older: more ? (last as StatusId | undefined) : undefined };
}

/** The posts that a profile pinned, latest pin first, as everybody may see them. */
export async function pinnedPosts(app: App, accountId: AccountId): Promise<Status[]> {
  return shown(app, await listPinned(app, undefined, accountId, mostPins), 'account');
}

/** Public posts with a hashtag, new to old; `older` is the id to continue from, if there are more. */
export async function postsOfTag(
  app: App,
  tag: string,
  before: StatusId | undefined,
): Promise<{ statuses: Status[]; older: StatusId | undefined }> {
  const choice = { any: [], all: [], none: [] };
  const page = { limit: postsOfPage, maxId: before, sinceId: undefined, minId: undefined };
  const { ids, last } = await tagPage(app, undefined, { tag, choice, page });
  return { statuses: await present(app, ids), older: ids.length < postsOfPage ? undefined : last };
}

/** The thread around a post as everybody may see it: what it replies to, oldest first, and the replies to it. */
export async function threadOf(app: App, id: StatusId): Promise<{ above: Status[]; below: Status[] }> {
  const { ancestors, descendants } = await contextOf(app, undefined, id);
  const statuses = await present(app, [...ancestors, ...descendants]);
  const known = new Set<string>(ancestors);
  return {
    above: statuses.filter((status) => known.has(status.id)),
    below: statuses.filter((status) => !known.has(status.id)),
  };
}

async function shown(app: App, ids: readonly StatusId[], surface: Surface): Promise<Status[]> {
  return present(app, await keepVisible(app, undefined, ids, surface));
}

async function present(app: App, ids: readonly StatusId[]): Promise<Status[]> {
  const statuses = await presentStatuses(app, undefined, ids);
  return statuses.map(({ text }) => JSON.parse(text) as Status);
}
