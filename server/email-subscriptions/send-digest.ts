import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { compareIds, newId, noId, type StatusId } from '../platform/ids.ts';
import { idSchema } from '../platform/id-schema.ts';
import { defineJob } from '../platform/work/define-job.ts';
import { sendPosts } from './send-posts.ts';
import { isSubscribable } from './subscribable.ts';
import { writable, type DigestId, type EmailSubscriptionId } from './tables.ts';

/** Posts in a mail. Of more, the newest are sent. */
export const maxPosts = 20;
/** Mails that are queued in one transaction. */
const batchSize = 100;

/** Begins the mail about the posts of an account that wait. No-op if another job took them. */
export const startDigest = defineJob(
  'email_subscription.start_digest',
  Type.Object({ accountId: idSchema<'account'>() }),
  async (app, { accountId }) => {
    const isOpen = await isSubscribable(app, accountId);
    await transaction(app, async ({ db, enqueue }) => {
      const rows = await writable(db)
        .deleteFrom('email_digest_posts')
        .where('account_id', '=', accountId)
        .returning('status_id')
        .execute();
      if (rows.length === 0 || !isOpen) return;
      const statusIds = rows
        .map((row) => row.status_id)
        .toSorted(compareIds)
        .slice(-maxPosts);
      const now = app.clock.now();
      const id = newId<'email-digest'>(now);
      const afterId = noId;
      const digest = { id, account_id: accountId, status_ids: statusIds, after_id: afterId, created_at: now };
      await writable(db).insertInto('email_digests').values(digest).execute();
      enqueue(queueDigestMails({ digestId: id }));
    });
  },
  'bulk_mail',
);

/**
 * Queues the mails to the next subscribers, and itself behind them. The digest records how far it is, so that a job that
 * runs twice queues no mail twice.
 */
export const queueDigestMails = defineJob(
  'email_subscription.queue_mails',
  Type.Object({ digestId: idSchema<'email-digest'>() }),
  (app, { digestId }) => queueBatch(app, digestId),
  'bulk_mail',
);

async function queueBatch(app: App, digestId: DigestId): Promise<void> {
  await transaction(app, async ({ db, enqueue }) => {
    const { rows } = await sql<{ id: EmailSubscriptionId; statusIds: StatusId[] }>`
      select subscription.id, digest.status_ids as "statusIds"
      from (select * from email_digests where id = ${digestId}::bigint for update) digest
        join email_subscriptions subscription on subscription.account_id = digest.account_id
          and subscription.id > digest.after_id and subscription.confirmed_at <= digest.created_at
      order by subscription.id limit ${batchSize}`.execute(db);
    for (const { id: subscriptionId, statusIds } of rows) enqueue(sendPosts({ subscriptionId, statusIds }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) {
      await writable(db).deleteFrom('email_digests').where('id', '=', digestId).execute();
      return;
    }
    await writable(db).updateTable('email_digests').set({ after_id: last.id }).where('id', '=', digestId).execute();
    enqueue(queueDigestMails({ digestId }));
  });
}
