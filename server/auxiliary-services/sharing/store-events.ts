import { sql, type RawBuilder } from 'kysely';
import type { App } from '../../platform/app.ts';
import { newId } from '../../platform/ids.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { AnnouncementType } from '../tables.ts';
import { sendAnnouncements } from './send-announcements.ts';
import { listSubscriptions, type Category } from './subscriptions.ts';

/** Stores events about those subjects that may be shared, and a job for each subscription that wants them. */
export async function storeEvents(
  tx: Transaction,
  app: App,
  { category, type, find }: { category: Category; type: AnnouncementType; find: () => RawBuilder<{ id: string }> },
): Promise<void> {
  const subscriptions = await listSubscriptions(tx, app, category);
  if (subscriptions.length === 0) return;
  const { rows } = await find().execute(tx.db);
  if (rows.length === 0) return;
  const now = app.clock.now();
  for (const { id } of subscriptions) {
    // The subscription may have ended meanwhile.
    await sql`
      insert into service_provider_announcements (id, subscription_id, event_type, subject_id, created_at)
      select event.id, subscription.id, ${type}, event.subject_id, ${now}::timestamptz
      from service_provider_subscriptions subscription,
        unnest(${rows.map(() => newId<'row'>(now))}::bigint[], ${rows.map((row) => row.id)}::bigint[])
          as event (id, subject_id)
      where subscription.id = ${id}::bigint`.execute(tx.db);
    tx.enqueue(sendAnnouncements({ subscriptionId: id }, { key: `service_provider_subscription ${id}` }));
  }
}
