import { sql } from 'kysely';
import { transaction } from '../platform/write/transaction.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { startDeliveries } from './deliver-webhook.ts';
import type { WebhookId } from './tables.ts';
import { noId } from '../platform/ids.ts';

/** Age of an event from which its webhook must have a job or a pause. */
const overdueMs = 3_600_000;
const batchSize = 500;

/**
 * Stores a job for each webhook whose events have waited for an hour without one: the job may have failed too often, or
 * run on a machine whose clock differs. New events do not store one, because earlier ones wait.
 */
export const resumeDeliveries: Schedule = {
  name: 'webhook.resume_deliveries',
  pattern: '23 * * * *',
  async run(app) {
    const now = app.clock.now();
    const overdueBefore = new Date(now.getTime() - overdueMs);
    let after: WebhookId = noId;
    for (let count = batchSize; count === batchSize;) {
      count = await transaction(app, async (tx) => {
        const { rows } = await sql<{ id: WebhookId; url: string }>`
          select id, url from webhooks
          where id > ${after}::bigint and disabled_at is null and (retry_at is null or retry_at <= ${now})
            and exists (select from webhook_deliveries
              where webhook_id = webhooks.id and state = 'pending' and created_at < ${overdueBefore})
            and not exists (select from jobs where key = 'webhook ' || webhooks.id and exhausted_at is null)
          order by id limit ${batchSize} for no key update`.execute(tx.db);
        for (const webhook of rows) startDeliveries(tx, webhook);
        after = rows.at(-1)?.id ?? after;
        return rows.length;
      });
    }
  },
};
