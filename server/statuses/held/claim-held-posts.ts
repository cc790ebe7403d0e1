import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { HeldPreview } from '../tables.ts';

/** A held post about which staff are mailed. */
export interface HeldPostToMail {
  readonly accountId: AccountId;
  readonly preview: HeldPreview;
}

/** Whether posts wait about which staff were not mailed. */
export async function isAnyUnmailed({ db }: Transaction): Promise<boolean> {
  const { rows } = await sql`
    select from held_posts where state = 'pending' and mailed_at is null limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Marks the pending posts about which staff were not mailed yet. Returns their number, and the newest ones, at most
 * `limit`.
 */
export async function claimHeldPostsToMail(
  { db }: Transaction,
  app: App,
  limit: number,
): Promise<{ readonly count: number; readonly newest: readonly HeldPostToMail[] }> {
  const { rows } = await sql<HeldPostToMail & { total: number }>`
    with claimed as (
      update held_posts set mailed_at = ${app.clock.now()}
      where id in (
        select id from held_posts where state = 'pending' and mailed_at is null order by id for update skip locked)
      returning id, account_id, preview)
    select account_id as "accountId", preview, count(*) over ()::int as total
    from claimed order by id desc limit ${limit}`.execute(db);
  return { count: rows[0]?.total ?? 0, newest: rows };
}
