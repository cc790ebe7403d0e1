import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { keepVisible, listAccountStatuses, presentStatuses, type Status, type Surface } from '../statuses/index.ts';

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

const answersTo = prepared<IdRow>()((db, { id, limit }: { id: StatusId; limit: number }) =>
  db
    .selectFrom('statuses')
    .select('id')
    .where('in_reply_to_id', '=', id)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`visibility in ('public', 'unlisted')`)
    .orderBy('id')
    .limit(limit),
);

/** The newest public posts of this server's people, as everybody may see them. */
export async function newestPosts(app: App): Promise<Status[]> {
  return shown(app, await newestHere(app, { limit: postsOfPage }), 'public');
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
  const rows = ids.map((id) => ({ id }));
  return { statuses: await shown(app, rows, 'account'), older: more ? (last as StatusId | undefined) : undefined };
}

/** Answers to a post, old to new, as everybody may see them. */
export async function answersToPost(app: App, id: StatusId): Promise<Status[]> {
  return shown(app, await answersTo(app, { id, limit: 60 }), 'thread');
}

async function shown(app: App, rows: readonly IdRow[], surface: Surface): Promise<Status[]> {
  const ids = await keepVisible(
    app,
    undefined,
    rows.map(({ id }) => id),
    surface,
  );
  const statuses = await presentStatuses(app, undefined, ids);
  return statuses.map(({ text }) => JSON.parse(text) as Status);
}
