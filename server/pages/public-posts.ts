import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { keepVisible, presentStatuses, type Status, type Surface } from '../statuses/index.ts';

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

/** Their own posts and what they passed on, without answers to others. */
const postsOf = prepared<IdRow>()(
  (db, { accountId, before, limit }: { accountId: AccountId; before: StatusId | null; limit: number }) =>
    db
      .selectFrom('statuses')
      .select('id')
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`visibility in ('public', 'unlisted') and not is_reply`)
      .where(sql<boolean>`(${before}::bigint is null or id < ${before}::bigint)`)
      .orderBy('id', 'desc')
      .limit(limit),
);

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
  before: StatusId | undefined,
): Promise<{ statuses: Status[]; older: StatusId | undefined }> {
  const rows = await postsOf(app, { accountId, before: before ?? null, limit: postsOfPage });
  const older = rows.length === postsOfPage ? rows.at(-1)?.id : undefined;
  return { statuses: await shown(app, rows, 'account'), older };
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
