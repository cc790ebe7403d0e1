import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import type { JobRequest } from '../../platform/work/job-request.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { callProvider } from '../calls/call-provider.ts';
import { runCall } from '../calls/run-call.ts';
import { writable, type AnnouncementRow, type ProviderRow, type SubscriptionRow } from '../tables.ts';
import { isShareableAccount, isShareableStatus } from './shareable.ts';

/** Announcements that one job sends before others have a turn. */
const maxPerRun = 10;

/** Sends the events of a subscription that wait, in their order, until one fails. */
export const sendAnnouncements = defineJob(
  'service_provider.send_announcements',
  Type.Object({ subscriptionId: idSchema<'provider-subscription'>() }),
  async (app, data): Promise<void> => {
    const subscription = await app.db
      .selectFrom('service_provider_subscriptions')
      .selectAll()
      .where('id', '=', data.subscriptionId)
      .executeTakeFirst();
    if (subscription === undefined) return;
    const again = (options: object): JobRequest =>
      sendAnnouncements(data, { ...options, key: `service_provider_subscription ${data.subscriptionId}` });
    await runCall(app, {
      providerId: subscription.provider_id,
      again,
      async run(provider) {
        for (let sent = 0; sent < maxPerRun; sent += 1) if (!(await sendNext(app, provider, subscription))) return;
        await transaction(app, async ({ enqueue }) => enqueue(again({})));
      },
    });
  },
  'webhooks',
);

/** Sends the next events of one type. Returns false if none wait. */
async function sendNext(app: App, provider: ProviderRow, subscription: SubscriptionRow): Promise<boolean> {
  const waiting = await app.db
    .selectFrom('service_provider_announcements')
    .selectAll()
    .where('subscription_id', '=', subscription.id)
    .orderBy('id')
    .limit(subscription.max_batch_size)
    .execute();
  const [first] = waiting;
  if (first === undefined) return false;
  const end = waiting.findIndex(({ event_type: type }) => type !== first.event_type);
  const batch = end === -1 ? waiting : waiting.slice(0, end);
  const objectUris = await loadAddresses(app, subscription, batch);
  if (objectUris.length > 0)
    await callProvider(app, provider, {
      method: 'POST',
      path: '/data_sharing/v0/announcements',
      body: {
        source: { subscription: { id: subscription.id } },
        category: subscription.category,
        eventType: first.event_type,
        objectUris,
      },
    });
  await transaction(app, ({ db }) =>
    writable(db)
      .deleteFrom('service_provider_announcements')
      .where(
        'id',
        'in',
        batch.map(({ id }) => id),
      )
      .execute(),
  );
  return true;
}

/** Returns the addresses of the subjects, without those that may no longer be shared unless they are gone. */
async function loadAddresses(
  app: App,
  { category }: Pick<SubscriptionRow, 'category'>,
  batch: readonly AnnouncementRow[],
): Promise<string[]> {
  const ids = [...new Set(batch.map(({ subject_id: id }) => id))];
  const isGone = batch[0]?.event_type === 'delete';
  const { rows } =
    category === 'content'
      ? await sql<{ uri: string }>`
          select s.uri from statuses s join accounts a on a.id = s.account_id
          where s.id = any(${ids}::bigint[]) and (${isGone} or ${isShareableStatus}) order by s.id`.execute(app.db)
      : await sql<{ uri: string }>`
          select a.uri from accounts a
          where a.id = any(${ids}::bigint[]) and (${isGone} or ${isShareableAccount}) order by a.id`.execute(app.db);
  return rows.map(({ uri }) => uri);
}
