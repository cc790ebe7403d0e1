import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { ReadDatabase } from '../../platform/database/read-database.ts';
import { idFromDate, type StatusId } from '../../platform/ids.ts';

/** Which old remote statuses stay. */
export interface RetentionRule {
  /** Replies, reblogs and quotes from this id on show that a status is still in use. */
  readonly cutoff: StatusId;
  /** Whether the statuses of accounts that local users follow may be removed too. */
  readonly cleanFollowed: boolean;
  /** The statuses of profiles that users have viewed since then stay: much of what they read there is old. */
  readonly viewedSince: Date;
}

const dayMs = 86_400_000;
const viewedDays = 7;

/** Returns the rule by which statuses of this age are removed. */
export function retentionRule(app: App, days: number, { cleanFollowed = false } = {}): RetentionRule {
  const now = app.clock.now().getTime();
  return {
    cutoff: idFromDate<'status'>(new Date(now - days * dayMs)),
    cleanFollowed,
    viewedSince: new Date(now - viewedDays * dayMs),
  };
}

/**
 * Returns those of these remote statuses that local users need: they wrote in the thread, favourited, bookmarked,
 * reblogged, quoted, reported, filtered, reacted to it or voted in it, or asked its author to, were mentioned or notified,
 * follow the author or an account that reblogged it, viewed the author's profile lately, or staff refer to it.
 */
export async function findNeededStatuses(
  db: ReadDatabase,
  ids: readonly StatusId[],
  { cutoff, cleanFollowed, viewedSince }: RetentionRule,
): Promise<ReadonlySet<StatusId>> {
  const isFollowed = (account: RawBuilder<unknown>): RawBuilder<boolean> =>
    cleanFollowed
      ? sql<boolean>`false`
      : sql<boolean>`exists (select from follows where target_account_id = ${account} and ${isLocal('follows')})`;
  const { rows } = await sql<{ id: StatusId }>`
    with candidate as (
      select id, account_id, conversation_id, reblog_of_id, poll_id from statuses where id = any(${ids}::bigint[])
    ), thread as (
      select distinct conversation_id as id from candidate where conversation_id is not null
    ), local_thread as (
      select id from thread where exists (
        select from statuses where conversation_id = thread.id and deleted_at is null and local)
    ), referred as (${referredStatuses})
    select id from candidate where conversation_id in (select id from local_thread)
      or id::text in (select id from referred where id is not null)
      or ${isFollowed(sql`candidate.account_id`)}
      or exists (select from outbox_reads where account_id = candidate.account_id
        and started_at > ${viewedSince}::timestamptz)
      or exists (select from statuses reblog where reblog.reblog_of_id = candidate.id
        and (reblog.local or reblog.id >= ${cutoff}::bigint or ${isFollowed(sql`reblog.account_id`)}))
      or exists (select from statuses original where original.id = candidate.reblog_of_id and original.local)
      or exists (select from statuses reply where reply.in_reply_to_id = candidate.id and reply.id >= ${cutoff}::bigint)
      or exists (select from quotes join statuses quoting on quoting.id = quotes.status_id
        where quotes.quoted_status_id = candidate.id and (quoting.local or quoting.id >= ${cutoff}::bigint))
      or exists (select from quotes join accounts on accounts.id = quotes.quoted_account_id
        where quotes.status_id = candidate.id and accounts.domain is null)
      or exists (select from favourites where status_id = candidate.id and ${isLocal('favourites')})
      or exists (select from status_reactions where status_id = candidate.id and ${isLocal('status_reactions')})
      or exists (select from bookmarks where status_id = candidate.id)
      or exists (select from status_pins where status_id = candidate.id)
      or exists (select from mentions where status_id = candidate.id and ${isLocal('mentions')})
      or exists (select from poll_votes where poll_id = candidate.poll_id and ${isLocal('poll_votes')})
      or exists (select from interaction_requests where status_id = candidate.id and ${isLocal('interaction_requests')})
      or exists (select from filter_statuses where status_id = candidate.id)
      or exists (select from notifications where status_id = candidate.id)`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Condition that the account of a row is local. */
const isLocal = (table: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from accounts where accounts.id = ${sql.ref(`${table}.account_id`)} and domain is null)`;

/**
 * Statuses that reports, strikes, announcements, drafts, scheduled and held posts refer to, as text: drafts may name
 * anything.
 */
const referredStatuses = sql`
  select unnest(status_ids)::text as id from reports
  union all select unnest(status_ids || changed_status_ids)::text from account_warnings
  union all select unnest(status_ids)::text from announcements
  union all select params ->> 'inReplyToId' from scheduled_statuses
  union all select params ->> 'quotedStatusId' from scheduled_statuses
  union all select params -> 'local' ->> 'inReplyToId' from held_posts where state = 'pending'
  union all select params -> 'local' ->> 'quotedStatusId' from held_posts where state = 'pending'
  union all select in_reply_to_id::text from drafts
  union all select post ->> 'quoted_status_id' from drafts, jsonb_array_elements(posts) post`;
