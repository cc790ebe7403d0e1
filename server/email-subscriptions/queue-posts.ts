import { sql } from 'kysely';
import { publish, inTransaction } from '../platform/write/reactions.ts';
import type { AccountId } from '../platform/ids.ts';
import { statusCreated } from '../statuses/index.ts';
import { startDigest } from './send-digest.ts';
import { cacheAuthors, findAuthors } from './subscribable.ts';

/** Posts of this time are in one mail. */
const collectionMs = 5 * 60_000;

/**
 * Queues new public posts of accounts with subscribers, in the transaction that stores them. Replies to others and boosts
 * are not mailed. Each post stores a job; the first one that runs takes all posts.
 */
export const queuePosts = inTransaction([statusCreated], {
  async runBatch(tx, app, created) {
    const candidates = created.filter(({ local, direct }) => local && !direct);
    if (candidates.length === 0) return;
    const authors = await findAuthors(tx, app);
    const statusIds = candidates.flatMap(({ statusId, accountId }) => (authors.has(accountId) ? [statusId] : []));
    if (statusIds.length === 0) return;
    const { rows } = await sql<{ accountId: AccountId }>`
      insert into email_digest_posts (account_id, status_id)
      select status.account_id, status.id from statuses status
      where status.id = any(${statusIds}::bigint[]) and status.visibility = 'public' and not status.is_reply
        and status.reblog_of_id is null
        and exists (
          select from email_subscriptions subscription
          where subscription.account_id = status.account_id and subscription.confirmed_at is not null)
      on conflict do nothing
      returning account_id as "accountId"`.execute(tx.db);
    const runAt = new Date(app.clock.now().getTime() + collectionMs);
    for (const accountId of new Set(rows.map((row) => row.accountId)))
      tx.enqueue(startDigest({ accountId }, { runAt, fetchBudgetId: null }));
  },
});

/** Spares the next post the query for the authors. */
export const cacheAuthorsOfPosts = publish([statusCreated], {
  onlyHere: true,
  async runBatch(app, created) {
    if (created.some(({ local }) => local)) await cacheAuthors(app);
  },
});
