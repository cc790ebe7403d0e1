import { sql, type Selectable } from 'kysely';
import type { App } from '../../platform/app.ts';
import { pageEnds, pagedQuery, selectPage, type PageEnds } from '../../platform/database/paged-query.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Page } from '../../platform/http/pages.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import type { HeldPostState, StatusTables } from '../tables.ts';

export type HeldPostRow = Selectable<StatusTables['held_posts']>;

const ownPosts = pagedQuery<HeldPostRow>()<{ accountId: AccountId }>((db, args, order) =>
  selectPage(db.selectFrom('held_posts').selectAll().where('account_id', '=', args.accountId), args, order),
);

const postsInState = pagedQuery<HeldPostRow>()<{ state: HeldPostState }>((db, args, order) =>
  selectPage(db.selectFrom('held_posts').selectAll().where('state', '=', args.state), args, order),
);

const heldPost = preparedQuery<HeldPostRow>()((db, { id }: { id: StatusId }) =>
  db.selectFrom('held_posts').selectAll().where('id', '=', id),
);

/** Returns a page of the held posts of their author, newest first. */
export const listOwnHeldPosts = (app: App, accountId: AccountId, page: Page) =>
  withEnds(page, ownPosts(app, page, { accountId }));

/** Returns a page of all held posts in a state, newest first. */
export const listHeldPosts = (app: App, state: HeldPostState, page: Page) =>
  withEnds(page, postsInState(app, page, { state }));

async function withEnds(
  page: Page,
  query: Promise<HeldPostRow[]>,
): Promise<{ readonly rows: HeldPostRow[] } & PageEnds> {
  const rows = await query;
  return { rows, ...pageEnds(page, rows) };
}

/** Returns a held post; undefined if there is none with this id. */
export const findHeldPost = async (app: App, id: StatusId): Promise<HeldPostRow | undefined> =>
  (await heldPost(app, { id }))[0];

/** Returns a held post. Throws 404 if there is none with this id. */
export async function requireHeldPost(app: App, id: StatusId): Promise<HeldPostRow> {
  const row = await findHeldPost(app, id);
  if (row === undefined) throw notFound();
  return row;
}

/** Returns the pending posts of a thread, in order. */
export const listHeldThread = (app: App, threadId: StatusId): Promise<HeldPostRow[]> =>
  app.db
    .selectFrom('held_posts')
    .selectAll()
    .where('thread_id', '=', threadId)
    .where('state', '=', 'pending')
    .orderBy('id')
    .execute();

/** Returns those of the held posts of this author that wait, by their ids. */
export const findOwnPendingPosts = (app: App, accountId: AccountId, ids: readonly StatusId[]): Promise<HeldPostRow[]> =>
  app.db
    .selectFrom('held_posts')
    .selectAll()
    .where('id', 'in', ids)
    .where('account_id', '=', accountId)
    .where('state', '=', 'pending')
    .orderBy('id')
    .execute();

/** Posts that are counted. */
const maxCount = 1_000;

/** Returns the number of posts that wait for review, at most 1,000. */
export async function countHeldPosts({ db }: App): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from held_posts where state = 'pending' limit ${maxCount}) waiting`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Returns a held post of this author; undefined if there is none with this id. */
export async function findOwnHeldPost(app: App, accountId: AccountId, id: StatusId): Promise<HeldPostRow | undefined> {
  const row = await findHeldPost(app, id);
  return row?.account_id === accountId ? row : undefined;
}
