import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';

/** More posts of one account and year are not counted, so that every query is bounded. */
const maxPosts = 50_000;

/** A year of an account. */
export interface AccountYear {
  readonly accountId: AccountId;
  readonly year: number;
}

/** Selects the newest posts and reblogs of an account in a year (UTC). Ids begin with the time. */
export function postsOfYear({ accountId, year }: AccountYear): RawBuilder<unknown> {
  const idAt = (start: number): string => String(BigInt(Date.UTC(start, 0, 1)) << 16n);
  return sql`
    select id, is_reply, reblog_of_id, poll_id, visibility from statuses
    where account_id = ${accountId}::bigint and deleted_at is null
      and id >= ${idAt(year)}::bigint and id < ${idAt(year + 1)}::bigint
    order by id desc limit ${sql.lit(maxPosts)}`;
}

/** Whether an account can have a report: it posted something in public, and used a hashtag. */
export async function isEligible({ db }: App, accountYear: AccountYear): Promise<boolean> {
  const { rows } = await sql<{ is_eligible: boolean }>`
    with posts as not materialized (${postsOfYear(accountYear)})
    select exists (select 1 from posts where visibility in ('public', 'unlisted'))
      and exists (select 1 from posts join status_tags on status_tags.status_id = posts.id) as is_eligible`.execute(db);
  return rows[0]?.is_eligible === true;
}
