import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { pagedQuery } from '../platform/database/paged-query.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { Page } from '../platform/http/pages.ts';
import { type AccountId, minId, newId, type RowId, type TagId } from '../platform/ids.ts';
import { ensureTags } from '../tags/index.ts';
import { accountTagsChanged, tagFollowed, tagUnfollowed } from './events.ts';
import { writable } from './tables.ts';

/**
 * Follows a hashtag (TAG-02): its posts appear in the account's home. Creates the hashtag if necessary. Throws 404 for
 * an invalid name.
 */
export async function followTag(app: App, accountId: AccountId, name: string): Promise<void> {
  await transaction(app, async (tx) => {
    const tagId = await requireTagId(tx, app, name);
    const now = app.clock.now();
    const { numInsertedOrUpdatedRows: insertedCount = 0n } = await writable(tx.db)
      .insertInto('tag_follows')
      .values({ id: newId<'row'>(now), account_id: accountId, tag_id: tagId, created_at: now })
      .onConflict((conflict) => conflict.columns(['account_id', 'tag_id']).doNothing())
      .executeTakeFirstOrThrow();
    if (insertedCount === 0n) return;
    tx.emit(tagFollowed({ accountId, tagId }));
    tx.emit(accountTagsChanged({ accountId }));
  });
}

/** Unfollows a hashtag. No-op if the account does not follow it. */
export async function unfollowTag(app: App, accountId: AccountId, tagId: TagId): Promise<void> {
  await transaction(app, async (tx) => {
    const { numDeletedRows } = await writable(tx.db)
      .deleteFrom('tag_follows')
      .where('account_id', '=', accountId)
      .where('tag_id', '=', tagId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
    tx.emit(tagUnfollowed({ accountId, tagId }));
    tx.emit(accountTagsChanged({ accountId }));
  });
}

/** Returns the id of a hashtag, which is created if necessary. Throws 404 for an invalid name. */
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
 * Returns local accounts that follow any of these hashtags, without duplicates, by ascending id from above `after`, at
 * most `limit`.
 */
export async function listTagFollowers(
  app: App,
  tagIds: readonly TagId[],
  { after = minId, limit }: { after?: AccountId; limit: number },
): Promise<AccountId[]> {
  if (tagIds.length === 0) return [];
  return (await followerRows(app, { tagIds, after, limit })).map(({ account_id }) => account_id);
}

export interface FollowedTag {
  /** The id of the follow, for cursors. */
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

/** Returns the hashtags that an account follows, latest follow first. */
export const listFollowedTags = (app: App, accountId: AccountId, page: Page): Promise<FollowedTag[]> =>
  followedTagRows(app, page, { accountId });
