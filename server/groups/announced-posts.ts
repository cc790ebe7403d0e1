import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { hasAddress } from '../platform/database/has-address.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { writable } from './tables.ts';

/** A post that a group accepted. */
export interface AnnouncedPost {
  readonly groupId: AccountId;
  readonly statusId: StatusId;
}

const announcedPosts = preparedQuery<AnnouncedPost>()(
  (db, { uri, authorId }: { uri: string; authorId: AccountId }) => ({
    compile: () =>
      sql<AnnouncedPost>`
      select post.group_id as "groupId", post.status_id as "statusId"
      from statuses join group_posts post on post.status_id = statuses.id
      where ${hasAddress('statuses.uri', uri)} and statuses.account_id = ${authorId}::bigint and post.state = 'accepted'
        and statuses.visibility in ('public', 'unlisted')`.compile(db),
  }),
);

/** Returns the groups that accepted a post of an author, also after its deletion. */
export const findGroupsOfPost = (app: App, uri: string, authorId: AccountId): Promise<AnnouncedPost[]> =>
  announcedPosts(app, { uri, authorId });

/**
 * Returns an accepted post of a group, with the Create that brought it, which is forgotten: it is announced once. Undefined
 * if the group did not accept it.
 */
export async function takeActivity(
  tx: Transaction,
  { groupId, statusId }: AnnouncedPost,
): Promise<{ readonly activity: string | null } | undefined> {
  const post = await tx.db
    .selectFrom('group_posts')
    .select('activity')
    .where('group_id', '=', groupId)
    .where('status_id', '=', statusId)
    .where('state', '=', 'accepted')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (post === undefined || post.activity === null) return post;
  await writable(tx.db)
    .updateTable('group_posts')
    .set({ activity: null })
    .where('group_id', '=', groupId)
    .where('status_id', '=', statusId)
    .execute();
  return post;
}
