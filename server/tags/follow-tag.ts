import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { pagedQuery } from '../platform/database/paged-query.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { transaction as inTransaction, type Transaction } from '../platform/database/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { Page } from '../platform/http/pages.ts';
import { newId, type AccountId, type RowId, type TagId } from '../platform/ids.ts';
import { ensureTags } from './ensure-tags.ts';
import { accountTagsChanged, tagFollowed, tagUnfollowed } from './events.ts';

/** Has the posts of a hashtag appear in the account's home (TAG-02); the tag is made if nobody used it yet. 404 for what cannot be one. */
export async function followTag(app: App, accountId: AccountId, name: string): Promise<void> {
  await inTransaction(app, async (tx) => {
    const tagId = await requireTagId(tx, app, name);
    const now = app.clock.now();
    const { numInsertedOrUpdatedRows: made = 0n } = await tx.db
      .insertInto('tag_follows')
      .values({ id: newId<'row'>(now), account_id: accountId, tag_id: tagId, created_at: now })
      .onConflict((conflict) => conflict.columns(['account_id', 'tag_id']).doNothing())
      .executeTakeFirstOrThrow();
    if (made === 0n) return;
    tx.emit(tagFollowed({ accountId, tagId }));
    tx.emit(accountTagsChanged({ accountId }));
  });
}

/** Ends that; without it nothing happens. */
export async function unfollowTag(app: App, accountId: AccountId, tagId: TagId): Promise<void> {
  await inTransaction(app, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom('tag_follows')
      .where('account_id', '=', accountId)
      .where('tag_id', '=', tagId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
    tx.emit(tagUnfollowed({ accountId, tagId }));
    tx.emit(accountTagsChanged({ accountId }));
  });
}

/** The hashtag of this name, made if it is new; 404 when it cannot be one. */
export async function requireTagId(tx: Transaction, app: App, name: string): Promise<TagId> {
  const [tagId] = (await ensureTags(tx, [name], app.clock.now())).values();
  if (tagId === undefined) throw notFound();
  return tagId;
}

interface FollowersArgs {
  readonly tagIds: readonly TagId[];
  readonly after: AccountId;
  readonly limit: number;
}

const followerRows = preparedQuery<{ account_id: AccountId }>()((db, { tagIds, after, limit }: FollowersArgs) =>
  db
    .selectFrom('tag_follows')
    .select('account_id')
    .distinct()
    .where('tag_id', '=', sql<TagId>`any(${tagIds}::bigint[])`)
    .where('account_id', '>', sql<AccountId>`${after}::bigint`)
    .orderBy('account_id')
    .limit(sql<number>`${limit}::int`),
);

/**
 * Local accounts that follow any of these hashtags, each once, in the order of their ids from above `after` on
 * (default: from the first), at most `limit`.
 */
export async function listTagFollowers(
  app: App,
  tagIds: readonly TagId[],
  { after = '-9223372036854775808' as AccountId, limit }: { after?: AccountId; limit: number },
): Promise<AccountId[]> {
  if (tagIds.length === 0) return [];
  return (await followerRows(app, { tagIds, after, limit })).map(({ account_id }) => account_id);
}

/** One line of the listing of followed hashtags. */
export interface FollowedTag {
  /** Of the row, by which the listing is paged. */
  readonly id: RowId;
  readonly name: string;
}

const followedTagRows = pagedQuery<FollowedTag>()<{ accountId: AccountId }>((db, args, order) =>
  db
    .selectFrom('tag_follows')
    .innerJoin('tags', 'tags.id', 'tag_follows.tag_id')
    .select(['tag_follows.id', 'tags.display_name as name'])
    .where('tag_follows.account_id', '=', args.accountId)
    .where('tag_follows.id', '<', sql<RowId>`${args.below}::bigint`)
    .where('tag_follows.id', '>', sql<RowId>`${args.above}::bigint`)
    .orderBy(sql`tag_follows.id ${order}`)
    .limit(sql<number>`${args.limit}::int`),
);

/** The hashtags that an account follows, the last one first. */
export const listFollowedTags = (app: App, accountId: AccountId, page: Page): Promise<FollowedTag[]> =>
  followedTagRows(app, page, { accountId });
