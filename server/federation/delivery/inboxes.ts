import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { followsOrRequestsSql } from '../../relationships/follow/index.ts';

type Db = App['db'];

/** A remote account that can receive deliveries. Its shared inbox is preferred, so that each server gets one copy. */
const isReachable = sql<boolean>`account.domain is not null and account.inbox_url is not null
  and account.suspended_at is null and account.deleted_at is null and account.protocol = 'activitypub'`;
const preferredInbox = sql<string>`coalesce(account.shared_inbox_url, account.inbox_url)`;

/** Returns the inboxes of the remote followers of an account. */
export async function followerInboxes(db: Db, accountId: AccountId): Promise<string[]> {
  const rows = await db
    .selectFrom('follows')
    .innerJoin('accounts as account', 'account.id', 'follows.account_id')
    .select(preferredInbox.as('url'))
    .distinct()
    .where('follows.target_account_id', '=', accountId)
    .where(isReachable)
    .execute();
  return rows.map(({ url }) => url);
}

/**
 * Returns the inboxes of those remote followers of a group whose servers have groups themselves, and understand announced
 * activities (FEP-1b12). Other servers would show them as boosts of replies.
 */
export async function groupServerInboxes(db: Db, groupId: AccountId): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select distinct ${preferredInbox} as url from follows join accounts account on account.id = follows.account_id
    where follows.target_account_id = ${groupId}::bigint and ${isReachable}
      and exists (select from accounts known where known.domain = account.domain and known.actor_type = 'Group')`.execute(
    db,
  );
  return rows.map(({ url }) => url);
}

/** Returns the inboxes of the remote followers of any of these accounts. */
export async function combinedFollowerInboxes(db: Db, accountIds: readonly AccountId[]): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select distinct ${preferredInbox} as url from follows join accounts account on account.id = follows.account_id
    where follows.target_account_id = any(${accountIds}::bigint[]) and ${isReachable}`.execute(db);
  return rows.map(({ url }) => url);
}

/** Returns the inboxes of the remote accounts that block an account. */
export async function blockerInboxes(db: Db, accountId: AccountId): Promise<string[]> {
  const rows = await db
    .selectFrom('blocks')
    .innerJoin('accounts as account', 'account.id', 'blocks.account_id')
    .select(preferredInbox.as('url'))
    .distinct()
    .where('blocks.target_account_id', '=', accountId)
    .where(isReachable)
    .execute();
  return rows.map(({ url }) => url);
}

/** Which of the accounts count: those that follow this one, or asked to. */
interface InboxOptions {
  readonly followersOf?: AccountId | undefined;
}

const isIncluded = ({ followersOf }: InboxOptions): RawBuilder<boolean> =>
  followersOf === undefined ? sql<boolean>`true` : followsOrRequestsSql(sql`account.id`, sql`${followersOf}::bigint`);

/** Returns the inboxes of those of these accounts that are remote. */
export async function accountInboxes(
  db: Db,
  ids: readonly (AccountId | null)[],
  options: InboxOptions = {},
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('accounts as account')
    .select(preferredInbox.as('url'))
    .distinct()
    .where(sql<boolean>`account.id = any(${ids}::bigint[])`)
    .where(isReachable)
    .where(isIncluded(options))
    .execute();
  return rows.map(({ url }) => url);
}

/** Returns the inboxes of the remote accounts that a status mentions. */
export async function mentionedInboxes(db: Db, statusId: StatusId, options: InboxOptions = {}): Promise<string[]> {
  const rows = await db
    .selectFrom('mentions')
    .innerJoin('accounts as account', 'account.id', 'mentions.account_id')
    .select(preferredInbox.as('url'))
    .distinct()
    .where('mentions.status_id', '=', statusId)
    .where(isReachable)
    .where(isIncluded(options))
    .execute();
  return rows.map(({ url }) => url);
}

/**
 * Returns the inboxes of remote accounts that replied to, reblogged, quoted or favourited a status, whose servers have
 * a copy. Deleted replies and reblogs count: the reblogs of a status are deleted with it.
 */
export async function interactionInboxes(db: Db, statusId: StatusId): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select distinct ${preferredInbox} as url from accounts account
    where ${isReachable} and account.id in (
      select account_id from favourites where status_id = ${statusId}
      union select account_id from statuses where reblog_of_id = ${statusId}
      union select account_id from statuses where in_reply_to_id = ${statusId}
      union select account_id from quotes where quoted_status_id = ${statusId})`.execute(db);
  return rows.map(({ url }) => url);
}

/** Returns the inboxes of the remote accounts that voted in the poll of a status. */
export async function voterInboxes(db: Db, statusId: StatusId): Promise<string[]> {
  const rows = await db
    .selectFrom('polls')
    .innerJoin('poll_votes', 'poll_votes.poll_id', 'polls.id')
    .innerJoin('accounts as account', 'account.id', 'poll_votes.account_id')
    .select(preferredInbox.as('url'))
    .distinct()
    .where('polls.status_id', '=', statusId)
    .where(isReachable)
    .execute();
  return rows.map(({ url }) => url);
}

/** How many of the latest posts of an account are looked at for mentions. */
const maxRecentPosts = 200;

/**
 * Returns the inboxes of the servers that probably show posts of an account: those of its followers, of accounts that it
 * follows or mentioned recently, and of accounts that reported it.
 */
export async function reachedInboxes(db: Db, accountId: AccountId): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select distinct ${preferredInbox} as url from accounts account
    where ${isReachable} and account.id in (
      select account_id from follows where target_account_id = ${accountId}::bigint
      union select target_account_id from follows where account_id = ${accountId}::bigint
      union select target_account_id from follow_requests where account_id = ${accountId}::bigint
      union select account_id from reports where target_account_id = ${accountId}::bigint
      union select account_id from mentions where status_id in (
        select id from statuses where account_id = ${accountId}::bigint and deleted_at is null
        order by id desc limit ${maxRecentPosts}::int))`.execute(db);
  return rows.map(({ url }) => url);
}

/** Returns every known inbox; one per server with a shared inbox. */
export async function allInboxes(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts as account')
    .select(preferredInbox.as('url'))
    .distinct()
    .where(isReachable)
    .execute();
  return rows.map(({ url }) => url);
}
