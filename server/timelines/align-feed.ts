import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { buildFeed, insertEntries, lockFeed, setHorizon } from './build-feed.ts';
import { feedLimits } from './feed-limits.ts';
import { endOfTime, graphQuery } from './follow-graph.ts';

interface Pair {
  readonly accountId: AccountId;
  readonly targetAccountId: AccountId;
}

/**
 * Makes the feed of `accountId` agree with how it stands to `targetAccountId` now: brings the target's posts when it is
 * followed, removes them when it is not, and removes all that involves it when it is muted or blocked. Asks the tables
 * and not the event, so that the order of the jobs does not matter.
 */
export async function alignFeed(app: App, pair: Pair): Promise<void> {
  await write(app, async (write) => {
    const horizon = await lockFeed(write, pair.accountId);
    if (horizon === undefined || horizon === endOfTime) return;
    const { follows, hides } = await standing(app, write, pair);
    if (hides) await removeInvolving(write, pair);
    else if (follows) await bring(app, write, pair, horizon);
    else await removePosts(write, pair);
  });
}

async function standing(
  app: App,
  { db }: Write,
  { accountId, targetAccountId }: Pair,
): Promise<{ follows: boolean; hides: boolean }> {
  const { rows } = await sql<{ follows: boolean; hides: boolean }>`
    select
      exists (select 1 from follows where account_id = ${accountId} and target_account_id = ${targetAccountId}) as follows,
      exists (
        select 1 from blocks
        where (account_id = ${accountId} and target_account_id = ${targetAccountId})
          or (account_id = ${targetAccountId} and target_account_id = ${accountId})
        union all
        select 1 from mutes
        where account_id = ${accountId} and target_account_id = ${targetAccountId}
          and (expires_at is null or expires_at > ${app.clock.now()})
      ) as hides`.execute(db);
  return rows[0] ?? { follows: false, hides: false };
}

/** When the target wrote more than a follow brings, the feed is complete only from the oldest post that was brought. */
async function bring(app: App, write: Write, { accountId, targetAccountId }: Pair, horizon: StatusId): Promise<void> {
  const count = feedLimits(app).brought;
  const after = String(BigInt(horizon) - 1n) as StatusId;
  const range = { after, before: endOfTime, count, now: app.clock.now() };
  const { rows } = await graphQuery('desc', { accountId, authors: [targetAccountId], ...range }).execute(write.db);
  await insertEntries(write, accountId, rows);
  const oldest = rows.at(-1);
  if (rows.length === count && oldest !== undefined) await setHorizon(write, accountId, oldest.id);
}

async function removePosts({ db }: Write, { accountId, targetAccountId }: Pair): Promise<void> {
  await sql`
    delete from home_feed entry using statuses s
    where entry.account_id = ${accountId} and s.id = entry.status_id and s.account_id = ${targetAccountId}`.execute(db);
}

async function removeInvolving({ db }: Write, { accountId, targetAccountId }: Pair): Promise<void> {
  await sql`
    delete from home_feed entry using statuses s left join statuses o on o.id = s.reblog_of_id
    where entry.account_id = ${accountId} and s.id = entry.status_id and s.account_id <> ${accountId} and (
      ${targetAccountId} in (s.account_id, o.account_id, s.in_reply_to_account_id, o.in_reply_to_account_id)
      or exists (
        select 1 from mentions m where m.status_id in (s.id, s.reblog_of_id) and m.account_id = ${targetAccountId}))`.execute(
    db,
  );
}

/** Aligns the feeds of both with each other, for what ends follows in both directions. */
export async function alignBoth(app: App, { accountId, targetAccountId }: Pair): Promise<void> {
  await alignFeed(app, { accountId, targetAccountId });
  await alignFeed(app, { accountId: targetAccountId, targetAccountId: accountId });
}

/** Brings back all that was kept out of a feed because of an account: a new one is built in place of the old. */
export async function restoreFeed(app: App, { accountId }: { accountId: AccountId }): Promise<void> {
  await write(app, async (write) => {
    const horizon = await lockFeed(write, accountId);
    if (horizon === undefined || horizon === endOfTime) return;
    await setHorizon(write, accountId, endOfTime);
    write.enqueue(buildFeed({ accountId }));
  });
}
